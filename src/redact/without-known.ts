// Takes known secrets out of a text that is judged as code: no part of them is in what is quoted or computed from it (D-265).
import { findKnownValues } from "./find-secrets.ts";
import { joined } from "./redact.ts";

export type WithoutKnown = (text: string) => string;

/** Signs of the syntax stay where they are, also in a secret: without them the text would be judged as another program. */
const WORDS = /[^\s\\"'`$&|;<>(){}[\]*?!#/]+/g;
const WORD = "redacted";

/** As long as the text, because a program may cut a value by its length. */
const wordFor = ({ length }: string): string => WORD.repeat(Math.ceil(length / WORD.length)).slice(0, length);

export function createWithoutKnown(secrets: readonly string[]): WithoutKnown {
  const find = findKnownValues(secrets);
  return (text) => {
    const pieces: string[] = [];
    let end = 0;
    for (const span of joined(find(text))) {
      pieces.push(text.slice(end, span.start), text.slice(span.start, span.end).replace(WORDS, wordFor));
      end = span.end;
    }
    return pieces.join("") + text.slice(end);
  };
}
