// Puts parameters into a step of a draft, in every place where a value of the contract is, and names each place where one stays:
// in the arguments of a tool call, and in a command where the guard sees the same.
import { type TaskContract, withoutTask } from "../../domain/contract.ts";
import type { Json } from "../../domain/json.ts";
import type { Sop } from "../../domain/sop.ts";
import type { Step } from "../../domain/step.ts";
import { isPause } from "../../domain/step-run.ts";
import { shellContextOf } from "../../engine/policy/judge-plan.ts";
import { observe, type ShellContext } from "../../guard/guard.ts";
import { type TextPlace, textPlaces } from "../../proof/proof.ts";

/** A value that is still in the step. `where`: a field of it, with a JSON pointer for what is in it. */
export type LeftLiteral = LiteralValue & { readonly step_index: number; readonly where: string };

type Parametrised = { readonly step: Step; readonly left: readonly LeftLiteral[] };
export type Parametriser = (step: Step, step_index: number) => Parametrised;

export const parametriser =
  (contract: TaskContract, shell: ShellContext): Parametriser =>
  (step, step_index) => {
    const placed = (where: string, left: readonly LiteralValue[]): LeftLiteral[] =>
      left.map(({ key, value, why }) => ({ step_index, value, key, where, why }));
    if (isPause(step)) return { step, left: [] };
    if (step.kind === "mcp_call") {
      const pointed = (field: string, left: readonly LiteralArgument[]) =>
        left.flatMap(({ where, ...one }) => placed(`${field}${where}`, [one]));
      const { value: args, left } = withParameters(step.arguments, contract);
      const looks = lookWith(step, contract, shell);
      if (step.expect === undefined)
        return {
          step: { ...step, arguments: args, ...looks.fields },
          left: [...pointed("arguments", left), ...looks.left.flatMap(({ field, of }) => placed(field, of))],
        };
      const { equals, contains } = step.expect;
      const wanted = { ...(equals !== undefined && { equals }), ...(contains !== undefined && { contains }) };
      const expected = withParameters(wanted, contract);
      const { equals: value, contains: text } = expected.value;
      const expect = {
        ...step.expect,
        ...(value !== undefined && { equals: value }),
        ...(typeof text === "string" && { contains: text }),
      };
      return {
        step: { ...step, arguments: args, expect },
        left: [...pointed("arguments", left), ...pointed("expect", expected.left)],
      };
    }
    const { text, left } = withTargetVariables(step.value, contract, shell);
    const changed = { step: { ...step, value: text }, left: placed(step.kind, left) };
    if (step.kind !== "cmd") return changed;
    const looks = lookWith(step, contract, shell);
    return {
      step: { ...step, value: text, ...looks.fields },
      left: [...changed.left, ...looks.left.flatMap(({ field, of }) => placed(field, of))],
    };
  };

/** The commands beside a step that only look. */
function lookWith(
  step: { readonly preview?: string | undefined; readonly reconcile?: string | undefined },
  contract: TaskContract,
  shell: ShellContext,
) {
  const looks = (["preview", "reconcile"] as const).flatMap((field) => {
    const command = step[field];
    if (command === undefined) return [];
    const { text, left } = withTargetVariables(command, contract, shell);
    return [{ field, text, of: left }];
  });
  return { fields: Object.fromEntries(looks.map(({ field, text }) => [field, text])), left: looks };
}

/** The steps of a stored procedure with parameters in the place of its target's values. */
export function parametrised(
  { intent, target, steps }: Pick<Sop, "intent" | "target" | "steps">,
  home: string,
): Step[] {
  const contract = withoutTask(intent, target);
  const parametrise = parametriser(contract, shellContextOf(contract, home));
  return steps.map((step, index) => parametrise(step, index).step);
}

type LiteralArgument = LiteralValue & {
  /** JSON pointer. */
  readonly where: string;
};

