// What an update_sop contract would replace, and why it cannot [3.update.1].
import { describe, expect, test } from "vitest";
import type { Sop } from "../../../../src/domain/sop.ts";
import type { Step, ToolEffect } from "../../../../src/domain/step.ts";
import { replacementIn } from "../../../../src/engine/tasks/active-sop.ts";
import { aContract, check, cmd, mcpCall } from "../../../support/builders.ts";
import { judgeHere } from "../../../support/judge-here.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { aSop } from "./a-sop.ts";

const CRITERIA = [
  { criterion: "it answers", step_index: 3 },
  { criterion: "it runs", step_index: 1 },
];
const STEPS = [check("pgrep web"), cmd("touch x"), check("curl web")];
const asks = (tool: string) => mcpCall({ tool, expect: { path: "", contains: "web" } });

async function replacing(payload: Record<string, unknown>, sop: Partial<Sop> = {}, effect: ToolEffect = "reads") {
  const store = memoryStore();
  const current = aSop({ criteria: CRITERIA, ...sop });
  await store.commit({ thread_id: "s", after: "last", events: [], changes: [{ on: "sop_created", sop: current }] });
  const deps = { store, toolServers: { effectOf: async () => effect }, home: "/home/op", judge: judgeHere };
  return { current, replacement: await replacementIn(deps, aContract({ intent: "update_sop", payload })) };
}
const withSteps = (steps: readonly Step[], over: object = {}) => ({ intent: "deploy", steps, ...over });

describe("a replacement", () => {
  test("has to prove, in the order of their steps, what the current version proves", async () => {
    const { current, replacement } = await replacing(withSteps(STEPS));
    expect(replacement).toEqual({
      current,
      target: current.target,
      procedure: {
        sop_id: null,
        sop_version: null,
        steps: STEPS,
        safety_level: "standard",
        preconditions: [],
        criteria: [
          { criterion: "it runs", step_index: 0 },
          { criterion: "it answers", step_index: 2 },
        ],
      },
    });
  });

  test("proves what its own map names instead, when it has one", async () => {
    const { replacement } = await replacing(withSteps([check("test -d /")], { criteria: { "it is up": 0 } }));
    expect(replacement).toMatchObject({ procedure: { criteria: [{ criterion: "it is up", step_index: 0 }] } });
  });

  test("is for the target that its payload names, else for that of the contract", async () => {
    const target = { service: "db" };
    const other = { target, target_signature: "service=db" };
    const { current, replacement } = await replacing(withSteps(STEPS, { target }), other);
    expect(replacement).toMatchObject({ current, target });
    const reason = { reason_code: "sop_not_found", step_index: null };
    const message = 'No active SOP for deploy on "environment=prod;service=web".';
    expect((await replacing(withSteps(STEPS), other)).replacement).toEqual({ ...reason, message });
  });

  test("may check with a tool of unknown effect, because a supervisor approves the replacement", async () => {
    const { replacement } = await replacing(withSteps([...STEPS, asks("find_note")]), {}, "unknown");
    expect(replacement).toHaveProperty("procedure");
  });
});

describe("a replacement is refused", () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      "whose payload is no definition: every fault is named",
      { intent: "Deploy", steps: [{ kind: "wait", value: "soon" }] },
      "payload.steps.0.value: must be a duration such as 500ms, 30s, 5m or 1h, at most 1h; " +
        "payload.intent: must be an intent of the vocabulary, such as bootstrap_context, collect_logs, triage, deploy, restart, health_check, commit_push, record_to_notes, update_sop.",
    ],
    ["whose steps are no list", { intent: "deploy", steps: { kind: "cmd" } }, "payload.steps: must be an array."],
    [
      "that proves less than the current version",
      withSteps([cmd("touch x"), check("curl web")]),
      'payload.steps: success criterion "it answers" has no check step; add one, or map it in criteria',
    ],
    [
      "whose map names a step that checks nothing",
      withSteps(STEPS, { criteria: { "it runs": 1 } }),
      'payload.criteria: success criterion "it runs" is mapped to step 1, which is not a check step',
    ],
    [
      "with a step that is blocked here",
      withSteps([...STEPS, cmd("rm -rf ~")]),
      "payload.steps.3: rm.wide: deletes /home/op and all below it; name the directory of the project instead",
    ],
  ])("%s", async (_what, payload, message) => {
    const { replacement } = await replacing(payload);
    expect(replacement).toEqual({ reason_code: "update_invalid", message, step_index: null });
  });

  test("whose check calls a tool that changes something", async () => {
    const { replacement } = await replacing(withSteps([...STEPS, asks("create_note")]), {}, "changes");
    expect(replacement).toMatchObject({ reason_code: "update_invalid" });
    expect(replacement).toHaveProperty(
      "message",
      expect.stringMatching(/^payload\.steps\.3: .*notes\.create_note says that it changes something.*\.$/),
    );
  });
});
