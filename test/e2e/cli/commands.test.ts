// Every command against a real server, as text and as JSON, in the process of the tests. Each test continues from the one before.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { inProcessOf, type Said } from "../../support/cli-in-process.ts";
import { type OrchProcess, TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { expectSound, fileServers } from "../bad-input/sound-server.ts";

const { startServer } = fileServers();

const APPROVER = "the-approvers-own-token-0123456789-abcdef";
const SUPPORT = join(import.meta.dirname, "../../support");
const CONTRACT = join(SUPPORT, "cli-contract.yaml");
const LESSON = join(SUPPORT, "cli-lesson.yaml");

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: OrchProcess;
let orch: ReturnType<typeof inProcessOf>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startServer({ data_dir: directory.path, env: { ORCH_APPROVER_TOKEN: APPROVER } });
  orch = inProcessOf(server);
});
afterAll(async () => {
  await expectSound(server, directory.path);
  expect(await server.kill("SIGTERM"), server.output()).toBe(0);
  await directory[Symbol.asyncDispose]();
});

const file = (name: string, content: unknown): string => {
  const path = join(directory.path, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};
const approver = (args: readonly string[]) => orch(args, { env: { ORCH_APPROVER_TOKEN: APPROVER } });
/** The JSON document on stdout; stderr is empty. */
const json = async (args: readonly string[], exit = 0) => {
  const said = await orch([...args, "--json"]);
  expect(said).toMatchObject({ exit, stderr: "" });
  return JSON.parse(said.stdout);
};
const expectText = (said: Said, exit: number, text: RegExp) => {
  expect(said).toMatchObject({ exit, stdout: expect.stringMatching(text) });
  for (const secret of [TOKEN, APPROVER]) expect(said.stdout + said.stderr).not.toContain(secret);
};
/** The only pending approval. */
const pending = async () => (await json(["approvals"])).approvals[0].approval_id;
const submitted = async (task_id: string, over: object, ...args: string[]) =>
  orch(["submit", file(`${task_id}.json`, contractBody({ task_id, target: { service: task_id }, ...over })), ...args]);

let version1: string;
let version2: string;

describe("from a contract to an SOP", () => {
  test("explain shows what a submit would do, and changes nothing", async () => {
    expectText(await orch(["explain", CONTRACT]), 0, /^need_input {2}it would ask to be taught/);
    expectText(await orch(["explain", CONTRACT, "--steps", LESSON]), 0, /^run .*0 {2}allow {2}cmd {2}echo deployed/s);
    expect(await json(["explain", CONTRACT, "--steps", LESSON])).toMatchObject({ would: "run" });
    expectText(await orch(["tasks"]), 0, /^There are no such tasks\.$/m);
  });

  test("submit reads YAML, waits, and says which command answers", async () => {
    const said = await orch(["submit", CONTRACT, "--wait"]);
    expectText(
      said,
      3,
      /^t-yaml {2}NEED_INPUT {2}deploy on service=web\n.* {2}next .*\n +orch teach FILE --task t-yaml\n/s,
    );
    expect(said.stderr).toBe("");
    expect(await json(["submit", CONTRACT], 3)).toMatchObject({ task_id: "t-yaml", status: "need_input" });
  });

  test("submit of a known contract says that it is the same task", async () => {
    expect(await orch(["submit", CONTRACT])).toMatchObject({
      exit: 3,
      stdout: expect.stringMatching(/^t-yaml {2}NEED_INPUT/),
      stderr: "orch: this contract was submitted before; its task does not run again\n",
    });
    const other = file("other.json", contractBody({ task_id: "t-yaml", payload: { other: true } }));
    const refused = await orch(["submit", other]);
    expect(refused).toMatchObject({ exit: 5, stderr: expect.stringContaining("task_exists") });
    expect(refused.stderr).not.toContain("submitted before");
  });

  test("teach refuses a lesson without a check and names its file, and accepts a complete one", async () => {
    const half = file("half.json", { steps: [{ kind: "cmd", value: "true" }] });
    const refused = await orch(["teach", half, "--task", "t-yaml"]);
    expect(refused).toMatchObject({ exit: 2, stdout: "" });
    expect(refused.stderr).toMatch(/half\.json: .*at least one check step.*\(sop_steps_invalid\)/s);
    expectText(
      await orch(["teach", LESSON, "--task", "t-yaml", "--wait", "30"]),
      0,
      /^t-yaml {2}DONE.*1 {5}check {2}passed {2}0/s,
    );
  });

  test("task shows the task, and tasks lists it", async () => {
    expectText(
      await orch(["task", "t-yaml"]),
      0,
      /^t-yaml {2}DONE.*\n +orch verify t-yaml --verified --source TEXT$/ms,
    );
    expect(await json(["task", "t-yaml"])).toEqual((await server.get("/v1/tasks/t-yaml")).body);
    expectText(await orch(["tasks", "--status", "ok"]), 0, /^TASK .*\nt-yaml {2}DONE/);
    expect(await json(["tasks", "--limit", "1"])).toMatchObject({ tasks: [{ task_id: "t-yaml" }] });
  });

  test("the promotion is listed and shown whole, and only the approver may decide it", async () => {
    const { approvals } = await json(["approvals"]);
    const [{ approval_id, digest }] = approvals;
    expectText(await orch(["approvals"]), 0, new RegExp(`^APPROVAL .*\n${approval_id}  pending  promotion`));
    const shown = await orch(["approvals", approval_id]);
    expectText(shown, 0, /step 0 {2}cmd {2}echo deployed\n {2}step 1 {2}check {2}test -d \/\n {6}proves: the page/);
    expectText(
      await approver(["approve"]),
      4,
      new RegExp(`step 0.*orch approve ${approval_id} --digest ${digest}`, "s"),
    );
    expect(await pending(), "what was not named was not decided").toBe(approval_id);
    const forbidden = await orch(["approve", approval_id]);
    expect(forbidden).toMatchObject({ exit: 5, stderr: expect.stringMatching(/\(forbidden\)\n.*ORCH_APPROVER_TOKEN/) });
    const stale = await approver(["approve", approval_id, "--digest", "other"]);
    expect(stale).toMatchObject({ exit: 5, stderr: expect.stringContaining("digest_mismatch") });
    expectText(
      await approver(["approve", approval_id, "--digest", digest, "--by", "me"]),
      0,
      /approved {2}promotion of SOP .*outcome {2}Version 1 is in use now\..*orch sop show/s,
    );
    expectText(await orch(["approvals"]), 0, /no such approvals/);
    expect((await json(["approvals", "--status", "approved"])).approvals).toMatchObject([
      { decision: { decided_by: "me" } },
    ]);
  });

  test("the SOP is listed, shown, exported and imported, and two versions are compared", async () => {
    await expect.poll(async () => (await json(["sops", "--status", "active"])).sops).toHaveLength(1);
    version1 = (await json(["sops"])).sops[0].sop_id;
    expectText(await orch(["sops"]), 0, new RegExp(`^SOP .*\n${version1}  active  deploy  1`));
    expectText(await orch(["sop", "show", version1]), 0, /version 1\n.*from .*t-yaml.*1 ok, 0 failed/s);
    const exported = await orch(["sop", "export", version1]);
    const path = join(directory.path, "sop.yaml");
    expect(await orch(["sop", "export", version1.slice(0, 8), path])).toEqual({
      exit: 0,
      stdout: `written to ${path}\n`,
      stderr: "",
    });
    expect(readFileSync(path, "utf8")).toBe(exported.stdout);
    writeFileSync(path, "mine");
    expect(await orch(["sop", "export", version1, path])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("it is there already; --force overwrites it"),
    });
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect(await json(["sop", "export", version1, path, "--force"])).toEqual({ written: path });
    expectText(await orch(["sop", "import", path]), 0, /same content, version 1; nothing was stored/);
    expect((await json(["sops"])).sops).toHaveLength(1);
    const changed = file("changed.yaml", exported.stdout.replace("echo deployed", "echo newly deployed"));
    expectText(
      await orch(["sop", "import", changed]),
      0,
      /candidate {2}deploy, version 2\n {2}answer with {2}orch approvals/,
    );
    version2 = (await json(["sops", "--status", "candidate"])).sops[0].sop_id;
    expectText(await orch(["sop", "diff", version2]), 0, /^-.*echo deployed\n\+.*echo newly deployed$/m);
    expectText(await orch(["sop", "diff", version2, "1"]), 0, /^-.*echo deployed\n\+.*echo newly deployed$/m);
    expectText(await orch(["sop", "diff", version1, version1]), 0, /same procedure/);
    expect(await orch(["sop", "diff", version1])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("first version"),
    });
    expectText(await approver(["reject", await pending(), "--reason", "not now"]), 0, /rejected {2}promotion of/);
    const taught = await orch(["teach", changed]);
    expectText(taught, 0, /candidate {2}deploy, version 3/);
    expectText(await approver(["reject", await pending()]), 0, /rejected/);
  });
});

