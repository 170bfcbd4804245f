// What is looked at before the first step (D-194, D-199), and what the servers of tools say then (D-187).
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import { verify } from "../../../../graphs/nodes/verify.ts";
import { boundTool } from "../../../../src/domain/bound-tool.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { BeforeLook, Examination } from "../../../../src/domain/proof.ts";
import type { LookRequest } from "../../../../src/domain/run-request.ts";
import type { Step } from "../../../../src/domain/step.ts";
import type { ToolListing } from "../../../../src/domain/tool.ts";
import type { CheckExaminer } from "../../../../src/engine/tasks/check-looks.ts";
import type { ToolServers } from "../../../../src/ports.ts";
import { AT, aContract, aResult, check, cmd, mcpCall } from "../../../support/builders.ts";
import { pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";

const started = (index: number): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } });
const finished = (index: number): NewEvent => ({ kind: "step_finished", body: aResult({ index }) });

type Parts = ReturnType<typeof pipelineParts>;

/** Runs a plan on a backend that looks; `meanwhile` happens while it does. */
async function looked(steps: readonly Step[], events: readonly NewEvent[] = [], meanwhile = (_: Parts): void => {}) {
  const parts = pipelineParts();
  const asked: LookRequest[] = [];
  const aborted: boolean[] = [];
  const look = async (request: LookRequest, signal: AbortSignal) => {
    asked.push(request);
    meanwhile(parts);
    aborted.push(signal.aborted);
    return request.checks.map(
      ({ step_index }) =>
        ({ step_index, answer: "red", exit_code: 1, reason: null, duration_ms: 1, printed: null }) as const,
    );
  };
  const effectOf: Parts["deps"]["toolServers"]["effectOf"] = async ({ tool }) => (tool === "get" ? "reads" : "unknown");
  const toolServers = { ...parts.deps.toolServers, effectOf };
  const deps = { ...parts.deps, toolServers, backendOf: () => ({ ...parts.backend, look }) };
  const contract = await parts.begin(SCOPED, pinning(procedureOf(steps)), ...events);
  const facts = await runSteps(deps)(stateOf({ contract }));
  return { parts, contract, asked, aborted, facts, before: (await parts.journalOf()).projection.proof.before };
}

const SCOPED = aContract({ constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 } });
const CHANGE = cmd("touch x");
const LOOKS = check("test -e x");

describe("before the first step", () => {
  test("the commands and the calls of tools are looked at of which it is known that they only read", async () => {
    const one = (tool: string) => mcpCall({ tool, expect: { path: "", equals: 1 } });
    const { asked, facts, before, contract } = await looked([CHANGE, LOOKS, one("get"), one("peek")]);
    const checks = [
      { step_index: 1, step: LOOKS },
      { step_index: 2, step: one("get") },
    ];
    expect(asked).toEqual([{ task_contract: contract, checks }]);
    expect([facts, [...(before?.keys() ?? [])]]).toEqual([{ execution: "completed" }, [1, 2]]);
  });

  test.each<[string, (parts: Parts) => void, string]>([
    ["cancelled", ({ threads }) => threads.cancel("t-1"), "cancelled"],
    ["left by a server that stops", ({ threads }) => threads.drain(), "suspended"],
  ])("looks are broken off and not recorded when the task is %s", async (_what, meanwhile, execution) => {
    const { aborted, facts, before } = await looked([CHANGE, LOOKS], [], meanwhile);
    expect([aborted, facts.execution, before]).toEqual([[true], execution, null]);
  });

  test.each<[string, readonly Step[], readonly NewEvent[]]>([
    ["a plan has none that comes after a change", [LOOKS, CHANGE], []],
    ["a step has passed", [CHANGE, CHANGE, LOOKS], [started(0), finished(0)]],
    ["a check was interrupted", [LOOKS, CHANGE, LOOKS], [started(0)]],
  ])("no check is looked at where %s", async (_what, steps, events) => {
    const { asked, facts, before } = await looked(steps, events);
    expect([asked, facts, before]).toEqual([[], { execution: "completed" }, null]);
  });
});

const CONTROL = { answer: "red", exit_code: 1, reason: null, world: "empty", wrote: false } as const;
const FOUND: Examination = {
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  red_at: null,
  control: CONTROL,
  decoy: { answer: "red", exit_code: 1, reason: null },
};

