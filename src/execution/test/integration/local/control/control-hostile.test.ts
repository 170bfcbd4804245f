// Nothing that a check does in its control reaches this machine: a recorder outside of the world watches.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { baseEnvironment } from "../../../../local/environment.ts";
import { createRunCommand } from "../../../../local/run-command.ts";
import { brief, check, each, fault, has, look } from "./a-control.ts";
import { HOSTILE, MAY_NOT_BE_GREEN } from "./hostile-checks.ts";

const place = mkdtempSync(join(tmpdir(), "recorder-"));
const PROCESS = join(import.meta.dirname, "../../../support/control-process.ts");
const CANARY = join(place, "canary");
const heard: string[] = [];
const servers: Server[] = [];
let victim: ChildProcess;
let env: Record<string, string>;

const listenOn = async (at: { readonly port: number; readonly host: string } | { readonly path: string }) => {
  const server = createServer((_, response) => response.end("ok"));
  server.on("connection", () => heard.push(JSON.stringify(at)));
  server.listen(at);
  await once(server, "listening");
  servers.push(server);
  return server;
};

beforeAll(async () => {
  for (const name of ["kept", "bin"]) mkdirSync(join(place, name));
  writeFileSync(CANARY, "alive");
  writeFileSync(join(place, "bin/tool"), "#!/bin/sh\n", { mode: 0o755 });
  const port = ((await listenOn({ port: 0, host: "127.0.0.1" })).address() as AddressInfo).port;
  const abstract = `recorder-${process.pid}`;
  await listenOn({ path: join(place, "socket") });
  await listenOn({ path: `\0${abstract}` });
  victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "victim of the control"], { detached: true });
  env = {
    ...baseEnvironment({ home: "/root", path: `${place}/bin:${baseEnvironment({ home: "/" })["PATH"]}` }),
    PORT: String(port),
    SOCK: join(place, "socket"),
    ABSTRACT: abstract,
    VICTIM: String(victim.pid),
    DIR: join(place, "kept"),
    CANARY,
    PATH_DIR: join(place, "bin"),
  };
});

afterAll(() => {
  victim?.kill("SIGKILL");
  for (const server of servers) server.close();
  rmSync(place, { recursive: true, force: true });
});

/** Everything that an attack could change here. */
const world = () => ({
  heard: [...heard],
  victim: [victim.exitCode, victim.signalCode, existsSync(`/proc/${victim.pid}`)],
  canary: readFileSync(CANARY, "utf8"),
  kept: readdirSync(join(place, "kept")),
  tool: readFileSync(join(place, "bin/tool"), "utf8"),
  shm: existsSync("/dev/shm/hostile"),
  hostname: hostname(),
  core_pattern: readFileSync("/proc/sys/kernel/core_pattern", "utf8"),
  preload: existsSync("/etc/ld.so.preload"),
  big: existsSync("/big") || existsSync("/usr/big") || existsSync("/usr/lib/evil"),
  cgroup: existsSync("/sys/fs/cgroup/hostile"),
  // Others use shared memory too: the attack makes a segment of a size of its own.
  ipc: readFileSync("/proc/sysvipc/shm", "utf8").split(/\s+/).includes("409699"),
});

const left = (): string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("left of the control");
    } catch {
      return false;
    }
  });

describe.skipIf(fault !== null)(`a hostile check (${fault ?? "worlds can be made here"})`, () => {
  test("is heard by the recorder when it is not in a world", async () => {
    const run = createRunCommand();
    const script = 'exec 9<>"/dev/tcp/127.0.0.1/$PORT"; exec 9>&-; touch "$DIR/file"; kill -0 "$VICTIM"';
    const end = await run(
      { script, strict: true, cwd: "/", env, limit_ms: 5_000, grace_ms: 0 },
      new AbortController().signal,
    );
    expect(end).toMatchObject({ ran: true, exit_code: 0 });
    await expect.poll(() => heard.length).toBe(1);
    expect(world().kept).toEqual(["file"]);
    rmSync(join(place, "kept/file"));
    heard.length = 0;
  });

  test.skipIf(!has("perl"))(
    "reaches nothing outside of its world",
    async () => {
      const before = world();
      const green: string[] = [];
      await each(HOSTILE, async (script) => {
        const { answer, world: seen_in } = await brief(check(script, { env }), new AbortController().signal);
        if (MAY_NOT_BE_GREEN.includes(script) && (answer === "green" || seen_in === "bare")) green.push(script);
        if (answer === "not_possible") green.push(`not possible: ${script}`);
      });
      expect(green).toEqual([]);
      expect(world()).toEqual(before);
      expect(left()).toEqual([]);
    },
    60_000,
  );

  test.skipIf(!has("perl"))("ends with the process that runs it, and leaves nothing of its text", async () => {
    const temporary = join(place, "temporary");
    mkdirSync(temporary);
    const script = `perl -e '$0 = "left of the control"; select undef, undef, undef, 30'`;
    const child = spawn(process.execPath, [PROCESS, JSON.stringify([check(script)])], {
      env: { TMPDIR: temporary },
      stdio: "ignore",
    });
    await expect.poll(left, { timeout: 10_000 }).toHaveLength(1);
    child.kill("SIGKILL");
    await expect.poll(left, { timeout: 5_000 }).toEqual([]);
    const entries = readdirSync(temporary).flatMap((name) =>
      readdirSync(join(temporary, name), { withFileTypes: true }).filter((entry) => entry.isFile()),
    );
    expect(entries.length).toBeGreaterThan(0);
    const texts = entries.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect(texts.filter((text) => text.includes("left of the control"))).toEqual([]);
  });

  test("finds nothing of orch: no process, no argument, no variable, no name", async () => {
    const script = `{ cat /proc/[0-9]*/cmdline /proc/[0-9]*/comm /proc/self/environ /proc/self/mountinfo /proc/self/cgroup
ls -la / /tmp /run /var /dev /etc /root /srv /srv/app; ls -l /proc/self/fd/ /proc/self/cwd; set; env; hostname; } 2>&1 | tr '\\0' ' ' >/tmp/all
grep -qiE 'orch|control|/w-|/work|recorder|vitest|claude|secretword' /tmp/all && exit 3
[ "$(cat /proc/1/cmdline | tr '\\0' ' ')" = "/sbin/init " ] && [ -s /tmp/all ] || exit 4
[ "$(ls /proc | grep -c '^[0-9]')" -le 5 ] && [ "$(ls / | tr -d '\\n')" != "" ] || exit 5
: secretword; exit 7`;
    // The text of the check itself is in no process: its own words are looked for by another word.
    const hidden = script.replace("|secretword", "|secret[w]ord");
    expect(await look(hidden, { env: baseEnvironment({ home: "/root" }) })).toMatchObject({
      answer: "red",
      exit_code: 7,
    });
  });
});
