// The records that the OpenAPI document names, so that a generated client has a type for each.
import type { z } from "zod";
import { AgentCall, AgentReplied, SkillToolStep } from "../domain/agent-events.ts";
import { AgentContent, Approval, Decision, ProcedureContent, SkillContent } from "../domain/approval.ts";
import { SentContract, TaskContract } from "../domain/contract.ts";
import { Finding } from "../domain/finding.ts";
import { Freeze, HeldBy } from "../domain/freeze.ts";
import { EVENT_BODIES, EventRecord, Procedure } from "../domain/journal.ts";
import { NextAction } from "../domain/next-action.ts";
import { Outcome, OutcomeView } from "../domain/outcome.ts";
import { ProofSummary } from "../domain/proof.ts";
import { Reconciliation } from "../domain/reconcile.ts";
import { Schedule } from "../domain/schedule.ts";
import { SkillEnd, SkillStep } from "../domain/skill.ts";
import { CriterionCheck, Sop } from "../domain/sop.ts";
import { SopProof, StepDifference } from "../domain/sop-proof.ts";
import { CheckStep, CmdStep, Expect, McpCallStep, STEP_FIELDS, Step, StepResult, WaitStep } from "../domain/step.ts";
import { Waiting } from "../domain/task.ts";
import { Verdict } from "../domain/verdict.ts";
import { Verification } from "../domain/verification.ts";
import { Evidence } from "../evidence/bundle.ts";
import { CheckWarning } from "../operations/shapes/check-warning.ts";
import { explain } from "../operations/shapes/explain.ts";
import { Compared, KnownSop } from "../operations/shapes/get-approval.ts";
import { GraphPlace } from "../operations/shapes/graph.ts";
import { listMessages } from "../operations/shapes/journal.ts";
import { TaskSummary, TaskView } from "../operations/shapes/task-view.ts";
import { webhookMessage } from "../operations/shapes/webhook-message.ts";
import { jsonSchemasOf, type Schema } from "../schema/json-schema.ts";
import { ProblemDocument } from "../schema/problem-document.ts";

type Entry = readonly [schema: z.ZodType, description: string, revise?: (published: Schema) => Schema];
type Records = Readonly<Record<string, Entry>>;

/** As they are answered. */
const ANSWERED: Records = {
  Task: [TaskView, "A task: what was asked for, how far it is, how it ended or what it waits for."],
  TaskSummary: [TaskSummary, "A task as a row of a list: without its steps."],
  TaskContract: [TaskContract, "What a supervisor asks for, complete: with the defaults of what was left out."],
  Approval: [Approval, "A question to a human: what would be done, bound by its digest, and the decision."],
  Decision: [Decision, "What a human decided, and through which token."],
  ProcedureContent: [ProcedureContent, "What an approval of a plan, a promotion or a replacement covers."],
  SkillContent: [SkillContent, "What an approval that a skill asked for covers."],
  AgentContent: [AgentContent, "What an approval of an agent's calls covers."],
  Sop: [Sop, "A stored procedure: one version of the steps for an intent and a target."],
  SopProof: [SopProof, "What is known of a version: policy, effects, checks now, previews and runs on its target."],
  Schedule: [Schedule, "A contract that orch submits by itself: when it is due, and what its due times came to."],
  Freeze: [Freeze, "A switch that lets nothing start: what it is for, by whom, for what reason."],
  HeldBy: [HeldBy, "What holds a task that has not begun: a freeze, or a window by calendar."],
  Step: [Step, "One step of a procedure: a command, a check, a pause or a call of a tool."],
  CmdStep: [CmdStep, "A bash command that may change something."],
  CheckStep: [CheckStep, "A bash command that only reads, and passes where a criterion holds."],
  WaitStep: [WaitStep, "A pause."],
  McpCallStep: [McpCallStep, "A call of a tool of an MCP server; with expect it is a check."],
  SkillToolStep: [SkillToolStep, "A call of a skill's tool, which an agent makes and no procedure contains."],
  StepDifference: [StepDifference, "A step that one version has and the other has not."],
  CriterionCheck: [CriterionCheck, "Which check step proves which success criterion."],
  CheckWarning: [CheckWarning, "A check that was not seen to fail, and how to mend it."],
  Explanation: [explain.output, "What would become of a contract, without running it."],
  Evidence: [Evidence, "Everything that is known of a task; it can be verified offline."],
  Procedure: [Procedure, "The steps that a task runs, and where they are from."],
  StepResult: [StepResult, "How one attempt of a step ended, and what it wrote."],
  Reconciliation: [Reconciliation, "What the reconcile command of a step said of it, and what that settles."],
  SkillStep: [SkillStep, "One recorded step of a skill."],
  SkillEnd: [SkillEnd, "How a skill ended its task."],
  AgentCall: [AgentCall, "One call that an agent asked for: the judgement on it and its result."],
  AgentTurn: [AgentReplied, "One reply of the agent's model."],
  Verdict: [Verdict, "Which success criteria were met, and what each check is worth."],
  Verification: [Verification, "What the supervisor saw when it checked the result itself."],
  Waiting: [Waiting, "What a paused task waits for; interrupt_id names the one question that an answer may resume."],
  GraphPlace: [GraphPlace, "Where a task is in the pipeline, and the nodes that it was in."],
  ComparedVersion: [Compared, "The last approved version of a key, and how an approval differs from it."],
  SopWithRecord: [KnownSop, "A version with its record, as an approval shows it."],
  AgentFinished: [EVENT_BODIES.agent_finished, "How an agent finished its task."],
  AgentStopped: [EVENT_BODIES.agent_stopped, "Why an agent was stopped."],
  Finding: [Finding, "What policy says of one step: a block, or a question."],
  ProofSummary: [ProofSummary, "What a check that passed is worth, and why."],
  Outcome: [OutcomeView, "How a task ended or why it waits, and what may be done next."],
  RecordedOutcome: [Outcome, "An outcome as the journal has it."],
  NextAction: [NextAction, "What the supervisor may do next: an operation and what is known of its input."],
  JournalEvent: [EventRecord, "One event of a journal, chained to the one before by its digest."],
  Message: [
    listMessages.output.shape.messages.element,
    "A report to the supervisor: a task or a promotion has ended or waits.",
  ],
  WebhookMessage: [webhookMessage, "The body of a webhook request."],
  Problem: [ProblemDocument, "Why a call was refused (RFC 9457)."],
};

