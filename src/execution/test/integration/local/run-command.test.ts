// One command on this machine: what it sees, what is kept of its output, and that nothing of it runs when bash does not accept it. That it
// does what the same bash does as a child of anything else is in launcher.test.ts.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aContract } from "../../../../../test/support/builders.ts";
import { stepEnvironment } from "../../../../domain/step-run.ts";
import { baseEnvironment } from "../../../local/environment.ts";
import { createSyntaxCheck } from "../../../local/run-command.ts";
import { home, inEachContainment } from "./a-command.ts";

inEachContainment(({ ran, run }) => {
  test("output without end is bounded, counted, and shown as head and tail", async () => {
    const before = process.memoryUsage().rss;
    const { stdout, stderr } = await ran("printf abc >&2; echo first; yes", { limit_ms: 700 });
    expect(stdout.truncated).toBe(true);
    expect(stdout.bytes).toBeGreaterThan(10_000_000);
    expect(stdout.text.length).toBeLessThan(66_000);
    expect(stdout.text.startsWith("first\ny\n")).toBe(true);
    expect(stdout.text).toContain(`[... ${stdout.bytes - 65_536} bytes left out ...]`);
    expect(stderr).toEqual({ text: "abc", bytes: 3, truncated: false });
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test("output is whole though bash exits at once", async () => {
    expect((await ran("seq 1 8000")).stdout.text.trimEnd().split("\n")).toHaveLength(8000);
  });

  describe("the environment", () => {
    test("holds nothing of this process", async () => {
      process.env["MCP_NOTES_TOKEN"] = "s3cret-of-the-server";
      try {
        const env = baseEnvironment({ home: home(), path: "/usr/bin:/bin", user: "ops", tz: "Asia/Tokyo" });
        const { text } = (await ran("env", { env })).stdout;
        expect(text).not.toContain("s3cret");
        const given = "DEBIAN_FRONTEND GIT_PAGER GIT_TERMINAL_PROMPT HOME LANG PATH PWD SHLVL TZ USER _";
        expect(
          text
            .match(/^\w+(?==)/gm)
            ?.sort()
            .join(" "),
        ).toBe(given);
        expect(text).toMatch(/^USER=ops\n/m);
        expect(text).toMatch(/^TZ=Asia\/Tokyo\n/m);
      } finally {
        delete process.env["MCP_NOTES_TOKEN"];
      }
    });

    test("hands hostile values over as they are", async () => {
      const hostile = `'"\`$(touch ${home()}/pwned)\n; rm -rf "$HOME" \\ * é -n %s`;
      const contract = aContract({ target: { service: hostile }, payload: { note: hostile } });
      const env = { ...baseEnvironment({ home: home() }), ...stepEnvironment(contract) };
      const { stdout, stderr } = await ran('printf %s "$ORCH_TARGET_SERVICE"; printf %s "$ORCH_PAYLOAD" >&2', { env });
      expect(stdout.text).toBe(hostile);
      expect(JSON.parse(stderr.text)).toEqual({ note: hostile });
      expect(existsSync(join(home(), "pwned"))).toBe(false);
    });

    test("has bash read no start-up file, and import no function", async () => {
      const file = join(home(), "bash-env");
      await writeFile(join(home(), ".bashrc"), "echo bashrc; false() { echo fooled; }");
      await writeFile(join(home(), ".bash_profile"), "echo profile");
      await writeFile(file, "echo bash-env");
      const more = { BASH_ENV: file, ENV: file, "BASH_FUNC_ls%%": "() { echo fooled; }" };
      const { stdout } = await ran("type -t ls", { env: { ...baseEnvironment({ home: home() }), ...more } });
      expect(stdout.text).toBe("file\n");
    });

    test("that is too large is a result that names what is", async () => {
      const env = { ...baseEnvironment({ home: home() }), ORCH_PAYLOAD: "x".repeat(200_000) };
      const end = await run("true", { env });
      expect(end).toEqual({ ran: false, reason: expect.stringMatching(/E2BIG.*ORCH_PAYLOAD with 200000 bytes/) });
    });
  });

  describe("a script that bash does not accept", () => {
    test.each([
      ["an if without its end", "touch ran\nif true; then"],
      ["a quote that is not closed", "touch ran\n\n# a comment\necho 'never closed"],
      ["a done too many", "touch ran\necho x; done"],
    ])("fails with a message, and no line of it runs: %s", async (_, script) => {
      const reason = expect.stringMatching(/^bash does not accept.*nothing of it was run:\n.*line \d/s);
      expect(await run(script)).toEqual({ ran: false, reason });
      expect(existsSync(join(home(), "ran"))).toBe(false);
    });

    test.each(["touch ran; if true; then", "touch ran && echo x; done", "touch ran; echo 'never closed\n\n"])(
      "needs no check where it is one line, which bash reads whole before it runs any of it: %j",
      async (script) => {
        const end = await run(script);
        expect(end).toMatchObject({ ran: true, stderr: { text: expect.stringContaining("line") } });
        expect(end).not.toMatchObject({ exit_code: 0 });
        expect(existsSync(join(home(), "ran"))).toBe(false);
      },
    );
  });

  test("a valid script runs line by line", async () => {
    const script = "shopt -s extglob\ntouch a1 b1\necho !(b*)\ncat <<'END'\n$x '\nEND\n! (exit 3) # a subshell";
    expect(await run(script)).toMatchObject({ exit_code: 0, stdout: { text: "a1\n$x '\n" } });
  });
});

test("a script that was found valid is not checked again while it is in the cache, an invalid one is each time", async () => {
  const fault = createSyntaxCheck(16);
  // A cached result arrives before the event loop turns. No process can be started and read in that time.
  const isKnown = async (script: string) => {
    const turn = new Promise<string>((resolve) => setImmediate(resolve, "the event loop has turned"));
    return (await Promise.race([fault(script), turn])) === null;
  };
  for (let n = 0; n < 17; n += 1) expect(await fault(`true\n: ${n}`)).toBeNull();
  expect([await isKnown("true\n: 16"), await isKnown("true\n: 1"), await isKnown("true\n: 0")]).toEqual([
    ...[true, true, false],
  ]);
  for (const _ of [1, 2]) expect(await fault("true\nfi")).toContain("syntax error");
});
