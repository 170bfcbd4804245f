// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
import { describe, expect, test } from "vitest";
import { judge } from "../../guard.ts";
import { CONTEXT, codesOf } from "./guard-outcome.ts";

const verdictOf = (command: string, code: string) =>
  judge(command, CONTEXT).find((finding) => finding.code === code)?.verdict;

const nested = (levels: number): string => `${"echo $(".repeat(levels)}true${")".repeat(levels)}`;

/** 64 KiB of text that multiplies. Each ends at the cap on work before it costs time or memory. */
const MULTIPLYING = [
  `set -- ${"a ".repeat(15_000)}; echo ${'"$@" '.repeat(6_000)}`,
  `a=(${"b ".repeat(8_000)}); rm ${'"${a[@]}" '.repeat(4_000)}`,
  `set -- ${"a ".repeat(900)}; echo ${'"$@" '.repeat(8_000)}`,
  "trap 'a' EXIT;".repeat(4_000),
];

describe("caps of the guard", () => {
  test.each(MULTIPLYING.map((text) => [text.slice(0, 30), text]))("%j and so on ends at a cap", (_start, text) => {
    expect(codesOf(text)).toEqual(["cap.count"]);
  });

  test("more than 64 KiB is asked about", () => {
    expect(codesOf(`echo ${"a".repeat(65_532)}`)).toEqual(["cap.length"]);
    expect(codesOf(`echo ${"a".repeat(65_531)}`)).toEqual([]);
  });

  test("the length is counted in bytes", () => {
    expect(codesOf(`echo ${"é".repeat(40_000)}`)).toEqual(["cap.length"]);
  });

  test("more than eight levels of nested commands are asked about", () => {
    expect(codesOf(nested(8))).toEqual([]);
    expect(verdictOf(nested(9), "cap.depth")).toBe("ask");
  });

  test("a function that calls itself is asked about", () => {
    expect(verdictOf("f() { f; }; f", "cap.depth")).toBe("ask");
  });

  test("a compose file of many brackets within one another is asked about, and one whose keys are lists is not spelled out", () => {
    const started = (text: string) => codesOf(`cat > compose.yaml <<'X'\n${text}\nX\ndocker compose up`);
    expect(started(`${"[".repeat(64)}${"]".repeat(64)}`)).toEqual([]);
    expect(started("{".repeat(200))).toEqual(["cap.depth"]);
    expect(started("? ".repeat(200))).toEqual([]);
  });

  test("more than 32 launchers are asked about", () => {
    expect(codesOf(`${"sudo ".repeat(32)}true`)).toEqual([]);
    expect(verdictOf(`${"sudo ".repeat(33)}true`, "cap.depth")).toBe("ask");
  });

  test("more commands than the budget takes are asked about, and a later one does not go unseen", () => {
    const text = `for i in 1 2 3 4 5 6 7 8; do ${"a;".repeat(30_000)} done; rm -rf /`;
    expect(codesOf(text)).toContain("rm.wide");
    expect(codesOf(text).filter((code) => code.startsWith("cap."))).toHaveLength(1);
  });

  test("an error of the guard hides no command that is written out", () => {
    expect(codesOf(`: ; ${"xargs ".repeat(9_000)}; (sudo rm -rf "$HOME")`)).toContain("rm.wide");
  });

  test("a script on standard input that starts a shell is no endless one", () => {
    expect(codesOf("ssh nas <<'X'\nsudo su\napt-get update\nX")).toEqual([]);
    expect(codesOf("echo 'sudo -s' | bash")).toEqual([]);
    expect(codesOf("ssh nas <<'X'\nsudo su\nrm -rf /usr\nX")).toEqual(["rm.wide"]);
    expect(codesOf("bash <<'X'\nxargs rm -rf\n/usr\nX")).toEqual(["rm.wide"]);
  });

  test("commands that multiply in functions are asked about", () => {
    const fan = "a() { b; b; b; b; b; b; b; b; };";
    const names = "abcdefg";
    const functions = [...names].map((name, at) =>
      fan.replaceAll("a", name).replaceAll("b;", `${names[at + 1] ?? "ls"};`),
    );
    expect(judge(`${functions.join(" ")} a`, CONTEXT)).toEqual([
      expect.objectContaining({ code: "cap.count", verdict: "ask" }),
    ]);
  });

  test("a word with too many alternatives becomes an unknown operand", () => {
    expect(codesOf("rm -rf /{a,b,c,d,e}{a,b,c,d,e}{a,b,c,d,e}")).toEqual(["dyn.operand"]);
  });

  test("arithmetic of more than 1,000 levels is asked about", () => {
    expect(verdictOf(`echo $((${"a+".repeat(30_000)}1))`, "cap.depth")).toBe("ask");
  });
});
