// A task that ends asks the engine to end the job that may still run, and says why one may go on.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Job, JobEnd } from "../../../../src/domain/run-request.ts";
import { stopOpenJob } from "../../../../src/engine/tasks/progress.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import type { ExecutionBackend } from "../../../../src/ports.ts";
import { aContract, journalOf } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";

const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 2, engine: "e" };
const { job_id } = job;
const HANDED: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1, job } };
const ended = (code: JobEnd["code"]): NewEvent => ({
  kind: "job_ended",
  body: { job_id, code, message: "", raw_result: null },
});

/** What becomes of the job on an engine that answers like this; undefined: on a backend that knows no jobs. */
async function stopping(answer: string | null | undefined, ...events: NewEvent[]) {
  const asked: Job[] = [];
  const cancelJob = async (one: Job) => {
    asked.push(one);
    return answer ?? null;
  };
  const { backend } = pipelineParts({ remote: true });
  const engine: ExecutionBackend = answer === undefined ? backend : { ...backend, cancelJob };
  const stop = await stopOpenJob(() => engine, aContract(), projection(journalOf(...events)));
  return { stop, asked };
}

describe("the open job of a task that ends", () => {
  test.each<[string, NewEvent[]]>([
    ["no job was submitted", [{ kind: "step_started", body: { index: 0, attempt: 1 } }]],
    ["the last job has ended", [HANDED, ended("passed")]],
  ])("is none when %s, and the engine is not asked", async (_what, events) => {
    expect(await stopping(null, ...events)).toEqual({ stop: null, asked: [] });
  });

  test("may still run when its engine is gone", async () => {
    const stop = { job_id, refusal: "there is no flow engine any more" };
    expect(await stopping(undefined, HANDED)).toEqual({ stop, asked: [] });
    expect(await stopOpenJob(() => null, aContract(), projection(journalOf(HANDED)))).toEqual(stop);
  });
});
