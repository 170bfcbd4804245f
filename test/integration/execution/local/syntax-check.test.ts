// Nothing of a script that bash does not accept is run.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSyntaxCheck } from "../../../../src/execution/local/syntax-check.ts";
import { home, inEachContainment } from "./a-command.ts";

inEachContainment(({ run }) => {
  describe("a script with an error in its last line", () => {
    test.each([
      ["an if without its end", "touch ran\nif true; then"],
      ["a quote that is not closed", "touch ran\n\n# a comment\necho 'never closed"],
      ["a done too many", "touch ran\necho x; done"],
    ])("fails, says so, and nothing of it is run: %s", async (_, script) => {
      const end = await run(script);
      expect(end).toEqual({
        ran: false,
        reason: expect.stringMatching(/^bash does not accept.*nothing of it was run:\n.*line \d/s),
      });
      expect(existsSync(join(home(), "ran"))).toBe(false);
    });
  });

  test.each(["touch ran; if true; then", "touch ran && echo x; done", "touch ran; echo 'never closed\n\n"])(
    "a line is read whole before anything of it runs, so that one line needs no check: %j",
    async (script) => {
      const end = await run(script);
      expect(end).toMatchObject({ ran: true, stderr: { text: expect.stringContaining("line") } });
      expect(end).not.toMatchObject({ exit_code: 0 });
      expect(existsSync(join(home(), "ran"))).toBe(false);
    },
  );

  test("what bash accepts is run, line by line", async () => {
    const script = "shopt -s extglob\ntouch a1 b1\necho !(b*)\ncat <<'END'\n$x '\nEND\n! (exit 3) # a subshell";
    expect(await run(script)).toMatchObject({ exit_code: 0, stdout: { text: "a1\n$x '\n" } });
  });
});

test("a script that was found valid is not read again, as long as it is among the last that were read", async () => {
  const fault = createSyntaxCheck(16);
  // What is known is told before the event loop turns, and no process can be started and read in that time.
  const isKnown = async (script: string) => {
    const turn = new Promise<string>((resolve) => setImmediate(resolve, "the event loop has turned"));
    return (await Promise.race([fault(script), turn])) === null;
  };
  const scripts = Array.from({ length: 17 }, (_, n) => `true\n: ${n}`);
  for (const script of scripts) expect(await fault(script)).toBeNull();
  expect(await isKnown("true\n: 16")).toBe(true);
  expect(await isKnown("true\n: 1")).toBe(true);
  expect(await isKnown("true\n: 0")).toBe(false);
});

test("a script that was found wrong is wrong each time", async () => {
  const fault = createSyntaxCheck();
  expect(await fault("true\nfi")).toContain("syntax error");
  expect(await fault("true\nfi")).toContain("syntax error");
});