function looking(answer: BeforeLook["answer"], found: Examination = FOUND) {
  const prepared: string[] = [];
  const examiner: CheckExaminer = {
    examine: async () => found,
    prepare: async ({ text }) => void prepared.push(text),
    mendsOf: async () => [],
    redRun: ({ text }) => ({ on: "check_look", look: { kind: "red", digest: text, body: null, looked_at: AT } }),
  };
  const parts = pipelineParts();
  const look = async () => [
    { step_index: 1, answer, exit_code: answer === "green" ? 0 : 1, reason: null, duration_ms: 1, printed: null },
  ];
  const deps = { ...parts.deps, examiner, backendOf: () => ({ ...parts.backend, look }) };
  return { parts, deps, prepared };
}

const ASKS = { skip_if_done: true };

describe("run_steps", () => {
  test("runs nothing where every check is true and can fail, and the verdict is that of the looks", async () => {
    const { parts, deps } = looking("green");
    const contract = await parts.begin(aContract(ASKS), pinning());
    expect(await runSteps(deps)(stateOf({ contract }))).toEqual({ execution: "already_done" });
    expect(parts.requests).toEqual([]);
    const message = "Already done: 1 check was true before anything ran. Nothing was run.";
    const reason = { reason_code: "already_done", message, step_index: null };
    expect(await verify(deps)(stateOf({ contract }))).toEqual({ verdict: "pass", reason });
    const { verdict } = (await parts.journalOf()).projection;
    expect(verdict).toMatchObject({ checks: [{ proof: { class: "proved", change: "was_true_already" } }] });
    expect((await parts.kindsOf()).slice(3), "all of it is committed with the end").toEqual([]);
  });

  test.each([
    ["a check is not true", "red", FOUND, "1 check passed."],
    [
      "a check cannot be seen to fail",
      "green",
      { ...FOUND, control: { ...CONTROL, answer: "green" }, decoy: null },
      "1 check passed, and has never been seen to fail. It was true already before the change. skip_if_done had no effect: check step 1 is unproved: it also passes on an empty machine.",
    ],
  ] as const)("runs the plan as usual where %s", async (_, answer, found, message) => {
    const { parts, deps } = looking(answer, found);
    const contract = await parts.begin(aContract(ASKS), pinning());
    expect(await runSteps(deps)(stateOf({ contract }))).toEqual({ execution: "completed" });
    expect(parts.requests).toHaveLength(1);
    expect(await verify(deps)(stateOf({ contract }))).toMatchObject({ verdict: "pass", reason: { message } });
  });

  test("runs the plan where the contract does not ask for it, and says nothing of it", async () => {
    const { parts, deps, prepared } = looking("green");
    const contract = await parts.begin(aContract(), pinning());
    expect(await runSteps(deps)(stateOf({ contract }))).toEqual({ execution: "completed" });
    expect(prepared, "what its checks are worth is found out beside the run").toEqual(["test -e x"]);
    const message = "1 check passed. It was true already before the change.";
    expect(await verify(deps)(stateOf({ contract }))).toMatchObject({ reason: { reason_code: "verified", message } });
  });

  test("does not look again after a stop, and reaches the same end", async () => {
    const { parts, deps } = looking("green");
    const contract = await parts.begin(aContract(ASKS), pinning());
    await runSteps(deps)(stateOf({ contract }));
    await (await parts.journalOf()).flush();
    parts.threads.close("t-1");
    const blind = { ...deps, backendOf: () => ({ ...parts.backend, look: async () => [] }) };
    expect(await runSteps(blind)(stateOf({ contract }))).toEqual({ execution: "already_done" });
    expect(parts.requests).toEqual([]);
  });
});

const looks = mcpCall({ tool: "get", expect: { path: "", equals: 1 } });
const TAUGHT = procedureOf([looks], { sop_id: null, sop_version: null });

type StatedEffectOf = ToolServers["effectOf"];

/** A server that says nothing of its tool any more. */
const silent = ({ deps }: ReturnType<typeof pipelineParts>) => ({
  ...deps,
  toolServers: { ...deps.toolServers, effectOf: async () => "unknown" as const },
});

