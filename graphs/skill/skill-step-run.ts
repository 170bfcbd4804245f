// Carries out one step of a skill and puts it on record (design: journal): the start of one that changes something is durable
// before it runs, and its end as soon as it has ended. What only reads could be found out again, and goes with what follows.
import { AsyncLocalStorage } from "node:async_hooks";
import { z } from "zod";
import type { NewEvent } from "../../src/domain/journal.ts";
import { type Json, JsonValue } from "../../src/domain/json.ts";
import type { Handling } from "./handling.ts";
import { redactedJson } from "./redacted-json.ts";

/** The step that the code which asks runs in. */
export type OpenStep = {
  readonly index: number;
  readonly repeatable: boolean;
  readonly called: (command: string) => void;
};

export type Run = () => Promise<Json>;
type Started = {
  readonly index: number;
  readonly attempt: number;
  readonly name: string;
  readonly repeatable: boolean;
};
/** A step that threw gave null. */
type End = { readonly ok: boolean; readonly value: Json; readonly message: string | null };

/** The answer to a call that failed, or whatever else says so of itself. */
const Refusal = z.looseObject({ ok: z.literal(false), message: z.string().optional(), stderr: z.string().optional() });

const MAX_CALLS = 20;
const MAX_CALL = 2_000;
const MAX_MESSAGE = 4_096;
const MAX_VALUE = 8 * 1024 * 1024;

export function skillStepRuns({ thread, inTurn, redact }: Handling) {
  const open = new AsyncLocalStorage<OpenStep>();
  const running = new Set<Promise<unknown>>();
  const recording = new Set<Promise<unknown>>();

  const record = (event: NewEvent, repeatable: boolean): Promise<void> =>
    inTurn(() => (repeatable ? thread.journal.note(event) : thread.journal.commit([event])));

  async function run({ name, repeatable, ...place }: Started, work: Run): Promise<End | null> {
    const started = { ...place, name, ...(repeatable && { repeatable }) };
    await record({ kind: "skill_step_started", body: started }, repeatable);
    const calls: string[] = [];
    const called = (command: string) => {
      if (!repeatable && calls.length < MAX_CALLS) calls.push(command.slice(0, MAX_CALL).toWellFormed());
    };
    const begun = performance.now();
    const end = await kept(
      running,
      open.run({ index: place.index, repeatable, called }, () => endOf(work, redact)),
    );
    if (!end.ok && thread.cancel.aborted && (end.value === null || thread.draining())) return null;
    const body = { ...place, ...end, calls, duration_ms: Math.round(performance.now() - begun) };
    await record({ kind: "skill_step_finished", body }, repeatable);
    return end;
  }

  return {
    /** Null when it was cut off by an abort: its end is not known. */
    carryOut: (started: Started, work: Run): Promise<End | null> => kept(recording, run(started, work)),
    current: () => open.getStore(),
    /** Resolve once every step that has begun is on record with its end, or has at least ended. */
    recorded: () => emptied(recording),
    ended: () => emptied(running),
  };
}

/** As the journal will give it back: JSON, and without secrets. */
async function endOf(work: Run, redact: Handling["redact"]): Promise<End> {
  try {
    const written = JSON.stringify((await work()) ?? null);
    if (written.length > MAX_VALUE) return failed(null, `what it gave is larger than ${MAX_VALUE} characters`);
    const value = redactedJson(redact, JsonValue.parse(JSON.parse(written)));
    const { data: refusal } = Refusal.safeParse(value);
    if (refusal === undefined) return { ok: true, value, message: null };
    return failed(value, refusal.message ?? refusal.stderr ?? "what it gave says that it has failed");
  } catch (error) {
    return failed(null, redact(error instanceof Error ? error.message : String(error)));
  }
}

const failed = (value: Json, message: string): End => ({
  ok: false,
  value,
  message: message.slice(0, MAX_MESSAGE).toWellFormed(),
});

/** In the set for as long as it is not settled. */
function kept<T>(set: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  set.add(work);
  return work.finally(() => set.delete(work));
}

async function emptied(set: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (set.size > 0) await Promise.allSettled(set);
}
