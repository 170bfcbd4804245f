// Knows which commands stop reading before the end of their input, which decide by what they find in it, and how to write one that
// reads everything.
import { type Command, forEachChild, type SyntaxNode } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";

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
export function isEarlyReader(node: SyntaxNode): boolean {
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
export function isSearch(node: SyntaxNode): boolean {
  if (node.type === "Redirected") return isSearch(node.command);
  if ((node.type === "Subshell" || node.type === "BraceGroup") && node.body.commands.length === 1)
    return isSearch(node.body.commands[0]?.command as SyntaxNode);
  const started = node.type === "Command" ? startedBy(node) : null;
  if (started === null || !SEARCH.test(started.name)) return false;
  return !optionsOf(started).some((option) => /^(--files-without|-[a-zA-Z]*L)/.test(option));
}

export function isHarmlessWriter(node: SyntaxNode): boolean {
  const started = node.type === "Command" ? startedBy(node) : null;
  return started !== null && HARMLESS.test(started.name);
}

type Pipe = { readonly begin: number; readonly reader: SyntaxNode; readonly end: number };

/** The same pipeline with a reader that reads everything, or how to get one. */
export function readWhole(source: string, { begin, reader, end }: Pipe): string {
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
