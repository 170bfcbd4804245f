// The questions to the supervisor: what is asked, what an inbox may answer, and what is recorded of it.
import { describe, expect, test } from "vitest";
import {
  awaitCallResolution,
  awaitResolution,
  awaitSkillResolution,
} from "../../../../graphs/nodes/await-resolution.ts";
import { awaitTeaching } from "../../../../graphs/nodes/first-nodes.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import { agentJournal, changed, looked } from "../../../support/agent-journal.ts";
import { askingNode } from "../../../support/asking-node.ts";
import { aContract, aResult, check, cmd } from "../../../support/builders.ts";
import { PROCEDURE, pinning, pipelineParts, stateOf } from "../../../support/pipeline-parts.ts";

const CUT = "was started and its end was not recorded: orch stopped in the middle of it";
const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
const unanswered: NewEvent = {
  kind: "step_finished",
  body: aResult({ status: "outcome_unknown", exit_code: null, stderr: "orch: no response" }),
};
const skillStarted: NewEvent = { kind: "skill_step_started", body: { index: 0, attempt: 1, name: "move" } };

const nodes = { procedure: awaitResolution, skill: awaitSkillResolution, agent: awaitCallResolution } as const;

async function asking(of: keyof typeof nodes, ...events: readonly NewEvent[]) {
  const parts = pipelineParts();
  const contract = await parts.begin(aContract(), ...events);
  const node = askingNode(async (state) => nodes[of](parts.deps)(state));
  const question = await node.ask(stateOf({ contract, step_index: 0 }));
  const last = async () => (await parts.store.readJournal("t-1")).at(-1);
  return { node, question, last };
}
const cutCall = agentJournal([[changed("touch x", { result: "cut_off" })]]);

describe("a step of unknown outcome", () => {
  test.each<[keyof typeof nodes, readonly NewEvent[], object]>([
    ["procedure", [pinning(), started], PROCEDURE.steps[0] ?? {}],
    ["skill", [skillStarted], { kind: "skill", name: "move" }],
    ["agent", cutCall, cmd("touch x")],
  ])("in a %s is asked about, and the answer of an inbox is recorded", async (of, events, step) => {
    const { node, question, last } = await asking(of, ...events);
    const message = `Step 0 ${CUT}. It may or may not have taken effect.`;
    expect(question).toMatchObject({
      outcome: outcome("need_input", "step_outcome_unknown", message, { thread_id: "t-1", step_index: 0 }),
      waiting: { kind: "resolution", index: 0, attempt: 1 },
      actionRequests: [
        { name: "resolve_step", args: { index: 0, attempt: 1, step, resolution: "" }, description: message },
      ],
      reviewConfigs: [{ actionName: "resolve_step", allowedDecisions: ["edit"] }],
    });
    await node.answer({ resolution: "succeeded" });
    expect(await last()).toMatchObject({
      kind: "step_resolved",
      body: { index: 0, attempt: 1, resolution: "succeeded", reason: null },
    });
  });

  test.each<[keyof typeof nodes, readonly NewEvent[]]>([
    ["procedure", [pinning(), started]],
    ["skill", [skillStarted]],
    ["agent", cutCall],
  ])("in a %s takes no other answer, and nothing of it is recorded", async (of, events) => {
    const { node, last } = await asking(of, ...events);
    await expect(node.answer({ resolution: "perhaps" })).rejects.toThrow(/resolution is succeeded, failed or retry/);
    expect((await last())?.kind).not.toBe("step_resolved");
  });

  test.each<[keyof typeof nodes, readonly NewEvent[]]>([
    ["procedure", [pinning(), started, unanswered]],
    ["agent", [...cutCall, unanswered]],
  ])("in a %s that got no answer is asked about with its last words", async (of, events) => {
    const { question } = await asking(of, ...events);
    const message = 'Step 0 got no answer ("orch: no response"). It may or may not have taken effect.';
    expect(question?.outcome).toMatchObject({ message, step_index: 0 });
  });

  test.each<[keyof typeof nodes, string, readonly NewEvent[]]>([
    ["procedure", "is ready", [pinning()]],
    ["procedure", "has failed", [pinning(), started, { kind: "step_finished", body: aResult({ status: "failed" }) }]],
    ["skill", "was not started", []],
    [
      "skill",
      "has ended",
      [
        skillStarted,
        {
          kind: "skill_step_finished",
          body: { index: 0, attempt: 1, ok: true, value: 1, message: null, calls: [], duration_ms: 1 },
        },
      ],
    ],
    ["agent", "was not asked for", []],
    ["agent", "has ended", agentJournal([[looked("ls")]])],
    ["agent", "is no step", agentJournal([[changed("x", { step: null, result: null })]])],
  ])("in a %s is not asked about when it %s", async (of, _what, events) => {
    const { question, last } = await asking(of, ...events);
    expect(question).toBeNull();
    expect((await last())?.kind).not.toBe("step_resolved");
  });
});

describe("an unknown SOP", () => {
  const teaching = async (over: Record<string, unknown> = {}, events: readonly NewEvent[] = []) => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(over), ...events);
    const node = askingNode(async (state) => awaitTeaching(parts.deps)(state));
    const question = await node.ask(stateOf({ contract }));
    return { node, question, last: async () => (await parts.store.readJournal("t-1")).at(-1) };
  };

  test.each([
    [["it is up", "it is fast"], '"it is up", "it is fast"'],
    [[], "what it is to achieve"],
  ])("is asked for, with a check step for the criteria %j", async (success_criteria, named) => {
    const { question } = await teaching({ success_criteria });
    const message = `No active SOP for deploy on "environment=prod;service=web". Teach one with a check step for ${named}.`;
    const { target } = aContract();
    expect(question).toMatchObject({
      outcome: outcome("need_input", "sop_unknown", message, { thread_id: "t-1" }),
      waiting: { kind: "teaching" },
      actionRequests: [
        { name: "teach", args: { task_id: "t-1", intent: "deploy", target, success_criteria, steps: [] } },
      ],
      reviewConfigs: [{ actionName: "teach", allowedDecisions: ["edit"] }],
    });
  });

  test("is not asked for once the task has a procedure", async () => {
    expect((await teaching({}, [pinning()])).question).toBeNull();
  });

  test("that an inbox teaches is recorded", async () => {
    const { node, last } = await teaching();
    await node.answer({ steps: [cmd("touch x"), check("test -e x")] });
    expect(await last()).toMatchObject({
      kind: "taught",
      body: { sop_id: null, criteria: [{ criterion: "the page is served", step_index: 1 }], safety_level: "standard" },
    });
  });

  test.each<[string, unknown, (string | number)[], RegExp]>([
    ["without a check", { steps: [cmd("touch x")] }, ["steps"], /at least one check step/],
    ["with a step that is none", { steps: [{ kind: "tea" }] }, ["steps", 0, "kind"], /^Invalid/],
    ["with a blocked step", { steps: [cmd("rm -rf /"), check("test -d /")] }, ["steps", "0"], /^rm\.wide/],
  ])("is refused %s, with the place and the message, and stays open", async (_what, answer, path, words) => {
    const { node, last } = await teaching();
    const issue = { code: "custom", path, message: expect.stringMatching(words) };
    await expect(node.answer(answer)).rejects.toMatchObject({ issues: [issue] });
    expect((await last())?.kind).toBe("taken_up");
    await node.answer({ steps: [check("test -d /")] });
    expect((await last())?.kind).toBe("taught");
  });
});
