// Cancels the task, after it was asked once more.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { TextField } from "../../parts/field.tsx";

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
  return (
    <ActionDialog
      onClose={onClose}
      title="Cancel this task?"
      description="What runs is killed with everything that it started. What was done stays done, and the evidence is kept."
      back="Let it go on"
      problem={cancel.error}
      busy={cancel.isPending}
      actions={[{ label: cancel.isPending ? "Stopping …" : "Cancel the task", look: "danger", run: send }]}
    >
      <TextField label="Reason (for the record)" value={reason} onChange={setReason} />
    </ActionDialog>
  );
}
