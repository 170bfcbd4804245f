// Which checks are looked at once before the first step of a plan (D-194), and when none is.
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { LookRequest } from "../../../../src/domain/run-request.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { aContract, aResult, check, cmd, mcpCall } from "../../../support/builders.ts";
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
