// What an expansion happens in, and the way to expand further words.
import type { Word } from "unbash";
import type { Machine } from "./machine.ts";
import type { State } from "./state.ts";

/** `text` expands a word to its alternatives without splitting it into fields. */
export type ExpansionScope = {
  readonly state: State;
  readonly machine: Machine;
  readonly text: (word: Word) => readonly string[];
};
