// `orch doctor` on a server, its configuration and its directories: says what works, what falls back and how to repair
// it, and changes nothing.
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { doctor } from "../../src/doctor/doctor.ts";
import { contractBody } from "../support/builders.ts";
import { type DoctorDirectory, doctorDirectory } from "../support/doctor-directory.ts";
import { startOrchProcess, TOKEN } from "../support/orch-process.ts";

const SEEN_FROM_HERE = "\nfrom this environment; the running server read its own when it started";

let directory: DoctorDirectory;
beforeEach(async () => {
  directory = await doctorDirectory();
});
afterEach(() => directory[Symbol.asyncDispose]());

describe("where nothing is set up yet", () => {
  test("what is missing is off, what works without it falls back or works, and the command that starts a server is shown", async () => {
    const checks = await directory.examine();
    const states = [...checks].map(([name, check]) => [name, check.state]);
    expect(Object.fromEntries(states)).toEqual({
      configuration: "works",
      server: "off",
      servers: "off",
      freezes: "off",
      backup: "off",
      "data directory": "off",
      disk: "works",
      token: "off",
      "approver token": "falls_back",
      database: "off",
      "routing model": "falls_back",
      "agent model": "off",
      guard: "works",
      bash: "works",
      sandbox: expect.stringMatching("works|falls_back"),
      labels: "works",
      skills: "works",
      webhook: "off",
      "flow engine": "off",
      "agent shell": expect.stringMatching("works|falls_back"),
      "tool servers": "off",
      "looks at checks": expect.stringMatching("works|falls_back"),
      surroundings: expect.stringMatching("works|falls_back"),
    });
    expect(checks.get("server")).toMatchObject({
      found: `orch is not running at http://127.0.0.1:${directory.unused_port}`,
      fix: "Start it with: orch serve",
    });
  });
});

describe("a server", () => {
  test("that runs works with the database in use, which works also after the server has stopped", async () => {
    const orch = await startOrchProcess({ data_dir: directory.path });
    const { port } = new URL(orch.url);
    const address = { ORCH_PORT: port, ORCH_TOKEN: TOKEN };
    const names = readdirSync(directory.state).sort();
    const checks = new Map(
      (await doctor({ ORCH_DATA_DIR: directory.state, ...address })).map((check) => [check.name, check]),
    );
    const found = ["server", "token", "data directory", "database"].map((name) => checks.get(name));
    expect(found).toMatchObject([
      { state: "works", found: `orch runs at ${orch.url} and takes the token from ORCH_TOKEN` },
      { state: "works", found: "from ORCH_TOKEN" },
      { state: "works", found: `${directory.state} (700)` },
      { state: "works", found: expect.stringMatching(`in use by the running server \\(pid ${orch.child.pid}\\)$`) },
    ]);
    const elsewhere = await doctor({ ORCH_DATA_DIR: directory.state, ...address, ORCH_PORT: directory.unused_port });
    expect(elsewhere.find(({ name }) => name === "database")).toMatchObject({ state: "broken" });
    const stranger = await doctor({
      ORCH_DATA_DIR: directory.state,
      ...address,
      ORCH_TOKEN: `${TOKEN}-of-another-server`,
    });
    expect(stranger.find(({ name }) => name === "server")).toMatchObject({
      state: "broken",
      found: `orch at ${orch.url} refuses the token from ORCH_TOKEN`,
    });
    expect(readdirSync(directory.state).sort()).toEqual(names);
    expect((await orch.get("/v1/tasks")).status, "the server still has its database").toBe(200);
    expect(checks.get("tool servers")).toMatchObject({ state: "off", found: expect.stringContaining(SEEN_FROM_HERE) });
    await orch.kill("SIGTERM");
    expect((await directory.checkOf("tool servers"))?.found).toBe("none: no MCP_{NAME}_URL is set");
    expect(await directory.checkOf("database", address)).toMatchObject({
      state: "works",
      found: expect.stringMatching(/up to date$/),
    });
  });

  test("that was killed leaves a database that the next start repairs", async () => {
    const orch = await startOrchProcess({ data_dir: directory.path });
    await orch.post("/v1/tasks", contractBody());
    await orch.kill("SIGKILL");
    expect(await directory.checkOf("database")).toMatchObject({
      state: "falls_back",
      fix: expect.stringContaining("repairs"),
    });
  });

  test("that is not orch, at the port of orch, is reported as another program", async () => {
    const other = createServer((_request, response) => response.end("<html>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    expect(await directory.checkOf("server", { ORCH_PORT: port, ORCH_TOKEN: TOKEN })).toMatchObject({
      state: "broken",
      found: `another program than orch answers at http://127.0.0.1:${port} (HTTP 200)`,
    });
    other.close();
  });
});

