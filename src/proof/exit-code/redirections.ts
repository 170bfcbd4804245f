// Redirections: what expanding them does, and whether they can fail. Where one fails, the command does not run.
import type { Redirection, Word } from "unbash";
import { type Expansion, expandText } from "./expand.ts";

const SAFE_FILES = /^\/dev\/(null|stdout|stderr)$/;

/** True where all of them are sure to succeed. */
export function redirect(redirects: readonly Redirection[], expansion: Expansion): boolean {
  return redirects.map((one) => isSafe(one, expansion)).every(Boolean);
}

function isSafe(one: Redirection, expansion: Expansion): boolean {
  if (one.type === "HereDoc") {
    const { body } = one;
    if (body.parts !== undefined)
      expandText({ type: "Word", text: "", value: "", pos: body.pos, end: body.end, parts: body.parts }, expansion);
    return true;
  }
  const { target, descriptor } = one;
  if (target === undefined) return false;
  const text = expandText(target, expansion);
  if (one.type === "HereString") return descriptor === undefined;
  if (descriptor?.type === "FileDescriptorVariable" || (descriptor?.value ?? 0) > 2 || text === null) return false;
  return isPlain(target) && isSafeTarget(one.operator, text);
}

const isPlain = ({ parts }: Word): boolean => parts === undefined;

function isSafeTarget(operator: string, text: string): boolean {
  if (operator === ">&") return /^[12]$/.test(text) || text === "/dev/null";
  if (operator === "<") return text === "/dev/null";
  return SAFE_FILES.test(text) && /^(>|>>|>\||&>|&>>)$/.test(operator);
}