/** As they are sent: with their defaults left out, and with what a transform accepts. */
const SENT: Records = {
  ContractInput: [SentContract, "What a supervisor asks for; what is left out has a default."],
  StepInput: [Step, "One step of a procedure as it is taught; null is the same as left out."],
  CmdStepInput: [CmdStep, "A bash command that may change something.", withNulls],
  CheckStepInput: [CheckStep, "A bash command that only reads, and passes where a criterion holds.", withNulls],
  WaitStepInput: [WaitStep, "A pause.", withNulls],
  ExpectationInput: [Expect, "What must be in the answer of a tool: a value or a text, at a path."],
  McpCallStepInput: [McpCallStep, "A call of a tool of an MCP server; with expect it is a check.", withNulls],
};

/** A form that has the fields of every kind may be sent as it is filled in: null for what is left out, and for what others have. */
function withNulls(published: Schema): Schema {
  const { properties = {}, required = [] } = published;
  const own = Object.entries(properties).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : orNull(schema),
  ]);
  const others = STEP_FIELDS.filter((name) => properties[name] === undefined).map((name) => [name, OF_ANOTHER_KIND]);
  return { ...published, properties: Object.fromEntries([...own, ...others]) };
}

const OF_ANOTHER_KIND = { type: "null", description: "of another kind of step" };

function orNull({ description, ...schema }: Schema): Schema {
  return { anyOf: [schema, { type: "null" }], ...(description !== undefined && { description }) };
}

export const ref = (kind: "schemas" | "responses" | "headers", name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

const asItIs = (published: Schema): Schema => published;

/** `inlined` are schemas of operations, which stay where they are used unless they are a named record. */
export function componentsOf(io: "input" | "output", inlined: ReadonlySet<z.ZodType>) {
  const described = Object.entries(io === "input" ? SENT : ANSWERED);
  const records = described.map(([name, [schema]]) => [name, schema] as const);
  const names = new Map(records.map(([name, schema]) => [schema, name]));
  const others = [...inlined].filter((schema) => !names.has(schema));
  const numbered = others.map((schema, nth) => [`#${nth}`, schema] as const);
  const published = jsonSchemasOf([...records, ...numbered], io, (name) => ref("schemas", name).$ref);
  const inline = new Map(numbered.map(([id, schema]) => [schema, published.get(id)]));
  return {
    schemas: Object.fromEntries(
      described.map(([name, [, description, revise = asItIs]]) => [
        name,
        { description, ...revise(published.get(name) ?? {}) },
      ]),
    ),
    /** What is to be written where the schema is used. */
    schemaOf: (schema: z.ZodType): Schema => {
      const name = names.get(schema);
      return name === undefined ? (inline.get(schema) ?? {}) : ref("schemas", name);
    },
  };
}
