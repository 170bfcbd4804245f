// What programs print whose output has no text of interest.
import { type Program, SILENT } from "../interpreter/machine.ts";
import { SOME, UNKNOWN } from "../words/symbols.ts";

/** Its words are text for people, or names of things, and never run. */
export const printsAnything: Program = () => [UNKNOWN];

export const printsNothing: Program = () => SILENT;

/** A number or a name. */
export const printsWord: Program = () => [SOME];
