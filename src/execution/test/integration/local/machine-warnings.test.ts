// The warnings about the machine on which orch runs.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMachineWarnings } from "../../../sandbox/machine.ts";
import { home } from "./a-command.ts";

const NO_DOCKER = "unix:///no/such.sock";
const good = { uid: 1000, docker_host: NO_DOCKER, ability: { sandboxed: true, reason: null, visible: null } } as const;
const codes = async (over: Partial<Parameters<typeof findMachineWarnings>[0]>) =>
  (await findMachineWarnings({ ...good, ...over })).map(({ code }) => code);

test("a good place gives no warning", async () => {
  expect(await codes({})).toEqual([]);
  expect(await codes({ uid: undefined })).toEqual([]);
});

test("root, a Docker that can be reached, and no pid namespace do, in one sentence each that says what to do", async () => {
  const docker_host = `unix://${join(home(), "docker.sock")}`;
  writeFileSync(join(home(), "docker.sock"), "");
  const ability = { sandboxed: false, reason: "bwrap is not installed", visible: "no namespaces" } as const;
  const warnings = await findMachineWarnings({ uid: 0, docker_host, ability });
  expect(warnings.map(({ code }) => code)).toEqual([
    "running_as_root",
    "docker_socket_reachable",
    "no_pid_namespace",
    "orch_visible",
  ]);
  for (const { message } of warnings) expect(message).toMatch(/^[^\n]+(: |; )[^\n]+\.$/);
  expect(warnings[1]?.message).toContain(docker_host);
  expect(warnings[2]?.message).toContain("bwrap is not installed");
  expect(warnings[3]?.message).toContain("no namespaces");
});

test("a Docker host by TCP counts when it answers", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const docker_host = `tcp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  expect(await codes({ docker_host })).toEqual(["docker_socket_reachable"]);
  server.close();
  await once(server, "close");
  expect(await codes({ docker_host })).toEqual([]);
});

test.each(["ssh://host", "fd://", "nonsense"])("a Docker host %s is not asked", async (docker_host) => {
  expect(await codes({ docker_host })).toEqual([]);
});
