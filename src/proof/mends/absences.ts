// Mends of checks that something is absent: a file is also absent where its directory is, a remote command also fails where
// the host does not answer, and nothing is unequal to any word.
import type { SyntaxNode, Word } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";
import {
  comparison,
  type Edit,
  inPlace,
  isCondition,
  type MendPattern,
  type MendPlace,
  onlySubstitution,
  single,
  slice,
} from "./edits.ts";

/** `test ! -e dir/file`, `! [ -f dir/file ]`. */
export const absentFile: MendPattern = (node, place) => {
  const file = refusedFile(node);
  if (file === null || !isCondition(node, place)) return null;
  const directory = directoryOf(slice(place, file));
  const looked = directory === null ? null : lookedInto(directory, place);
  if (looked === null) return null;
  return {
    pos: node.pos,
    end: node.end,
    text: inPlace(`${looked} && ${slice(place, node)}`, node, place),
    why: NO_PLACE,
  };
};

/** `while [ -f dir/lock ]; do sleep 1; done`. */
export const awaitedAbsence: MendPattern = (node, place) => {
  if (node.type !== "While" || node.kind !== "while" || !place.last) return null;
  const [statement, ...others] = node.clause.commands;
  const tested = statement === undefined || others.length > 0 ? null : single(statement.command);
  if (tested === null || !/^-[efLd]$/.test(tested.operator)) return null;
  const directory = directoryOf(slice(place, tested.operand));
  const looked = directory === null ? null : lookedInto(directory, place);
  return looked === null ? null : { pos: node.pos, end: node.pos, text: `${looked} && `, why: NO_PLACE };
};

function refusedFile(node: SyntaxNode): Word | null {
  if (node.type === "Pipeline") {
    const [only, ...others] = node.commands;
    const isTurned = node.prefixes.length === 1 && node.prefixes[0]?.type === "Negation";
    const tested = only === undefined || others.length > 0 || !isTurned ? null : single(only);
    return tested !== null && /^-[efL]$/.test(tested.operator) ? tested.operand : null;
  }
  if (node.type !== "Command" || !/^(test|\[)$/.test(programName(node) ?? "")) return null;
  const [not, operator, file] = wordsOf(node);
  return plainWord(not) === "!" && /^-[efL]$/.test(plainWord(operator) ?? "") ? (file ?? null) : null;
}

/** Of a path as it is spelled, null where it has none. */
function directoryOf(spelled: string): string | null {
  const quoted = /^(".+)\/[^/"$`]+"$/.exec(spelled);
  if (quoted !== null) return `${quoted[1]}"`;
  return /^([^"'\s]+|"[^"]+"[^"'\s]*)\/[^/"'$`\s*?[]+$/.exec(spelled)?.[1] ?? null;
}

const NO_PLACE = "the file is also absent where its directory is missing or empty";

/** Null where the check looks for the directory by itself. An empty one is as good as none for the directory of a target. */
function lookedInto(directory: string, { source }: MendPlace): string | null {
  const present = `test -d ${directory}`;
  const holds = `test -n "$(ls -A ${directory})"`;
  if ([`-d ${directory}`, holds].some((text) => source.includes(text))) return null;
  return directory.includes("ORCH_TARGET_COMPOSE_DIR") ? holds : present;
}

const SSH_WITH_VALUE = /^-[bcDEeFIiJLlmOopQRSWw]$/;
const HOST_LOST = "the check also passes when the host does not answer";

/** `ssh -o x=y host true` for a command on that host, null for anything else. */
function probeOf(node: SyntaxNode | undefined, place: MendPlace): string | null {
  if (node?.type !== "Command" || node.name === undefined || programName(node) !== "ssh") return null;
  const words = wordsOf(node);
  let at = 0;
  while (words[at]?.text.startsWith("-")) at += SSH_WITH_VALUE.test(words[at]?.text ?? "") ? 2 : 1;
  const host = words[at];
  if (host === undefined || words.length === at + 1) return null;
  return `${place.source.slice(node.pos, host.end)} true`;
}

/** `! ssh host 'test -e f'`. */
export const remoteAbsence: MendPattern = (node, place) => {
  if (node.type !== "Pipeline" || node.prefixes[0]?.type !== "Negation" || node.commands.length > 1) return null;
  return isCondition(node, place) ? asked(probeOf(node.commands[0], place), node, place) : null;
};

/** `[ "$(ssh host 'cat log' | wc -l)" -lt 5 ]`: what fails on the host may be as it should be. */
export const remoteAnswer: MendPattern = (node, place) => {
  const compared = comparison(node);
  const tested = compared === null ? single(node) : null;
  const output = onlySubstitution(compared?.left ?? tested?.operand, place);
  if (output === null || !isCondition(node, place)) return null;
  const passes = compared === null ? tested?.operator === "-z" : /^(!=|-l[te]|-eq)$/.test(compared.operator);
  const first = output.node.type === "Pipeline" ? output.node.commands[0] : output.node;
  return passes ? asked(probeOf(first, place), node, place) : null;
};

/** `out=$(ssh host cmd); [[ $out != x ]]`. */
export const remoteVariable: MendPattern = (node, place): Edit | null => {
  if (node.type !== "Script" || node.commands.length !== 2) return null;
  const [assigned, test] = node.commands.map(({ command }) => command);
  if (assigned?.type !== "Command" || test === undefined || assigned.prefix.length !== 1) return null;
  const [assignment] = assigned.prefix;
  if (assignment?.type !== "Assignment" || assignment.value.type !== "Word") return null;
  const probe = probeOf(onlySubstitution(assignment.value, place)?.node, place);
  if (probe === null || comparison(test)?.operator !== "!=") return null;
  return { pos: assigned.pos, end: assigned.pos, text: `${probe} || exit 1; `, why: HOST_LOST };
};

/** The host is asked first, once. */
function asked(probe: string | null, node: SyntaxNode, place: MendPlace): Edit | null {
  if (probe === null || place.source.includes(`${probe} &&`) || place.source.includes(`${probe} ||`)) return null;
  const text = `${probe} && ${slice(place, node)}`;
  return { pos: node.pos, end: node.end, text: inPlace(text, node, place), why: HOST_LOST };
}

/** `x=$(p); ...; [ "$x" != bad ]`: no answer is unequal to any word, and is the number 0 where curl prints a status. */
export const noAnswer: MendPattern = (node, place) => {
  const compared = comparison(node);
  if (compared === null || !place.last || !isCondition(node, place)) return null;
  const { left, operator, right } = compared;
  const name = /^"?\$\{?(\w+)\}?"?$/.exec(slice(place, left))?.[1];
  const isAnswer = name !== undefined && new RegExp(`\\b${name}=["]?\\$\\(`).test(place.source);
  if (!isAnswer || plainWord(right) === null || plainWord(right) === "") return null;
  const isStatus = /%\{(http_code|response_code)\}/.test(place.source);
  const guard = operator === "!=" ? `test -n "$${name}"` : `test "$${name}" -ge 100`;
  if (operator !== "!=" && !(isStatus && /^-l[te]$/.test(operator))) return null;
  if (place.source.includes(guard) || place.source.includes(`[ -n "$${name}" ]`)) return null;
  const why = operator === "!=" ? "no answer passes as well" : "curl prints 000 where there is no answer";
  return { pos: node.pos, end: node.end, text: inPlace(`${guard} && ${slice(place, node)}`, node, place), why };
};
