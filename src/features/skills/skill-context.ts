// Makes the context of a skill handler (SkillContext in src/ports.ts): its tool calls, steps and approvals, under policy and with
// its journal. To suspend a handler, orch never resolves the call it awaits. The handler cannot catch or ignore this, and nothing
// it does afterwards is recorded. When the task goes on, the handler restarts from its first line.
import { z } from "zod";
import { type Approval, approvalDigest, type Decided, refusalOf, SkillContent } from "../../domain/approval.ts";
import { signatureOf, type TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import { type Json, redactedJson } from "../../domain/json.ts";
import { canonicalJson } from "../../domain/json-values.ts";
import { createMutex } from "../../domain/mutex.ts";
import { reason } from "../../domain/outcome.ts";
import type { SkillStep } from "../../domain/skill.ts";
import { commandText, maxMs } from "../../domain/step-run.ts";
import { serverScope } from "../../engine/policy/judge-plan.ts";
import { approvalOfTask, requested, withdrawn } from "../../engine/tasks/approval-record.ts";
import { createAnswering } from "../../engine/tasks/category-answers.ts";
import { runsOnOf, toolListOf } from "../../engine/tasks/plan.ts";
import type { Thread } from "../../engine/tasks/thread.ts";
import { ABANDONED, type OfferedContext, type SkillContext } from "../../ports.ts";
import {
  type End,
  type Handling,
  type OpenStep,
  type SkillDeps,
  type StepWork,
  type Suspension,
  skillStepRuns,
} from "./skill-step-run.ts";

/** How long a handler may go on after its task was cancelled, and after its server began to stop. */
const GRACE_MS = 7_000;
const STOPPING_MS = 1_000;
const LAST_WORDS_MS = 500;

/** Null when the handler of a cancelled task does not end in time (D-266). */
export function lastWords<T>(ended: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  setTimeout(resolve, LAST_WORDS_MS, null).unref();
  return Promise.race([ended, late]);
}

export function createSkillContext(deps: SkillDeps, thread: Thread, contract: TaskContract) {
  const suspending = Promise.withResolvers<Suspension>();
  const broken = Promise.withResolvers<void>();
  let suspension: Suspension | null = null;
  let isOver = false;
  let isSealed = false;
  const mutex = createMutex();

  const suspend = (reason: Suspension): Promise<never> => {
    // A journal that fails outranks every other reason: nothing can go on without it.
    if (suspension === null || reason.is === "broken") suspension = reason;
    suspending.resolve(suspension);
    if (reason.is === "broken") broken.resolve();
    return never();
  };
  // A failed use keeps the mutex: nothing else uses a broken journal.
  const serialize = <T>(work: () => Promise<T> | T): Promise<T> =>
    mutex.run(async () => {
      try {
        return await work();
      } catch (error) {
        return suspend({ is: "broken", error });
      }
    });
  const overdue = whenOverdue(thread.cancel, () => void suspend({ is: thread.draining() ? "suspended" : "cancelled" }));
  const state = { isSuspended: () => suspension !== null, isSealed: () => isSealed };
  const handling: Handling = { ...deps, ...state, thread, contract, suspend, serialize };
  const approvals = skillApprovals(handling);
  const steps = skillSteps(handling, approvals);
  const calls = skillCalls(handling, steps.current);
  const progress = skillProgress(handling);

  /** Nothing begins after the handler's end. An unobserved rejection must not end the server. */
  const offered =
    <A extends unknown[], R>(ask: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> => {
      const result = isOver && steps.current() === undefined ? never<R>() : ask(...given);
      result.catch(() => undefined);
      return result;
    };
  const outside = outsideOf(() => steps.current() !== undefined);

  const ctx: OfferedContext = {
    // A copy: the handler may change it, and policy judges by what was submitted.
    contract: structuredClone(contract),
    clock: deps.clock,
    signal: thread.cancel,
    call: offered(calls.call),
    listTools: offered(calls.listTools),
    step: offered(steps.step),
    progress: (...reported) => {
      if (!isOver) progress(...reported);
    },
    approvals: { request: offered(outside(approvals.request)), wait: offered(outside(approvals.wait)) },
  };
  /** Resolves once all steps have ended or their grace is over, with the suspension if there is one. */
  const settled = async (): Promise<{ readonly suspension: Suspension | null; readonly isHung: boolean }> => {
    isOver = true;
    const recorded = steps.ended().then(() => serialize(() => thread.journal.flush()));
    await Promise.race([recorded, broken.promise, overdue.passed]);
    isSealed = true;
    overdue.forget();
    return { suspension, isHung: steps.running() > 0 };
  };
  return { ctx, suspended: suspending.promise, settled };
}

/** A step always runs to its end, and a wait for an approval suspends the handler: a step cannot contain such a wait. */
const outsideOf =
  (isInside: () => boolean) =>
  <In, Out>(ask: (given: In) => Promise<Out>) =>
  async (given: In): Promise<Out> => {
    if (isInside()) throw new Error("an approval is requested inside a step; request it before the step");
    return ask(given);
  };

const never = <T = never>(): Promise<T> => new Promise(() => undefined);

function whenOverdue(signal: AbortSignal, onOverdue: () => void) {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const { promise: forgotten, resolve: forget } = Promise.withResolvers<void>();
  const count = () => {
    const timer = setTimeout(pass, signal.reason === ABANDONED ? STOPPING_MS : GRACE_MS).unref();
    void forgotten.then(() => clearTimeout(timer));
  };
  const pass = () => {
    onOverdue();
    resolve();
  };
  if (signal.aborted) count();
  else signal.addEventListener("abort", count, { once: true });
  return { passed, forget };
}

const EVERY_MS = 1_000;
const MAX_TEXT = 1_024;

function skillProgress({ thread, serialize, redact, isSuspended }: Handling) {
  let recorded_at = Number.NEGATIVE_INFINITY;
  return (done: number, total: number, text: string): void => {
    const now = performance.now();
    if (isSuspended() || (now - recorded_at < EVERY_MS && done < total)) return;
    recorded_at = now;
    const body = { done: whole(done), total: whole(total), text: redact(text).slice(0, MAX_TEXT) };
    void serialize(() => thread.journal.commit([{ kind: "skill_progressed", body }]));
  };
}

const whole = (count: number): number => (Number.isFinite(count) && count > 0 ? count : 0);

const SKILL_CALLS_GRACE_MS = 5_000;
const HOW = 'ctx.step(name, () => ctx.call(...)), with "repeat" when it only reads';

type Calls = Pick<SkillContext, "call" | "listTools">;

/**
 * The tool calls of a skill: a server outside implicit_scope is never called, and the attempt blocks the task. When the task is
 * cancelled, a call of a changing step gets a moment to end, so that its result is recorded.
 */
export function skillCalls(handling: Handling, current: () => OpenStep | undefined): Calls {
  const { thread, contract, suspend, toolServers, redact, serialize, isSuspended } = handling;
  const limit_ms = maxMs(contract);
  const graceful = afterGrace(thread.cancel);

  let refused: string | null = null;

  /** A step that has begun runs to its end: inside a step a refusal is thrown, and the handler is suspended after it. */
  const requireScope = async (server: string): Promise<void> => {
    const step = current();
    if (isSuspended() && step === undefined) return suspend({ is: "suspended" });
    const [outside] = serverScope(server, contract);
    if (outside !== undefined) {
      refused = outside.reason;
      const finding: Finding = { ...outside, step_index: step?.index ?? 0, category: null };
      void serialize(() => thread.journal.note({ kind: "policy_judged", body: { findings: [finding] } }));
      const never = suspend({ is: "refused", reason: reason("outside_scope", `The skill: ${refused}`) });
      if (step === undefined) return never;
    }
    if (refused !== null) throw new Error(refused);
  };

  return {
    call: async (server, tool, args) => {
      await requireScope(server);
      const step = current();
      // Only a step says whether it reads or changes something, and so whether it needs an approval.
      if (step === undefined) throw new Error(`the call of ${server}.${tool} is outside a step: ${HOW}`);
      const call = { server, tool, arguments: args };
      step.called(redact(commandText({ kind: "mcp_call", value: "", ...call })));
      const signal = step.repeatable === false ? graceful : thread.cancel;
      return toolServers.call(call, { limit_ms, signal, traceparent: thread.traceparentOf?.(step) });
    },
    listTools: async (server) => {
      await requireScope(server);
      return toolListOf(toolServers.listTools(server, { limit_ms, signal: thread.cancel }));
    },
  };
}

/** Aborts GRACE_MS after `signal`, or together with it when the server stops. */
function afterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const abort = () => {
    if (signal.reason === ABANDONED) late.abort(ABANDONED);
    else setTimeout(() => late.abort(), SKILL_CALLS_GRACE_MS).unref();
  };
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return late.signal;
}

const StepName = z
  .string("a step needs a name")
  .min(1, "a step needs a name")
  .max(500, "the name of a step has at most 500 characters");

/** A step fails when it throws, or when its value says so. */
function failed({ value, message }: Pick<SkillStep, "value" | "message">): Json {
  if (value !== null) return value;
  throw new Error(message ?? "the step failed");
}

const LOST: End = { ok: false, value: null, message: "the handler ended within the step" };

type Permits = Pick<SkillApprovals, "permit" | "holds">;

/**
 * The steps of a skill: each runs once, and returns its recorded value whenever its handler restarts. A step without a recorded
 * end runs again, is looked into by the handler, or is asked about.
 */
function skillSteps(handling: Handling, { permit, holds }: Permits) {
  const { thread, suspend, isSuspended, isSealed, redact } = handling;
  const known = new Map(thread.journal.projection.skill.steps.map((step) => [step.name, step]));
  const named = new Set<string>();
  const asked = new Set<Promise<unknown>>();
  const { carryOut, current } = skillStepRuns(handling);
  let next = known.size;

  const claim = (given: string): string => {
    const name = redact(StepName.parse(given));
    if (current() !== undefined) throw new Error(`step ${JSON.stringify(name)} is inside another step`);
    if (named.has(name)) throw new Error(`two steps of the skill have the name ${JSON.stringify(name)}`);
    named.add(name);
    return name;
  };

  const placeOf = (before: SkillStep | undefined) =>
    before === undefined
      ? { index: next++, attempt: 1 }
      : { index: before.index, attempt: before.attempt + (before.state === "again" ? 1 : 0) };

  /** The end of the step, or why it suspends the handler. */
  async function endOf(name: string, run: StepWork, cut_off?: "repeat" | StepWork): Promise<End | Suspension> {
    const before = known.get(name);
    if (before?.state === "passed") return { ok: true, value: before.value, message: null };
    if (before?.state === "failed") return { ok: false, value: before.value, message: before.message };
    const repeatable = cut_off === "repeat";
    const isCutOff = before?.state === "cut_off" && !repeatable;
    const work = isCutOff && typeof cut_off === "function" ? cut_off : run;
    for (;;) {
      const permitted = repeatable ? null : permit();
      const refusal = await permitted;
      if (refusal !== null) return refusal;
      if (isSuspended() || isSealed() || thread.draining()) return { is: "suspended" };
      if (thread.cancel.aborted) return { is: "cancelled" };
      if (isCutOff && cut_off === undefined) return { is: "outcome_unknown", step_index: before.index };
      const mayStart = () => permitted === null || holds(permitted);
      const end = await carryOut({ name, repeatable }, { work, mayStart, place: () => placeOf(before) });
      if (end === "cut_off") return { is: thread.draining() ? "suspended" : "cancelled" };
      if (end === "not_started") continue;
      if (!("lost" in end)) return end;
      // What only reads leaves nothing open: the handler has failed, and with it the task.
      return repeatable ? LOST : { is: "outcome_unknown", step_index: end.lost };
    }
  }

  async function step(given: string, run: StepWork, cut_off?: "repeat" | StepWork): Promise<Json> {
    const end = await kept(asked, endOf(claim(given), run, cut_off));
    if ("is" in end) return suspend(end);
    return end.ok ? end.value : failed(end);
  }

  return {
    // The port types a step by the value of its work; here that is any JSON.
    step: step as SkillContext["step"],
    current,
    /** Resolves once every requested step has ended and its end is recorded. */
    ended: async () => {
      while (asked.size > 0) await Promise.allSettled(asked);
    },
    running: () => asked.size,
  };
}

/** Keeps the promise in the set until it settles. */
function kept<T>(set: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  set.add(work);
  return work.finally(() => set.delete(work));
}

type SkillApprovals = SkillContext["approvals"] & {
  /** Null when a change may begin: the last request is approved, or none is needed. */
  readonly permit: () => Promise<Suspension | null>;
  /** Whether nothing else was requested since that permit. Call it in the task of the event loop that begins the change. */
  readonly holds: (permit: Promise<Suspension | null>) => boolean;
};

/**
 * The approvals of a skill: those that its handler requests, and the one that the contract's categories require. A decision
 * covers exactly the content of its request: other content needs a new request.
 */
function skillApprovals(handling: Handling): SkillApprovals {
  const { thread, contract, suspend, serialize, redact } = handling;
  const { journal } = thread;
  const categories = contract.constraints.require_approval_for;

  /** Shared by all steps that wait for it, until something else is requested. */
  let permitted: Promise<Suspension | null> | null = null;

  const request = async (given: SkillContent): Promise<string> => {
    const { runs_on: _theirs, ...own } = given;
    const asked = SkillContent.parse(redactedJson(redact, own));
    const content: SkillContent = { ...asked, ...runsOnOf(journal.projection) };
    if (!content.details.some(isReadable)) return suspend({ is: "refused", reason: nothingToRead(content) });
    return serialize(async () => {
      const digest = approvalDigest(content);
      const same = [...journal.projection.approvals.requests.values()].find((one) => one.digest === digest);
      if (same !== undefined) return same.approval_id;
      permitted = null;
      const approval: Approval = approvalOfTask(handling, contract, "skill", content);
      const superseded = withdrawn(journal.projection);
      await journal.commit([requested(approval)], [...superseded, { on: "approval_created", approval }]);
      return approval.approval_id;
    });
  };

  const decisionIn = (approval_id: string) => serialize(() => journal.projection.approvals.decisions.get(approval_id));

  const wait = async (approval_id: string): Promise<Decided> => {
    const decided = await decisionIn(approval_id);
    if (decided !== undefined) return decided;
    if (approval_id === lastAsked()) return suspend({ is: "asks", approval_id });
    throw new Error("a later request superseded this approval; request one approval at a time");
  };

  const lastAsked = () => journal.projection.approvals.last?.approval_id;

  /** Asks the routing model about the task as a whole: its payload says what it does. */
  const isNeeded = () =>
    serialize(async () => {
      const answerFor = createAnswering(handling, thread, contract);
      const command = redact(`${contract.intent} ${canonicalJson(contract.payload)}`);
      return (await answerFor({ command, environment: {} })).requires_approval;
    });

  const ask = async (): Promise<Suspension | null> => {
    let approval_id = await serialize(lastAsked);
    if (approval_id === undefined && categories.length > 0 && (await isNeeded())) {
      approval_id = await request(wholeTask(handling));
    }
    if (approval_id === undefined) return null;
    const decided = await decisionIn(approval_id);
    if (decided === undefined) return { is: "asks", approval_id };
    if (decided.decision === "approve") return null;
    const { code, message } = refusalOf(decided);
    return { is: "refused", reason: reason(code, message) };
  };

  return {
    request,
    wait,
    permit: () => {
      permitted ??= ask();
      return permitted;
    },
    holds: (permit) => permit === permitted,
  };
}

const isReadable = (line: string): boolean => line.trim() !== "";

const nothingToRead = ({ action }: SkillContent) =>
  reason(
    "approval_empty",
    `The skill asks for an approval with nothing to read (${JSON.stringify(action)}): details must name, line by line, everything that would be done.`,
  );

const listed = ({ constraints }: Handling["contract"]): string => constraints.require_approval_for.join(", ");

const wholeTask = ({ contract }: Handling): SkillContent => ({
  intent: contract.intent,
  target_signature: signatureOf(contract),
  action: `${contract.intent} is about to change something; the contract wants approvals for: ${listed(contract)}.`,
  details: JSON.stringify(contract.payload, null, 2).split("\n"),
  data: contract.payload,
});
