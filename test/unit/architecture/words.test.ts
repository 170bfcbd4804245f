// Checks the citations of comments: a comment cites what is in the repository.
import { expect, test } from "vitest";
import { EVERYTHING, offenders } from "./source-files.ts";

const PAPER = /\bspec(ification)?'?s? (sections?|paragraphs?|\d)|\(design: |[(,;] ?sections? \d/i;

/** The comments of a source file, each run of lines as one. */
const commentsOf = (text: string): string =>
  text
    .replaceAll(/\n\s*(\/\/|\*)/g, " ")
    .split("\n")
    .flatMap((line) => /(\/\/|\/\*).*/.exec(line)?.[0] ?? [])
    .join("\n")
    .replaceAll(/ +/g, " ");

test("no comment cites a section of a paper that is not in the repository", () => {
  expect(offenders(EVERYTHING, (text) => PAPER.test(commentsOf(text)))).toEqual([]);
});
