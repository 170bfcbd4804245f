// Cancels the task, after it was asked once more.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";

export function CancelTask({ task_id }: { readonly task_id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Cancel
      </button>
      {open && <Confirm task_id={task_id} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirm({ task_id, onClose }: { readonly task_id: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const cancel = useAction("cancel_task");
  const given = reason.trim() === "" ? {} : { reason };
  const send = () => cancel.mutate({ task_id, ...given }, { onSuccess: onClose });
  const description =
    "What runs is killed with everything that it started. What was done stays done, and the evidence is kept.";
  return (
    <Dialog open onClose={onClose} title="Cancel this task?" description={description}>
      <div className="field">
        <label htmlFor="cancel-reason">Reason (for the record)</label>
        <input
          id="cancel-reason"
          className="input"
          maxLength={4096}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      {cancel.error !== null && <ProblemNotice problem={cancel.error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Let it go on
        </button>
        <button type="button" className="button danger" disabled={cancel.isPending} onClick={send}>
          {cancel.isPending ? "Stopping …" : "Cancel the task"}
        </button>
      </div>
    </Dialog>
  );
}
