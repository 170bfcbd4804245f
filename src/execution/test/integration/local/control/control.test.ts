// What the control of a check answers, and when it cannot.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createControl, createControlProbe } from "../../../../local/control/control.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { createRunCommand } from "../../../../local/run-command.ts";
import { answer, check, each, failing, fault, has, look } from "./a-control.ts";

const never = new AbortController().signal;
const place = mkdtempSync(join(tmpdir(), "shown-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.skipIf(fault !== null)(`the control of a check (${fault ?? "worlds can be made here"})`, () => {
  const answers = async (expected: readonly (readonly [string, string])[]) =>
    expect(await each(expected, async ([, script]) => [await answer(script), script])).toEqual(expected);

  test("is red where the target is what the check needs, and green where nothing is needed", () =>
    answers([
      ["red", "test -d /srv/app/.git"],
      ["red", 'x=$(git rev-parse HEAD) && y=$(git rev-parse origin/main) && test "$x" = "$y"'],
      ["red", "grep -q ok /var/lib/app/status"],
      ["red", "pgrep -x postgres"],
      ["red", "ssh -o BatchMode=yes host1 true"],
      ["red", "[ -S /run/app.sock ]"],
      ["red", "exit 255"],
      ["green bare", "true"],
      ["green bare", 'test -n "$PATH"'],
      ["green bare", 'test "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)"'],
      ["green bare", "! test -e /srv/app/maintenance"],
    ]));

  test("is red in the bare world where a check depends on an instrument, a number or a file of the machine", () =>
    answers([
      ["red bare", "ls / >/dev/null"],
      ["red bare", "test \"$(df --output=pcent / | tail -n1 | tr -d ' %')\" -lt 90"],
      ["red bare", "awk '{ exit !($1 < 1000) }' /proc/loadavg"],
      ["red bare", 'read -r load _ </proc/loadavg && [ -n "$load" ]'],
      ["red bare", "[ -d /sys/class/net ]"],
      ["red bare", "getent passwd root"],
    ]));

  test("does not know where the check itself could not run", async () => {
    await answers([
      ["cannot_tell not found in the empty world: no-such-tool", "no-such-tool --ready"],
      ["cannot_tell not found in the empty world: no-such-tool", "! no-such-tool ps | grep -q Restarting"],
      ["cannot_tell not found in the empty world: no-such-tool", 'test "$(no-such-tool)" = up'],
      ["cannot_tell not found in the empty world: no-such-tool", "bash -c 'no-such-tool | cat'; exit 1"],
      ["cannot_tell it ended with 127, as a program does that cannot run or that a signal ends", "/opt/tool/bin/x"],
      ["cannot_tell it ended with 126, as a program does that cannot run or that a signal ends", "/etc/hosts"],
      ["cannot_tell it ended with 137, as a program does that cannot run or that a signal ends", "kill -9 $$"],
      ["cannot_tell it ended with 134, as a program does that cannot run or that a signal ends", "sh -c 'kill -6 $$'"],
      ["cannot_tell it ended with 192, as a program does that cannot run or that a signal ends", "exit 192"],
      ["red", "exit 193"],
      ["red", "if"],
    ]);
    const named = { programs: ["test", "no-such-tool", "sh", "cat", "/opt/x"] };
    const script = "sh -c 'no-such-tool | cat; exit 1'";
    expect(await answer(script, named)).toBe("cannot_tell not found in the empty world: no-such-tool, x");
    expect(await answer("exit 1", { programs: ["test", "cat", "[", "read", "if", "bash"] })).toBe("red");
  });

  test("does not know where chance decides, and forges no name in its reason", async () => {
    const coin = {
      answer: "cannot_tell",
      reason: "it was red in one run and green in another in the same empty world",
    };
    const twice = createControl({ runCommand: createRunCommand(), cheap_ms: 60_000 });
    let seen = await twice(check("[ $((SRANDOM % 2)) = 0 ]"), never);
    for (let more = 100; more > 0 && seen.reason !== coin.reason; more -= 1)
      seen = await twice(check("[ $((SRANDOM % 2)) = 0 ]"), never);
    expect(seen).toMatchObject(coin);
    const forged = "echo '$(reboot) \"; x' >/run/motd.dynamic; no-such-tool; exit 1";
    expect((await look(forged)).reason).toMatch(/^not found in the empty world: (x, )?no-such-tool$/);
  });

  test("says that a check wrote, and lets it read what it wrote", async () => {
    const wrote = [
      "echo ok >/etc/flag && grep -q ok /etc/flag",
      "echo ok >/usr/local/flag && grep -q ok /usr/local/flag",
      "echo ok >/usr/share/flag && grep -q ok /usr/share/flag",
      "mkdir -p /opt/x/y && test -d /opt/x/y",
      "[ -e /tmp/armed ] || { touch /tmp/armed; exit 1; }",
      "[ -e /dev/shm/armed ] || { touch /dev/shm/armed; exit 1; }",
      "touch -d 2001-01-01 /srv/app/f; exit 1",
      "rm /usr/bin/perl5* /usr/bin/head; exit 1",
      "chmod 700 /usr/bin/tail; exit 1",
      "echo x >>/etc/hosts; exit 1",
      "touch /var/lib/f; rm /var/lib/f; exit 1",
    ];
    const looked = [
      "exit 1",
      't=$(mktemp) && echo x >"$t"; exit 1',
      "touch /tmp/f && rm /tmp/f; exit 1",
      'cat <<<"$(seq 30000)" >/dev/null; exit 1',
      "echo x >/dev/null; echo x >/dev/stderr; exit 1",
      "sleep 5; date >/dev/null; exit 1",
    ];
    const all = [...wrote, ...looked];
    const seen = await each(all, async (script) => [script, (await look(script)).wrote]);
    expect(seen).toEqual(all.map((script) => [script, wrote.includes(script)]));
    expect((await look(wrote[0] ?? "")).answer).toBe("green");
    expect((await look(wrote[1] ?? "")).answer).toBe("green");
    const env = { ...baseEnvironment({ home: "/root" }), TMPDIR: "/tmp/own" };
    expect(await look('touch "$TMPDIR/f"; exit 1', { env })).toMatchObject({ answer: "red", wrote: false });
    expect(await look("touch /tmp/tmp.abcdefghij; exit 1")).toMatchObject({ wrote: true });
  });

  test("has the directory, the home and the environment of the step, and nothing that is masked", async () => {
    const env = { ...baseEnvironment({ home: "/home/me" }), ORCH_TARGET_SERVICE: "a 'b'\n$(c)", EMPTY: "" };
    const directory = "/usr/share/some app";
    const script = `[ "$PWD" = "/usr/share/some app" ] && [ -z "$(ls -A)" ] && [ -z "$(ls -A ~)" ] && [ "$HOME" = /home/me ] || exit 3
[ "$ORCH_TARGET_SERVICE" = "a 'b'
"'$(c)' ] && [ "$EMPTY" = "" ] && [ -v EMPTY ] || exit 4
[ -z "\${TMPDIR+x}" ] && [ "$0" = /bin/bash ] && [ $# = 0 ] && [ "$SHLVL" = 2 ] && [ -z "\${REPLY+x}" ] || exit 5
set -e; (exit 1) | true && exit 6; exit 7`;
    const seen = await look(script.replace("set -e; ", ""), { env, directory });
    expect(seen).toMatchObject({ answer: "red", exit_code: 7 });
    const masked = ["/usr/bin/head", "/usr/share/doc", "/etc/hosts", "/usr/local/bin/x", "/var/run/lock"];
    const there = masked.map((path) => `[ -e ${path} ] && exit 9`).join("; ");
    expect(await look(`${there}; [ -e /usr/bin/tail ] || exit 8; exit 7`, { masked })).toMatchObject({ exit_code: 7 });
  });

  test("shows the directories of the search path, their libraries, and nothing beside them", async () => {
    const bin = join(place, "tool/bin");
    for (const name of ["tool/bin", "tool/lib", "tool/data", "app/bin"])
      mkdirSync(join(place, name), { recursive: true });
    writeFileSync(join(bin, "hello"), '#!/bin/sh\ncat "$(dirname "$0")/../lib/word"\n', { mode: 0o755 });
    writeFileSync(join(place, "tool/lib/word"), "hello\n");
    writeFileSync(join(place, "secret"), "x");
    writeFileSync(join(place, "app/bin/target"), "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync("/usr/bin/env", join(bin, "linked"));
    const directory = join(place, "app");
    const env = { ...baseEnvironment({ home: "/root" }), PATH: `${bin}:${directory}/bin:/nowhere:rel:/usr/bin:/bin` };
    const script = `[ "$(hello)" = hello ] && [ -e ${bin}/linked ] && [ ! -e ${place}/secret ] && [ ! -e ${place}/tool/data ] &&
[ ! -e ${directory}/bin ] && echo x >${bin}/new && exit 7`;
    expect(await look(script, { env, directory })).toMatchObject({ answer: "red", exit_code: 7, wrote: true });
    // A script may need what is not shown.
    expect(await answer("exit 1", { env, directory, programs: ["hello"] })).toMatch(/^cannot_tell .*hello$/);
  });

  test.skipIf(!has("jq"))("knows jq in the bare world", async () => {
    expect(await answer("jq -ne '1 == 1'")).toBe("green bare");
  });

  test("says that it is not possible where no namespaces are, and the probe says why", async () => {
    const impossible = createControl({ runCommand: failing("/bin/false") });
    expect(await impossible(check("exit 1"), never)).toMatchObject({ answer: "not_possible", exit_code: null });
    expect(await createControlProbe(impossible)()).toMatch(/^no empty world can be made here: /);
    const nothing = createControl({ runCommand: failing("/nowhere/unshare") });
    expect(await createControlProbe(nothing)()).toMatch(/nowhere/);
    const broken = createControl({ runCommand: () => Promise.reject(new Error("the runner ended")) });
    expect((await broken(check("true"), never)).reason).toContain("the runner ended");
  });

  test("ends when it is aborted", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    const impossible = createControl({ runCommand: createRunCommand() });
    expect((await impossible(check("sleep infinity"), abort.signal)).answer).toBe("cannot_tell");
  });
});
