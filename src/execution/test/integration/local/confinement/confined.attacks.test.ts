// Attacks of a confined command: none reads a token that is hidden from it or the environment of a server.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAgentSandbox } from "../../../../../../test/support/sandboxes.ts";
import type { CommandEnd } from "../../../../local/run-command.ts";
import { isAlive } from "../a-command.ts";
import { ATTACKS } from "./attacks.ts";
import { MODES, NOBODY, ordered } from "./confined-commands.ts";

/** A server's directory with its token, a process with the token in its environment, and a directory for loot. */
function aServer(as_nobody: boolean) {
  const home = mkdtempSync(join(tmpdir(), "orch-attacked-"));
  const key = `the-key-${randomUUID()}`;
  const place = { parent: join(home, "parent"), data: join(home, "parent/data"), loot: join(home, "loot") };
  mkdirSync(place.data, { recursive: true });
  mkdirSync(join(place.loot, "into"), { recursive: true });
  const token = join(place.data, "token");
  writeFileSync(token, key, { mode: 0o600 });
  symlinkSync(token, join(place.loot, "file"));
  symlinkSync(place.data, join(place.loot, "directory"));
  if (as_nobody) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, home]);
  const child = spawn("/bin/sleep", ["600"], {
    env: { ORCH_TOKEN: key },
    stdio: "ignore",
    detached: true,
    ...(as_nobody ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const { ino, dev } = statSync(token);
  const disk = { MAJOR: String((dev >> 8) & 0xfff), MINOR: String(dev & 0xff), INODE: String(ino) };
  const env = {
    TOKEN: token,
    DATA: place.data,
    PARENT: place.parent,
    LOOT: place.loot,
    SERVER: String(child.pid),
    ...disk,
  };
  return { home, key, token, child, env, loot: place.loot, data: place.data };
}

const said = (end: CommandEnd | undefined): string =>
  end?.ran === true ? end.stdout.text + end.stderr.text : `not run: ${end?.reason}`;

describe.each(MODES)("$name", ({ as_nobody, fault }) => {
  describe.skipIf(fault !== null)(fault ?? "confined", () => {
    let server: ReturnType<typeof aServer>;
    let ends: CommandEnd[] = [];

    const run = (scripts: readonly string[], confined: boolean) => {
      const sandbox = confined ? anAgentSandbox({ hidden: [server.data], writable: [server.home] }) : null;
      return ordered({ sandbox, cwd: server.home, env: server.env, scripts }, as_nobody);
    };
    // A failure shows none of the output, which may hold secrets of other processes.
    const has = (text: string): boolean => text.includes(server.key);
    const isUp = ({ pid = 0 }: ChildProcess): boolean => isAlive(pid);

    beforeAll(async () => {
      server = aServer(as_nobody);
      ends = await run(
        ATTACKS.map(({ script }) => script),
        true,
      );
    }, 120_000);

    afterAll(() => {
      server.child.kill("SIGKILL");
      rmSync(server.home, { recursive: true, force: true });
    });

    test.each(ATTACKS.map(({ title }, at) => [title, at] as const))("%s reads no token", (_, at) => {
      expect(ends[at]).toMatchObject({ ran: true });
      expect(has(said(ends[at]))).toBe(false);
    });

    test("reads nothing then or later, and does not change the server", async () => {
      const [later] = await run(["sleep 1.5; cat $DATA/* $PARENT*/data/token $PARENT/*/token"], true);
      expect(has(said(later))).toBe(false);
      const found = execFileSync("bash", ["-c", 'grep -rlaF "$0" "$1" || true', server.key, server.loot], {
        encoding: "utf8",
      });
      expect(found).toBe("");
      expect([readFileSync(server.token, "utf8") === server.key, isUp(server.child)]).toEqual([true, true]);
    });

    test("unconfined, every attack that is marked as working succeeds", async () => {
      const working = ATTACKS.filter(({ works }) => works);
      const outside = await run(
        working.map(({ script }) => script),
        false,
      );
      expect(working.filter((_, at) => !has(said(outside[at]))).map(({ title }) => title)).toEqual([]);
    });
  });
});
