// Where a text has a value of the target as a name of its own: not within a longer word, and not as the name of a program,
// of a variable or of an option.
import type { SyntaxNode } from "unbash";
import { type CheckTree, plainWord, programName, visitInPlace, wordsOf } from "../syntax.ts";

export type Occurrence = { readonly key: string; readonly pos: number; readonly end: number };

type Range = { readonly pos: number; readonly end: number };

type Values = Readonly<Record<string, string>>;

const MAX_OCCURRENCES = 500;

/** In order, without overlap. The longest value comes first: a value may be a part of another. */
export function occurrences(text: string, tree: CheckTree, values: Values): Occurrence[] {
  const readable = new Uint8Array(text.length);
  for (const { pos, end } of literalRanges(tree)) readable.fill(1, pos, end);
  const numeric = numberPlaces(tree);
  for (const { pos, end } of closedRanges(tree, text)) readable.fill(0, pos, end);
  const found: Occurrence[] = [];
  const sorted = Object.entries(values).sort(([, a], [, b]) => b.length - a.length);
  for (const [key, value] of sorted) {
    if (value === "") continue;
    for (let pos = text.indexOf(value); pos !== -1 && found.length < MAX_OCCURRENCES; ) {
      const end = pos + value.length;
      const isOpen = readable[pos] === 1 && readable[end - 1] === 1;
      const isNumber = /^\d+$/.test(value);
      if (isOpen && isOwnWord(text, value, pos) && !(isNumber && inside(numeric, pos))) {
        found.push({ key, pos, end });
        readable.fill(0, pos, end);
      }
      pos = text.indexOf(value, pos + 1);
    }
  }
  return found.sort((a, b) => a.pos - b.pos);
}

const inside = (ranges: readonly Range[], at: number): boolean => ranges.some(({ pos, end }) => pos <= at && at < end);

/** Everything that bash hands on as it is spelled. */
function literalRanges(tree: CheckTree): Range[] {
  const ranges: Range[] = [];
  visitInPlace(tree, (node) => {
    if (node.type === "Word" && node.parts === undefined) ranges.push(node);
    if (node.type === "HereDocBody" && node.parts === undefined) ranges.push(node);
    if (node.type === "Literal" || node.type === "SingleQuoted" || node.type === "AnsiCQuoted") ranges.push(node);
  });
  return ranges;
}

/** The names of programs, functions, variables and options. The path of a program is a path. */
function closedRanges(tree: CheckTree, text: string): Range[] {
  const ranges: Range[] = [];
  const close = (range: Range): void => {
    ranges.push(range);
  };
  visitInPlace(tree, (node) => {
    if (node.type === "Command") closeNames(node, text, close);
    if (node.type === "Function" || node.type === "For" || node.type === "Select") close(node.name);
    if (node.type === "Assignment") close({ pos: node.pos, end: node.pos + node.name.length });
    if (node.type === "SimpleExpansion") close(node);
    if (node.type === "ParameterExpansion") close({ pos: node.parameterPos, end: node.parameterEnd });
    if (node.type === "HereDocDelimiter") close(node);
  });
  return ranges;
}

const LAUNCHERS = /^(sudo|doas|timeout|env|nice|nohup|time|command|exec|xargs|stdbuf|ionice|setsid|chroot|watch)$/;
const CLIENTS =
  /^(docker|podman|kubectl|systemctl|git|service|virsh|qm|pct|zfs|zpool|ip|nft|apt|snap|helm|npm|rc-service)$/;

function closeNames(node: Extract<SyntaxNode, { type: "Command" }>, text: string, close: (range: Range) => void): void {
  if (node.name === undefined) return;
  if (!node.name.text.includes("/")) close(node.name);
  const name = programName(node) ?? "";
  const words = wordsOf(node);
  // `sudo web -t` runs a program; `docker web` would be a command of docker.
  const next = words.find((word) => !word.text.startsWith("-") && !/^\d/.test(word.text) && !word.text.includes("="));
  const isName = LAUNCHERS.test(name) || CLIENTS.test(name);
  if (isName && next !== undefined && !next.text.includes("/")) close(next);
  for (const word of words) {
    const option = /^-{1,2}[A-Za-z][\w-]*/.exec(text.slice(word.pos, word.end));
    if (option !== null) close({ pos: word.pos, end: word.pos + option[0].length });
  }
}

/** Operands of numeric comparisons and numbers after an option: `-ge 80`, `head -n 80`. */
function numberPlaces(tree: CheckTree): Range[] {
  const ranges: Range[] = [];
  visitInPlace(tree, (node) => {
    if (node.type === "TestCommand" || node.type === "ArithmeticCommand" || node.type === "ArithmeticExpansion")
      ranges.push(node);
    if (node.type !== "Command") return;
    const name = programName(node);
    if (name === "test" || name === "[" || name === "exit" || name === "sleep") ranges.push(node);
    const words = wordsOf(node);
    for (const [at, word] of words.entries()) {
      const before = plainWord(words[at - 1]) ?? "";
      if (/^-[a-oq-zA-OQ-Z]$/.test(before) && /^\d+$/.test(word.text)) ranges.push(word);
    }
  });
  return ranges;
}

const WORD = /[A-Za-z0-9_]/;

/** `web` is one in `http://web:80/`, `/srv/web/x`, `web.service` and `shop-web-1`, and none in `website` or `web-proxy`. */
export function isOwnWord(text: string, value: string, pos: number): boolean {
  const [before = "", after = ""] = [text[pos - 1] ?? "", text[pos + value.length] ?? ""];
  const rest = text.slice(pos + value.length, pos + value.length + 8);
  if (value.startsWith("/")) return !/[\w.~$}-]/.test(before) && !/[\w.-]/.test(after);
  if (/^\d+$/.test(value)) return isOwnNumber(value, before, after);
  if (WORD.test(before) && before !== "_") return false;
  if (WORD.test(after) && after !== "_") return false;
  const isNumbered = /^[-_]\d+(?![\w-])/.test(rest);
  if (/[-_]/.test(after) && !isNumbered) return false;
  if (/[-_]/.test(before) && !isNumbered) return false;
  // A part of a longer name: `api.web`, but not the end of a pattern `.*web`.
  return !(before === "." && WORD.test(text[pos - 2] ?? ""));
}

/** A short number is a name only where it is a whole word or the port of an address. */
function isOwnNumber(value: string, before: string, after: string): boolean {
  if (/[\w.-]/.test(before) || /[\w.%-]/.test(after)) return false;
  if (value.length >= 3) return true;
  return before === ":" || (/^["'\s]?$/.test(before) && /^["'\s;|&)]?$/.test(after));
}
