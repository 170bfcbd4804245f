// Defines the bodies of the events of an agent run: the loaded tools, the replies of the model, the judgement of policy on each call, and the
// end of the run. The calls themselves are recorded as steps [1.A.5.evidence]: steps of a procedure, or calls of a skill's tool,
// which a procedure cannot contain [2.skill.tools].
import { z } from "zod";
import { Finding } from "./finding.ts";
import { JsonObject, JsonValue } from "./json.ts";
import { REASON_CODES } from "./reason-code.ts";
import { BoundTool, Script } from "./script.ts";
import { Step, StepResult } from "./step.ts";

export const SkillToolStep = z.strictObject({
  kind: z.literal("skill_tool"),
  skill: z.string(),
  tool: z.string(),
  arguments: JsonObject,
  checks: z.boolean().describe("whether its success counts as proof, as the success of a check does"),
});
export type SkillToolStep = z.infer<typeof SkillToolStep>;

export const AgentStep = z.union([Step, SkillToolStep]);
export type AgentStep = z.infer<typeof AgentStep>;

export const AGENT_BACKENDS = ["plain", "react"] as const;
export const AgentBackendName = z.enum(AGENT_BACKENDS);
export type AgentBackendName = z.infer<typeof AgentBackendName>;

const Index = z.int().min(0).describe("of the call, counted from 0 over the whole run");

export const AgentEquipped = z.strictObject({
  agent_backend: AgentBackendName,
  model: z.string(),
  tools: z.array(z.string()),
  missing: z
    .array(z.string())
    .describe("tool servers in scope that did not list their tools, or not all of them, each with the reason"),
  budget: z
    .strictObject({ turns: z.int(), calls: z.int(), minutes: z.number() })
    .optional()
    .describe("what the run may take on the server where it began: replies, calls, minutes of both"),
});
export type AgentEquipped = z.infer<typeof AgentEquipped>;

export const AgentReplied = z.strictObject({
  turn: z.int().min(1),
  text: z.string(),
  thinking: z.string().nullable(),
  calls: z.array(
    z.strictObject({
      index: Index,
      call_id: z.string(),
      name: z.string(),
      arguments: JsonValue,
      added: z.literal(true).optional().describe("true when orch added the call, a check that finish names"),
    }),
  ),
  left_out: z.int().min(1).optional().describe("how many calls of the reply were not read, because it had too many"),
  quoted: z
    .int()
    .min(1)
    .optional()
    .describe(
      "how many calls in the text were not made: they repeat what a tool has said, or are marked as not to be run",
    ),
  prompt: z
    .strictObject({ estimated: z.int().min(1), tokens: z.int().min(1) })
    .optional()
    .describe("the tokens that orch had estimated for the question, and those that the model's server has counted"),
  fault: z.string().nullable().describe("why there is no reply; null when there is one"),
  latency_ms: z.number(),
});
export type AgentReplied = z.infer<typeof AgentReplied>;

const CALL_VERDICTS = ["allow", "ask", "refuse", "fault"] as const;

/**
 * A call counts as a change unless orch knows that it only reads. A check claims to only read, so its effect is
 * `unknown` when orch cannot confirm that.
 */
const CallEffect = z.enum(["reads", "unknown", "changes"]);

export const AgentCallJudged = z.strictObject({
  index: Index,
  verdict: z.enum(CALL_VERDICTS).describe("fault: the call is malformed and cannot be made"),
  reason: z.string().nullable(),
  step: AgentStep.nullable().describe("the step that the call runs; null for finish and for a malformed call"),
  effect: CallEffect,
  findings: z.array(Finding),
  scripts: z.array(Script).optional().describe("files that the call runs, which were judged with it"),
  tools: z.array(BoundTool).optional().describe("the tool that is called, as its server defined it"),
});
export type AgentCallJudged = z.infer<typeof AgentCallJudged>;

const Summary = z.string().min(1, "say what was done").max(8192);
const NamedCheck = z
  .union([z.string().max(16_384), z.int()])
  .describe("the command of the check that proves it, or the number of that call");
const Named = z.strictObject({
  criterion: z.union([z.string().max(1024), z.int()]).describe("the success criterion, or its number from 1"),
  evidence_check: NamedCheck,
});

const FileText = z.string().refine((text) => !text.includes("\0"), "must not contain NUL");

export const FileEdit = z.strictObject({
  path: FileText.min(1).max(4_096),
  old_text: FileText.describe("must occur exactly once; empty: creates the file"),
  new_text: FileText,
});
export type FileEdit = z.infer<typeof FileEdit>;

/** Some models write a boolean as text. */
export const Flag = z.preprocess((given) => (given === "true" ? true : given === "false" ? false : given), z.boolean());

export const Finish = z.strictObject({
  summary: Summary,
  criteria: z.array(Named).max(100).default([]),
  done: z.boolean().default(true),
});
export type Finish = z.infer<typeof Finish>;

export const OfferedFinish = z.strictObject({
  summary: Summary,
  checks: z
    .array(z.string().max(16_384))
    .max(100)
    .describe("one for each success criterion, in their order: the command of its check, or the number of the call"),
  done: z.boolean().default(true).describe("false when the task could not be done"),
});

/** The arguments of `finish` as they are read: `checks` by position, or `criteria` as earlier versions asked for. */
export const FinishCall = z
  .strictObject({
    summary: Summary,
    checks: z.array(NamedCheck).max(100).optional(),
    criteria: z.array(Named).max(100).optional(),
    done: Flag.default(true),
  })
  .transform(({ checks = [], criteria = [], ...finish }): Finish => {
    const by_position = checks.map((evidence_check, position) => ({ criterion: position + 1, evidence_check }));
    return { ...finish, criteria: criteria.length > 0 ? criteria : by_position };
  });

export const AgentFinished = Finish.extend({ index: Index });

export const AgentStopped = z.strictObject({
  reason_code: z.enum(REASON_CODES),
  message: z.string(),
});
export type AgentStopped = z.infer<typeof AgentStopped>;

const CALL_STATES = [
  "asked",
  "waiting",
  "ready",
  "refused",
  "faulty",
  "rejected",
  "started",
  "unknown",
  "ended",
] as const;

export const AgentCall = z.strictObject({
  index: z.int().min(0),
  turn: z.int().min(1),
  call_id: z.string(),
  name: z.string(),
  arguments: JsonValue,
  added: z.boolean().describe("by orch, for a check that finish names"),
  state: z
    .enum(CALL_STATES)
    .describe("waiting: for an approval; started: its end is not on record; unknown: it got no answer"),
  reason: z.string().nullable().describe("why it was refused, or is no call, or what a human said"),
  step: AgentStep.nullable(),
  effect: CallEffect,
  findings: z.array(Finding),
  scripts: AgentCallJudged.shape.scripts,
  tools: AgentCallJudged.shape.tools,
  approval_id: z.string().nullable(),
  attempt: z.int().min(1),
  result: StepResult.nullable(),
});
export type AgentCall = z.infer<typeof AgentCall>;
