// Defines record_verification: the supervisor's own check of a task that has ended.
import { z } from "zod";
import { EXAMPLE } from "../../api/operations/example.ts";
import { type NamedSchemas, shape } from "../../api/operations/operation.ts";
import { TaskView } from "../../api/operations/shapes/task-view.ts";
import { TaskId } from "../../domain/contract.ts";
import { GivenEvidence, Verification } from "../../domain/verification.ts";

export const recordVerification = shape({
  name: "record_verification",
  summary: "Record the supervisor's own check of a finished task against an external source.",
  guidance:
    "Only what you have checked outside of orch: DONE alone is no proof. evidence says what shows it; orch keeps it and opens " +
    "nothing of it. The last record counts.",
  method: "POST",
  path: "/v1/tasks/{task_id}/verification",
  scope: "submit",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({
    task_id: TaskId,
    verified: z.boolean().describe("Whether the result is there."),
    source: z.string().min(1).max(1024).describe("Where you looked it up, for example a dashboard or a probe."),
    note: z.string().max(4096).optional().describe("What you saw."),
    evidence: GivenEvidence.optional().describe("What shows it: a text, a url, a command that you ran."),
  }),
  output: TaskView,
  example: {
    task_id: EXAMPLE.task_id,
    verified: true,
    source: "the monitoring page",
    note: "release 7 answers",
    evidence: { text: "HTTP 200, release 7" },
  },
});

export const VERIFICATION_SHAPES = [recordVerification] as const;

/** Records that the OpenAPI document names. */
export const VERIFICATION_SCHEMAS = {
  Verification: [Verification, "What the supervisor saw when it checked the result itself."],
} satisfies NamedSchemas;
