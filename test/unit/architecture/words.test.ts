// Names and citations: a type has its name alone, and a comment cites what is in the repository.
import { expect, test } from "vitest";
import { EVERYTHING, offenders, SOURCES, textOf } from "./source-files.ts";

const EXPORTED_TYPE = /^export (?:type|interface|(?:abstract )?class) (\w+)/gm;
const PAPER = /\bspec(ification)?'?s? (sections?|paragraphs?|\d)|\(design: |[(,;] ?sections? \d/i;

/** The comments of a source file, each run of lines as one. */
const commentsOf = (text: string): string =>
  text
    .replaceAll(/\n\s*(\/\/|\*)/g, " ")
    .split("\n")
    .flatMap((line) => /(\/\/|\/\*).*/.exec(line)?.[0] ?? [])
    .join("\n")
    .replaceAll(/ +/g, " ");

test("no two files export a type of the same name", () => {
  const exported = SOURCES.flatMap((path) =>
    [...textOf(path).matchAll(EXPORTED_TYPE)].map(([, name = ""]) => ({ name, path })),
  );
  expect(exported.length).toBeGreaterThan(200);
  const shared = [...Map.groupBy(exported, ({ name }) => name)].filter(([, files]) => files.length > 1);
  expect(shared).toEqual([]);
});

test("no comment cites a section of a paper that is not in the repository", () => {
  expect(offenders(EVERYTHING, (text) => PAPER.test(commentsOf(text)))).toEqual([]);
});
