// Which job of a plan is asked to look at the checks before its first step.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { JobEnd } from "../../../../src/domain/run-request.ts";
import { checksToLookAt } from "../../../../src/engine/policy/checks-to-look-at.ts";
import { looksInRun } from "../../../../src/engine/tasks/check-looks.ts";
import { aContract, aResult, check, cmd, wait } from "../../../support/builders.ts";
import { pinning, pipelineParts, procedureOf } from "../../../support/pipeline-parts.ts";

const PLAN = [
  wait("1s"),
  cmd("docker restart web"),
  check("docker inspect web"),
  check("true # orch: once"),
  check("test -e a"),
];
const ID = "0190a1b2-0000-7000-8000-00000000000";
const LOOKS = { look_at: [2, 4] };

const handedOver = (nth: number, index = 0, attempt = 1): NewEvent => ({
  kind: "step_started",
  body: { index, attempt, job: { job_id: `${ID}${nth}`, through: 4, engine: "e" } },
});
const ended = (nth: number, code: JobEnd["code"]): NewEvent => ({
  kind: "job_ended",
  body: { job_id: `${ID}${nth}`, code, message: "m", raw_result: null },
});
const finished = (index: number): NewEvent => ({ kind: "step_finished", body: aResult({ index }) });
const LOOKED: NewEvent = { kind: "checks_looked_at", body: { looks: [] } };

async function looks(events: readonly NewEvent[], plan = PLAN, over: Record<string, unknown> = {}) {
  const parts = pipelineParts({ remote: true });
  const contract = await parts.begin(aContract(over), pinning(procedureOf(plan)), ...events);
  const { projection } = (await parts.threads.threadOf(contract.task_id)).journal;
  return looksInRun(projection, checksToLookAt(contract, plan, "/root"));
}

describe("the looks of a job", () => {
  test.each<[string, readonly NewEvent[], object, object]>([
    ["the first job", [], LOOKS, {}],
    ["the first job when it is looked up", [handedOver(1)], LOOKS, LOOKS],
    ["a job after one that the engine did not accept", [handedOver(1), ended(1, "engine_unreachable")], LOOKS, LOOKS],
    ["only the lost job when it is examined again", [handedOver(1), ended(1, "lost")], {}, LOOKS],
    ["no job after one that ran", [handedOver(1), ended(1, "flow_crashed"), handedOver(2, 0, 2)], {}, {}],
    ["no job that begins later", [handedOver(1), finished(0), ended(1, "step_failed")], {}, LOOKS],
    ["no job once they are on record", [handedOver(1), LOOKED, ended(1, "lost")], {}, {}],
  ])("are those of %s", async (_what, events, next, last) => {
    expect(await looks(events)).toEqual({ next, last });
  });

  test("are none where nothing changes, or the intent only looks", async () => {
    expect(await looks([handedOver(1)], [check("test -e a")])).toEqual({ next: {}, last: {} });
    expect(await looks([handedOver(1)], PLAN, { intent: "triage" })).toEqual({ next: {}, last: {} });
  });
});
