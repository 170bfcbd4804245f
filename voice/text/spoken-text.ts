// The text of a speak request as it is spoken (D-158). Only what no voice can speak is changed: white space becomes one blank
// or one line break, control characters are removed.
import { z } from "zod";

const BLANKS = /[ \t\v\f]+/g;
const LINE_BREAKS = / ?[\n\r\u0085\u2028\u2029][\s\u0085]*/g;
/** Neither XML nor a voice can represent these. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the function removes
const UNSPEAKABLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
/** Anything but blanks, joiners and marks. */
const AUDIBLE = /[^\p{Z}\p{Cf}\p{M}\s]/u;

const spoken = (text: string): string =>
  text.replace(UNSPEAKABLE, "").replace(BLANKS, " ").replace(LINE_BREAKS, "\n").trim();

/** A JSON string of at most `max` UTF-16 units with something to speak. */
export const spokenText = (max: number) =>
  z
    .string({ error: "must be a string" })
    .refine((text) => text.isWellFormed(), {
      error: "contains half of a character (a lone surrogate); send whole ones",
    })
    .transform(spoken)
    .refine((text) => AUDIBLE.test(text), { error: "must contain something to speak" })
    .refine((text) => text.length <= max, { error: `must have at most ${max} characters; send it in parts` });
