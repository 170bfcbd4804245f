// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash spells its variables that way
// The tool of agents that replaces exact text in a file, made by a real bash: the texts are data to it, and the call is judged,
// approved, recorded and drafted like any other command.

import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createOut } from "../../../../src/cli/out.ts";
import { approvalLines } from "../../../../src/cli/show-approval.ts";
import { verifyBundle } from "../../../../src/engine/evidence/verify/bundle.ts";
import { PLAIN_STEP } from "../../../../src/execution/sandbox/sandbox.ts";
import { commandsIn, home } from "../../../../src/execution/test/integration/local/a-command.ts";
import { editCommand } from "../../../../src/features/agents/catalogue.ts";
import { check, done, openAgentWorld, run, scope } from "../../../support/agent-engine.ts";
import { calls, type Script } from "../../../support/agent-model.ts";

const { ran } = commandsIn(PLAIN_STEP);

const edited = async (text: string | Buffer, old_text: string, new_text: string) => {
  const path = join(home(), "a file");
  await writeFile(path, text, { mode: 0o640 });
  const { exit_code, stderr } = await ran(editCommand({ path: "a file", old_text, new_text }));
  return { exit_code, said: stderr.text, text: await readFile(path), mode: (await stat(path)).mode & 0o777 };
};

const HOSTILE = [
  "$(touch planted)",
  "`touch planted`",
  "'; touch planted; '",
  "\\'; touch planted #",
  '"$HOME" ${x:-y} & && \\1 \\n %s',
  "*?[a-z]{1,2}~!^",
  "line\n\nline\n",
  "\r\n\ttabs\r\n",
  "größer ✓ 容器",
  "EOF\nORCH\n",
  "-n",
];

describe("an edit", () => {
  test.each(HOSTILE)("puts %j in the place of another text, and bash expands nothing of it", async (text) => {
    const { exit_code, text: now } = await edited("before OLD after\n\n", "OLD", text);
    expect([exit_code, now.toString()]).toEqual([0, `before ${text} after\n\n`]);
    await expect(stat(join(home(), "planted"))).rejects.toThrow();
  });

  test.each(HOSTILE)("finds %j as it is written", async (text) => {
    const { exit_code, text: now } = await edited(`a ${text} z`, text, "NEW");
    expect([exit_code, now.toString()]).toEqual([0, "a NEW z"]);
  });

  test("keeps the mode of the file and every other byte, also of another encoding and of a large file", async () => {
    const latin = Buffer.concat([Buffer.from([0xe4, 0xf6, 0x80]), Buffer.from("x OLD\n"), Buffer.alloc(700_000, "y")]);
    const { exit_code, text, mode } = await edited(latin, "OLD", "NEW");
    expect([exit_code, mode]).toEqual([0, 0o640]);
    expect(text.equals(Buffer.from(latin.toString("latin1").replace("OLD", "NEW"), "latin1"))).toBe(true);
  });

  test.each([
    ["does not occur", "a\n", "b"],
    ["occurs more than once", "b b\n", "b"],
  ])("changes nothing when the text %s", async (why, text, old_text) => {
    const end = await edited(text, old_text, "c");
    expect(end).toMatchObject({ exit_code: 1, said: expect.stringContaining(why) });
    expect(end.text.toString()).toBe(text);
  });

  test("changes nothing in a file with NUL, which is no text", async () => {
    const binary = Buffer.from("a\0b OLD");
    const end = await edited(binary, "OLD", "NEW");
    expect(end).toMatchObject({ exit_code: 1, said: expect.stringContaining("is no text") });
    expect(end.text.equals(binary)).toBe(true);
  });

  test("with an empty old text creates a file, and replaces none", async () => {
    const create = editCommand({ path: "new.conf", old_text: "", new_text: "port=1\n" });
    expect((await ran(create)).exit_code).toBe(0);
    expect(await readFile(join(home(), "new.conf"), "utf8")).toBe("port=1\n");
    expect(await ran(create)).toMatchObject({ exit_code: 1, stderr: { text: expect.stringContaining("exists") } });
  });
});

const EDIT = { path: "app.conf", old_text: "port=80", new_text: "port=8080" };
const proof = "grep -qx port=8080 app.conf";

