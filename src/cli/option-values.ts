// Readers for option values that commander does not parse.
import { InvalidArgumentError } from "commander";
import { z } from "zod";

/** The value of --wait when it is given without a number. */
export const FOREVER = "forever";

export function readWait(value: string): string {
  if (value === FOREVER || /^\d{1,7}(\.\d{1,3})?$/.test(value)) return value;
  throw new InvalidArgumentError(
    "It takes a number of seconds; write --wait=30, or put --wait after the other arguments.",
  );
}

/** In seconds; Infinity for --wait without a number. */
export const WaitOption = z
  .string()
  .transform((text) => (text === FOREVER ? Number.POSITIVE_INFINITY : Number(text)))
  .optional();

/** Collects the values of an option that may be repeated. */
export const readAgain = (value: string, before: unknown): unknown[] => [
  ...(Array.isArray(before) ? before : []),
  value,
];
