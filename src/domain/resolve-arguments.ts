// Parameters of an mcp_call: a string that is exactly `${target.x}` or `${payload.x.y}` is replaced by that value of the
// contract, whole and typed. Text around it is left alone, so nothing is ever spliced.
import type { Json } from "./json.ts";
import { canonicalJson } from "./json-values.ts";

export type ParameterSource = {
  readonly target: Readonly<Record<string, string>>;
  readonly payload: Readonly<Record<string, Json>>;
};

const PARAMETER = /^\$\{(target|payload)\.([A-Za-z0-9_.]+)\}$/;

/** A copy with every parameter replaced. One that names nothing stays as it is: policy refuses it before a step runs. */
export function resolveArguments(args: Readonly<Record<string, Json>>, source: ParameterSource): Record<string, Json> {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, resolved(value, source)]));
}

/** Names such as `target.host` that the contract does not hold, each once. */
export function unknownParameters(args: Readonly<Record<string, Json>>, source: ParameterSource): readonly string[] {
  const unknown = new Set<string>();
  const pending: Json[] = Object.values(args);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "object" && value !== null) pending.push(...Object.values(value));
    else if (typeof value === "string" && PARAMETER.test(value) && lookUp(value, source) === undefined) {
      unknown.add(value.slice(2, -1));
    }
  }
  return [...unknown].sort();
}

/** JSON of a contract is at most 32 levels deep, so this ends. */
function resolved(value: Json, source: ParameterSource): Json {
  if (typeof value === "string") {
    const found = lookUp(value, source);
    // In canonical order, so that equal digests are equal bytes.
    return found === undefined ? value : (JSON.parse(canonicalJson(found)) as Json);
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, source));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, source)]));
}

/** Undefined: not a parameter, or nothing there. Own properties only. */
function lookUp(text: string, source: ParameterSource): Json | undefined {
  const match = PARAMETER.exec(text);
  if (match === null) return undefined;
  const [, root, path = ""] = match;
  let value: Json | undefined = root === "target" ? source.target : source.payload;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = new Map<string, Json>(Object.entries(value)).get(name);
  }
  return value;
}

type SplicedParameter = { readonly path: readonly (string | number)[]; readonly message: string };

const ANYWHERE = /\$\{\s*(target|payload)\b([^}]*)\}/;

/** Texts and names that hold something like a parameter and are none: they would be sent as they are written. */
export function splicedParameters(value: unknown, path: readonly (string | number)[] = []): SplicedParameter[] {
  if (typeof value === "string") {
    const found = PARAMETER.test(value) ? null : ANYWHERE.exec(value);
    return found === null ? [] : [{ path, message: spliceText(value, found) }];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => splicedParameters(item, [...path, index]));
  return Object.entries(value).flatMap(([key, item]) => {
    const found = ANYWHERE.exec(key);
    const named = found === null ? [] : [{ path, message: spliceText(key, found) }];
    return [...named, ...splicedParameters(item, [...path, key])];
  });
}

const MOST_SHOWN = 120;

function spliceText(text: string, [placeholder, root, rest = ""]: RegExpExecArray): string {
  const shown = JSON.stringify(text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`);
  const [name = ""] = /[A-Za-z0-9_]+/.exec(rest) ?? [];
  const variable = root === "target" && name !== "" ? `$ORCH_TARGET_${name.toUpperCase()}` : "$ORCH_PAYLOAD";
  return [
    `${shown} would be sent as it is written: orch puts no value in place of a part of a text, here ${placeholder}.`,
    `Give the whole value in the contract and write "\${payload.NAME}" alone,`,
    `or use a cmd step, whose shell reads ${variable}`,
  ].join(" ");
}
