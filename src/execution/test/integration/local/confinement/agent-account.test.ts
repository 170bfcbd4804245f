// The account of agents, where orch runs as root: its commands have neither the rights nor the identity of orch.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentShellFault } from "../../../../sandbox/machine.ts";
import { NO_LIMITS } from "../../../../sandbox/sandbox.ts";
import { agentAccount } from "../../../../sandbox/sandbox-of-config.ts";
import { home } from "../a-command.ts";
import { confined, confinedTo, files, isRoot, MODES, NOBODY } from "./confined-commands.ts";

const [{ fault = null } = {}] = MODES;
const userOf = (uid: number) => execFileSync("id", ["-un", String(uid)], { encoding: "utf8" }).trim();
const refused = (message: RegExp) =>
  expect.objectContaining({ code: "config_invalid", message: expect.stringMatching(message) });

describe("the user of agents", () => {
  test("is that of orch where none is named, or orch's own is", () => {
    expect(agentAccount(null)).toBeNull();
    expect(agentAccount(userOf(NOBODY), NOBODY)).toBeNull();
  });

  test.each([
    ["does not exist", "no-such-user", 0, /there is no user "no-such-user"/],
    ["is an option", "--version", 0, /there is no user/],
    ["is root", "root", 1000, /root is root/],
    ["is another one and orch is not root", "daemon", 1000, /only root can run commands as another user/],
  ] as const)("is refused where it %s", (_, user, uid, message) => {
    expect(() => agentAccount(user, uid)).toThrow(refused(message));
  });
});

describe.skipIf(!isRoot || fault !== null)("commands of an agent with an account of its own", () => {
  const account = { uid: NOBODY, gid: NOBODY };

  test("have none of the rights of root, and write what belongs to the account", async () => {
    const [own = "", other = ""] = files("own/", "other/");
    execFileSync("chown", [`${NOBODY}:${NOBODY}`, own]);
    chmodSync(home(), 0o755);
    const script = `id -u; id -G; grep Cap /proc/self/status | sort -u -k2; echo x > made; echo x > ~/made && echo x > /tmp/made && echo home
cat $SECRET; echo x > ${other}/made; setpriv --reuid=0 true; kill -0 ${process.pid}; cat /proc/1/environ; echo end`;
    const [secret = ""] = files("secret");
    chmodSync(secret, 0o600);
    const env = { HOME: process.env["HOME"] ?? "/root", PATH: "/usr/bin:/bin", SECRET: secret };
    const over = { strict: false, cwd: own, env, sandbox: confinedTo({ writable: [own, other], account }) };
    const { stdout } = await confined().ran(script, over);
    expect(stdout.text).toBe(`${NOBODY}\n${NOBODY}\nCapInh:\t0000000000000000\nhome\nend\n`);
    expect([readFileSync(join(own, "made"), "utf8"), statSync(join(own, "made")).uid]).toEqual(["x\n", NOBODY]);
  });

  test("are tried with that account", async () => {
    const data_dir = join(home(), "data");
    mkdirSync(data_dir);
    const agent = { hidden: [], sockets: [], writable: [], user: userOf(NOBODY) };
    const database_url = `file:${data_dir}/orch.db`;
    const facts = { data_dir, database_url, secret_paths: [], capabilities: [], step_limits: NO_LIMITS, agent };
    expect(await agentShellFault(facts)).toBeNull();
  });
});
