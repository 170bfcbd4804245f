// Defines what the journal records of procedures, and what is said of it.
import { z } from "zod";
import { SetBack } from "../../domain/approval.ts";
import { event } from "../../domain/event.ts";
import { call, DECIDE, evidence, type NextAction, READ_APPROVAL, submit } from "../../domain/next-action.ts";
import { counted } from "../../domain/printable.ts";
import { Procedure, SopLevel, SopProof } from "../../domain/sop.ts";
import { isPause } from "../../domain/step-run.ts";
import type { TraceMark } from "../../domain/trace-mark.ts";

/** The evidence of all runs would be a list that hides what there is to decide. */
const MOST_NAMED = 3;

const look = (tasks: readonly string[]): NextAction[] =>
  tasks
    .slice(0, MOST_NAMED)
    .map((task_id) => call("get_evidence", { task_id }, `Look at what was done in task ${task_id}.`));

const goBack = (earlier: SetBack["earlier"]): NextAction[] =>
  earlier === null
    ? []
    : [call("rollback_sop", { sop_id: earlier.sop_id }, `Or have the steps of version ${earlier.version} used again.`)];

const CORRECT = submit("Have a corrected version take its place, if the procedure is wrong.", { intent: "update_sop" });
const OR_CORRECT = submit("Or have a corrected version take its place.", { intent: "update_sop" });

const pinned = ({ sop_id, sop_version, steps }: Procedure): TraceMark => ({
  root: { sop_id, sop_version },
  is_procedure: true,
  steps: steps.map((step, index) => ({
    index,
    tool: step.kind === "mcp_call" ? step.tool : undefined,
    waits: isPause(step),
  })),
});

export const PROCEDURE_EVENTS = {
  sop_pinned: event({
    body: Procedure,
    text: ({ sop_id, sop_version, steps }) => ({
      about: "procedure",
      text: `SOP ${sop_id}, version ${sop_version}, ${counted(steps.length, "step")}`,
    }),
    steps: ({ steps }) => steps,
    trace: pinned,
  }),
  taught: event({
    is_progress: true,
    body: Procedure,
    text: ({ steps }) => ({ about: "taught", text: counted(steps.length, "step") }),
    waits: () => ({ over: ["people"] }),
    steps: ({ steps }) => steps,
    trace: pinned,
  }),
  sop_changed: event({
    body: z.strictObject({
      sop_id: z.string(),
      version: z.int(),
      status: z.string(),
      why: z.string(),
      level: SopLevel.optional(),
      trial_left: z.int().min(0).optional(),
    }),
    text: ({ sop_id, version, status, why }) => ({
      about: "SOP",
      text: `${sop_id}, version ${version}, is ${status}: ${why}`,
    }),
  }),
  sop_examined: event({
    body: SopProof.describe("what a promotion or a replacement shows to the human"),
    text: ({ level, warnings }) => ({
      about: "proof",
      text: [level, ...warnings].join("; "),
    }),
  }),
  sop_trial_failed: event({
    body: z
      .strictObject({
        sop_id: z.string(),
        version: z.int(),
        active_version: z.int().describe("the version before it, which is active again"),
        message: z.string(),
      })
      .describe("a message to the supervisor"),
    text: ({ message }) => ({ about: "trial", text: message }),
    message: {
      status: "failed",
      text: ({ message }) => message,
      webhook: "sop.trial_failed",
      next: (facts) => [
        evidence("Read in the evidence how its run ended. Where it passed, the inbox asks whether to keep it.")(facts),
        submit("Have a corrected version take its place.", { intent: "update_sop" })(facts),
      ],
    },
  }),
  sop_set_back: event({
    body: z
      .strictObject({
        sop_id: z.string(),
        version: z.int(),
        approval_id: z.string(),
        set_back: SetBack,
        message: z.string(),
      })
      .describe("a message to the supervisor: the version is not in use any more, and asks for its approval"),
    text: ({ message }) => ({ about: "set back", text: message }),
    message: {
      status: "failed",
      text: ({ message }) => message,
      approval_id: ({ approval_id }) => approval_id,
      webhook: "sop.set_back",
      next: (facts, body) => {
        const decide = [DECIDE(facts), READ_APPROVAL(facts), OR_CORRECT(facts)];
        if (body === undefined) return decide;
        // The evidence first: what is decided on follows from it.
        const { refutations, failures, earlier } = body.set_back;
        const tasks = [...refutations, ...failures].map(({ task_id }) => task_id);
        return [...look([...new Set(tasks)]), ...decide, ...goBack(earlier)];
      },
    },
  }),
  sop_failing: event({
    body: z
      .strictObject({
        sop_id: z.string(),
        version: z.int(),
        rule: z.enum(["refuted", "failing", "streak"]),
        tasks: z.array(z.string()).describe("the runs that are the reason, newest first"),
        earlier: SetBack.shape.earlier,
        message: z.string(),
      })
      .describe("a message to the supervisor: the version fails, or was refuted, and stays in use"),
    text: ({ message }) => ({ about: "failing", text: message }),
    message: {
      status: "failed",
      text: ({ message }) => message,
      webhook: "sop.failing",
      next: (facts, body) =>
        body === undefined ? [CORRECT(facts)] : [...look(body.tasks), CORRECT(facts), ...goBack(body.earlier)],
    },
  }),
};