type ArgumentParametersParametrised = {
  readonly value: { [key: string]: Json };
  readonly left: readonly LiteralArgument[];
};
type Contract = Pick<TaskContract, "target" | "payload">;
type Values = readonly { readonly key: string; readonly value: string }[];

const WHOLE_ONLY = "a parameter replaces a whole string, and this one is longer";
const A_NAME = "a name in an object cannot be a parameter";
const A_NUMBER = "a parameter would be text, and this is a number";

/**
 * Puts parameters in the place of the contract's values in the arguments of a tool call, and in what it expects [1.A.8.data]. A
 * parameter replaces a whole string and nothing else, so every other place of a value stays, and is named.
 */
export function withParameters(
  args: { readonly [key: string]: Json },
  contract: Contract,
): ArgumentParametersParametrised {
  const target = Object.entries(contract.target).map(([name, value]) => ({ key: `target.${name}`, value }));
  // The target's come first: they are what another target has too.
  const values = [...target, ...valuesIn(contract.payload, "payload")];
  const left: LiteralArgument[] = [];
  const leave = (where: string, found: Values, why: string) =>
    left.push(...found.map((one) => ({ ...one, where, why: one.value.length < MIN_VALUE ? TOO_SHORT : why })));
  const walk = (value: Json, where: string): Json => {
    if (typeof value === "string") {
      const known = values.find((one) => one.value === value && value.length >= MIN_VALUE);
      if (known !== undefined) return `\${${known.key}}`;
      leave(where, namedIn(value, target), WHOLE_ONLY);
      return value;
    }
    if (typeof value === "number") {
      leave(
        where,
        target.filter((one) => one.value === String(value)),
        A_NUMBER,
      );
      return value;
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item, at) => walk(item, `${where}/${at}`));
    return object(value, where);
  };
  const object = (value: { readonly [key: string]: Json }, where: string): { [key: string]: Json } =>
    Object.fromEntries(
      Object.entries(value).map(([name, held]) => {
        const pointer = `${where}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        leave(pointer, namedIn(name, target), A_NAME);
        return [name, walk(held, pointer)];
      }),
    );
  return { value: object(args, ""), left };
}

const namedIn = (text: string, values: Values): Values =>
  values.filter(({ value }) => {
    const at = value === "" ? -1 : text.indexOf(value);
    return at !== -1 && isWholeWord(text, value, at);
  });

const NAME = /^[A-Za-z0-9_]+$/;

function valuesIn(value: Json, path: string): Values {
  if (typeof value === "string") return [{ key: path, value }];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const named = Object.entries(value).filter(([key]) => NAME.test(key));
  return named.flatMap(([key, held]) => valuesIn(held, `${path}.${key}`));
}

/** A value of the contract that is still in the text. `key` is `target.service` or `payload.tag`. */
type LiteralValue = { readonly key: string; readonly value: string; readonly why: string };

type ParametrisedCommand = { readonly text: string; readonly left: readonly LiteralValue[] };

/** A shorter value occurs in texts by chance. */
const MIN_VALUE = 2;
/** Bounds the work: for each attempt the guard reads the whole command. */
const MAX_PLACES = 40;

const TOO_SHORT = "so short a value occurs by chance";
const WITHIN_WORD = "it is a part of a longer word";
const NO_TEXT = "a variable there would be no value: it is a name, an operator or a comment";
const CODE = "it is in single quotes with other text, which may be code";
const VERBATIM = "no variable is expanded there";
const OTHERWISE = "with a variable, the guard would see another command";
const TOO_MANY = "the command names values of the target in too many places";
const SPELLED = "it is spelled with escapes, or put together from parts";
const UNREAD = "the command could not be parsed";

/**
 * Puts variables in the place of the target's values in a command of an agent's run, so that it can serve another target
 * [1.A.8.data]: only where the guard sees the same commands and writes as before (D-144). Says of each value that stays why it
 * stays.
 */
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

const isWholeWord = (text: string, value: string, at: number): boolean =>
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