describe("a task", () => {
  const ASKS = { constraints: { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 } };

  test("that needs an approval is shown with its commands, and is BLOCKED after a rejection", async () => {
    expect((await submitted("asks", ASKS, "--wait")).exit).toBe(3);
    const asked = await orch(["teach", LESSON, "--task", "asks", "--wait"]);
    expectText(asked, 4, /NEED_APPROVAL.*\n +orch approve \S+ --by NAME\n +orch reject \S+ --by NAME\n/s);
    expectText(await orch(["approvals", "asks"]), 0, /pending {2}plan of asks.*category\.undecided/s);
    expectText(await approver(["reject", "--task", "asks", "--reason", "no", "--wait"]), 1, /^asks {2}BLOCKED/);
    expect((await orch(["task", "asks", "--wait"])).exit).toBe(1);
    expect((await orch(["task", "asks"])).exit).toBe(0);
  });

  test("that is approved goes on to its end", async () => {
    await submitted("goes-on", ASKS, "--wait");
    await orch(["teach", LESSON, "--task", "goes-on", "--wait"]);
    expectText(await approver(["approve", "--task", "goes-on", "--wait"]), 0, /^goes-on {2}DONE/);
  });

  test("that fails ends the command with exit code 1", async () => {
    await submitted("fails", {}, "--wait");
    const lesson = file("fails.yaml", "steps:\n  - { kind: check, value: test -e /nothing || exit 3 }\n");
    expectText(
      await orch(["teach", lesson, "--task", "fails", "--wait"]),
      1,
      /^fails {2}FAILED.*check {2}failed.* 3 /s,
    );
  });

  test("that is unknown and may not be taught is BLOCKED", async () => {
    expectText(await submitted("unknown", { delegation_mode: "known_only" }, "--wait"), 1, /^unknown {2}BLOCKED/);
  });

  test("that outlasts the wait is shown as running, and can be cancelled", async () => {
    await submitted("slow", {}, "--wait");
    const lesson = file(
      "slow.yaml",
      "steps:\n  - { kind: cmd, value: sleep 60 }\n  - { kind: check, value: 'test -d /' }\n",
    );
    expectText(await orch(["teach", lesson, "--task", "slow", "--wait=0.2"]), 7, /^slow {2}RUNNING/);
    expectText(await orch(["cancel", "slow", "--reason", "enough"]), 0, /^slow {2}CANCELLED/);
    expect(await orch(["cancel", "fails"])).toMatchObject({ exit: 5, stderr: expect.stringContaining("task_ended") });
    expect(await orch(["resolve", "slow", "retry"])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining("task_not_waiting"),
    });
  });

  test("has its outside check recorded", async () => {
    const said = await orch(["verify", "t-yaml", "--verified", "--source", "dashboard", "--note", "green"]);
    expectText(said, 0, /outside check {2}verified by dashboard/);
    expect(await json(["verify", "fails", "--not-verified", "--source", "x"])).toMatchObject({
      verification: { verified: false },
    });
  });

  test("appears in messages, which lists from a cursor on", async () => {
    expectText(await orch(["messages"]), 0, /t-yaml {2}DONE\n {4}1 check passed/);
    const { messages, next_cursor } = await json(["messages", "--limit", "2"]);
    expect(messages).toHaveLength(2);
    const rest = await json(["messages", "--after", String(next_cursor), "--limit", "1"]);
    expect(rest.messages[0].cursor).toBeGreaterThan(next_cursor);
    expect((await orch(["messages", "--after", "1000000"])).stderr).toContain("larger than that of any record");
  });

  test("is listed by tasks --all, which reads every page", async () => {
    const all = await json(["tasks", "--limit", "2", "--all"]);
    expect(all.tasks.length).toBeGreaterThan(4);
    expect(all.next_after).toBeNull();
    expect(await orch(["tasks", "--limit", "2"])).toMatchObject({
      exit: 0,
      stderr: "There are more: orch tasks --all\n",
    });
  });
});
