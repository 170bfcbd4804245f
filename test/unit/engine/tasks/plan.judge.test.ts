// What the rules and the tool servers say of a plan, and for which backend and which steps.
import { describe, expect, test } from "vitest";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { digestOf } from "../../../../src/domain/json.ts";
import type { Step, ToolEffect } from "../../../../src/domain/step.ts";
import { judged, judgeTools, pinned, toolPlan } from "../../../../src/engine/tasks/plan.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { aContract, cmd, journalOf, mcpCall } from "../../../support/builders.ts";
import { judgeHere } from "../../../support/judge-here.ts";
import { pinning, pipelineParts, procedureOf } from "../../../support/pipeline-parts.ts";

const accepted = (contract: TaskContract, backend?: "local" | "flowengine"): NewEvent => ({
  kind: "task_accepted",
  body: { contract, contract_digest: digestOf(contract), ...(backend !== undefined && { backend }) },
});
const stateAfter = (...events: NewEvent[]) => projection(journalOf(...events));

describe("the procedure that a task is pinned to", () => {
  test("is an error before the look-up", () => {
    const message = "the journal holds no procedure although the look-up has passed";
    expect(() => pinned(stateAfter())).toThrow(message);
  });
});

describe("the judgement of a plan", () => {
  const home = "/home/op";
  const local = pipelineParts().backend;
  const engine = pipelineParts({ remote: true }).backend;

  test("asks about steps of unknown effect under an intent that only looks, unless an SOP has proved them", async () => {
    const contract = aContract({ intent: "triage" });
    const codesFor = async (sop_id: string | null) => {
      const state = stateAfter(pinning(procedureOf([cmd("my-probe")], { sop_id })));
      return (await judged({ home, judge: judgeHere, backendOf: () => local }, contract, state)).findings.map(
        ({ code }) => code,
      );
    };
    expect(await codesFor("s-1")).toEqual([]);
    expect(await codesFor(null)).toEqual(["read_only.unknown_effect"]);
  });

  test("is for the backend that the task was accepted for", async () => {
    // Any field of the contract reaches an engine, also one that orch does not know.
    const contract = aContract({ of_others: { key: "$var:f/key" } });
    const backendOf = ({ execution_backend }: TaskContract) => (execution_backend === "flowengine" ? engine : local);
    const codesOn = async (backend: "local" | "flowengine") => {
      const state = stateAfter(accepted(contract, backend), pinning());
      return (await judged({ home, judge: judgeHere, backendOf }, contract, state)).findings.map(({ code }) => code);
    };
    expect(await codesOn("flowengine")).toEqual(["engine.reference"]);
    expect(await codesOn("local")).toEqual([]);
  });
});

describe("the judgement of tool calls", () => {
  const lookup = mcpCall({ tool: "find_note", expect: { path: "", contains: "x" } });

  async function judging(effect: ToolEffect, intent: string, steps: readonly Step[], sop_id: string | null = null) {
    const asked: string[] = [];
    const effectOf = async ({ tool }: { readonly tool: string }) => {
      asked.push(tool);
      return effect;
    };
    const plan = toolPlan(aContract({ intent }), procedureOf(steps, { sop_id }));
    return { findings: await judgeTools(plan, { effectOf }), asked };
  }

  test("asks under another intent only about calls that check", async () => {
    const { findings, asked } = await judging("changes", "deploy", [mcpCall(), lookup]);
    expect(findings).toMatchObject([{ step_index: 1, verdict: "block", code: "tool.changes_state" }]);
    expect(findings[0]?.reason).toMatch(/^a check only looks, and the server of notes\.find_note says /);
    expect(asked).toEqual(["find_note"]);
  });

  test.each([
    ["reads", null, []],
    ["reads", "s-1", []],
    ["unknown", null, ["0 ask tool.unknown_effect"]],
    ["unknown", "s-1", []],
    ["changes", null, ["0 block tool.changes_state"]],
    ["changes", "s-1", ["0 block tool.changes_state"]],
  ] as const)(
    "finds for a tool with the effect %j, in a procedure of the SOP %j: %j",
    async (effect, sop_id, expected) => {
      const { findings } = await judging(effect, "triage", [mcpCall()], sop_id);
      expect(findings.map(({ step_index, verdict, code }) => `${step_index} ${verdict} ${code}`)).toEqual(expected);
    },
  );
});
