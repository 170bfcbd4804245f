// One setting, and trees of them.
import type { z } from "zod";

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
