// What a run leaves for the checker: read over HTTP and from the places where steps leave their marks. Nothing here, and nothing
// in this folder, imports code of orch: a mistake that both sides share would prove itself.
import { z } from "zod";

/** An entry of a journal, as an evidence bundle shows it. */
export const Entry = z.looseObject({
  thread_id: z.string(),
  seq: z.int(),
  kind: z.string(),
  body: z.record(z.string(), z.unknown()),
  at: z.string(),
  prev_hash: z.string(),
  hash: z.string(),
});
export type Entry = z.infer<typeof Entry>;

export const Bundle = z.looseObject({ task_id: z.string(), status: z.string(), journal: z.array(Entry) });
export type Bundle = z.infer<typeof Bundle>;

export const Message = z.looseObject({
  cursor: z.int(),
  thread_id: z.string(),
  at: z.string(),
  outcome: z.looseObject({ reason_code: z.string() }),
});
export type Message = z.infer<typeof Message>;

export const StoredSop = z.looseObject({
  sop_id: z.string(),
  origin: z.string(),
  status: z.string(),
  success_count: z.int(),
  failure_count: z.int(),
});
export type StoredSop = z.infer<typeof StoredSop>;

export const ListedTask = z.looseObject({
  task_id: z.string(),
  status: z.string(),
  outcome: z.looseObject({ reason_code: z.string(), message: z.string() }).nullable(),
});
export type ListedTask = z.infer<typeof ListedTask>;

export type History = {
  /** One for each effect: `<task>.<step>.begun`, `.done` or `.called`. */
  readonly marks: readonly string[];
  /** How often the server outside has acted for each task whose answers may be lost. */
  readonly effects: ReadonlyMap<string, number>;
  /** `<task>.<step>` for each `retry` that the supervisor sent. */
  readonly licences: readonly string[];
  /** The tasks whose acceptance was answered, with the ends that their plan and the answers to their questions allow. */
  readonly accepted: ReadonlyMap<string, readonly string[]>;
  readonly tasks: readonly ListedTask[];
  readonly bundles: readonly Bundle[];
  /** As a reader with a cursor got them while it happened, and the whole list afterwards. */
  readonly live: readonly Message[];
  readonly full: readonly Message[];
  readonly sops: readonly StoredSop[];
  /** The SOPs for which a promotion is pending. */
  readonly asked_promotions: readonly string[];
  /** The tasks from whose journal a fault has removed events. */
  readonly cut: ReadonlySet<string>;
  /** Processes that are left. */
  readonly leftovers: readonly string[];
};

export type Finding = { readonly kind: string; readonly task_id: string | null; readonly text: string };
