// Records what a person has seen of the result of a task, outside of orch.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { TextArea, TextField } from "../../parts/field.tsx";

type Props = { readonly task_id: string; readonly again: boolean };

export function VerifyTask({ task_id, again }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <div className="row">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {again ? "Record another look" : "Record what you saw"}
      </button>
      {open && <Form task_id={task_id} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Form({ task_id, onClose }: { readonly task_id: string; readonly onClose: () => void }) {
  const [source, setSource] = useState("");
  const [note, setNote] = useState("");
  const record = useAction("record_verification");
  const send = (verified: boolean) => {
    const added = note.trim() === "" ? {} : { note };
    record.mutate({ task_id, verified, source, ...added }, { onSuccess: onClose });
  };
  const wrong = record.error?.issues.find(({ path }) => path === "source")?.message ?? null;
  const disabled = source.trim() === "";
  return (
    <ActionDialog
      onClose={onClose}
      title="What did you see?"
      description="Look where the result shows, and not in orch: that its checks passed is known already."
      problem={wrong === null ? record.error : null}
      busy={record.isPending}
      actions={[
        { label: "The result is not there", look: "danger", run: () => send(false), disabled },
        { label: "The result is there", look: "primary", run: () => send(true), disabled },
      ]}
    >
      <TextField
        label="Where you looked"
        most={1_024}
        placeholder="the dashboard of the site"
        wrong={wrong}
        value={source}
        onChange={setSource}
      />
      <TextArea label="What you saw (optional)" value={note} onChange={setNote} />
    </ActionDialog>
  );
}
