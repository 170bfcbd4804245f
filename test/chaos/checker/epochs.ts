// A server that others have taken over from as from a lost one has a later epoch in its row, and writes nothing more: it claims nothing after
// that, in any journal of the database, and what is in the task that it had is no longer its own.
import type { Entry } from "./history.ts";
import { type Breach, Claim, Report } from "./rules.ts";

/** `rows`: every entry of the database, in the order of the commits. */
export function epochBreaches(rows: readonly Entry[]): Breach[] {
  const owners = new Map<string, string>();
  const lost = new Map<string, string>();
  return rows.flatMap(({ kind, thread_id, seq, body }) => {
    if (kind === "reported") {
      Report.parse(body);
      owners.delete(thread_id);
      return [];
    }
    if (kind !== "taken_up") return [];
    const { owner, crashed = false } = Claim.parse(body);
    const before = owners.get(thread_id);
    owners.set(thread_id, owner);
    if (crashed && before !== undefined && before !== owner) lost.set(before, `${thread_id}#${seq}`);
    const since = lost.get(owner);
    if (since === undefined) return [];
    return [{ thread_id, seq, rule: "epoch", text: `${owner} claims it, which was taken over from at ${since}` }];
  });
}
