import { expect, test } from "vitest";
import { targetOf } from "../../../src/cli/contract-from-words.ts";

test("words become the attributes of a target, at the first sign", () => {
  expect(targetOf(["service=web", "compose_dir=/srv/a=b"])).toEqual({ service: "web", compose_dir: "/srv/a=b" });
});

test.each([
  [["service=a", "service=b"], "service is given twice; leave one."],
  [["service=a", "service=a"], "service is given twice; leave one."],
  [["__proto__=x"], "__proto__ is a reserved key; rename it."],
  [["service"], "service must be key=value."],
])("%j are refused: no word is lost", (words, said) => {
  expect(() => targetOf(words)).toThrow(expect.objectContaining({ message: `--target ${said}` }));
});
