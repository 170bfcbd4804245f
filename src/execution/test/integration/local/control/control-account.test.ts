// Controls for an ordinary account, which makes its worlds in a user namespace.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { ControlLook } from "../../../../local/control/world.ts";
import { baseEnvironment } from "../../../../local/environment.ts";
import { check } from "./a-control.ts";

const PROCESS = join(import.meta.dirname, "../../../support/control-process.ts");
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"];

async function looksOf(scripts: readonly string[]): Promise<ControlLook[]> {
  const env = baseEnvironment({ home: "/home/nobody" });
  const order = JSON.stringify(scripts.map((script) => check(script, { env })));
  const args = [...NOBODY, process.execPath, PROCESS, order];
  const { stdout } = await promisify(execFile)("setpriv", args, { env: {}, cwd: "/" });
  return JSON.parse(stdout);
}

const fault =
  process.getuid?.() === 0
    ? await looksOf(["exit 1"]).then(([look]) => look?.reason ?? null, String)
    : "only root can be another account";

describe.skipIf(fault !== null)(`the control of a check of an ordinary account (${fault ?? "possible here"})`, () => {
  test("answers as that of root does, under the account's own name", async () => {
    const expected = [
      ["exit 1", "red", false],
      ["true", "green", false],
      ["ls / >/dev/null", "red", false],
      ["! test -e /srv/app/f", "green", false],
      ["echo ok >/etc/f && grep -q ok /etc/f", "green", true],
      ["no-such-tool | cat; exit 1", "cannot_tell", false],
      ["timeout 60 bash -c 'until test -e /x; do sleep 5; done'", "red", false],
      ['[ "$(id -u)" = 65534 ] && [ "$(whoami)" = nobody ] && [ -w . ] && [ -w ~ ] && exit 7', "red", false],
      ["echo hostile >/proc/sys/kernel/core_pattern || mount -t tmpfs x /mnt || umount /proc/sys", "red", false],
      ["ls -l /proc/1/fd/ >/dev/null || kill -0 2 || cat /proc/1/environ", "red", false],
      ["exec 3<>/dev/tcp/127.0.0.1/1 || [ -e /sys/class/net/eth0 ]", "red", false],
    ] as const;
    const looks = await looksOf(expected.map(([script]) => script));
    const found = looks.map(({ answer, wrote }, at) => [expected[at]?.[0], answer, wrote]);
    expect(found).toEqual(expected);
    expect(looks[7]?.exit_code).toBe(7);
  });
});
