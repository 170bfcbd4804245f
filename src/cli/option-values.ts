// Readers for option values that commander does not parse.
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { LABELS } from "../domain/outcome.ts";

/** The value of --wait when it is given without a number. */
export const FOREVER = "forever";

export function readWait(value: string): string {
  if (value === FOREVER || /^\d{1,7}(\.\d{1,3})?$/.test(value)) return value;
  throw new InvalidArgumentError(
    "It takes a number of seconds; write --wait=30, or put --wait after the other arguments.",
  );
}

/** In any case, and a status of a task also as its label. */
export function choiceOf(allowed: readonly string[], value: string): string {
  const labels = new Map<string, string>(Object.entries(LABELS));
  const given = value.toLowerCase();
  const chosen = allowed.find((choice) => given === choice || given === labels.get(choice)?.toLowerCase());
  if (chosen !== undefined) return chosen;
  throw new InvalidArgumentError(`Allowed choices are ${allowed.join(", ")}.`);
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
