// The units that orch service install writes, as systemd reads them, and orch ready against servers in each state.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../../support/cli-process.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

const install = (...args: string[]) => runCli(["service", "install", ...args]);
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test("the units are written where --to says, shown, and not enabled", async () => {
  await using directory = await temporaryDirectory();
  const { exit, stdout } = await install("--to", directory.path, "--user", "steward");
  expect(exit).toBe(0);
  expect(readdirSync(directory.path).sort()).toEqual(["orch-backup.service", "orch-backup.timer", "orch.service"]);
  const unit = readFileSync(join(directory.path, "orch.service"), "utf8");
  expect(stdout).toContain(unit);
  expect(stdout).toMatch(/Written, and not enabled\..*systemctl enable --now orch\.service/s);
  for (const line of ["User=steward", "StateDirectoryMode=0700", "KillMode=mixed", "TimeoutStopSec=50", "UMask=0077"])
    expect(unit.split("\n")).toContain(line);
  // Each would take sudo from the steps.
  expect(unit).not.toMatch(/^(NoNewPrivileges|ProtectSystem|PrivateDevices|RestrictNamespaces|LockPersonality)=/m);
  const again = await install("--to", directory.path);
  expect(again).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("it is there already; --force overwrites it"),
  });
});

test("--print writes nothing, and the time to stop is longer than the drain", async () => {
  await using directory = await temporaryDirectory();
  const printed = await runCli(["service", "install", "--print", "--to", directory.path], {
    env: { ORCH_DRAIN_SECONDS: "600" },
  });
  expect(printed).toMatchObject({ exit: 0, stdout: expect.stringContaining("TimeoutStopSec=630\n") });
  expect(readdirSync(directory.path)).toEqual([]);
  expect(await install("--print", "--user", "two words")).toMatchObject({ exit: 2 });
  const refused = await runCli(["service", "install", "--print"], { env: { ORCH_DRAIN_SECONDS: "soon" } });
  expect(refused).toMatchObject({
    exit: 2,
    stdout: "",
    stderr: expect.stringContaining("ORCH_DRAIN_SECONDS must be a whole"),
  });
});

test("the server takes NODE_OPTIONS from its settings, and the backup, which needs no traces, does not", async () => {
  await using directory = await temporaryDirectory();
  await install("--to", directory.path);
  const unsets = (name: string) =>
    /^UnsetEnvironment=NODE_OPTIONS$/m.test(readFileSync(join(directory.path, name), "utf8"));
  expect([unsets("orch.service"), unsets("orch-backup.service")]).toEqual([false, true]);
});

test.skipIf(!hasSystemd)("systemd finds no fault in the units (skipped without systemd-analyze)", async () => {
  await using directory = await temporaryDirectory();
  await install("--to", directory.path, "--user", "root");
  const files = readdirSync(directory.path).map((name) => join(directory.path, name));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", ...files], { encoding: "utf8" });
  const ours = stderr.split("\n").filter((line) => line.includes(directory.path));
  expect({ status, ours }).toEqual({ status: 0, ours: [] });
});

test("the page for an upgrade has the directory and the account that the units have, and installs them again", async () => {
  const { stdout } = await install("--print");
  expect(stdout).toContain("StateDirectory=orch\n");
  const [, user] = /^User=(.+)$/m.exec(stdout) ?? [];
  const page = readFileSync(join(import.meta.dirname, "../../../docs/upgrade.md"), "utf8");
  expect(page).toContain(`sudo -u ${user} env ORCH_DATA_DIR=/var/lib/orch orch migrate --dry-run`);
  expect(page).toContain(`sudo orch service install --user ${user} --force`);
});

/** Answers `/readyz` with these in their order, and with the last one from then on. */
async function answering(answers: readonly (readonly [status: number, body: object])[]) {
  let at = 0;
  const server = createServer((_request, response) => {
    const [status, body] = answers[Math.min(at++, answers.length - 1)] ?? [500, {}];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

const READY = [200, { status: "ready" }] as const;
const STARTING = [503, { type: "urn:orch:error:not_ready", detail: "unfinished tasks are being claimed" }] as const;

test("orch ready says by its exit code whether the server serves, and --wait waits for it", async () => {
  const ready = async (answers: Parameters<typeof answering>[0], ...args: string[]) => {
    await using server = await answering(answers);
    return await runCli(["ready", ...args], { env: { ORCH_URL: server.url } });
  };
  expect(await ready([READY])).toMatchObject({ exit: 0, stdout: expect.stringContaining("orch is ready at http") });
  const starting = {
    exit: 1,
    stderr: expect.stringContaining("does not serve yet: unfinished tasks are being claimed"),
  };
  expect(await ready([STARTING])).toMatchObject(starting);
  expect(await ready([STARTING, STARTING, READY], "--wait", "20")).toMatchObject({ exit: 0 });
  expect(await ready([[200, { status: "fine" }]])).toMatchObject({
    exit: 6,
    stderr: expect.stringContaining("not_orch"),
  });
  expect(await runCli(["ready"], { env: { ORCH_URL: "http://127.0.0.1:9" } })).toMatchObject({ exit: 6 });
});
