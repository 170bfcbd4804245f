// Decides whether this server can accept a contract at all, before its steps are judged, and whether it can be verified as it orders.
import { INTENTS, READ_ONLY_INTENTS, scopeOf, signatureOf, type TaskContract } from "../../domain/contract.ts";
import type { FieldIssue } from "../../domain/errors.ts";
import { outcomeOf, type Reason, reason } from "../../domain/outcome.ts";
import type { Sop } from "../../domain/sop.ts";
import type { Step } from "../../domain/step.ts";
import type { Task } from "../../domain/task.ts";
import { answerOf, beginningOf, looksAgain, MAX_VERIFIED_ID, verifierIntent } from "../../domain/verification.ts";
import type { ExecutionBackend, Skill, Store, ToolServers } from "../../ports.ts";
import { engineReferences } from "../policy/engine-references.ts";
import { activeSop, noActiveSop } from "./active-sop.ts";
import type { Projection } from "./projection.ts";
import { stepResultsOf } from "./steps-fold.ts";
import type { Transition } from "./transitions.ts";

const VOCABULARY: ReadonlySet<string> = new Set(INTENTS);

export type AdmissionDeps = AgentAdmissionDeps & {
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
  readonly skillOf: (intent: string) => Skill | null;
};

/** Why `skip_if_done` cannot be done for this contract: only the checks of a procedure are known before anything runs. */
export function skipRefusal(
  { skillOf }: Pick<AdmissionDeps, "skillOf">,
  { skip_if_done, intent, delegation_mode }: TaskContract,
): string | null {
  if (skip_if_done !== true) return null;
  const who =
    intent === "update_sop"
      ? "update_sop"
      : delegation_mode === "agent"
        ? "an agent"
        : skillOf(intent) === null
          ? null
          : "a skill";
  return who === null ? null : `is for procedures: ${who} has no checks before it runs; leave it out`;
}

export const skillUnusable = (fault: string): Reason => reason("skill_unusable", `${fault}.`);

/** Why this server cannot run the contract, before its steps are judged. Null when it can. */
export async function obstacleTo(deps: AdmissionDeps, contract: TaskContract): Promise<Reason | null> {
  const { backendOf, skillOf } = deps;
  const missing = (what: string) => reason("mode_unavailable", what);
  const skill = skillOf(contract.intent);
  if (skill !== null && skill.fault !== null) return skillUnusable(skill.fault);
  if (contract.delegation_mode === "agent") {
    if (skill === null) return agentObstacle(deps, contract);
    return missing(`The skill ${skill.name} handles ${contract.intent}; use delegation_mode known_only.`);
  }
  if (skill !== null) {
    const isElsewhere = contract.execution_backend === "flowengine";
    return isElsewhere ? missing("A skill runs where orch runs; leave execution_backend out.") : null;
  }
  if (!VOCABULARY.has(contract.intent)) return missing(`No skill handles ${contract.intent} on this server.`);
  const backend = backendOf(contract);
  if (backend === null) return missing("This server has no flow engine: FLOWENGINE_URL is not set.");
  const [reference] = backend.remote ? engineReferences(contract) : [];
  return reference === undefined ? null : reason("engine_reference", `The contract: ${reference.reason}.`);
}

// Whether this server can run an agent task [1.A.5.agent_backend], before the agent makes any call.

type AgentAdmissionDeps = {
  readonly agent: {
    /** Null when no agent model is set. */
    readonly model: object | null;
    /** Why commands cannot be confined here; null when they can. */
    readonly shellFault: () => Promise<string | null>;
    readonly skill_tools: readonly { readonly scope: string }[];
  };
  readonly toolServers: Pick<ToolServers, "names">;
};

const NO_MODEL = "This server has no agent model: AGENT_MODEL is not set, and neither is ROUTING_MODEL.";

async function agentObstacle(
  { agent, toolServers }: AgentAdmissionDeps,
  contract: TaskContract,
): Promise<Reason | null> {
  const missing = (what: string) => reason("mode_unavailable", what);
  if (agent.model === null) return missing(NO_MODEL);
  if (contract.execution_backend === "flowengine") {
    return missing("An agent runs where orch runs; leave execution_backend out.");
  }
  const scope = scopeOf(contract);
  const shell_fault = scope.has("shell") ? await agent.shellFault() : null;
  if (shell_fault !== null) return missing(`An agent gets no shell here: ${shell_fault}`);
  const has = (name: string): boolean => scope.has(name.toLowerCase());
  const isEquipped =
    has("shell") || [...toolServers.names].some(has) || agent.skill_tools.some((tool) => has(tool.scope));
  const nothing = "implicit_scope names nothing that an agent could use: shell, or a tool server of this server.";
  return isEquipped ? null : reason("outside_scope", nothing);
}

// Says whether a task can be verified as its contract orders: by a diagnostic procedure that looks at something which the
// task itself has not looked at; and what is recorded of the task once that procedure has ended, or could not be submitted
// (D-309).

type Rules = { readonly skillOf: (intent: string) => Skill | null };

const FIELDS = ["verify_by", "verify_after_seconds", "verify_within_hours"] as const;

/** What is wrong with the wishes of a contract, from its text alone. */
export function verifyIssues(
  { skillOf }: Rules,
  contract: Pick<TaskContract, "intent" | "task_id" | (typeof FIELDS)[number]>,
): FieldIssue[] {
  const { intent, verify_by, verify_after_seconds, task_id } = contract;
  if (intent === "update_sop") {
    const message = "is for tasks that do something: a human approves what update_sop does; leave it out";
    return FIELDS.flatMap((path) => (contract[path] === undefined ? [] : [{ path, message }]));
  }
  const by = verifierIntent(contract);
  if (by === null || verify_by === undefined) {
    const message = "is for verify_by: say which procedure verifies, or leave it out";
    return verify_after_seconds === undefined ? [] : [{ path: "verify_after_seconds", message }];
  }
  const message = intentFault(by, { intent, skillOf });
  const long = task_id.length > MAX_VERIFIED_ID;
  return [
    ...(message === null ? [] : [{ path: "verify_by", message }]),
    ...(long ? [{ path: "task_id", message: `must have at most ${MAX_VERIFIED_ID} characters with verify_by` }] : []),
  ];
}

