// Following a task from its first event to its end, across a pause and a restart of the server.
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { cliOf, ended, startCli } from "../../support/cli-process.ts";
import { deadUrl } from "../../support/cli-server.ts";
import { type OrchProcess, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { expectSound, fileServers } from "../bad-input/sound-server.ts";

const { startServer } = fileServers();

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: OrchProcess;
let port: string;
const start = () => startServer({ data_dir: directory.path, env: { ORCH_PORT: port } });
beforeAll(async () => {
  directory = await temporaryDirectory();
  port = new URL(await deadUrl()).port;
  server = await start();
});
afterAll(async () => {
  await expectSound(server, directory.path);
  expect(await server.kill("SIGTERM"), server.output()).toBe(0);
  await directory[Symbol.asyncDispose]();
});

const environment = () => ({ ORCH_URL: server.url, ORCH_TOKEN: TOKEN });
const submit = (task_id: string) =>
  server.post("/v1/tasks", contractBody({ task_id, target: { service: task_id }, wait_seconds: 30 }));
const teach = (task_id: string, ...commands: string[]) => {
  const steps = [...commands.map((value) => ({ kind: "cmd", value })), { kind: "check", value: "test -d /" }];
  return server.post("/v1/teach", { task_id, steps });
};

function follow(task_id: string, ...args: string[]) {
  const child = startCli(["task", task_id, "--follow", ...args], { env: environment() });
  const whole = ended(child);
  const seen: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", (line) => seen.push(line));
  }
  const until = (pattern: RegExp) =>
    expect.poll(() => seen.find((line) => pattern.test(line)), { timeout: 20_000 }).toBeDefined();
  return { whole, until, child };
}

test("task --follow prints a task live from its first event, across a pause, to its end", async () => {
  await submit("t-live");
  const { whole, until } = follow("t-live");
  await until(/NEED_INPUT/);
  await until(/^orch: it waits; answer with: orch teach FILE --task t-live$/);
  await teach("t-live", "echo one; sleep 0.3", "echo out; printf '\\033[2Jboo' >&2; exit 7");
  const { exit, stdout } = await whole;
  expect(exit).toBe(1);
  const told = stdout.split("\n").map((line) => line.slice(10).replace(/ {2,}/g, "  "));
  expect(told).toEqual(
    expect.arrayContaining([
      "accepted  deploy, asked for by brain",
      "taught  3 steps",
      "step 0  cmd  echo one; sleep 0.3",
      "step 1  failed, exit 7, ".concat(told.find((line) => line.startsWith("step 1  failed"))?.slice(24) ?? ""),
      expect.stringContaining("| \\x1b[2Jboo"),
      expect.stringMatching(/^FAILED/),
    ]),
  );
  expect(told[0]).toMatch(/^accepted/);
  expect(stdout).not.toContain("\u001b");
});

test("task --follow shows what a running step writes, without secrets and control characters, and nothing of it twice", async () => {
  await submit("t-output");
  const go = join(directory.path, "go");
  const half = TOKEN.length / 2;
  const secret = `printf %s ${TOKEN.slice(0, half)}; sleep 0.7; echo ${TOKEN.slice(half)}`;
  const written = `echo early; ${secret}; printf '\\033[2Jboo\\n'; printf half; until test -e ${go}; do sleep 0.05; done; echo " line"; echo late >&2; exit 7`;
  await teach("t-output", written);
  const { whole, until } = follow("t-output");
  const json = follow("t-output", "--json");
  await until(/^ {29}\| early$/);
  await until(/^ {29}\| \\x1b\[2Jboo$/);
  await json.until(/"kind":"live_output".*half/);
  await writeFile(go, "");
  const { exit, stdout } = await whole;
  const from = stdout.split("\n").findIndex((line) => line.includes("| early"));
  const shown = stdout
    .split("\n")
    .slice(from)
    .map((line) => line.trim());
  expect(exit).toBe(1);
  expect(shown.slice(0, 6)).toEqual([
    "| early",
    "| [redacted]",
    "| \\x1b[2Jboo",
    "| half line",
    "| late",
    expect.stringMatching(/step 0 +failed, exit 7/),
  ]);
  expect(shown.slice(6).filter((line) => line.startsWith("|"))).toEqual([]);
  const lines = (await json.whole).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { body: evidence } = await server.get("/v1/tasks/t-output/evidence");
  expect(lines.filter(({ kind }) => kind !== "live_output")).toEqual(evidence.journal);
  expect(
    lines
      .filter(({ kind }) => kind === "live_output")
      .map(({ text }) => text)
      .join(""),
  ).toBe("early\n[redacted]\n\u001b[2Jboo\nhalf");
});

test("task --follow --json prints the whole journal in order, one event per line", async () => {
  const { exit, stdout } = await cliOf(server)(["task", "t-live", "--follow", "--json"]);
  expect(exit).toBe(1);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events).toEqual((await server.get("/v1/tasks/t-live/evidence")).body.journal);
});

