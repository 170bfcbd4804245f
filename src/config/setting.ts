// One setting, and trees of them.
import type { z } from "zod";
import { percentDecode } from "../domain/percent-decode.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export type Setting<S extends z.ZodType = z.ZodType> = {
  readonly variable: string;
  readonly schema: S;
  /** One sentence for the reference. */
  readonly about: string;
  /** The value itself is a secret, or its URL may hold a password. */
  readonly secret?: "value" | "password";
  /** What the reference shows where the default depends on something else. */
  readonly default_text?: string;
};

export type SettingTree = { readonly [field: string]: Setting | SettingTree };

export const setting = <S extends z.ZodType>(
  variable: string,
  schema: S,
  about: string,
  more: Pick<Setting, "secret" | "default_text"> = {},
): Setting<S> => ({ variable, schema, about, ...more });

// Reads a tree of settings: its list, its values in an environment, and the secrets among them.

/** The tree with the value of each setting in its place. */
export type ValuesOf<T> =
  T extends Setting<infer S> ? Readonly<z.output<S>> : { readonly [Field in keyof T]: ValuesOf<T[Field]> };

const isSetting = (node: Setting | SettingTree): node is Setting => "schema" in node;

export const settingsIn = (tree: SettingTree): Setting[] =>
  Object.values(tree).flatMap((node) => (isSetting(node) ? [node] : settingsIn(node)));

export const variablesIn = (tree: SettingTree): string[] => settingsIn(tree).map(({ variable }) => variable);

/** `parsed` by variable. The result cannot be changed. */
export function valuesOf<T extends SettingTree>(tree: T, parsed: Readonly<Record<string, unknown>>): ValuesOf<T> {
  const value = (node: Setting | SettingTree) =>
    isSetting(node) ? Object.freeze(parsed[node.variable]) : valuesOf(node, parsed);
  const entries = Object.entries(tree).map(([field, node]) => [field, value(node)]);
  // Each schema of the tree has given the value in its place.
  return Object.freeze(Object.fromEntries(entries)) as ValuesOf<T>;
}

/** What is secret in `values`, which has the shape of the tree; a part of it may be null. */
export function secretsIn(tree: SettingTree, values: object | null): string[] {
  const fields = new Map<string, unknown>(Object.entries(values ?? {}));
  return Object.entries(tree).flatMap(([field, node]) => {
    const value = fields.get(field) ?? null;
    if (!isSetting(node)) return secretsIn(node, typeof value === "object" ? value : null);
    if (typeof value !== "string" || node.secret === undefined) return [];
    return node.secret === "value" ? [value] : passwordsIn(value);
  });
}

const SECRET_PARAMETER = /pass|token|secret|key|auth/i;

/** A user name without a password is a token for HTTP, and a name for a database; parameters may hold either. */
function passwordsIn(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { protocol, username, password, searchParams } = new URL(url);
  const token = password === "" && protocol.startsWith("http") ? username : password;
  const parameters = [...searchParams].flatMap(([name, value]) => (SECRET_PARAMETER.test(name) ? [value] : []));
  const held = [token, ...parameters].filter((value) => value !== "");
  return [...new Set(held.flatMap((value) => [value, percentDecode(value)]))];
}