test("a plan with a step left runs while its tool is marked as reading, and not any more when it is not", async () => {
  const marked = pipelineParts();
  const contract = await marked.begin(SCOPED, pinning(TAUGHT));
  expect(await runSteps(marked.deps)(stateOf({ contract }))).toEqual({ execution: "completed" });
  const parts = pipelineParts();
  await parts.begin(SCOPED, pinning(TAUGHT));
  expect(await runSteps(silent(parts))(stateOf({ contract }))).toMatchObject({
    execution: "unapproved",
    reason: { reason_code: "approval_stale" },
  });
  expect(parts.requests).toEqual([]);
});

test("a plan that is cancelled is no plan that was not approved", async () => {
  const parts = pipelineParts();
  const contract = await parts.begin(SCOPED, pinning(TAUGHT));
  await parts.threads.threadOf("t-1");
  parts.threads.cancel("t-1");
  expect(await runSteps(silent(parts))(stateOf({ contract }))).toMatchObject({ execution: "cancelled" });
});

const UNREAD = { is: "unread", why: "no list today", is_unreachable: false } as const;

test("a plan whose lists of tools cannot be read waits for them, and says why of each", async () => {
  const parts = pipelineParts();
  const steps = ["one", "two", "silent"].map((tool) => mcpCall({ tool, expect: { path: "", equals: 1 } }));
  const effectOf: StatedEffectOf = async ({ tool }) => (tool === "silent" ? "unknown" : UNREAD);
  const deps = { ...parts.deps, toolServers: { ...parts.deps.toolServers, effectOf } };
  const contract = await parts.begin(SCOPED, pinning({ ...TAUGHT, steps }));
  const unread = (tool: string) =>
    ` the list of tools could not be read: no list today; a check only looks, and only the list says whether notes.${tool} does.`;
  expect(await runSteps(deps)(stateOf({ contract }))).toEqual({
    execution: "unapproved",
    reason: {
      reason_code: "tool_list_unread",
      message: `Whether what would run now is what was approved cannot be seen.${unread("one")}${unread("two")}`,
      step_index: null,
    },
  });
  expect(parts.requests).toEqual([]);
});

describe("a version in use whose tool was listed when it was judged", () => {
  const listed = (description: string): ToolListing => ({
    is: "listed",
    tools: [
      {
        name: "get",
        description,
        input_schema: {},
        effect: "reads",
        idempotent: true,
        destructive: false,
        definition: { name: "get", description },
      },
    ],
  });
  const AWAY: ToolListing = { ...UNREAD, is_unreachable: true };

  /** Its lists are these, one after the other, and then the last of them. */
  async function ran(...lists: ToolListing[]) {
    const parts = pipelineParts();
    const tool = boundTool({ server: "notes", tool: "get" }, listed("Gets a note."), parts.deps.redact);
    const judged: NewEvent = { kind: "policy_judged", body: { findings: [], tools: [tool] } };
    const contract = await parts.begin(SCOPED, pinning(procedureOf([looks])), judged);
    const listNow = async () => (lists.length > 1 ? lists.shift() : lists[0]) ?? AWAY;
    const deps = { ...parts.deps, toolServers: { ...parts.deps.toolServers, listNow } };
    return { facts: await runSteps(deps)(stateOf({ contract })), steps: (await parts.journalOf()).projection.steps };
  }

  test("runs while its server cannot be reached: no call reaches it either", async () => {
    expect((await ran(AWAY)).facts).toEqual({ execution: "completed" });
  });

  test("does not run while its server gives no list", async () => {
    const { facts, steps } = await ran(UNREAD);
    const how = "notes.get cannot be compared: the list of tools could not be read: no list today.";
    const message = `Whether what would run now is what was approved cannot be seen. ${how}`;
    const reason = { reason_code: "tool_list_unread", message, step_index: null };
    expect([facts, steps.passed]).toEqual([{ execution: "unapproved", reason }, 0]);
  });

  test("does not start the step before which it changes", async () => {
    const { facts, steps } = await ran(listed("Gets a note."), listed("Deletes a note."));
    expect(facts).toMatchObject({ execution: "unapproved", reason: { reason_code: "approval_stale", step_index: 0 } });
    expect(steps.starts).toEqual([]);
  });
});
