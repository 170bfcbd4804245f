// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
// A procedure is drafted from an agent's run, taught without changes, and run without a model for another target.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Sop } from "../../../../src/domain/sop.ts";
import { check, done, openAgentWorld, run, scope } from "../../../support/agent-engine.ts";
import { calls, type Script } from "../../../support/agent-model.ts";
import * as steps from "../../../support/builders.ts";
import type { Engine } from "../../../support/engine.ts";
import { evidenceFaults } from "../../../support/promoted-version.ts";
import { skillsDirectory } from "../../../support/skills.ts";
import { startSdkServer } from "../../../support/tool-server.ts";

/** The handler and the tools of a test skill. */
const HANDLER = `export const HANDLED_INTENTS = ["dim"]; export const handle = async () => ({});`;
const TOOLS = `
  import { z } from "zod";
  const tool = (name, effect) => ({ name, description: name, parameters: z.object({}), scope: "lamps", effect, run: async () => ({ ok: true }) });
  export const TOOLS = [tool("dim", "changes"), tool("is_dim", "checks")];
`;

/** Runs this script on the target `service=web` until the task is ok; resolves with the proposal. */
async function proposed(script: Script, over: Record<string, unknown> = {}, env: Record<string, string> = {}) {
  await using skills = await skillsDirectory({ lamps: HANDLER }, { lamps: TOOLS });
  await using world = await openAgentWorld(script, { env: { ORCH_CAPABILITIES: skills.path, ...env } });
  await using engine = await world.open();
  const target = { service: "web", compose_dir: world.directory };
  const view = await engine.submit(world.contract({ target, constraints: scope("shell", "lamps"), ...over }));
  expect(view).toMatchObject({ status: "ok" });
  return await engine.call("propose_sop", { task_id: "task" });
}

async function promoted(engine: Engine, { sop, approval_id }: { sop: { sop_id: string }; approval_id: string }) {
  await engine.call("approve", { approval_id, decision: "approve" });
  const status = async () => (await engine.call("get_sop", { sop_id: sop.sop_id })).sop.status;
  await expect.poll(status, { timeout: 10_000 }).toBe("active");
}

/** The candidate that a task has left, and the approval that its promotion waits for. */
async function candidateOf(engine: Engine, task_id: string) {
  const open = async () => (await engine.call("get_task", { task_id, wait_seconds: 0 })).next[0];
  await expect.poll(open, { timeout: 10_000 }).toMatchObject({ operation: "approve" });
  const { approval_id } = (await open()).arguments;
  const { content } = await engine.call("get_approval", { approval_id }).then(({ approval }) => approval);
  const { sop } = await engine.call("get_sop", { sop_id: content.sop_id });
  return { sop, approval_id };
}

describe("an agent's run", () => {
  const script: Script = [
    calls(run("ls"), run("echo deployed > web.state"), check("test -e nothing"), run("echo prod >> web.state")),
    calls(["wiki__create", { name: "web" }], check("grep -q prod web.state"), run("cat web.state")),
    calls(check("grep -q deployed web.state")),
    done(["it is deployed", "grep -q deployed web.state"], [2, "grep -q prod web.state"]),
  ];
  const wanted = { success_criteria: ["it is deployed", "it is in production"] };

  test("leaves a candidate that runs for another target of the same shape without a model [1.A.8.data] [3.sop.candidate_of_agent]", async () => {
    await using wiki = await startSdkServer();
    await using world = await openAgentWorld(script, { env: { MCP_WIKI_URL: wiki.url } });
    await using engine = await world.open();
    const constraints = scope("shell", "wiki");
    const target = { service: "web", environment: "prod", compose_dir: world.directory };
    const agent = await engine.submit(world.contract({ target, constraints, ...wanted }));
    expect(agent).toMatchObject({ status: "ok" });
    const candidate = await candidateOf(engine, "task");
    expect(candidate.sop).toMatchObject({ status: "candidate", level: "defined", origin: "task", success_count: 0 });
    const before = await engine.call("read_journal", { task_id: "task", limit: 500 });
    const { draft, file, criteria, left_out, issues } = await engine.call("propose_sop", { task_id: "task" });
    expect(await engine.call("read_journal", { task_id: "task", limit: 500 }), "nothing is stored").toEqual(before);
    expect({ left_out, issues }).toEqual({ left_out: [], issues: [] });
    expect(draft).toEqual({
      intent: "deploy",
      target,
      safety_level: "standard",
      preconditions: [],
      steps: [
        steps.cmd('echo deployed > "$ORCH_TARGET_SERVICE".state'),
        steps.cmd('echo "$ORCH_TARGET_ENVIRONMENT" >> "$ORCH_TARGET_SERVICE".state'),
        steps.mcpCall({ server: "wiki", tool: "create", arguments: { name: "${target.service}" } }),
        steps.check('grep -q deployed "$ORCH_TARGET_SERVICE".state'),
        steps.check('grep -q "$ORCH_TARGET_ENVIRONMENT" "$ORCH_TARGET_SERVICE".state'),
      ],
      criteria: { "it is deployed": 3, "it is in production": 4 },
    });
    expect(candidate.sop, "the candidate is the draft").toMatchObject({ steps: draft.steps, criteria });
    expect(criteria).toEqual(
      Object.entries(draft.criteria).map(([criterion, step_index]) => ({ criterion, step_index })),
    );

    await promoted(engine, candidate);
    const known = { delegation_mode: "known_only", intent: "deploy", constraints: scope("wiki"), ...wanted };
    const asked = world.model.asked.length;
    await engine.submit(world.contract({ ...known, task_id: "again", target }));
    await engine.call("approve", { task_id: "again", decision: "approve" });
    expect(await engine.outcomeOf("again")).toMatchObject({
      status: "ok",
      sop_version: 1,
      outcome: { reason_code: "verified" },
    });

    const elsewhere = await mkdtemp(join(tmpdir(), "orch-elsewhere-"));
    const other = { service: "blog", environment: "test", compose_dir: elsewhere };
    await promoted(engine, await engine.call("import_sop", { file: writtenFor(file, other) }));
    await engine.submit(world.contract({ ...known, task_id: "there", target: other }));
    await engine.call("approve", { task_id: "there", decision: "approve" });
    expect(await engine.outcomeOf("there")).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect(await readFile(join(elsewhere, "blog.state"), "utf8")).toBe("deployed\ntest\n");
    await rm(elsewhere, { recursive: true });
    expect(wiki.called.map(({ args }) => args)).toEqual([{ name: "web" }, { name: "web" }, { name: "blog" }]);
    expect(world.model.asked.length, "no model was asked").toBe(asked);
  });

  /** The file with another target, as a person edits it. */
  const writtenFor = (file: string, target: object): string =>
    file.replace(/^target:\n(?: {2}.*\n)+/m, `target: ${JSON.stringify(target)}\n`);
});

