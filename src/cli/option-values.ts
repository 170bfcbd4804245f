// Values of options that commander does not read by itself.
import { InvalidArgumentError } from "commander";
import { z } from "zod";

/** What --wait given alone stands for. */
export const FOREVER = "forever";

export function readWait(value: string): string {
  if (value === FOREVER || /^\d{1,7}(\.\d{1,3})?$/.test(value)) return value;
  throw new InvalidArgumentError("It takes a number of seconds; write --wait=30, or put --wait behind the rest.");
}

/** In seconds; Infinity where it is forever. */
export const WaitOption = z
  .string()
  .transform((text) => (text === FOREVER ? Number.POSITIVE_INFINITY : Number(text)))
  .optional();

/** For an option that may be repeated. */
export const readAgain = (value: string, before: unknown): unknown[] => [
  ...(Array.isArray(before) ? before : []),
  value,
];
