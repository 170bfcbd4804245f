// Runs the skill handler of the task's intent [1.A.7]. The handler decides how the task ends, unless it is suspended before:
// to ask, because the server stops, or because policy refuses what it was about to do.
import type { TaskContract } from "../../src/domain/contract.ts";
import { wordsOf } from "../../src/domain/errors.ts";
import { redactedJson } from "../../src/domain/json.ts";
import { redactedNext } from "../../src/domain/next-action.ts";
import { type Reason, reason } from "../../src/domain/outcome.ts";
import type { ReasonCode } from "../../src/domain/reason-code.ts";
import { SkillEnd } from "../../src/domain/skill.ts";
import { skillUnusable } from "../../src/engine/tasks/admission.ts";
import type { Thread } from "../../src/engine/tasks/thread.ts";
import { createSkillContext, lastWords } from "../../src/features/skills/skill-context.ts";
import type { Suspension } from "../../src/features/skills/skill-step-run.ts";
import type { OfferedContext, UsableSkill } from "../../src/ports.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

export const runSkill =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const thread = await deps.threadOf(contract.task_id);
    const skill = deps.skillOf(contract.intent);
    if (thread.cancel.aborted) return thread.draining() ? { skill: "suspended" } : cancelled(contract);
    if (skill === null) return { skill: "blocked", reason: GONE };
    if (skill.fault !== null) return { skill: "blocked", reason: skillUnusable(skill.fault) };
    // From here on its code may do anything.
    await thread.journal.flush();
    const { ctx, suspended, settled } = createSkillContext(deps, thread, contract);
    const over = new AbortController();
    const ended = endOf(skill, ctx, over.signal);
    const end = await Promise.race([suspended, ended]);
    // A step that has begun runs to its end, whether the handler awaits it or not.
    const settle = async () => {
      const stopped = await settled();
      const isCancelled = thread.cancel.aborted && !thread.draining();
      return { ...stopped, said: isCancelled ? await keptEnd(deps, thread, ended) : null };
    };
    const { suspension, isHung, said } = await settle().finally(() => over.abort());
    if (suspension !== null) return factsOfSuspension(suspension, contract, { isHung, said });
    if ("is" in end) throw new Error(`the handler of ${skill.name} was suspended for no reason`);
    if (thread.cancel.aborted) return thread.draining() ? { skill: "suspended" } : cancelled(contract, { said });
    return factsOfEnd(thread, withoutSecrets(deps, end));
  };

/** The handler of a cancelled task may still say what it has done: an end that has a result is recorded (D-266). */
async function keptEnd(deps: PipelineDeps, { journal }: Thread, ended: Promise<SkillEnd>): Promise<SkillEnd | null> {
  const end = await lastWords(ended);
  if (end === null || end.result === undefined) return null;
  const kept = withoutSecrets(deps, end);
  journal.note({ kind: "skill_ended", body: kept });
  return kept;
}

const GONE = reason("mode_unavailable", "No skill handles this intent on this server any more.");

type Stopped = { readonly isHung?: boolean; readonly said?: SkillEnd | null };

/** In the words of the handler where it has said what it has done. */
function cancelled({ task_id }: TaskContract, { isHung = false, said = null }: Stopped = {}): Facts {
  const still = isHung ? " A step of the skill did not stop and was ended." : "";
  const done = said === null ? "" : ` The skill: ${said.message}`;
  const asked = reason("cancelled", `The supervisor cancelled the task.${still}${done}`);
  if (said?.next !== undefined) return { skill: "cancelled", reason: { ...asked, next: said.next } };
  const text = "Read in skill_steps of the evidence what was done until then.";
  const next = [{ operation: "get_evidence", arguments: { task_id }, text }];
  return { skill: "cancelled", reason: { ...asked, next } };
}

function factsOfSuspension(suspension: Suspension, contract: TaskContract, stopped: Stopped): Facts {
  switch (suspension.is) {
    case "asks":
      return { skill: "asks", approval_id: suspension.approval_id };
    case "refused":
      return { skill: "blocked", reason: suspension.reason };
    case "outcome_unknown":
      return { skill: "outcome_unknown", step_index: suspension.step_index };
    case "cancelled":
      return cancelled(contract, stopped);
    case "broken":
      throw suspension.error;
    case "suspended":
      return { skill: "suspended" };
  }
}

function factsOfEnd({ journal }: Thread, end: SkillEnd): Facts {
  journal.note({ kind: "skill_ended", body: end });
  const { status, code, message, next } = end;
  const given: Reason = { ...reason(reasonOf(end), message), skill_code: code };
  return { skill: status, reason: next === undefined ? given : { ...given, next } };
}

/** Codes of a skill that are reason codes of orch too. */
const SHARED: ReadonlySet<string> = new Set<ReasonCode>(["approval_rejected", "approval_expired"]);
const REASON_OF = { ok: "skill_done", failed: "skill_failed", blocked: "skill_blocked" } as const;

const reasonOf = ({ status, code }: SkillEnd): ReasonCode =>
  status === "blocked" && SHARED.has(code) ? (code as ReasonCode) : REASON_OF[status];

const MAX_END = 8 * 1024 * 1024;

/** Never rejects: a handler that throws, or returns something else than an end, has failed its task. */
async function endOf({ name, handle }: UsableSkill, ctx: OfferedContext, over: AbortSignal): Promise<SkillEnd> {
  try {
    const written = JSON.stringify(await handle(ctx, over)) ?? "null";
    if (written.length > MAX_END) return faulty(name, `its end is larger than ${MAX_END} characters`);
    const parsed = SkillEnd.safeParse(JSON.parse(written));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return faulty(name, `its end is not valid: ${issue?.path.join(".") || "end"} ${issue?.message}`);
  } catch (error) {
    return faulty(name, wordsOf(error));
  }
}

const withoutSecrets = ({ redact }: PipelineDeps, { code, message, next, result, ...end }: SkillEnd): SkillEnd => ({
  ...end,
  code: redact(code) === code ? code : "redacted",
  message: redact(message),
  ...(next !== undefined && { next: redactedNext(redact, next) }),
  ...(result !== undefined && { result: redactedJson(redact, result) }),
});

const faulty = (name: string, fault: string): SkillEnd => ({
  status: "failed",
  code: "handler_fault",
  message: `The handler of skill ${name} broke off: ${fault}`.slice(0, 4096),
});
