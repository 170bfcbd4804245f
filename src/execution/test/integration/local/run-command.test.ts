// One command on this machine: what it sees, what is kept of its output, how strict it is.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aContract } from "../../../../../test/support/builders.ts";
import { stepEnvironment } from "../../../../domain/step-run.ts";
import { baseEnvironment } from "../../../local/environment.ts";
import { home, inEachContainment } from "./a-command.ts";

inEachContainment(({ ran, run }) => {
  describe("the output", () => {
    test("without end is bounded, counted, and shown as head and tail", async () => {
      const before = process.memoryUsage().rss;
      const { stdout } = await ran("echo first; yes", { limit_ms: 700 });
      expect(stdout.truncated).toBe(true);
      expect(stdout.bytes).toBeGreaterThan(10_000_000);
      expect(stdout.text.length).toBeLessThan(66_000);
      expect(stdout.text.startsWith("first\ny\n")).toBe(true);
      expect(stdout.text).toContain(`[... ${stdout.bytes - 65_536} bytes left out ...]`);
      expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    });

    test("is counted to the byte", async () => {
      const { stdout, stderr } = await ran("head -c 300000 /dev/zero | tr '\\0' x; printf abc >&2");
      expect([stdout.bytes, stdout.truncated, stderr]).toEqual([
        300_000,
        true,
        { text: "abc", bytes: 3, truncated: false },
      ]);
    });

    test("may hold any bytes", async () => {
      const { stdout } = await ran("printf 'a\\377\\000b'");
      expect(stdout).toEqual({ text: "a\ufffdb", bytes: 4, truncated: false });
    });

    test("is whole though bash exits at once", async () => {
      const { stdout } = await ran("seq 1 8000");
      expect(stdout.text.trimEnd().split("\n")).toHaveLength(8000);
    });
  });

  describe("the environment", () => {
    test("holds nothing of this process", async () => {
      process.env["MCP_NOTES_TOKEN"] = "s3cret-of-the-server";
      try {
        const env = baseEnvironment({ home: home(), path: "/usr/bin:/bin", user: "ops", tz: "Asia/Tokyo" });
        const { stdout } = await ran("env", { env });
        expect(stdout.text).not.toContain("s3cret");
        const given = "DEBIAN_FRONTEND GIT_PAGER GIT_TERMINAL_PROMPT HOME LANG PATH SHLVL TZ USER";
        const ofBash = "PWD _";
        expect(stdout.text.match(/^\w+(?==)/gm)?.sort()).toEqual(`${given} ${ofBash}`.split(" ").sort());
        expect(stdout.text).toContain("USER=ops\n");
        expect(stdout.text).toContain("TZ=Asia/Tokyo\n");
      } finally {
        delete process.env["MCP_NOTES_TOKEN"];
      }
    });

    test("hands hostile values over as they are", async () => {
      const hostile = `'"\`$(touch ${home()}/pwned)\n; rm -rf "$HOME" \\ * é -n %s`;
      const contract = aContract({ target: { service: hostile }, payload: { note: hostile } });
      const env = { ...baseEnvironment({ home: home() }), ...stepEnvironment(contract) };
      const { stdout } = await ran('printf %s "$ORCH_TARGET_SERVICE"', { env });
      expect(stdout.text).toBe(hostile);
      const payload = await ran('printf %s "$ORCH_PAYLOAD"', { env });
      expect(JSON.parse(payload.stdout.text)).toEqual({ note: hostile });
      expect((await ran(`test ! -e ${home()}/pwned`)).exit_code).toBe(0);
    });

    test("reads no start-up file, neither ~/.bashrc nor BASH_ENV", async () => {
      await writeFile(join(home(), ".bashrc"), "echo bashrc; false() { echo fooled; }");
      await writeFile(join(home(), ".bash_profile"), "echo profile");
      await writeFile(join(home(), "bash-env"), "echo bash-env");
      const env = {
        ...baseEnvironment({ home: home() }),
        BASH_ENV: join(home(), "bash-env"),
        ENV: join(home(), "bash-env"),
      };
      const { stdout } = await ran("echo clean", { env });
      expect(stdout.text).toBe("clean\n");
    });

    test("imports no function", async () => {
      const env = { ...baseEnvironment({ home: home() }), "BASH_FUNC_ls%%": "() { echo fooled; }" };
      expect((await ran("type -t ls", { env })).stdout.text).toBe("file\n");
    });

    test("that is too large is a result that names what is", async () => {
      const env = { ...baseEnvironment({ home: home() }), ORCH_PAYLOAD: "x".repeat(200_000) };
      const end = await run("true", { env });
      expect(end).toEqual({ ran: false, reason: expect.stringMatching(/E2BIG.*ORCH_PAYLOAD with 200000 bytes/) });
    });
  });

  describe("a script", () => {
    test("finds its standard input empty", async () => {
      expect((await ran("cat; echo done")).stdout.text).toBe("done\n");
    });

    test("runs when it has 16 KiB", async () => {
      const line = "x=1 # filler of a line in a long script\n";
      const script = `${line.repeat(Math.floor(16_300 / line.length))}echo end`;
      expect((await ran(script)).stdout.text).toBe("end\n");
    });

    test("that is ended by a signal has no exit code", async () => {
      expect(await ran("kill -KILL $$")).toMatchObject({ exit_code: null, signal: "SIGKILL", stopped: null });
    });

    test("that does not parse fails", async () => {
      const { exit_code, stderr } = await ran("if then");
      expect(exit_code).not.toBe(0);
      expect(stderr.text).toContain("syntax error");
    });

    test("in its own directory that is gone is a result", async () => {
      const cwd = join(home(), "gone");
      expect(await run("true", { cwd })).toEqual({ ran: false, reason: expect.stringContaining(cwd) });
    });
  });

  describe("strictness", () => {
    test("ends a cmd where a check goes on", async () => {
      const script = 'false; echo "on$NOT_SET"';
      expect(await ran(script)).toMatchObject({ exit_code: 1, stdout: { text: "" } });
      expect(await ran(script, { strict: false })).toMatchObject({ exit_code: 0, stdout: { text: "on\n" } });
    });

    test("holds for both ends of a pipeline, so a reader that stops early must be outside of one", async () => {
      const early = "yes | head -n1 | grep -q y";
      expect((await ran(early)).exit_code).toBe(141);
      expect((await ran(early, { strict: false })).exit_code).toBe(141);
      expect((await ran("grep -q y < <(yes)", { strict: false })).exit_code).toBe(0);
    });
  });
});
