// Finds pipelines whose reader stops before its writer has written everything, as `grep -q` does. SIGPIPE then ends the writer, and
// under `pipefail` its exit code 141 counts. Says where the last part may decide alone, and what to write instead elsewhere.
import { type Command, forEachChild, type Statement, type SyntaxNode } from "unbash";
import { plainWord, programName, shellText, treeOf, wordsOf } from "./syntax.ts";

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

/** A program with its words, without what starts it. A word that is not written out is empty. */
type Started = { readonly name: string; readonly args: readonly string[] };

const SEARCH = /^([efzbx]|xz|zst)?grep$|^rg$/;
const AWK = /^[gmn]?awk$/;
/** These do not read their input at all. */
const NO_READER = /^(true|false|:|echo|printf|test|\[|sleep|exit|return)$/;
/** They fail for nothing but a reader that has stopped. */
const HARMLESS = /^(echo|printf|yes|true|:|seq)$/;
const LAUNCHER = /^(command|builtin|exec|sudo|doas|env|nice|ionice|nohup|stdbuf|setsid|busybox|timeout)$/;

/** Their options whose value is a word of its own. */
const VALUED: ReadonlySet<string> = new Set(
  "sudo -u,sudo -g,doas -u,env -u,env -C,nice -n,ionice -c,ionice -n,timeout -k,timeout -s,stdbuf -i,stdbuf -o,stdbuf -e".split(
    ",",
  ),
);

function startedBy(command: Command): Started | null {
  const name = programName(command);
  if (name === null) return null;
  const args = wordsOf(command).map((word) => plainWord(word) ?? "");
  return withoutLaunchers({ name, args });
}

function withoutLaunchers({ name, args }: Started): Started | null {
  if (!LAUNCHER.test(name)) return { name, args };
  let at = 0;
  while (at < args.length && /^(-|\w+=)/.test(args[at] ?? "")) at += VALUED.has(`${name} ${args[at]}`) ? 2 : 1;
  if (name === "timeout") at += 1;
  const [word, ...rest] = args.slice(at);
  if (word === undefined || word === "") return null;
  return withoutLaunchers({ name: word.slice(word.lastIndexOf("/") + 1), args: rest });
}

const optionsOf = ({ args }: Started): readonly string[] => {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).filter((word) => /^-./.test(word));
};

const QUIET = /^(--(quiet|silent|max-count|files-with|files-without)|-[a-zA-Z]*?[qlLm])/;

/** Whether it may stop before the end of its input and pass. */
function isEarlyReader(node: SyntaxNode): boolean {
  switch (node.type) {
    case "Command": {
      const started = startedBy(node);
      return started !== null && stopsEarly(started);
    }
    case "Redirected":
      return isEarlyReader(node.command);
    case "BraceGroup":
    case "Subshell":
      return !drains(node.body.commands.at(-1)?.command) && someReads(node.body);
    case "While":
      return leaves(node.body);
    default:
      return someReads(node);
  }
}

function stopsEarly(started: Started): boolean {
  const { name, args } = started;
  if (SEARCH.test(name)) return optionsOf(started).some((option) => QUIET.test(option));
  if (name === "head") return !/(^| )(-[nc] ?|--(lines|bytes)[= ])-\d/.test(args.join(" "));
  if (name === "sed") return args.some((word) => /(^|[;{}\n\d$/I!])\s*[qQ]\s*($|[;}\n])/.test(word));
  if (AWK.test(name)) return args.some(exitsEarly);
  if (name === "perl" || name === "ruby") return args.some((word) => /\b(exit|last)\b(?!\s*\(?\s*[1-9])/.test(word));
  if (name === "dd") return args.some((word) => word.startsWith("count="));
  return name === "read" || NO_READER.test(name);
}

/** `exit` outside of END. A status that awk works out is its answer, mostly to a line or two. */
const exitsEarly = (code: string): boolean =>
  /\bexit\b\s*0?\s*([;}\n]|$)/.test(code.replace(/\bEND\s*\{[^}]*\}?/g, "").replace(/"(\\.|[^"\\])*"/g, '""'));

/** Reads everything that is left. */
const drains = (node: SyntaxNode | undefined): boolean =>
  node?.type === "Command" && programName(node) === "cat" && wordsOf(node).length === 0;

function someReads(node: SyntaxNode): boolean {
  let found = false;
  forEachChild(node, (child) => {
    if (child.type === "While") found ||= leaves(child.body);
    else if (child.type === "Command") found ||= mayRead(child);
    else found ||= someReads(child);
  });
  return found;
}

/** In a group, only what reads takes part. */
function mayRead(command: Command): boolean {
  const started = startedBy(command);
  return started !== null && !NO_READER.test(started.name) && stopsEarly(started);
}

function leaves(node: SyntaxNode): boolean {
  let found = false;
  forEachChild(node, (child) => {
    const name = child.type === "Command" ? programName(child) : null;
    found ||= name !== null && /^(break|exit|return)$/.test(name);
    found ||= leaves(child);
  });
  return found;
}

/** Its exit code says whether it found something: it does not pass for want of input. */
function isSearch(node: SyntaxNode): boolean {
  if (node.type === "Redirected") return isSearch(node.command);
  if ((node.type === "Subshell" || node.type === "BraceGroup") && node.body.commands.length === 1)
    return isSearch(node.body.commands[0]?.command as SyntaxNode);
  const started = node.type === "Command" ? startedBy(node) : null;
  if (started === null || !SEARCH.test(started.name)) return false;
  return !optionsOf(started).some((option) => /^(--files-without|-[a-zA-Z]*L)/.test(option));
}

function isHarmlessWriter(node: SyntaxNode): boolean {
  const started = node.type === "Command" ? startedBy(node) : null;
  return started !== null && HARMLESS.test(started.name);
}

type Pipe = { readonly begin: number; readonly reader: SyntaxNode; readonly end: number };

/** The same pipeline with a reader that reads everything, or how to get one. */
function readWhole(source: string, { begin, reader, end }: Pipe): string {
  const put = (text: string) => `\`${source.slice(begin, reader.pos)}${text}${source.slice(reader.end, end)}\``;
  const started = reader.type === "Command" ? startedBy(reader) : null;
  const text = source.slice(reader.pos, reader.end);
  if (started !== null && SEARCH.test(started.name)) {
    const loud = withoutQuiet(text);
    if (loud !== null) return put(loud);
  }
  if (started?.name === "head") {
    const lines = linesOf(started.args);
    if (lines !== null) return put(`sed -n ${lines === "1" ? "1p" : `1,${lines}p`}`);
  }
  if (started !== null && AWK.test(started.name)) return "keep the answer in a variable, and let awk exit in END";
  const writer = source
    .slice(begin, reader.pos)
    .replace(/\|&?\s*$/, "")
    .trim();
  return `keep its output first, \`out=$(${writer}) && ...\`, and ask "$out"`;
}

/** Null where another option makes it stop. */
function withoutQuiet(text: string): string | null {
  const loud = text
    .replace(/\s--(quiet|silent)(?=\s|$)/g, "")
    .replace(/\s-q(?=\s|$)/g, "")
    .replace(/(\s-[a-zA-Z]*?)q([a-zA-Z]*)(?=\s|$)/g, "$1$2");
  return loud === text ? null : loud;
}

function linesOf(args: readonly string[]): string | null {
  if (args.length === 0) return "10";
  const [, count] = /^(?:-n ?|--lines[= ]|-)(\d+)$/.exec(args.join(" ")) ?? [];
  return count ?? null;
}
