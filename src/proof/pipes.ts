// Finds pipelines whose reader stops before its writer has written everything, as `grep -q` does. SIGPIPE then ends the writer, and
// under `pipefail` its exit code 141 counts. Says where the last part may decide alone, and what to write instead elsewhere.
import { type Command, forEachChild, type Statement, type SyntaxNode } from "unbash";
import { isEarlyReader, isHarmlessWriter, isSearch, readWhole } from "./pipes/readers.ts";
import { programName, shellText, treeOf, wordsOf } from "./syntax.ts";

export type PipeReading = {
  /** Without `pipefail` the text says the same, and no writer that its reader has stopped changes the answer. */
  readonly last_part_decides: boolean;
  /** The pipelines whose answer depends on whether the writer or its reader ends first, each with what to do. */
  readonly faults: readonly string[];
};

const NOTHING: PipeReading = { last_part_decides: false, faults: [] };

/** `answer`: it decides what happens next, or the exit code. `errexit`: where it fails, the shell ends. */
type Use = "answer" | "errexit" | "none";

type Place = { readonly source: string; readonly use: Use; readonly strict: boolean; readonly pinned: boolean };

type Piped = {
  readonly text: string;
  readonly use: Use;
  /** Its own shell sets pipefail. */
  readonly pinned: boolean;
  readonly stops_early: boolean;
  readonly decides: boolean;
  readonly instead: string;
};

/** `strict` is true of a command, whose shell ends at its first error. Never throws. */
export function readPipes(text: string, { strict }: { readonly strict: boolean }): PipeReading {
  if (!/[^|]\|&?(?!\|)/.test(text)) return NOTHING;
  try {
    return pipesIn(text, strict);
  } catch {
    // Nested too deeply for this process.
    return NOTHING;
  }
}

function pipesIn(text: string, strict: boolean): PipeReading {
  const tree = treeOf(text);
  if (tree === null) return NOTHING;
  const mode = pipefailIn(tree.commands);
  if (mode === "off") return NOTHING;
  const found = inList(tree.commands, { source: text, use: strict ? "errexit" : "answer", strict, pinned: false });
  const used = found.filter(({ use }) => use !== "none");
  const stopping = used.filter(({ stops_early }) => stops_early);
  if (stopping.length === 0) return NOTHING;
  const own = used.filter(({ pinned }) => !pinned);
  const last_part_decides =
    mode === null && own.some(({ stops_early }) => stops_early) && own.every(({ decides }) => decides);
  const wrong = stopping.filter(({ use, pinned }) => use === "answer" && (pinned || !last_part_decides));
  return { last_part_decides, faults: wrong.map(({ text: pipe, instead }) => faultOf(pipe, instead)) };
}

const MAX_SHOWN = 120;

function faultOf(pipe: string, instead: string): string {
  const shown = pipe.length > MAX_SHOWN ? `${pipe.slice(0, MAX_SHOWN).toWellFormed()}...` : pipe;
  return `\`${shown}\` may fail by chance (exit code 141): its reader stops early, and SIGPIPE ends its writer; instead: ${instead}`;
}

/** What the text itself says of `pipefail`. */
function pipefailIn(commands: readonly Statement[]): "on" | "off" | null {
  let mode: "on" | "off" | null = null;
  const see = (node: SyntaxNode): void => {
    if (node.type === "Command" && programName(node) === "set") {
      const words = wordsOf(node).map(({ value }) => value);
      const at = words.indexOf("pipefail");
      if (at > 0) mode = /^-\w*o$/.test(words[at - 1] ?? "") ? "on" : "off";
    }
    forEachChild(node, see);
  };
  for (const command of commands) see(command);
  return mode;
}

/** The pipelines of a list, whose last command is used as the list is. */
function inList(statements: readonly Statement[], place: Place): Piped[] {
  let { strict } = place;
  return statements.flatMap(({ command, background }, at) => {
    strict = strictAfter(command, strict);
    const next = statements[at + 1];
    const isAsked = next !== undefined && readsStatus(place.source.slice(next.pos, next.end));
    const isLast = next === undefined && place.use === "answer";
    const between = strict ? "errexit" : "none";
    const use = background === true ? "none" : isAsked || isLast ? "answer" : between;
    return inNode(command, { ...place, use, strict });
  });
}

