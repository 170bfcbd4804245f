// What a text costs a model, by a public tokenizer.
import { countTokens } from "gpt-tokenizer";

/** A repeated character is slow to count; no text here is only that. */
export const tokensIn = (value: unknown): number =>
  countTokens(typeof value === "string" ? value : JSON.stringify(value));
