// Import of a procedure from its YAML file: chosen, or pasted. It is stored as a candidate and asks for its promotion.
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";

const MOST_BYTES = 1_000_000;

export function ImportDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Import a procedure"
      description="A YAML file as another server has exported it. Nothing of it runs: it is stored as a candidate, and its promotion asks for an approval."
    >
      <ImportForm onClose={onClose} />
    </Dialog>
  );
}

function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const store = useAction("import_sop");
  const [file, setFile] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const id = useId();
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const is_large = chosen.size > MOST_BYTES;
    setFault(is_large ? `${chosen.name} has more than 1 MB, so it is no procedure.` : null);
    if (!is_large) setFile(await chosen.text());
  };
  const send = () =>
    store.mutate(
      { file },
      {
        onSuccess: ({ sop, approval_id }) =>
          void navigate(
            approval_id === null
              ? { to: "/sops/$sop_id", params: { sop_id: sop.sop_id } }
              : { to: "/approvals/$approval_id", params: { approval_id } },
          ),
      },
    );
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-file`}>File</label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".yaml,.yml,text/yaml,application/yaml"
          onChange={({ target }) => void read(target.files?.[0])}
        />
        {fault !== null && <span className="wrong">{fault}</span>}
      </div>
      <div className="field">
        <label htmlFor={`${id}-text`}>Text</label>
        <textarea
          id={`${id}-text`}
          className="input mono import-text"
          spellCheck={false}
          value={file}
          onChange={({ target }) => setFile(target.value)}
          placeholder={"intent: deploy\ntarget:\n  host: nas\nsteps:\n  - kind: check\n    value: …"}
        />
      </div>
      {store.error !== null && <ProblemNotice problem={store.error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          disabled={file.trim() === "" || store.isPending}
          onClick={send}
        >
          Store as a candidate
        </button>
      </div>
    </>
  );
}
