// Records what a person has seen of the result of a task, outside of orch.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";

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
    const said = note.trim() === "" ? {} : { note };
    record.mutate({ task_id, verified, source, ...said }, { onSuccess: onClose });
  };
  const wrong = record.error?.issues.find(({ path }) => path === "source")?.message ?? null;
  const is_empty = source.trim() === "";
  return (
    <Dialog
      open
      onClose={onClose}
      title="What did you see?"
      description="Look where the result shows, and not in orch: that its checks passed is known already."
    >
      <div className="field">
        <label htmlFor="verify-source">Where you looked</label>
        <input
          id="verify-source"
          className="input"
          maxLength={1024}
          placeholder="the dashboard of the site"
          value={source}
          onChange={({ target }) => setSource(target.value)}
        />
        {wrong !== null && <span className="wrong">{wrong}</span>}
      </div>
      <div className="field">
        <label htmlFor="verify-note">What you saw (optional)</label>
        <textarea
          id="verify-note"
          className="input"
          maxLength={4096}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </div>
      {record.error !== null && wrong === null && <ProblemNotice problem={record.error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Back
        </button>
        <button
          type="button"
          className="button danger"
          disabled={is_empty || record.isPending}
          onClick={() => send(false)}
        >
          The result is not there
        </button>
        <button
          type="button"
          className="button primary"
          disabled={is_empty || record.isPending}
          onClick={() => send(true)}
        >
          The result is there
        </button>
      </div>
    </Dialog>
  );
}
