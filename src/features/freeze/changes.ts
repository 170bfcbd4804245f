// Makes the changes in the life of a freeze: what one commit writes, the row and the event that records it, on the thread
// of the freeze.
import { freezeThread } from "../../domain/hold.ts";
import type { EventBody } from "../../domain/journal.ts";
import type { Commit } from "../../ports.ts";
import type { Freeze } from "./freeze.ts";

/** Does not hold while the same freeze is open. */
export function openFreeze(freeze: Freeze): Commit {
  const { freeze_id, intent, target_signature, except_diagnostics, reason, frozen_by } = freeze;
  const body = { intent, target_signature, except_diagnostics, reason, frozen_by };
  return {
    thread_id: freezeThread(freeze_id),
    after: "last",
    events: [{ kind: "frozen", body }],
    changes: [{ on: "freeze_created", freeze }],
  };
}

type Thaw = Pick<Freeze, "freeze_id"> & { readonly thawed_by: string; readonly at: string };

/** What a freeze was, where its row cannot be read: its journal has it. */
type RecordedFreeze = EventBody<"frozen"> & Pick<Freeze, "created_at">;

/** Does not hold where it was thawed. `damaged` is what its journal has of it, where its row cannot be read. */
export const thawFreeze = ({ freeze_id, thawed_by, at }: Thaw, damaged?: RecordedFreeze): Commit => ({
  thread_id: freezeThread(freeze_id),
  after: "last",
  events: [{ kind: "thawed", body: { thawed_by } }],
  changes: [
    { on: "freeze_thawed", freeze_id, set: { thawed_by, thawed_at: at }, ...(damaged !== undefined && { damaged }) },
  ],
});