describe("an agent's run leaves a candidate [3.sop.candidate_of_agent]", () => {
  const UP = done(["it is up", "grep -q up web.state"]);
  const writes = calls(run("echo up > web.state"), check("grep -q up web.state"));
  const hides = calls(
    run("echo up > web.state; : ghp_0123456789abcdefghijABCDEFGHIJ012345"),
    check("grep -q up web.state"),
  );
  const looks: Script = [calls(check("test -d .")), done(["it is up", "test -d ."])];
  const wanted = { success_criteria: ["it is up"] };

  const listed = async (engine: Engine) =>
    (await engine.call("list_sops", {})).sops.map(({ version, status }: Sop) => `${version} ${status}`);

  test.each<[string, Script, Record<string, unknown>, string[], string[]]>([
    ["where its steps hold all that it changed", [writes, UP], wanted, ["1 candidate"], []],
    ["not where a change failed", [calls(run("echo up > web.state; exit 3")), writes, UP], wanted, [], ["propose_sop"]],
    ["not where a step holds a secret, which the journal does not keep", [hides, UP], wanted, [], ["propose_sop"]],
    ["not where it changed nothing", looks, wanted, [], ["propose_sop"]],
    ["not where its task failed", [calls(run("echo half > web.state")), UP], wanted, [], []],
  ])("%s", async (_when, script, over, sops, next) => {
    await using world = await openAgentWorld(script);
    await using engine = await world.open();
    const target = { service: "web", compose_dir: world.directory };
    const task = await engine.submit(world.contract({ target, ...over }));
    expect(await listed(engine)).toEqual(sops);
    const operations = task.outcome.next.map(({ operation }: { operation: string }) => operation);
    expect(operations.filter((operation: string) => operation === "propose_sop")).toEqual(next);
    expect(await evidenceFaults(engine, "task")).toEqual([]);
  });

  test("once: not while a version is active, or waits for its promotion", async () => {
    const again = calls(run("echo up >> web.state"), check("grep -q up web.state"));
    await using world = await openAgentWorld([writes, UP, again, UP]);
    await using engine = await world.open();
    const target = { service: "web", compose_dir: world.directory };
    await engine.submit(world.contract({ target, ...wanted }));
    await engine.submit(world.contract({ task_id: "second", target, ...wanted }));
    expect(await listed(engine)).toEqual(["1 candidate"]);
    const { approval_id } = await candidateOf(engine, "task");
    await engine.call("approve", { approval_id, decision: "approve" });
    await expect.poll(() => listed(engine), { timeout: 10_000 }).toEqual(["1 active"]);
    expect(await evidenceFaults(engine, "second")).toEqual([]);
  });
});

const FAILED = "it ended failed with exit code 3, and may have done a part of its work";

