// Whether a part of a check asks the machine at all, or only computes with what the contract and the text give it.
import type { Command, SyntaxNode } from "unbash";
import { plainWord, programName, visit, wordsOf } from "../syntax.ts";

/** Where variables get their values. */
export type Definitions = ReadonlyMap<string, readonly SyntaxNode[]>;

/** They print or say what they are given. */
const TALKS =
  /^(echo|printf|:|true|false|sleep|exit|return|break|continue|set|export|local|declare|readonly|typeset|unset|shift|trap|let|read|logger)$/;
/** They compute with their input. */
const FILTERS =
  /^([ef]?grep|sed|[gmn]?awk|tr|cut|wc|sort|uniq|head|tail|cat|tac|rev|nl|fold|paste|column|md5sum|sha\d*sum|cksum|base64|od|xxd|hexdump|jq|yq|bc|dc|expr|tee|cmp|diff|seq|basename|dirname)$/;
/** The first operand is a pattern or a program, not a file. */
const PATTERN_FIRST = /^([ef]?grep|sed|[gmn]?awk|tr|jq|yq|expr|seq|basename|dirname)$/;
/** Every word is text. */
const NO_FILES = /^(tr|expr|seq|basename|dirname)$/;

export const isTalk = (name: string | null): boolean => name !== null && TALKS.test(name);

export function asksMachine(node: SyntaxNode, definitions: Definitions, seen: Set<string> = new Set()): boolean {
  let asks = false;
  visit(node, (inner) => {
    if (asks) return;
    if (inner.type === "Command") asks = commandAsks(inner);
    else if (inner.type === "TestUnary") asks = isFileTest(inner.operator);
    else if (inner.type === "TestBinary") asks = /^-(nt|ot|ef)$/.test(inner.operator);
    else if (inner.type === "SimpleExpansion") asks = variableAsks(inner.text.slice(1), definitions, seen);
    else if (inner.type === "ParameterExpansion") asks = variableAsks(inner.parameter, definitions, seen);
    else if (inner.type === "ArithmeticWord") asks = variableAsks(inner.value, definitions, seen);
  });
  return asks;
}

function variableAsks(name: string, definitions: Definitions, seen: Set<string>): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  return (definitions.get(name) ?? []).some((value) => asksMachine(value, definitions, seen));
}

export const isFileTest = (operator: string): boolean => /^-[a-zA-Z]$/.test(operator) && !/^-[nzvoR]$/.test(operator);

function commandAsks(command: Command): boolean {
  const files = command.redirects.some((one) => one.type === "Redirect" && one.operator === "<" && !isNull(one.target));
  if (files) return true;
  if (command.name === undefined) return false;
  const name = programName(command);
  if (name === null) return true;
  if (TALKS.test(name)) return false;
  const texts = wordsOf(command).map((word) => plainWord(word) ?? word.text);
  if (name === "test" || name === "[")
    return texts.some((text, at) => (isFileTest(text) && at < texts.length - 1) || /^-(nt|ot|ef)$/.test(text));
  if (!FILTERS.test(name)) return true;
  if (NO_FILES.test(name)) return false;
  const operands = operandsOf(texts, name);
  return operands.length > (PATTERN_FIRST.test(name) ? 1 : 0) || texts.some((text) => /^-[a-zA-Z]*[rRf]/.test(text));
}

const isNull = (target: Parameters<typeof plainWord>[0]): boolean => plainWord(target) === "/dev/null";

/** Options with a value of their own, by program. */
const VALUED: readonly (readonly [RegExp, RegExp])[] = [
  [/grep$/, /^-[efmABCd]$/],
  [/^sed$/, /^-[ef]$/],
  [/awk$/, /^-[vFf]$/],
  [/^(head|tail)$/, /^-[nc]$/],
  [/^(cut|sort|paste)$/, /^-[dcbfktSo]$/],
  [/^(fold|od|xxd)$/, /^-[wANtljscg]$/],
];

/** Words that are no option and no value of one. `grep -e x` has no pattern besides: its first operand is `-e`. */
export function operandsOf(texts: readonly string[], name: string): readonly string[] {
  const valued = VALUED.find(([program]) => program.test(name))?.[1];
  const operands: string[] = [];
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (/^-[ef]$/.test(text) && /grep$|^sed$|awk$/.test(name) && operands[0] !== "-e") operands.unshift("-e");
    if (name === "jq" && /^--(arg|argjson)$/.test(text)) at += 2;
    else if (valued?.test(text) === true) at += 1;
    else if (!text.startsWith("-")) operands.push(text);
  }
  return operands;
}