describe("an agent that edits a file", () => {
  test("is judged, recorded and verified as one that writes it, and its edit is a step of the draft", async () => {
    const script = [calls(check(proof)), calls(["edit_file", EDIT]), calls(check(proof)), done([1, proof])] as const;
    await using world = await openAgentWorld(script);
    await world.write("app.conf", "# web\nport=80\n");
    await using engine = await world.open();
    const view = await engine.submit(world.contract({ success_criteria: ["the port of app.conf is 8080"] }));
    expect(view).toMatchObject({ status: "ok", steps: [{}, { kind: "cmd", status: "passed" }, {}] });
    expect(await world.lines("app.conf")).toEqual(["# web", "port=8080"]);
    const evidence = await engine.call("get_evidence", { task_id: "task" });
    expect(evidence.agent_calls[1]).toMatchObject({ name: "edit_file", arguments: EDIT, effect: "changes" });
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
    const forged = JSON.parse(JSON.stringify(evidence).replaceAll("new='port=8080'", "new='port=6666'"));
    expect(verifyBundle(forged).faults).not.toEqual([]);
    const draft = await engine.call("propose_sop", { task_id: "task" });
    expect(draft.draft.steps[0]).toEqual({ kind: "cmd", value: editCommand(EDIT) });
  });

  test("is shown to a human as what it replaces", async () => {
    const script = [calls(["edit_file", EDIT]), done()] as const;
    await using world = await openAgentWorld(script);
    await world.write("app.conf", "port=80\n");
    await using engine = await world.open();
    const constraints = { ...scope("shell"), require_approval_for: ["anything"] };
    expect(await engine.submit(world.contract({ constraints }))).toMatchObject({ status: "need_approval" });
    const approval = await engine.approvalOf("task");
    expect(approval.content.calls).toMatchObject([{ index: 0, step: { kind: "cmd" }, edit: EDIT }]);
    const stream = Object.assign(new PassThrough(), { isTTY: false, columns: 0 });
    const shown = approvalLines(approval, createOut({ stdout: stream, stderr: stream, json: false })).join("\n");
    expect(shown).toContain("call 0  edits  app.conf\n      - port=80\n      + port=8080\n");
    const { task } = await engine.call("approve", { task_id: "task", decision: "approve", wait_seconds: 20 });
    expect(task.steps).toMatchObject([{ status: "passed" }]);
    expect(await world.lines("app.conf")).toEqual(["port=8080"]);
  });

  test("may not edit what its commands may not write, and learns why", async () => {
    const token = (path: string) => calls(["edit_file", { path, old_text: "", new_text: "x" }]);
    await using world = await openAgentWorld((_request, turn) =>
      turn === 1 ? token(join(world.data_dir, "token")) : turn === 2 ? calls(check("test -d /")) : done(),
    );
    await using engine = await world.open();
    await engine.submit(world.contract());
    const { agent_calls } = await engine.call("get_evidence", { task_id: "task" });
    expect(agent_calls[0]).toMatchObject({ state: "refused", step: { kind: "cmd" } });
  });

  test("is answered where its texts are no call, and is not offered the tool where the intent only looks", async () => {
    const long = { ...EDIT, new_text: "x".repeat(17_000) };
    const script: Script = [
      calls(["edit_file", { ...EDIT, new_text: "a\0b" }], ["edit_file", long]),
      calls(run("true")),
      done(),
    ];
    await using world = await openAgentWorld(script);
    await using engine = await world.open();
    await engine.submit(world.contract());
    const { agent_calls } = await engine.call("get_evidence", { task_id: "task" });
    expect(agent_calls.slice(0, 2)).toMatchObject([
      { state: "faulty", reason: expect.stringContaining("NUL") },
      { state: "faulty", reason: expect.stringContaining("make several smaller edits") },
    ]);
    expect(world.model.asked[0]?.tools.map((tool) => tool.function.name)).toContain("edit_file");
    await engine.submit(world.contract({ task_id: "look", intent: "triage" }));
    expect(world.model.asked.at(-1)?.tools.map((tool) => tool.function.name)).not.toContain("edit_file");
  });

  test("writes a script that is read before it runs, in the same reply", async () => {
    const write = { path: "x.sh", old_text: "echo good", new_text: "rm -rf ~" };
    const script = [calls(["edit_file", write], run("sh x.sh")), calls(check("test -d /")), done()] as const;
    await using world = await openAgentWorld(script);
    await world.write("x.sh", "echo good\n");
    await mkdir(join(world.directory, "kept"));
    await using engine = await world.open();
    await engine.submit(world.contract());
    const { agent_calls } = await engine.call("get_evidence", { task_id: "task" });
    expect(agent_calls[1]?.state).not.toBe("ended");
  });
});
