// Mends of searches and of what they read: `! p | grep x` also passes when p has failed, an error page is also a page, and
// awk ends with 0 where it saw no line.
import type { Command, SyntaxNode } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";
import {
  type Edit,
  filesOf,
  freshNames,
  inPlace,
  isGrep,
  type MendPattern,
  type MendPlace,
  ONLY_ANSWERS,
  searchedOutput,
  slice,
} from "./edits.ts";

/** `! p | grep -q x`. */
export const absentLine: MendPattern = (node, place) => {
  if (node.type !== "Pipeline" || !isNegated(node)) return null;
  const [only] = node.commands;
  if (node.commands.length === 1 && isGrep(only)) return absentInFile(only, node, place);
  const found = searchedOutput(node, place);
  const [name] = freshNames(place.source, 1);
  if (found === null || name === undefined) return null;
  const { before, needsLine } = answered(found.before, found.first);
  const line = needsLine ? ` && test -n "$${name}"` : "";
  const text = `${name}=$(${before})${line} && ! ${found.grep} <<<"$${name}"`;
  const why = `\`!\` also passes when ${programName(found.first) ?? "the command"} fails; ${ONLY_ANSWERS}`;
  return { pos: node.pos, end: node.end, text: inPlace(text, node, place), why };
};

const isNegated = ({ prefixes }: Extract<SyntaxNode, { type: "Pipeline" }>): boolean =>
  prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;

/** journalctl ends with 0 where there is no journal: it must print a line, and not the one that says that there is none. */
function answered(before: string, first: Command): { readonly before: string; readonly needsLine: boolean } {
  if (programName(first) !== "journalctl") return { before, needsLine: false };
  const quiet = /\s(-[a-z]*q|--quiet)\b/.test(before);
  return { before: quiet ? before : before.replace("journalctl", "journalctl -q"), needsLine: true };
}

function absentInFile(grep: Command, node: SyntaxNode, place: MendPlace): Edit | null {
  const [file, ...others] = filesOf(grep);
  if (file === undefined || others.length > 0 || /[*?[{]/.test(file.text)) return null;
  if (wordsOf(grep).some(({ text }) => /^-[a-z]*[rR]/.test(text))) return null;
  if (isLookedFor(node, place)) return null;
  const why = "`!` also passes when the file cannot be read";
  const text = `test -r ${slice(place, file)} && ${slice(place, node)}`;
  return { pos: node.pos, end: node.end, text: inPlace(text, node, place), why };
}

/** `test -f file && ! grep ...` has looked before. */
function isLookedFor(node: SyntaxNode, place: MendPlace): boolean {
  const [parent] = place.parents;
  if (parent?.type !== "AndOr") return false;
  const before = parent.commands[parent.commands.findIndex((command) => command.pos === node.pos) - 1];
  return before !== undefined && /^(test|\[\[?) -[refs] /.test(slice(place, before));
}

/** `if p | grep -q x; then exit 1; fi`. */
export const refusedLine: MendPattern = (node, place) => {
  if (node.type !== "If" || node.elif.length > 0 || node.else !== undefined || !place.last) return null;
  const [statement, ...more] = node.clause.commands;
  const leaves = node.then.commands.at(-1)?.command;
  if (statement?.command.type !== "Pipeline" || more.length > 0 || isNegated(statement.command)) return null;
  const found = searchedOutput(statement.command, place);
  const [name] = freshNames(place.source, 1);
  const isExit = leaves?.type === "Command" && programName(leaves) === "exit" && plainWord(wordsOf(leaves)[0]) !== "0";
  if (found === null || name === undefined || !isExit) return null;
  const { command } = statement;
  const rest = `${place.source.slice(node.pos, command.pos)}${found.grep} <<<"$${name}"${place.source.slice(command.end, node.end)}`;
  const { before, needsLine } = answered(found.before, found.first);
  const line = needsLine ? `test -n "$${name}" || exit 1; ` : "";
  const why = `the check passes when ${programName(found.first) ?? "the command"} fails; ${ONLY_ANSWERS}`;
  return { pos: node.pos, end: node.end, text: `${name}=$(${before}) || exit 1; ${line}${rest}`, why };
};

/** `curl -s url` without `-f`. A check that looks at the status by itself, or searches the page, keeps its words. */
export const errorPage: MendPattern = (node, place) => {
  if (node.type !== "Command" || node.name === undefined || programName(node) !== "curl") return null;
  if (place.parents.some(({ type }) => type === "Pipeline" || type === "ProcessSubstitution")) return null;
  const words = wordsOf(node);
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => /^(--fail(-\w+)*|--write-out|-[a-zA-Z]*[fwI][a-zA-Z]*|--head|--version|-V)$/.test(text)))
    return null;
  const why = "curl ends with 0 for an error page; -f makes it fail";
  const silent = words.find(({ text }) => /^-[a-zA-Z]*s[a-zA-Z]*$/.test(text));
  if (silent === undefined) return { pos: node.name.end, end: node.name.end, text: " -fsS", why };
  const letters = silent.text.slice(1);
  const rest = [...letters].filter((letter) => !"fsS".includes(letter)).join("");
  return { pos: silent.pos, end: silent.end, text: `-fsS${rest}`, why };
};

const LINE_RULE =
  /^\s*((?:F?NR\s*(?:==|>=?)\s*\d+|\$1\s*==\s*"[^"{}]*"|\/[^/{}]*\/)?)\s*\{\s*exit\s*([^{};]*?)\s*;?\s*\}\s*$/;
const IF_RULE =
  /^\s*((?:F?NR\s*(?:==|>=?)\s*\d+)?)\s*\{\s*if\s*\((.*)\)\s*\{?\s*exit\s*(?:\(?1\)?)?\s*;?\s*\}?\s*\}\s*$/;
const CONDITION_RULE = /^\s*([^{}]+?)\s*\{\s*exit\s*\(?1\)?\s*;?\s*\}\s*$/;

/** `df -i / | awk 'NR==2{exit $5+0>90}'`. */
export const unseenLine: MendPattern = (node) => {
  if (node.type !== "Command" || !/^[gmn]?awk$/.test(programName(node) ?? "")) return null;
  const word = wordsOf(node).find(({ text }) => text.startsWith("'") && text.endsWith("'"));
  const program = plainWord(word);
  if (word === undefined || program === null || program.includes("'") || /END/.test(program)) return null;
  const seen = judgedRule(program);
  if (seen === null) return null;
  const why = "awk ends with 0 where it reads no such line";
  return { pos: word.pos, end: word.end, text: `'${seen} END { exit !seen || bad }'`, why };
};

function judgedRule(program: string): string | null {
  const [, linePattern, value] = LINE_RULE.exec(program) ?? [];
  if (value !== undefined && linePattern !== undefined && linePattern !== "" && value !== "")
    return `${linePattern} { seen = 1; bad = (${value}) }`;
  const [, ifPattern = "", condition] = IF_RULE.exec(program) ?? [];
  if (condition !== undefined) return `${ifPattern} { seen = 1; if (${condition}) bad = 1 }`.trimStart();
  const [, pattern] = CONDITION_RULE.exec(program) ?? [];
  return pattern === undefined || /^F?NR\s*==/.test(pattern) ? null : `{ seen = 1 } ${pattern} { bad = 1 }`;
}
