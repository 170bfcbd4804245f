// What a teaching begins with: a task that waits for it, a run, an agent's proposal, a version, or nothing.
import type { Input, OperationAnswer } from "../../operations.ts";

type Contract = Input<"explain">["contract"];
type Evidence = OperationAnswer<"get_evidence">;
type Fields = Readonly<Record<string, unknown>>;

export type TeachStart = {
  /** Of the draft. */
  readonly key: string;
  readonly title: string;
  /** What the person is to know first. */
  readonly about: string;
  readonly fields: Fields;
  readonly comments: readonly string[];
  /** Only a form that is to be filled in. */
  readonly is_template: boolean;
  /** Null where the text itself names intent and target. */
  readonly subject: Pick<Contract, "intent" | "target"> | null;
  /** Of which task the text is, whether it waits or not. */
  readonly of_task: string | null;
  /** Of a task that waits for its steps. */
  readonly task: { readonly task_id: string; readonly contract: Contract } | null;
};

const parametersOf = (target: Contract["target"]): string =>
  [...Object.keys(target).map((name) => `$ORCH_TARGET_${name.toUpperCase()}`), "$ORCH_PAYLOAD", "$ORCH_TASK_ID"].join(
    ", ",
  );

const KINDS = [
  "cmd: runs a command. check: proves a criterion.",
  "wait: pauses. mcp_call: calls a tool of a tool server.",
] as const;

export function startOfTask({ task_id, contract }: Pick<Evidence, "task_id" | "contract">): TeachStart {
  const { intent, target, success_criteria } = contract;
  const checks = success_criteria.map(() => ({ kind: "check", value: "" }));
  const steps = [{ kind: "cmd", value: "" }, ...(checks.length > 0 ? checks : [{ kind: "check", value: "" }])];
  const criteria = Object.fromEntries(success_criteria.map((criterion, at) => [criterion, at + 1]));
  return {
    key: `task.${task_id}`,
    title: `Teach ${intent}`,
    subject: { intent, target },
    is_template: true,
    about: `Task ${task_id} waits for these steps. It goes on with them as soon as they are taught.`,
    fields: { steps, ...(success_criteria.length > 0 && { criteria }) },
    comments: [...KINDS, `Parameters: ${parametersOf(target)}`],
    of_task: task_id,
    task: { task_id, contract },
  };
}

/** A task that does not wait: what it ran is the text, and what is taught is stored as a candidate. */
export function startOfRun({ task_id, contract, status, procedure }: Evidence): TeachStart {
  const { intent, target } = contract;
  const empty = startOfTask({ task_id, contract });
  const ended = `Task ${task_id} is ${status === "ok" ? "done" : status.replace("_", " ")}`;
  const first = procedure === null ? `${ended} and waits for no steps.` : `${ended}: this is what it ran.`;
  const { steps, criteria, safety_level, preconditions } = procedure ?? { criteria: [] };
  return {
    ...empty,
    title: `Teach ${intent} anew`,
    about: `${first} What is taught is stored as a new version and asks for its promotion; the task itself does not run again.`,
    subject: { intent, target },
    ...(steps !== undefined && {
      fields: { safety_level, preconditions, criteria: mapOf(criteria), steps },
      comments: [],
      is_template: false,
    }),
    task: null,
  };
}

const mapOf = (criteria: OperationAnswer<"get_sop">["sop"]["criteria"]): Fields =>
  Object.fromEntries(criteria.map(({ criterion, step_index }) => [criterion, step_index]));

export function startOfProposal(
  task_id: string,
  { draft, warnings, left_out, checks }: OperationAnswer<"propose_sop">,
): TeachStart {
  const { intent, target, steps, criteria, safety_level, preconditions } = draft;
  return {
    key: `task.${task_id}`,
    title: `Make a procedure of ${intent}`,
    subject: { intent, target },
    about: `Drafted from what an agent did in task ${task_id}. Read it as a text that a model wrote: it is stored as a candidate and asks for its promotion.`,
    fields: { safety_level, preconditions, criteria, steps },
    comments: [
      ...warnings,
      ...checks.flatMap(({ step_index, reason }) => (reason === null ? [] : [`Check step ${step_index}: ${reason}`])),
      ...left_out.map(({ command, why }) => `Left out: ${command}: ${why}`),
    ],
    is_template: false,
    of_task: task_id,
    task: null,
  };
}

export function startOfSop({ sop }: OperationAnswer<"get_sop">): TeachStart {
  const { sop_id, intent, target, version, steps, criteria, safety_level, preconditions } = sop;
  return {
    key: `sop.${sop_id}`,
    title: `Change ${intent}`,
    subject: { intent, target },
    about: `Begins with version ${version}. It is stored as a new version and asks for its promotion; until then tasks go on with the version in use.`,
    fields: { safety_level, preconditions, criteria: mapOf(criteria), steps },
    comments: [],
    is_template: false,
    of_task: null,
    task: null,
  };
}

export const EMPTY_START: TeachStart = {
  key: "new",
  title: "Teach a procedure",
  subject: null,
  is_template: true,
  of_task: null,
  task: null,
  about:
    "It is stored as a candidate for this intent and target, and asks for its promotion. Nothing of it runs before.",
  fields: {
    intent: "deploy",
    target: { host: "" },
    criteria: { "what has to be true afterwards": 1 },
    steps: [
      { kind: "cmd", value: "" },
      { kind: "check", value: "" },
    ],
  },
  comments: [...KINDS, "Parameters: $ORCH_TARGET_<NAME> for each name of the target, $ORCH_PAYLOAD, $ORCH_TASK_ID"],
};
