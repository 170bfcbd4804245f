// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
// What an approval of a plan covers: everything that reaches a command, a tool or a flow engine (D-185).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approvalDigest } from "../../../../src/domain/approval.ts";
import { type Blast, Finding } from "../../../../src/domain/finding.ts";
import { digestOf } from "../../../../src/domain/json.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { sentStep, stepEnvironment } from "../../../../src/domain/step-run.ts";
import { planContent, planDigests } from "../../../../src/engine/tasks/plan.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { callDigests } from "../../../../src/features/agents/judge-calls.ts";
import { aContract, check, cmd, journalOf, mcpCall, wait } from "../../../support/builders.ts";
import { PROCEDURE } from "./a-task.ts";

const STEPS: readonly Step[] = [
  cmd("echo literal"),
  cmd('echo "$ORCH_PAYLOAD" "$ORCH_TARGET_SERVICE"'),
  check("env | grep -q ORCH_"),
  wait("1ms"),
  mcpCall({ arguments: { literal: "x" } }),
  mcpCall({ arguments: { op: "${payload.op}" } }),
  mcpCall({ arguments: { deep: [{ service: "${target.service}" }] } }),
];

/** The state of a task with this procedure. The task id is the same for all of them. */
const stateOf = (steps: readonly Step[], service: string, op: string) => {
  const contract = aContract({ target: { service }, payload: { op } });
  const accepted = { contract, contract_digest: digestOf(contract), backend: "local" } as const;
  const taught = { ...PROCEDURE, sop_id: null, sop_version: null, steps: [...steps] };
  return projection(journalOf({ kind: "task_accepted", body: accepted }, { kind: "taught", body: taught }));
};

type State = ReturnType<typeof stateOf>;
const contractIn = (state: State) => state.accepted?.contract ?? aContract();
const stepsIn = (state: State) => state.procedure?.steps ?? [];

/** Everything that the steps are given when they run. */
const bytesSent = (state: State): string => {
  const contract = contractIn(state);
  const env = stepEnvironment(contract);
  return JSON.stringify(
    stepsIn(state).map((step) => [sentStep(step, contract), step.kind === "mcp_call" ? null : env]),
  );
};

const anything = fc.record({
  steps: fc.subarray([...STEPS], { minLength: 1 }),
  service: fc.constantFrom("web", "db"),
  op: fc.constantFrom("list_notes", "delete_all_notes"),
});

describe("the digest of a plan", () => {
  test("differs whenever what is sent would", () => {
    fc.assert(
      fc.property(anything, anything, (one, other) => {
        const [a, b] = [one, other].map(({ steps, service, op }) => stateOf(steps, service, op)) as [State, State];
        if (bytesSent(a) === bytesSent(b)) return;
        expect(approvalDigest(planContent(contractIn(a), a, []))).not.toBe(
          approvalDigest(planContent(contractIn(b), b, [])),
        );
      }),
    );
  });

  test.each(STEPS.map((step) => [step.kind, step] as const))(
    "a %s: every value that is sent can be read: %j",
    (_, step) => {
      const state = stateOf([step], "a-service", "delete_all_notes");
      const shown = JSON.stringify(planContent(contractIn(state), state, []));
      for (const value of step.kind === "wait" ? [] : ["a-service", "delete_all_notes"]) expect(shown).toContain(value);
      expect(JSON.stringify(planContent(contractIn(state), state, []).steps)).not.toContain("${");
    },
  );

  test("an approval of version 0.1, which showed the parameters, is still one for the same task", () => {
    const state = stateOf(STEPS, "web", "list_notes");
    const { contract: _contract, ...content } = { ...planContent(contractIn(state), state, []), steps: stepsIn(state) };
    expect(planDigests(contractIn(state), state, [])).toContain(approvalDigest(content));
    expect(planDigests(contractIn(state), state, [])[0]).toBe(
      approvalDigest(planContent(contractIn(state), state, [])),
    );
  });

  test("an approval that did not say what a step reaches is still one, and one that says something else is not", () => {
    const state = stateOf(STEPS, "web", "list_notes");
    const finding = {
      step_index: 0,
      verdict: "ask",
      code: "dyn.operand",
      reason: "r",
      command: "rm x",
      category: null,
    };
    const before = Finding.parse(finding);
    const blast: Blast = { paths: ["/x"], containers: [], hosts: [], more: 0 };
    const after: Finding = { ...before, change: "changes", blast };
    const digestOf = (one: Finding) => approvalDigest(planContent(contractIn(state), state, [one]));
    const digests = planDigests(contractIn(state), state, [after]);
    expect(digests[0]).toBe(digestOf(after));
    expect(digests).toContain(digestOf(before));
    expect(digests).not.toContain(digestOf({ ...after, blast: { ...blast, paths: ["/y"] } }));
  });
});

test("the digests of a plan and of an agent's calls cover the labels of the task, in each form that they had", () => {
  const contract = aContract();
  const state = (runs_on?: string[]) => {
    const accepted = {
      contract,
      contract_digest: digestOf(contract),
      backend: "local",
      ...(runs_on && { runs_on }),
    } as const;
    const taught = { ...PROCEDURE, sop_id: null, sop_version: null, steps: [cmd("true")] };
    return projection(journalOf({ kind: "task_accepted", body: accepted }, { kind: "taught", body: taught }));
  };
  const places = [undefined, ["docker"], ["host:nas"]];
  const of_plans = places.flatMap((runs_on) => [...new Set(planDigests(contract, state(runs_on), []))]);
  expect(new Set(of_plans).size).toBe(of_plans.length);
  const calls = [{ index: 0, step: cmd("true"), findings: [], name: "shell", arguments: {} }];
  const of_calls = places.map((runs_on) => callDigests({ contract, ...(runs_on && { runs_on }) }, 1, calls)[0]);
  expect(new Set(of_calls).size).toBe(3);
});

test("the digest of an agent's calls covers what its commands can read", () => {
  const calls = [{ index: 0, step: cmd('echo "$ORCH_PAYLOAD"'), findings: [], name: "shell", arguments: {} }];
  const digestOn = (op: string) => callDigests({ contract: aContract({ payload: { op } }) }, 1, calls)[0];
  expect(digestOn("list_notes")).not.toBe(digestOn("delete_all_notes"));
});
