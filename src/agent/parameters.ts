// Replaces values of the contract by parameters, so that the steps of an agent's run can serve another target
// [1.A.8.data]. A shell command is changed only where the guard sees the same commands and writes as before (D-144).
import type { TaskContract } from "../domain/contract.ts";
import type { Json } from "../domain/json.ts";
import { observe, type ShellContext } from "../guard/guard.ts";

/** A shorter value occurs in texts by chance. */
const MIN_VALUE = 2;
/** Bounds the work: for each attempt the guard reads the whole command. */
const MAX_PLACES = 40;

export function withTargetVariables(command: string, { target }: TaskContract, shell: ShellContext): string {
  // The guard does not see what a here-document feeds to a program. A variable in it may be plain text.
  if (command.includes("<<")) return command;
  const before = traceOf(command, shell);
  const values = Object.entries(target).filter(([, value]) => value.length >= MIN_VALUE);
  let result = command;
  let tries = 0;
  // The longest value first: a value may be a part of another.
  for (const [key, value] of values.sort(([, a], [, b]) => b.length - a.length)) {
    const name = `ORCH_TARGET_${key.toUpperCase()}`;
    for (let at = result.indexOf(value); at !== -1 && tries < MAX_PLACES; tries += 1) {
      const match = isWholeWord(result, value, at) ? replaced(result, at, value, name) : null;
      const isSame = match !== null && traceOf(match.text, shell) === before;
      if (isSame) result = match.text;
      at = result.indexOf(value, isSame ? match.end : at + 1);
    }
  }
  return result;
}

const WORD = /[A-Za-z0-9_]/;

const isWholeWord = (text: string, value: string, at: number): boolean =>
  !WORD.test(text[at - 1] ?? "") && !WORD.test(text[at + value.length] ?? "");

function replaced(text: string, at: number, value: string, name: string) {
  const before = text.slice(0, at);
  const variable = isQuoted(before) ? `\${${name}}` : `"$${name}"`;
  return { text: before + variable + text.slice(at + value.length), end: at + variable.length };
}

/** Whether this text ends inside double quotes, judged by its quotes alone. */
function isQuoted(text: string): boolean {
  let open: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\" && open !== "'") at += 1;
    else if (open === null && (character === '"' || character === "'")) open = character;
    else if (character === open) open = null;
  }
  return open === '"';
}

/** Everything that the guard sees in a command. */
function traceOf(command: string, shell: ShellContext): string {
  const seen: unknown[] = [];
  const isWhole = observe(command, shell, {
    command: (words) => seen.push(words),
    write: (path) => seen.push([">", path]),
    report: (verdict, code) => seen.push([verdict, code]),
  });
  return isWhole ? JSON.stringify(seen) : command;
}

type Values = ReadonlyMap<string, string>;

/** Replaces a string by a parameter when it equals a value of the target or of the payload. */
export function withParameters(
  args: { readonly [key: string]: Json },
  contract: TaskContract,
): { [key: string]: Json } {
  const values = new Map([
    ...valuesIn(contract.payload, "payload"),
    ...Object.entries(contract.target).map(([key, value]) => [value, `\${target.${key}}`] as const),
  ]);
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, parametrised(value, values)]));
}

function parametrised(value: Json, values: Values): Json {
  if (typeof value === "string") return (value.length >= MIN_VALUE && values.get(value)) || value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => parametrised(item, values));
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, parametrised(held, values)]));
}

const NAME = /^[A-Za-z0-9_]+$/;

function valuesIn(value: Json, path: string): (readonly [string, string])[] {
  if (typeof value === "string") return [[value, `\${${path}}`]];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const named = Object.entries(value).filter(([key]) => NAME.test(key));
  return named.flatMap(([key, held]) => valuesIn(held, `${path}.${key}`));
}
