// What an agent's commands are kept away from, and whether that works here.

import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { agentShellFault } from "../../../../sandbox/machine.ts";
import { NO_LIMITS } from "../../../../sandbox/sandbox.ts";
import { type AgentInput, agentSandbox } from "../../../../sandbox/sandbox-of-config.ts";
import { home } from "../a-command.ts";
import { MODES } from "./confined-commands.ts";

const facts = {
  data_dir: "/srv/orch/data",
  database_url: "file:/srv/orch/data/orch.db",
  secret_paths: ["/run/secrets", "/etc/orch/approver"],
  capabilities: ["/srv/skills"],
  step_limits: NO_LIMITS,
  agent: { hidden: [] as string[], sockets: [] as string[], writable: [] as string[], user: null },
};
const account = { home: "/home/op", uid: 1000, env: {} };
const CHECKOUT = join(import.meta.dirname, "../../../../../..");

describe("from an agent's commands is hidden", () => {
  const hidden = (over: Partial<AgentInput> = {}, env: Record<string, string> = {}) =>
    agentSandbox({ ...facts, ...over }, { ...account, env }).hidden;

  test("the directory of the data, and a database that lies elsewhere with all its files", () => {
    expect(hidden()).toContain("/srv/orch/data");
    expect(hidden()).toEqual(expect.arrayContaining(["/run/secrets", "/etc/orch/approver"]));
    const files = ["/mnt/db", "/mnt/db-wal", "/mnt/db-shm", "/mnt/db-journal"];
    expect(hidden({ database_url: "file:/mnt/db" })).toEqual(expect.arrayContaining(files));
    expect(hidden({ database_url: "file:///mnt/db" })).toEqual(expect.arrayContaining(files));
    expect(hidden({ database_url: "postgresql://u:p@db/orch" }).filter((path) => path.includes("db"))).toEqual([
      ...["/run/dbus", "/var/run/dbus"],
    ]);
  });

  test.each([
    [{}, "/home/op/.cache/orch"],
    [{ XDG_CACHE_HOME: "/mnt/cache" }, "/mnt/cache/orch"],
    [{ XDG_CACHE_HOME: "relative" }, "/home/op/.cache/orch"],
    [{ NODE_COMPILE_CACHE: "/mnt/code" }, "/mnt/code"],
  ])("the cache of compiled code, with %j", (env, path) => {
    expect(hidden({}, env)).toContain(path);
  });

  test("what hands out the whole machine", () => {
    const env = { XDG_RUNTIME_DIR: "/mnt/run", DOCKER_HOST: "unix:///mnt/docker.sock", CONTAINER_HOST: "tcp://x:1" };
    expect(hidden({}, env)).toEqual(
      expect.arrayContaining([
        ...["/var/run/docker.sock", "/run/docker.sock", "/run/containerd", "/run/podman", "/run/crio", "/run/dbus"],
        ...["/run/systemd/private", "/run/user", "/mnt/run", "/mnt/docker.sock"],
      ]),
    );
  });

  test("what the operator names, but for the sockets that agents may use, by either of their names", () => {
    const agent = { ...facts.agent, hidden: ["/srv/keys"], sockets: ["/var/run/docker.sock"] };
    expect(hidden({ agent })).toContain("/srv/keys");
    for (const path of ["/var/run/docker.sock", "/run/docker.sock"]) {
      expect(hidden()).toContain(path);
      expect(hidden({ agent })).not.toContain(path);
    }
    expect(hidden({ agent })).toContain("/run/podman");
  });
});

test("an agent's commands cannot change what orch runs, wherever they may write", () => {
  const { read_only, writable } = agentSandbox({ ...facts, database_url: "file:/mnt/db/orch.db" }, account);
  expect(read_only).toEqual([CHECKOUT, "/srv/skills", "/mnt/db"]);
  expect(writable).toEqual([]);
});

test("the operator may open more directories, and sockets", () => {
  const agent = { ...facts.agent, writable: ["/srv/shared"], sockets: ["/run/docker.sock"] };
  expect(agentSandbox({ ...facts, agent }, account).writable).toEqual(["/srv/shared", "/run/docker.sock"]);
});

describe("whether commands can be confined here", () => {
  const [{ fault = null } = {}] = MODES;

  test("is found out with real keys", async () => {
    const said = await agentShellFault({ ...facts, data_dir: join(home(), "data") });
    if (fault === null) expect(said).toBeNull();
    else expect(said).toContain("could not be started");
  });

  test.skipIf(fault !== null)("is no where the directory of their tasks would be hidden with the data", async () => {
    expect(await agentShellFault({ ...facts, data_dir: tmpdir() })).toMatch(/hidden from it/);
  });

  test.skipIf(process.getuid?.() !== 0)("is no where no namespace can be made, and why", async () => {
    const module = join(CHECKOUT, "src/execution/sandbox/machine.ts");
    const script = `
      import { agentShellFault } from ${JSON.stringify(module)};
      console.log(await agentShellFault(${JSON.stringify(facts)}));`;
    // As in a container: root by name, without the right to make a namespace.
    const rights = ["--bounding-set=-all", "--inh-caps=-all"];
    const node = [process.execPath, "--input-type=module", "-e", script];
    const { stdout } = await promisify(execFile)("setpriv", [...rights, ...node]);
    expect(stdout).toMatch(/^no network of its own can be made: .*not permitted/);
  });
});
