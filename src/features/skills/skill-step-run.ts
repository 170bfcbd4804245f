// Runs one step of a skill and records it. The start of a changing step is durable before it runs, its end right after it
// ended. The records of a step that only reads go with the next commit, because it can be repeated.
import { AsyncLocalStorage } from "node:async_hooks";
import { z } from "zod";
import type { TaskContract } from "../../domain/contract.ts";
import { wordsOf } from "../../domain/errors.ts";
import type { NewEvent } from "../../domain/journal.ts";
import { type Json, JsonValue, redactedJson } from "../../domain/json.ts";
import type { Reason } from "../../domain/outcome.ts";
import { HandlerLost } from "../../domain/skill.ts";
import type { ApprovalDeps } from "../../engine/tasks/approval-record.ts";
import type { Thread } from "../../engine/tasks/thread.ts";
import type { Gate, Store, ToolServers } from "../../ports.ts";

/** The step in which the calling code runs. */
export type OpenStep = StepPlace & {
  readonly repeatable: boolean;
  readonly called: (command: string) => void;
  /** Code that outlives its step is not part of it any more. */
  readonly hasEnded: () => boolean;
};

export type StepWork = () => Promise<Json>;
type Step = { readonly name: string; readonly repeatable: boolean };
type StepPlace = { readonly index: number; readonly attempt: number };
type StepRun = {
  readonly work: StepWork;
  /** Both are called in the task of the event loop that starts the step. */
  readonly mayStart: () => boolean;
  readonly place: () => StepPlace;
};
type CutOffEnd = "cut_off" | { readonly lost: number };
/** `value` is null for a step that threw. */
export type End = { readonly ok: boolean; readonly value: Json; readonly message: string | null };

/** The response to a call that failed, or any other value with `ok: false` (D-127). */
const Refusal = z.looseObject({ ok: z.literal(false), message: z.string().optional(), stderr: z.string().optional() });

/** Of one step, in the journal. */
export const MAX_CALLS = 20;
const MAX_CALL = 2_000;
const MAX_MESSAGE = 4_096;
const MAX_VALUE = 8 * 1024 * 1024;
/** Of all steps of a run: the journal of a run is held in memory. */
const MAX_VALUES = 64 * 1024 * 1024;

export function skillStepRuns({ thread, serialize, redact, isSealed }: Handling) {
  const open = new AsyncLocalStorage<OpenStep>();
  let kept = 0;
  const keeps = (characters: number): string | null => {
    if (characters > MAX_VALUE) return `its value is larger than ${MAX_VALUE} characters`;
    if (kept + characters > MAX_VALUES)
      return `with its value the steps of this run keep more than ${MAX_VALUES} characters`;
    kept += characters;
    return null;
  };

  const put = (event: NewEvent, repeatable: boolean) =>
    repeatable ? thread.journal.note(event) : thread.journal.commit([event]);

  const start = ({ name, repeatable }: Step, { mayStart, place }: StepRun): Promise<StepPlace | null> =>
    serialize(async () => {
      if (isSealed() || !mayStart()) return null;
      const at = place();
      const event = { kind: "skill_step_started", body: { ...at, name, ...(repeatable && { repeatable }) } } as const;
      if (!repeatable) return (await thread.journal.begin(event)) ? at : null;
      thread.journal.note(event);
      return at;
    });

  /** `cut_off`: an abort leaves the outcome of the step unknown. `lost`: its handler ended within it. */
  async function carryOut(given: Step, run: StepRun): Promise<End | CutOffEnd | "not_started"> {
    const { repeatable } = given;
    const place = await start(given, run);
    if (place === null) return "not_started";
    const calls: string[] = [];
    const called = (command: string) => {
      if (!repeatable && calls.length < MAX_CALLS) calls.push(command.slice(0, MAX_CALL).toWellFormed());
    };
    const begun = performance.now();
    let isOver = false;
    const step = { ...place, repeatable, called, hasEnded: () => isOver };
    let isLost = false;
    const work = () =>
      run.work().catch((error: unknown) => {
        isLost = error instanceof HandlerLost;
        throw error;
      });
    const end = await open.run(step, () => endOf(work, redact, keeps));
    isOver = true;
    if (isLost && !isSealed() && !thread.cancel.aborted) return { lost: place.index };
    const isUnknown = !end.ok && thread.cancel.aborted && (end.value === null || thread.draining());
    if (isSealed() || (isUnknown && thread.draining())) return "cut_off";
    const recorded = isUnknown ? CANCELLED : end;
    const body = { ...place, ...recorded, calls, duration_ms: Math.round(performance.now() - begun) };
    await serialize(() => put({ kind: "skill_step_finished", body }, repeatable));
    return isUnknown ? "cut_off" : end;
  }

  return {
    carryOut,
    current: () => {
      const step = open.getStore();
      return step?.hasEnded() === true ? undefined : step;
    },
  };
}

const CANCELLED: End = {
  ok: false,
  value: null,
  message: "the task was cancelled during the step: its outcome is unknown",
};

/** The value as the journal returns it later: JSON, without secrets. */
async function endOf(
  work: StepWork,
  redact: Handling["redact"],
  keeps: (characters: number) => string | null,
): Promise<End> {
  try {
    const written = JSON.stringify((await work()) ?? null);
    const refused = keeps(written.length);
    if (refused !== null) return failed(null, refused);
    const value = redactedJson(redact, JsonValue.parse(JSON.parse(written)));
    const { data: refusal } = Refusal.safeParse(value);
    if (refusal === undefined) return { ok: true, value, message: null };
    return failed(value, refusal.message ?? refusal.stderr ?? "its value says that it failed");
  } catch (error) {
    return failed(null, redact(wordsOf(error)));
  }
}

const failed = (value: Json, message: string): End => ({
  ok: false,
  value,
  message: message.slice(0, MAX_MESSAGE).toWellFormed(),
});

/** The reason that a handler was suspended. */
export type Suspension =
  | { readonly is: "asks"; readonly approval_id: string }
  | { readonly is: "outcome_unknown"; readonly step_index: number }
  | { readonly is: "suspended" | "cancelled" }
  | { readonly is: "refused"; readonly reason: Reason }
  | { readonly is: "broken"; readonly error: unknown };

export type SkillDeps = ApprovalDeps & {
  readonly store: Store;
  readonly gate: Gate;
  readonly redact: (text: string) => string;
  readonly toolServers: Pick<ToolServers, "names" | "call" | "listTools">;
};

/**
 * The context that the modules of a skill's run share: its thread, and how its handler is suspended (D-113). The context of one
 * handler.
 */
export type Handling = SkillDeps & {
  readonly thread: Thread;
  readonly contract: TaskContract;
  /** Suspends the handler. Never resolves; the first reason counts. */
  readonly suspend: (suspension: Suspension) => Promise<never>;
  /** Runs one use of the journal after the other. A journal that fails suspends the handler. */
  readonly serialize: <T>(work: () => Promise<T> | T) => Promise<T>;
  readonly isSuspended: () => boolean;
  /** Whether the task has gone on without the handler: nothing more is recorded. */
  readonly isSealed: () => boolean;
};
