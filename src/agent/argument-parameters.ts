// Puts parameters in the place of the contract's values in the arguments of a tool call, and in what it expects [1.A.8.data]. A
// parameter replaces a whole string and nothing else, so every other place of a value stays, and is named.
import type { TaskContract } from "../domain/contract.ts";
import type { Json } from "../domain/json.ts";
import { isWholeWord, type LiteralValue, MIN_VALUE, TOO_SHORT } from "./parameters.ts";

export type LiteralArgument = LiteralValue & {
  /** JSON pointer. */
  readonly where: string;
};

type Parametrised = { readonly value: { [key: string]: Json }; readonly left: readonly LiteralArgument[] };
type Contract = Pick<TaskContract, "target" | "payload">;
type Values = readonly { readonly key: string; readonly value: string }[];

const WHOLE_ONLY = "a parameter replaces a whole string, and this one is longer";
const A_NAME = "a name in an object cannot be a parameter";
const A_NUMBER = "a parameter would be text, and this is a number";

export function withParameters(args: { readonly [key: string]: Json }, contract: Contract): Parametrised {
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