function inNode(node: SyntaxNode, place: Place): Piped[] {
  const asked: Place = { ...place, use: "answer", strict: false };
  switch (node.type) {
    case "Pipeline":
      return inPipeline(node, place);
    case "AndOr": {
      const last = node.commands.length - 1;
      return node.commands.flatMap((one, at) => inNode(one, at === last ? place : { ...place, use: "answer" }));
    }
    case "If":
    case "Elif":
      return [
        ...inList(node.clause.commands, asked),
        ...inNode(node.then, place),
        ...(node.type === "If" ? [...node.elif, ...(node.else === undefined ? [] : [node.else])] : []).flatMap((one) =>
          inNode(one, place),
        ),
      ];
    case "While":
      return [...inList(node.clause.commands, asked), ...inNode(node.body, place)];
    case "Function":
      return inNode(node.body, { ...place, use: "answer" });
    case "CompoundList":
      return inList(node.commands, place);
    case "Command":
      return [
        ...substituted(node, { ...place, use: node.name === undefined ? place.use : "none", strict: false }),
        ...inOtherShell(node),
      ];
    default:
      return GROUPS.test(node.type)
        ? children(node).flatMap((child) => inNode(child, place))
        : substituted(node, { ...place, use: "none", strict: false });
  }
}

/** `bash -o pipefail -c '...'`: what orch sets does not reach it. */
function inOtherShell(command: Command): Piped[] {
  const source = shellText(command);
  const tree = source === null ? null : treeOf(source);
  if (source === null || tree === null) return [];
  const isSet = wordsOf(command).some(
    ({ value }, at, all) => value === "pipefail" && /^-\w*o$/.test(all[at - 1]?.value ?? ""),
  );
  if (!isSet && pipefailIn(tree.commands) !== "on") return [];
  return inList(tree.commands, { source, use: "answer", strict: false, pinned: true });
}

const GROUPS = /^(For|ArithmeticFor|Select|Subshell|BraceGroup|Redirected|Case|CaseItem)$/;

function children(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = [];
  forEachChild(node, (child) => {
    all.push(child);
  });
  return all;
}

/** Of the substitutions below the node. What backquotes decode has its place in a source of its own. */
const substituted = (node: SyntaxNode, place: Place): Piped[] =>
  children(node).flatMap((child) =>
    child.type === "Script"
      ? inList(child.commands, { ...place, source: child.source ?? place.source })
      : substituted(child, place),
  );

function inPipeline(node: Extract<SyntaxNode, { type: "Pipeline" }>, place: Place): Piped[] {
  const { source } = place;
  const isTurned = node.prefixes.some(({ type }) => type === "Negation");
  // `set -e` ends no shell for what `!` has turned: only its answer counts.
  const use = isTurned && place.use === "errexit" ? "answer" : place.use;
  const within = node.commands.flatMap((command) => inNode(command, { ...place, use }));
  const [writer, ...readers] = node.commands;
  const last = readers.at(-1);
  if (writer === undefined || last === undefined) return within;
  const reader = readers.find(isEarlyReader);
  const pipe = {
    text: source.slice(writer.pos, node.end).trim(),
    use,
    pinned: place.pinned,
    stops_early: reader !== undefined || isEndless(writer),
    decides: isSearch(last) || node.commands.slice(0, -1).every(isHarmlessWriter),
    instead:
      reader === undefined
        ? `\`${source.slice(readers[0]?.pos, node.end)} < <(${source.slice(writer.pos, writer.end)})\``
        : readWhole(source, { begin: writer.pos, reader, end: node.end }),
  };
  return [...within, pipe];
}

/** Only its reader ends it. */
const isEndless = (node: SyntaxNode): boolean => node.type === "Command" && programName(node) === "yes";

/** `set -e` and `set +e`. */
export function strictAfter(node: SyntaxNode, strict: boolean): boolean {
  if (node.type !== "Command" || programName(node) !== "set") return strict;
  const words = wordsOf(node as Command).map(({ value }) => value);
  if (
    words.some((word, at) => /^-[a-zA-Z]*e/.test(word) || (word === "errexit" && /^-\w*o$/.test(words[at - 1] ?? "")))
  )
    return true;
  return words.some((word) => /^\+[a-zA-Z]*e/.test(word)) ? false : strict;
}

/** Whether the text asks how the command before it ended. */
export const readsStatus = (text: string): boolean => /\$\{?(\?|PIPESTATUS)/.test(text);
