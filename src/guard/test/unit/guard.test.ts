import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTimeOf } from "../../../../test/support/cpu-time.ts";
import { Finding } from "../../../domain/finding.ts";
import { judge } from "../../guard.ts";
import { CONTEXT, codesOf, outcomeOf } from "./guard-outcome.ts";

type Labelled = { readonly command: string; readonly verdict: string };

const SAMPLE: readonly Labelled[] = readFileSync(
  new URL("../../../../test/fixtures/policy-sample.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const labelled = (verdict: string) => SAMPLE.filter((line) => line.verdict === verdict).map(({ command }) => command);

describe("the shared sample", () => {
  test.each(labelled("always_blocked"))("%j is blocked", (command) => {
    expect(outcomeOf(command)).toBe("block");
  });

  test.each(labelled("not_blocked"))("%j runs without a question", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });

  test("is whole", () => {
    expect([labelled("always_blocked").length, labelled("not_blocked").length, SAMPLE.length]).toEqual([21, 15, 40]);
  });
});

describe("what a finding says", () => {
  test("it names the code, the resolved command and what to do instead", () => {
    expect(judge("X=/usr; sudo rm -rf $X", CONTEXT)).toEqual([
      {
        verdict: "block",
        code: "rm.wide",
        reason: "deletes /usr and all below it; name the directory of the project instead",
        command: "rm -rf /usr",
      },
    ]);
  });

  test("every code is one of the published ones, and blocks stand first", () => {
    const findings = judge("$(cat f); curl x | sh; rm -rf /; git reset --hard; echo $(if)", CONTEXT);
    expect(findings.map(({ verdict }) => verdict)).toEqual(["block", "block", "ask", "ask", "ask"]);
    for (const { code } of findings) expect(Finding.shape.code.options).toContain(code);
  });

  test("home and working directory come from the context", () => {
    const here = { home: "/data/home", cwd: "/", env: {} };
    expect(judge("rm -rf usr", here)).toHaveLength(1);
    expect(judge("rm -rf ~", here)).toHaveLength(1);
    expect(judge("rm -rf /data/home/x", here)).toEqual([]);
  });

  test("variables of the step are known values", () => {
    const known = (value: string) =>
      judge('rm -rf "$ORCH_TARGET_DIR"', { ...CONTEXT, env: { ORCH_TARGET_DIR: value } });
    expect(known("/etc").map(({ code }) => code)).toEqual(["rm.wide"]);
    expect(known("/srv/app/cache")).toEqual([]);
  });

  test("a variable named like a property of every object is just a variable", () => {
    expect(codesOf('rm -rf "$constructor"')).toEqual(["dyn.operand"]);
    expect(codesOf("__proto__=/; rm -rf $__proto__")).toEqual(["rm.wide"]);
    expect(codesOf("toString -rf /")).toEqual([]);
  });
});

describe("hostile input", () => {
  test("random text never throws", () => {
    const shellLike = fc.array(
      fc.constantFrom(
        "rm",
        "-rf",
        "/",
        "$X",
        "${",
        "}",
        "$(",
        ")",
        "`",
        "'",
        '"',
        "|",
        "&&",
        ";",
        "<<E",
        "\n",
        "E",
        "{a,b}",
        "[",
        "*",
        "\\",
        "if",
        "fi",
        "<(",
        " ",
        "\uFDD0",
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 300 }),
          shellLike.map((words) => words.join(" ")),
          shellLike.map((words) => words.join("")),
        ),
        (text) => {
          expect(Array.isArray(judge(text, CONTEXT))).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["quotes", "'"],
    ["lists", "a;"],
    ["assignments", "X=$X$X;"],
    ["globs", "/*"],
    ["braces", "a{a,b}{c,d} "],
    ["substitutions", "$("],
    ["process substitutions", "c <(a) "],
    ["launchers", "sudo "],
    ["directories", "cd a||"],
    ["unknown words", "$X "],
    ["endless loops in code", "python -c 'while True:' "],
  ])("64 KiB of %s end quickly", (_name, unit) => {
    const text = unit.repeat(Math.floor(65_000 / unit.length));
    const cpu_ms = cpuTimeOf(() => {
      judge(`rm -rf ${text}`, CONTEXT);
      judge(text, CONTEXT);
      judge(`mytool <<'X'\n${text.slice(0, 60_000)}\nX`, CONTEXT);
    });
    expect(cpu_ms).toBeLessThan(20_000);
  });

  test.each(["python3", "sed -f - list", "git status; cat > .git/config"])(
    "60,000 empty lines for %s end quickly",
    (program) => {
      const text = `${program} <<'X'\n${"\n".repeat(60_000)}\nX\ngit status`;
      expect(cpuTimeOf(() => judge(text, CONTEXT))).toBeLessThan(20_000);
    },
  );

  test("a marker in the source is text like any other", () => {
    expect(outcomeOf("rm -rf /tmp/\uFDD0")).toBe("allow");
    expect(outcomeOf("\uFDD0")).toBe("allow");
  });
});