describe("a configuration that is wrong", () => {
  test("is reported whole, and what does not depend on it is still checked", async () => {
    const secret = "a-password-of-the-database";
    const checks = await directory.examine({
      ORCH_PORT: "x",
      DATABASE_URL: `mysql://op:${secret}@db/x`,
      ORCH_PROT: "1",
    });
    expect(checks.get("configuration")?.found.split("\n")).toHaveLength(3);
    expect(checks.get("database")).toMatchObject({ state: "off", found: "not checked: DATABASE_URL is not valid" });
    expect(checks.get("server")).toMatchObject({ state: "off", found: "not checked: ORCH_PORT is not valid" });
    expect(checks.get("guard")).toMatchObject({ state: "works" });
    expect(JSON.stringify([...checks])).not.toContain(secret);
  });

  test("is broken when the address of a server is no URL, and one that asks for a flow engine without its address is not checked further", async () => {
    const wrong = { ORCH_URL: "nowhere", EXECUTION_BACKEND: "flowengine", FLOWENGINE_TOKEN: "x" };
    const checks = await directory.examine(wrong);
    expect(checks.get("server")).toMatchObject({ state: "broken" });
    expect(checks.get("configuration")?.found).toContain("FLOWENGINE_URL must be set");
    expect(checks.get("flow engine")?.found).toContain("not checked");
    expect(checks.get("guard")).toMatchObject({ state: "works" });
  });
});

describe("the data directory and the token", () => {
  test.each([
    { token: "one", mode: 0o640, of_token: "broken", fix: "chmod 600", directory_mode: 0o700, of_directory: "works" },
    { token: "one", mode: 0o600, of_token: "works", fix: null, directory_mode: 0o755, of_directory: "falls_back" },
    { token: "none", mode: 0o600, of_token: "broken", fix: "", directory_mode: 0o777, of_directory: "broken" },
    { token: "none", mode: 0o600, of_token: "broken", fix: "Delete it", directory_mode: 0o700, of_directory: "works" },
  ] as const)(
    "are $of_directory and $of_token where their modes are $directory_mode and $mode, and the file has $token",
    async ({ token, mode, of_token, fix, directory_mode, of_directory }) => {
      mkdirSync(directory.state);
      const file = join(directory.state, "token");
      writeFileSync(file, token === "none" ? "short\n" : `${TOKEN}\n`);
      chmodSync(file, mode);
      chmodSync(directory.state, directory_mode);
      const checks = await directory.examine();
      expect(checks.get("token")).toMatchObject({
        state: of_token,
        fix: fix === null ? null : expect.stringContaining(fix),
      });
      expect(checks.get("data directory")).toMatchObject({ state: of_directory });
      expect(JSON.stringify([...checks])).not.toContain(TOKEN);
    },
  );

  test("a file in place of the directory is broken, and a token for approvals works", async () => {
    writeFileSync(directory.state, "");
    const checks = await directory.examine({ ORCH_APPROVER_TOKEN: TOKEN });
    expect(checks.get("data directory")).toMatchObject({
      state: "broken",
      found: `${directory.state} is not a directory`,
    });
    expect(checks.get("approver token")).toMatchObject({ state: "works" });
  });
});

test("the intents of the skills are shown, and which of them are blocked, steps without a sandbox and a docker socket that they reach", async () => {
  expect(await directory.checkOf("skills")).toMatchObject({ state: "works", found: "reorganize_notes_tree" });
  mkdirSync(join(directory.path, "twice"));
  writeFileSync(
    join(directory.path, "twice/handler.ts"),
    'export const HANDLED_INTENTS = ["tidy", "reorganize_notes_tree"]; export const handle = () => {};',
  );
  const socket = join(tmpdir(), `orch-doctor-${process.pid}.sock`);
  const docker = createServer();
  await new Promise<void>((resolve) => docker.listen(socket, resolve));
  const checks = await directory.examine({
    ORCH_CAPABILITIES: directory.path,
    ORCH_SANDBOX: "off",
    DOCKER_HOST: `unix://${socket}`,
  });
  docker.close();
  expect(checks.get("skills")).toMatchObject({
    state: "broken",
    found: expect.stringMatching(
      /^No skill can handle reorganize_notes_tree: .* both claim it\. Blocked: reorganize_notes_tree\.\nUsable: tidy\.$/,
    ),
  });
  expect(checks.get("sandbox")).toMatchObject({
    state: "falls_back",
    found: expect.stringContaining("ORCH_SANDBOX is off"),
  });
  expect(checks.get("surroundings")).toMatchObject({
    state: "falls_back",
    found: expect.stringContaining("Docker"),
  });
});
