// The evidence of an agent's run as someone would write it anew who knows how everything in it is made: one thing in the run
// is another, and all that is read from it agrees.
import { chain } from "../../src/domain/journal.ts";
import { readings } from "../../src/engine/evidence/bundle.ts";
import { projection } from "../../src/engine/tasks/projection.ts";
import type { Loose } from "./bundle-mutants.ts";

/** Of the events of a journal. */
export type Change = (events: Loose[]) => Loose[];

export function forged(bundle: Loose, change: Change): Loose {
  const journal = chain("task", null, change(structuredClone(bundle.journal)), bundle.journal[0].at);
  const asked = new Set(journal.flatMap(({ kind, body }) => (kind === "approval_requested" ? [body.approval_id] : [])));
  const approvals = bundle.approvals.filter(({ approval_id }: Loose) => asked.has(approval_id));
  const state = projection(journal);
  const { reported: outcome } = state;
  const written = { ...bundle, ...readings(state), approvals, outcome, status: outcome?.status, journal };
  return JSON.parse(JSON.stringify(written));
}

export const inTurn =
  (...changes: Change[]): Change =>
  (events) =>
    changes.reduce((changed, change) => change(changed), events);

type Which = (event: Loose) => boolean;

/** Events of that kind, and of that call. */
export const isOf =
  (kind: string, index: number | null = null): Which =>
  (event) =>
    event.kind === kind && (index === null || event.body.index === index);

export const without =
  (...kinds: string[]): Change =>
  (events) =>
    events.filter(({ kind }) => !kinds.includes(kind));

export const leaving =
  (which: Which): Change =>
  (events) =>
    events.toSpliced(events.findIndex(which), 1);

export const edited =
  (which: Which, change: (body: Loose) => Loose): Change =>
  (events) =>
    events.map((event) => (which(event) ? { ...event, body: { ...event.body, ...change(event.body) } } : event));

/** Repeats the event directly after itself, with its body changed. */
export const again =
  (which: Which, change: object): Change =>
  (events) => {
    const place = events.findIndex(which);
    const { body, ...event } = events[place];
    return events.toSpliced(place + 1, 0, { ...event, body: { ...body, ...change } });
  };

/** A call is made that is like the first one that was, right before the verdict. */
export const made =
  (index: number): Change =>
  (events) => {
    const like = events.find(isOf("step_started"))?.body.index;
    const run = events.filter((event) => isOf("step_started", like)(event) || isOf("step_finished", like)(event));
    const put = run.map(({ body, ...event }) => ({ ...event, body: { ...body, index } }));
    return events.toSpliced(events.findIndex(isOf("verdict_reached")), 0, ...put);
  };

/** The agent has asked for another command from the first. */
export const asking = (index: number, command: string): Change =>
  inTurn(
    edited(isOf("agent_replied"), ({ calls }) => ({
      calls: calls.map((call: Loose) => (call.index === index ? { ...call, arguments: { command } } : call)),
    })),
    edited(isOf("agent_call_judged", index), () => ({ step: { kind: "cmd", value: command } })),
  );
