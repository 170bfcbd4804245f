// Hidden operations with a few tokens changed: many of them are still programs, and some reach what they hide.
import { hide } from "./generate.ts";
import type { Choices, Random } from "./random.ts";
import { FRAGMENTS } from "./vocabulary.ts";

const MARKS: Choices<string> = ["'", '"', "\\", "$", "`", ..."(){}#;&|<>*~=! \n\t\r", "\\\n"];
const TOKEN = /\w+|\s+|./gsu;

/** A hidden operation with a few of its tokens dropped, doubled, exchanged or replaced. */
export function mutant(random: Random): string {
  const tokens = hide(random).command.match(TOKEN) ?? [];
  for (let n = 1 + random.int(3); n > 0; n -= 1) {
    const [at, other] = [random.int(tokens.length), random.int(tokens.length)];
    const token = tokens[at] ?? "";
    const change = random.int(5);
    if (change === 0) tokens.splice(at, 1);
    else if (change === 1) tokens.splice(at, 0, token);
    else if (change === 2) tokens.splice(at, 1, tokens[other] ?? "");
    else if (change === 3) tokens.splice(at, 1, random.pick(MARKS));
    else tokens.splice(at, 1, random.pick(FRAGMENTS));
  }
  return tokens.join("");
}