test("submit --follow prints a task as it runs, and task --follow of an unknown task fails", async () => {
  await submit("t-known");
  await teach("t-known");
  const child = startCli(["submit", "-", "--follow"], { env: environment() });
  child.stdin?.end(JSON.stringify(contractBody({ task_id: "t-known", target: { service: "t-known" } })));
  expect(await ended(child)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/accepted.*DONE/s) });
  expect(await cliOf(server)(["task", "none", "--follow"])).toMatchObject({ exit: 5, stdout: "" });
});

test("task --follow that is left with Ctrl-C ends its line and says that the task goes on", async () => {
  await submit("t-left");
  await teach("t-left", "printf 'half a line'; sleep 61");
  const { whole, child } = follow("t-left");
  let stdout = "";
  child.stdout?.on("data", (chunk: string) => (stdout += chunk));
  await expect.poll(() => stdout, { timeout: 20_000 }).toMatch(/\| half a line$/);
  child.kill("SIGINT");
  expect(await whole).toMatchObject({
    exit: 130,
    stdout: expect.stringMatching(/\| half a line\n$/),
    stderr: "orch: the task goes on; see it with: orch task t-left --follow\n",
  });
  await server.post("/v1/tasks/t-left/cancel", {});
});

test("task --follow of a task that was taught names the promotion that its procedure asks for", async () => {
  await submit("t-taught");
  const steps = [
    { kind: "cmd", value: "touch t-taught" },
    { kind: "check", value: "test -e t-taught" },
  ];
  await server.post("/v1/teach", { task_id: "t-taught", steps });
  const { exit, stderr } = await follow("t-taught").whole;
  expect(exit).toBe(0);
  expect(stderr).toMatch(
    /^orch: Version 1 asks for its promotion: .* Answer with: orch approve [0-9a-f-]{36} --by NAME, or /,
  );
});

test("task --follow reports a restart of the server and continues after it", async () => {
  await submit("t-restart");
  const { whole, until } = follow("t-restart");
  await until(/it waits/);
  expect(await server.kill("SIGTERM")).toBe(0);
  await until(/^orch: it has stopped answering; asking again for 60 s$/);
  server = await start();
  await until(/^orch: it answers again$/);
  await teach("t-restart");
  const { exit, stdout } = await whole;
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/NEED_INPUT.*DONE/s) });
  expect(stdout.match(/accepted/g), "nothing is told twice").toHaveLength(1);
});

test("a step of unknown outcome is shown, and can be resolved", async () => {
  await submit("t-unknown");
  await teach("t-unknown", "sleep 30");
  await expect.poll(async () => (await server.get("/v1/tasks/t-unknown")).body.steps[0]?.status).toBe("running");
  await server.kill("SIGKILL");
  server = await start();
  const orch = cliOf(server);
  const asked = await orch(["task", "t-unknown", "--wait"]);
  expect(asked).toMatchObject({
    exit: 3,
    stdout: expect.stringMatching(
      /resolve t-unknown succeeded --step 0\n.*resolve t-unknown failed .*\n.* retry --step 0\n/,
    ),
  });
  const other = await orch(["resolve", "t-unknown", "succeeded", "--step", "1"]);
  expect(other).toMatchObject({ exit: 5, stderr: expect.stringContaining("task_not_waiting") });
  const resolved = await orch(["resolve", "t-unknown", "succeeded", "--step", "0", "--reason", "seen", "--wait"]);
  expect(resolved).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^t-unknown {2}DONE/) });
});

test("messages --follow prints each message when it arrives", async () => {
  const child = startCli(["messages", "--follow", "--json"], { env: environment() });
  const seen: { thread_id: string }[] = [];
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => seen.push(JSON.parse(line)));
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThan(3);
  await submit("t-news");
  await expect.poll(() => seen.at(-1)?.thread_id, { timeout: 20_000 }).toBe("t-news");
  child.kill("SIGINT");
  expect((await once(child, "exit"))[1]).toBe("SIGINT");
});