describe("a draft", () => {
  test("leaves out calls that cannot be steps, with the reason", async () => {
    const { draft, left_out, issues } = await proposed(
      [
        calls(run("rm -rf /"), run("echo half > web.state; exit 3"), ["lamps__dim", {}], run("echo whole > web.state")),
        calls(["lamps__is_dim", {}], check("grep -q whole web.state")),
        done(["the light is low", 4], ["it is whole", "grep -q whole web.state"]),
      ],
      { success_criteria: ["the light is low", "it is whole"] },
    );
    expect(left_out).toEqual([
      { index: 1, command: "echo half > web.state; exit 3", why: FAILED },
      { index: 2, command: "lamps.dim {}", why: "a skill's tool cannot be a step of a procedure" },
      { index: 4, command: "lamps.is_dim {}", why: "a skill's tool cannot be a step of a procedure" },
    ]);
    expect(draft.steps).toEqual([
      steps.cmd('echo whole > "$ORCH_TARGET_SERVICE".state'),
      steps.check('grep -q whole "$ORCH_TARGET_SERVICE".state'),
    ]);
    expect(draft.criteria, "no check claims what another has proved").toEqual({ "it is whole": 1 });
    expect(issues).toEqual([]);
  });

  const UP = check("grep -qx 'web: up' web.state");

  test("shows what its checks were worth, on top of the file too, and which values it left literal", async () => {
    const script: Script = [
      calls(UP, run("mkdir tmp"), run("rmdir tmp"), run("echo half > web.state; exit 3"), UP),
      calls(run("echo 'web: up' > web.state"), UP),
      done(["it is up", "grep -qx 'web: up' web.state"]),
    ];
    const env = { CHECK_LOOKS: "on" };
    const proposal = await proposed(script, { success_criteria: ["it is up"] }, env);
    const { draft, file, checks, left_out, warnings, left_literal } = proposal;
    expect(draft.steps).toHaveLength(2);
    expect(checks).toMatchObject([{ step_index: 1, proof: "proved", change: "became_true" }]);
    expect(checks[0].seen_red).toContain("before");
    expect(left_out.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3]);
    expect(warnings).toEqual([expect.stringContaining("call 3 ended failed")]);
    expect(left_literal).toMatchObject([
      { step_index: 0, key: "target.service", value: "web", where: "cmd" },
      { step_index: 1, key: "target.service", value: "web", where: "check" },
    ]);
    expect(file).toMatch(/^# Drafted from the run of task task\.\n# Warning: call 3 ended failed/);
    expect(file).toMatch(/^# Check step 1: proved; seen red: before.*; became true$/m);
    expect(file).toMatch(/^# Step 0, cmd: target\.service is literal: it is in single quotes/m);
  });

  test("lists why teach would refuse it", async () => {
    const script: Script = [calls(run("echo x > web.state"), ["lamps__is_dim", {}]), done(["the light is low", 1])];
    const { draft, issues } = await proposed(script, { success_criteria: ["the light is low"] });
    expect(draft.steps).toEqual([steps.cmd('echo x > "$ORCH_TARGET_SERVICE".state')]);
    expect(issues).toEqual([{ path: "steps", message: expect.stringContaining("needs at least one check step") }]);
  });

  test("holds the check that proved a run without success criteria", async () => {
    const { draft } = await proposed([calls(run("echo x > web.state"), check("test -s web.state")), done()]);
    expect(draft.steps.at(-1)).toEqual(steps.check('test -s "$ORCH_TARGET_SERVICE".state'));
    expect(draft.criteria).toEqual({});
  });
});

describe("there is nothing to draft", () => {
  const asking = { constraints: { ...scope("shell"), require_approval_for: ["anything"] } };
  const write = calls(run("echo x > made"), check("test -s made"));
  const unproved: Script = [write, done([1, "test -e other"])];
  const blocked = calls(run("rm -rf /"), run("rm -rf ~"), run("rm -rf /*"));
  const teaching = { delegation_mode: "teach_if_unknown" };

  test.each<[string, Script, Record<string, unknown>, string, string]>([
    ["from a task that waits", [write], asking, "task_not_ended", "has not ended"],
    ["from a task that has proved nothing", unproved, { success_criteria: ["a"] }, "task_not_proved", "proved nothing"],
    ["from a task that was blocked", [blocked], {}, "task_not_proved", "has proved nothing"],
    ["from a task that waits to be taught", [write], teaching, "task_not_proved", "not worked on by an agent"],
  ])("%s", async (_which, script, over, code, why) => {
    await using world = await openAgentWorld(script);
    await using engine = await world.open();
    await engine.submit(world.contract(over));
    const refused = await engine.refusal("propose_sop", { task_id: "task" });
    expect(refused).toMatchObject({ code, message: expect.stringContaining(why), current: { task_id: "task" } });
    expect(await engine.refusal("propose_sop", { task_id: "other" })).toMatchObject({ code: "task_not_found" });
  });
});
