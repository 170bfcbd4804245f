// The name of the human who logs in. It is on record with what they decide, so it has to be read for what it is: a character that is
// not seen, turns the direction of the text or looks like another one would let one human sign as another.
import { z } from "zod";
import { printable } from "../../domain/printable.ts";

/** Spaces that look like a space, and signs that look like an escape of a control character. */
const LOOKS_LIKE = /(?! )\p{Zs}|[\u2400-\u243f]/u;

function hiddenIn(name: string): string | undefined {
  return [...name].find((character) => printable(character) !== character || LOOKS_LIKE.test(character));
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

export const HumanName = z
  .string()
  .trim()
  .min(1, "must name the human who logs in")
  .max(256)
  .superRefine((name, { addIssue }) => {
    const hidden = hiddenIn(name);
    if (hidden === undefined) return;
    const message = `must name the human who logs in by characters that are seen as what they are; leave out ${codeOf(hidden)}`;
    addIssue({ code: "custom", message });
  });
