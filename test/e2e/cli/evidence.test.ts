// The evidence of a task on the command line: printed, written to a file, and checked with and without a server. Most
// commands run in the process of the tests.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { inProcessOf, runInProcess } from "../../support/cli-in-process.ts";
import { runCli } from "../../support/cli-process.ts";
import { type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { fileServers } from "../bad-input/sound-server.ts";

const { startServer } = fileServers();

/** As deep as a contract may be. */
const DEEP = JSON.parse(`${'{"a":'.repeat(28)}1${"}".repeat(28)}`);
const HOLDS = { exit: 0, stdout: expect.stringMatching(/^holds together {2}\d+ journal entries/), stderr: "" };

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: OrchProcess;
let orch: ReturnType<typeof inProcessOf>;
let path: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startServer({ data_dir: directory.path });
  orch = inProcessOf(server);
  path = join(directory.path, "evidence.json");
  const contract = join(directory.path, "contract.json");
  writeFileSync(contract, JSON.stringify(contractBody({ delegation_mode: "known_only", payload: DEEP })));
  expect((await orch(["submit", contract, "--wait"])).exit).toBe(1);
});
afterAll(async () => {
  expect(await server.kill("SIGTERM"), server.output()).toBe(0);
  await directory[Symbol.asyncDispose]();
});

test("evidence prints a bundle, or writes it to a file that only its owner may read", async () => {
  const bundle = JSON.parse((await orch(["evidence", "t-1"])).stdout);
  expect(bundle).toMatchObject({ task_id: "t-1", broken_link: null });
  const written = { exit: 0, stdout: `written to ${path}\n`, stderr: "" };
  expect(await orch(["evidence", "t-1", "--out", path])).toEqual(written);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(bundle);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("evidence overwrites a file only with --force", async () => {
  const kept = join(directory.path, "kept.json");
  writeFileSync(kept, "mine");
  const refused = { exit: 2, stderr: expect.stringContaining("it is there already; --force overwrites it") };
  expect(await orch(["evidence", "t-1", "--out", kept])).toMatchObject(refused);
  expect(readFileSync(kept, "utf8")).toBe("mine");
  const { stdout } = await orch(["evidence", "t-1", "--out", kept, "--force", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ written: kept });
  expect(JSON.parse(readFileSync(kept, "utf8"))).toMatchObject({ task_id: "t-1" });
});

test("a bundle is checked with and without a server, also with the deepest contract", async () => {
  expect(await orch(["evidence", "t-1", "--verify"])).toEqual(HOLDS);
  expect(await runInProcess(["evidence", path, "--verify"])).toEqual(HOLDS);
  expect(await runCli(["evidence", "-", "--verify"], { stdin: readFileSync(path, "utf8") })).toEqual(HOLDS);
});

test("a bundle that was altered is reported with its faults", async () => {
  const tampered = join(directory.path, "tampered.json");
  writeFileSync(tampered, readFileSync(path, "utf8").replaceAll("deploy", "reploy"));
  const said = await runInProcess(["evidence", tampered, "--verify"]);
  expect(said).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^has \d+ faults? .*\n {2}.*journal/) });
  const asJson = await runInProcess(["evidence", tampered, "--verify", "--json"]);
  expect(JSON.parse(asJson.stdout).faults.length).toBeGreaterThan(0);
  expect(asJson.exit).toBe(1);
});

test("a bundle with two fields of the same name is refused", async () => {
  const twice = join(directory.path, "twice.json");
  writeFileSync(twice, readFileSync(path, "utf8").replace("{", '{"status": "ok",'));
  const refused = { exit: 2, stdout: "", stderr: expect.stringContaining("two fields of the same name") };
  expect(await runInProcess(["evidence", twice, "--verify"])).toMatchObject(refused);
});

test("a check from outside is recorded with the output of a command that runs here", async () => {
  const shows = ["--command", "echo $((6 * 7)); exit 3", "--seen-at", "https://web.example/", "--text", "it says 404"];
  const { exit, stdout } = await orch(["verify", "t-1", "--not-verified", ...shows]);
  expect(exit).toBe(0);
  expect(stdout).toMatch(
    /outside check {2}not verified by https:\/\/web\.example\/\n {17}seen at .*\n {17}\| it says 404\n {17}\$ echo .*\n {17}\| 42\n {17}the command exited with 3/,
  );
  const { verification } = JSON.parse((await orch(["evidence", "t-1"])).stdout);
  expect(verification.evidence.command).toEqual({ command: "echo $((6 * 7)); exit 3", exit_code: 3, output: "42\n" });
  expect(await orch(["evidence", "t-1", "--verify"])).toEqual(HOLDS);
  const refused = await orch(["verify", "t-1", "--verified", "--seen-at", "ftp://web.example/"]);
  expect(refused).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("evidence.url must be an http or https URL"),
  });
});
