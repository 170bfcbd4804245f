// The kinds of values that variables hold. No message repeats a value: it may be a secret.
import { isAbsolute } from "node:path";
import { z } from "zod";

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

export const whole = (min: number, max: number, fallback: number) => wholeNumber(min, max).default(fallback);

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const HttpUrl = z.string().refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
  error: "must be an http or https URL",
});

export const Paths = z
  .string()
  .transform((text) => text.split(":"))
  .refine((all) => all.every(isAbsolute), { error: "must be absolute paths separated by colons" });

export const ModelName = z.string().max(256, "must be the name of a model");

/** Where a model is served. */
export const ModelUrl = HttpUrl.refine(
  (text) => !URL.canParse(text) || !/@/.test(new URL(text).href.split("/")[2] ?? ""),
  { error: "must not hold a user name or password: the client of the model would refuse every request" },
);
