// Puts variables in the place of the target's values in a command of an agent's run, so that it can serve another target [1.A.8.data]:
// only where the guard sees the same commands and writes as before (D-144). Says of each value that stays why it stays.
import type { TaskContract } from "../domain/contract.ts";
import { observe, type ShellContext } from "../guard/guard.ts";
import { type TextPlace, textPlaces } from "../proof/text-places.ts";

/** A value of the contract that is still in the text. `key` is `target.service` or `payload.tag`. */
export type LiteralValue = { readonly key: string; readonly value: string; readonly why: string };

export type ParametrisedCommand = { readonly text: string; readonly left: readonly LiteralValue[] };

/** A shorter value occurs in texts by chance. */
export const MIN_VALUE = 2;
/** Bounds the work: for each attempt the guard reads the whole command. */
const MAX_PLACES = 40;

export const TOO_SHORT = "so short a value occurs by chance";
const WITHIN_WORD = "it is a part of a longer word";
const NO_TEXT = "a variable there would be no value: it is a name, an operator or a comment";
const CODE = "it is in single quotes with other text, which may be code";
const VERBATIM = "no variable is expanded there";
const OTHERWISE = "with a variable, the guard would see another command";
const TOO_MANY = "the command names values of the target in too many places";
const SPELLED = "it is spelled with escapes, or put together from parts";
const UNREAD = "the command could not be parsed";

export function withTargetVariables(
  command: string,
  { target }: Pick<TaskContract, "target">,
  shell: ShellContext,
): ParametrisedCommand {
  const before = traceOf(command, shell);
  const left = new Map<string, LiteralValue>();
  let text = command;
  let tries = 0;
  // The longest value first: a value may be a part of another.
  for (const [name, value] of Object.entries(target).sort(([, a], [, b]) => b.length - a.length)) {
    const key = `target.${name}`;
    const leave = (why: string) => left.set(`${key} ${why}`, { key, value, why });
    for (let at = text.indexOf(value); value !== "" && at !== -1; ) {
      const match = tries >= MAX_PLACES ? TOO_MANY : replaced(text, at, value, `ORCH_TARGET_${name.toUpperCase()}`);
      const fits = typeof match !== "string" && traceOf(match.text, shell) === before;
      if (typeof match !== "string") tries += 1;
      if (fits) text = match.text;
      else if (!isWithinVariable(text, at)) leave(typeof match === "string" ? match : OTHERWISE);
      at = tries > MAX_PLACES || match === TOO_MANY ? -1 : text.indexOf(value, fits ? match.end : at + 1);
    }
  }
  for (const [key, value] of unseenValues(text, target, shell)) left.set(key, { key, value, why: SPELLED });
  return { text, left: [...left.values()] };
}

const WORD = /[A-Za-z0-9_]/;

export const isWholeWord = (text: string, value: string, at: number): boolean =>
  !WORD.test(text[at - 1] ?? "") && !WORD.test(text[at + value.length] ?? "");

/** A value such as `target` is also in the names of the variables. */
const isWithinVariable = (text: string, at: number): boolean => /\$\{?ORCH_\w*$/.test(text.slice(0, at));

type Replaced = { readonly text: string; readonly end: number };

/** The reason, where there cannot be a variable. */
function replaced(text: string, at: number, value: string, name: string): Replaced | string {
  if (!isWholeWord(text, value, at)) return WITHIN_WORD;
  if (value.length < MIN_VALUE) return TOO_SHORT;
  const places = textPlaces(text);
  if (places === null) return UNREAD;
  const place = places.find(({ pos, end }) => pos <= at && at + value.length <= end);
  if (place === undefined) return NO_TEXT;
  if (place.kind === "verbatim") return VERBATIM;
  if (place.kind === "single") return outOfQuotes(text, at, value, { place, name });
  return put(text, at, at + value.length, place.kind === "plain" ? `"$${name}"` : `\${${name}}`);
}

const put = (text: string, from: number, to: number, variable: string): Replaced => ({
  text: text.slice(0, from) + variable + text.slice(to),
  end: from + variable.length,
});

const PLAIN_NAME = /^[\w.:@%+,=-]*$/;
/** What follows a directory. `s/web/x/` is code. */
const PLAIN_PATH = /^(\/[\w./:@%+,=-]*)?$/;

/** `'web.service'` becomes `"$NAME"'.service'`. */
function outOfQuotes(
  text: string,
  at: number,
  value: string,
  { place, name }: { readonly place: TextPlace; readonly name: string },
): Replaced | string {
  const [head, tail] = [text.slice(place.pos + 1, at), text.slice(at + value.length, place.end - 1)];
  if (!(value.startsWith("/") ? head === "" && PLAIN_PATH.test(tail) : PLAIN_NAME.test(head + tail))) return CODE;
  const quoted = (part: string) => (part === "" ? "" : `'${part}'`);
  const { end, ...rest } = put(text, place.pos, place.end, `${quoted(head)}"$${name}"${quoted(tail)}`);
  return { ...rest, end: end - quoted(tail).length };
}

/** Everything that the guard sees in a command; the command itself, where it does not see all of it. */
function traceOf(command: string, shell: ShellContext): string {
  const seen: unknown[] = [];
  let capped = false;
  const isWhole = observe(command, shell, {
    command: (words) => seen.push(words),
    write: (path) => seen.push([">", path]),
    report: (verdict, code) => {
      capped ||= code.startsWith("cap.");
      seen.push([verdict, code]);
    },
  });
  return isWhole && !capped ? JSON.stringify(seen) : command;
}

/** Values that the guard still sees when every variable has another one, and that the text does not spell. */
function unseenValues(text: string, target: TaskContract["target"], shell: ShellContext): [string, string][] {
  const elsewhere = Object.keys(target).map((name) => [`ORCH_TARGET_${name.toUpperCase()}`, "of-another-target"]);
  const trace = traceOf(text, { ...shell, env: { ...shell.env, ...Object.fromEntries(elsewhere) } });
  if (trace === text) return [];
  return Object.entries(target).flatMap(([name, value]): [string, string][] => {
    const spelled = JSON.stringify(value).slice(1, -1);
    const at = trace.indexOf(spelled);
    const isSeen = value.length >= MIN_VALUE && at !== -1 && isWholeWord(trace, spelled, at);
    return isSeen && !text.includes(value) ? [[`target.${name}`, value]] : [];
  });
}
