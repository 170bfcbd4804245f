// What others wrote to a thread while this server works on it, and whether it may go on. A decision or a request to cancel
// lets it; another owner's claim and an end on record do not.
import type { JournalEvent } from "../domain/journal.ts";
import { hasEnded } from "../domain/outcome.ts";

/** `claimed`: another server works on the thread. `ended`: nothing is left to do. */
export type Fence = "claimed" | "ended";

export function fenceIn(added: readonly JournalEvent[], owner: string): Fence | null {
  if (added.some(({ kind, body }) => kind === "reported" && hasEnded(body.status))) return "ended";
  return added.some(({ kind, body }) => kind === "taken_up" && body.owner !== owner) ? "claimed" : null;
}