function intentFault(by: string, { intent, skillOf }: Rules & Pick<TaskContract, "intent">): string | null {
  if (by === intent) {
    return `names the intent of the task itself: ${by} would run the task's own checks again; name another procedure`;
  }
  if (!READ_ONLY_INTENTS.has(by)) {
    return `must name a procedure that only looks: sop: and one of ${[...READ_ONLY_INTENTS].join(", ")}`;
  }
  const skill = skillOf(by);
  return skill === null ? null : `names ${by}, which the skill ${skill.name} handles; a procedure has to verify`;
}

type Reads = Pick<Store, "findActiveSop" | "listSops" | "listApprovals">;

/** The steps that have been run, of which the checks are the task's own word. */
export const ownSteps = ({ procedure, agent }: Projection): readonly Step[] =>
  procedure?.steps ?? agent.calls.flatMap(({ step }) => (step === null || step.kind === "skill_tool" ? [] : [step]));

/** Why the procedure of a diagnostic task, whose steps are known, verifies nothing; null when it does. */
function againFault(own: readonly Step[], verifying: Pick<Sop, "intent" | "steps">): string | null {
  if (!looksAgain(own, verifying.steps)) return null;
  return `${verifying.intent} only repeats checks of the task's own procedure, which would prove nothing more; give it a check that looks elsewhere, or name another procedure`;
}

/** Why the procedure that the contract names gives no verdict on a task that has run these steps; null when it may. */
export async function verifierFault(
  store: Reads,
  contract: TaskContract,
  own: readonly Step[],
): Promise<string | null> {
  const intent = verifierIntent(contract);
  if (intent === null) return null;
  const key = { intent, target_signature: signatureOf(contract) };
  const sop = await activeSop(store, key);
  if (sop === null) return noActiveSop(store, key);
  return "reason_code" in sop ? sop.message : againFault(own, sop);
}

/** At the submission: that the procedure is not taught yet is no fault, because it may be when it is needed. */
async function repeatedChecks(store: Reads, contract: TaskContract, steps?: readonly Step[]): Promise<string | null> {
  const intent = verifierIntent(contract);
  if (intent === null || contract.delegation_mode === "agent") return null;
  const target_signature = signatureOf(contract);
  const verifying = await activeSop(store, { intent, target_signature });
  const own = steps === undefined ? await activeSop(store, { intent: contract.intent, target_signature }) : { steps };
  const known = own !== null && "steps" in own && verifying !== null && "steps" in verifying;
  return known ? againFault(own.steps, verifying) : null;
}

/** Why the wishes of the contract would be refused. `steps` are judged in the place of the stored procedure. */
export async function verifyRefusals(
  { store, skillOf }: Rules & { readonly store: Reads },
  contract: TaskContract,
  steps?: readonly Step[],
): Promise<FieldIssue[]> {
  const issues = verifyIssues({ skillOf }, contract);
  if (issues.length > 0 || contract.verify_by === undefined) return issues;
  const message = await repeatedChecks(store, contract, steps);
  return message === null ? [] : [{ path: "verify_by", message: `cannot verify: ${message}` }];
}

// What is recorded of a task once its diagnostic task has ended, or could not be submitted: the verdict of that procedure as the
// check from outside, or a message that there is none (D-309). One commit, and never a second one.

type VerificationEnd =
  | { readonly missed: string; readonly diagnostic: Task | null }
  /** `own` is what the task itself has run, `ran` what the procedure has. */
  | { readonly diagnostic: Task; readonly ran: Projection; readonly own: Projection };

const MAX_NOTE = 4096;

export function settleVerification(task: Task, end: VerificationEnd, at: string): Transition {
  if ("missed" in end) return missed(task, end.diagnostic, end.missed);
  const { diagnostic, ran, own } = end;
  const { procedure, verdict } = ran;
  const said = outcomeOf(diagnostic)?.message ?? "";
  const verified = answerOf(verdict, procedure === null ? [] : stepResultsOf(ran.steps, procedure.steps));
  if (verified === null || procedure === null) {
    const { task_id, outcome } = diagnostic;
    return missed(task, diagnostic, `${task_id} gave no verdict: ${said} (${outcome?.reason_code})`);
  }
  const again = againFault(ownSteps(own), { intent: diagnostic.intent, steps: procedure.steps });
  if (again !== null) return missed(task, diagnostic, again);
  const { task_id } = task;
  const body = {
    verified,
    source: task.contract.verify_by ?? "",
    note: beginningOf(said, MAX_NOTE),
    evidence: { task_id: diagnostic.task_id },
    verified_by: `sop:${procedure.sop_id} v${procedure.sop_version}`,
  };
  const verification = { ...body, recorded_at: at };
  return {
    events: [{ kind: "verification_recorded", body }],
    changes: [{ on: "task", task_id, expect: { status: ["ok"] }, set: { verification } }],
  };
}

function missed({ contract }: Task, diagnostic: Task | null, why: string): Transition {
  const verify_by = contract.verify_by ?? "";
  const message = `${verify_by} has not verified the task: ${beginningOf(why, MAX_NOTE)}`;
  const body = { verify_by, task_id: diagnostic?.task_id ?? null, message };
  return { events: [{ kind: "verification_missed", body }], changes: [] };
}
