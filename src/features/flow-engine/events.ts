// Defines what the journal records of a job of the flow engine, and what is said of it.
import { z } from "zod";
import { event } from "../../domain/event.ts";
import { counted, plainWord } from "../../domain/printable.ts";
import { JobEnd, JobWait, wasAccepted } from "../../domain/run-request.ts";

const about = "flow engine";

export const JOB_EVENTS = {
  job_progressed: event({
    is_progress: true,
    body: z.strictObject({ job_id: z.uuid(), lines: z.array(z.string()) }),
    text: ({ lines: [first = "has the job", ...more] }) => ({ about, text: first, more }),
  }),
  job_waits: event({
    body: z.strictObject({
      job_id: z.uuid(),
      wait: JobWait.nullable().describe("null when it is over"),
      tries: z.int().min(0).describe("how often the engine was asked since the wait began"),
    }),
    text: ({ wait, tries }) => ({
      about,
      text: wait === null ? `the job goes on, after ${counted(tries, "request")}` : `it waits: ${wait.message}`,
    }),
  }),
  job_ended: event({
    is_progress: true,
    body: JobEnd,
    text: ({ job_id, code, message }) => ({
      about,
      text: `job ${plainWord(job_id, "ID")} ${wasAccepted(code) ? "ended" : "was not accepted"}: ${code}`,
      more: code === "passed" ? [] : [`| ${message}`],
    }),
  }),
};
