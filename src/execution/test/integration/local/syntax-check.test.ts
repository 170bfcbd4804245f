// No line of a script runs when bash does not accept the script.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSyntaxCheck } from "../../../local/run-command.ts";
import { home, inEachContainment } from "./a-command.ts";

inEachContainment(({ run }) => {
  describe("a script with an error in its last line", () => {
    test.each([
      ["an if without its end", "touch ran\nif true; then"],
      ["a quote that is not closed", "touch ran\n\n# a comment\necho 'never closed"],
      ["a done too many", "touch ran\necho x; done"],
    ])("fails with a message, and no line of it runs: %s", async (_, script) => {
      const end = await run(script);
      expect(end).toEqual({
        ran: false,
        reason: expect.stringMatching(/^bash does not accept.*nothing of it was run:\n.*line \d/s),
      });
      expect(existsSync(join(home(), "ran"))).toBe(false);
    });
  });

  test.each(["touch ran; if true; then", "touch ran && echo x; done", "touch ran; echo 'never closed\n\n"])(
    "bash reads a line whole before it runs any of it, so that one line needs no check: %j",
    async (script) => {
      const end = await run(script);
      expect(end).toMatchObject({ ran: true, stderr: { text: expect.stringContaining("line") } });
      expect(end).not.toMatchObject({ exit_code: 0 });
      expect(existsSync(join(home(), "ran"))).toBe(false);
    },
  );

  test("a valid script runs line by line", async () => {
    const script = "shopt -s extglob\ntouch a1 b1\necho !(b*)\ncat <<'END'\n$x '\nEND\n! (exit 3) # a subshell";
    expect(await run(script)).toMatchObject({ exit_code: 0, stdout: { text: "a1\n$x '\n" } });
  });
});

test("a script that was found valid is not checked again while it is in the cache", async () => {
  const fault = createSyntaxCheck(16);
  // A cached result arrives before the event loop turns. No process can be started and read in that time.
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

test("a script that was found invalid is invalid each time", async () => {
  const fault = createSyntaxCheck();
  expect(await fault("true\nfi")).toContain("syntax error");
  expect(await fault("true\nfi")).toContain("syntax error");
});
