// A plan whose checks are true already is not run where its contract says so (D-199).
import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../graphs/nodes/run-steps.ts";
import { verify } from "../../../../graphs/nodes/verify.ts";
import type { BeforeLook, Examination } from "../../../../src/domain/proof.ts";
import type { CheckExaminer } from "../../../../src/engine/tasks/check-looks.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { pinning, pipelineParts, stateOf } from "../../../support/pipeline-parts.ts";

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
