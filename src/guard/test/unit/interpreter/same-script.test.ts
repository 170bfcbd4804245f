// A text with line continuations and the same without them: where they are one program, one of them is enough to judge.
import { parse } from "unbash";
import { describe, expect, test } from "vitest";
import { isSameScript } from "../../../interpreter/same-script.ts";

const isSame = (text: string): boolean => isSameScript(parse(text), parse(text.replaceAll("\\\n", "")));

describe("a text and the same without its line continuations", () => {
  test.each([
    ["between words", "docker run \\\n  --rm \\\n  alpine ls"],
    ["in double quotes", 'echo "a\\\nb $x c\\\nd"'],
    ["in single quotes, which keep them", "awk '{ print \\\n }' f"],
    ["in a here-document", "cat <<E\na \\\n  $x\nE\n"],
    ["in a quoted here-document, which keeps them", "cat <<'E'\na \\\nb\nE\n"],
    ["in a substitution", 'x="$(ls \\\n  -l)"'],
    ["in a list", "a=(one \\\n  two)"],
    ["between commands", "make && \\\n  make install || \\\n  exit 1"],
  ])("are the same %s", (_, text) => {
    expect(isSame(text)).toBe(true);
  });

  test.each([
    ["inside a word", "r\\\nm x"],
    ["inside a literal beside an expansion", 'r\\\nm"$x"'],
    ["inside braces", "echo {a,\\\nb}"],
    ["inside the name of a parameter", `echo \${x\\\ny}`],
    ["inside arithmetic", "echo $(( 1 \\\n + 2 ))"],
    ["inside an operator", "a &\\\n& b"],
    ["inside a redirection", "cat <\\\n<E\nhi\nE\n"],
    ["at the end of a comment", "# a \\\nb"],
    ["after an escaped backslash", 'echo "a\\\\\nb"'],
    ["inside a text in which dollar quotes decode", "echo $'a\\\nb'"],
  ])("differ %s", (_, text) => {
    expect(isSame(text)).toBe(false);
  });

  test("are compared without recursion", () => {
    const text = `echo $((${"1+".repeat(20_000)}1)) \\\n  x`;
    expect(isSame(text)).toBe(true);
  });
});
