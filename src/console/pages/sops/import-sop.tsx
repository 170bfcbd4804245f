// Imports a procedure from its YAML file: chosen, or pasted. It is stored as a candidate and asks for its promotion.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { useStored } from "../../parts/hooks.ts";

const MOST_BYTES = 1_000_000;

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const open = useStored();
  const store = useAction("import_sop");
  const [file, setFile] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const is_large = chosen.size > MOST_BYTES;
    setFault(is_large ? `${chosen.name} has more than 1 MB, so it is no procedure.` : null);
    if (!is_large) setFile(await chosen.text());
  };
  const send = () => store.mutate({ file }, { onSuccess: open });
  return (
    <ActionDialog
      onClose={onClose}
      title="Import a procedure"
      description="A YAML file as another server has exported it. Nothing of it runs: it is stored as a candidate, and its promotion asks for an approval."
      problem={store.error}
      busy={store.isPending}
      actions={[{ label: "Store as a candidate", look: "primary", run: send, disabled: file.trim() === "" }]}
    >
      <Field label="File" wrong={fault}>
        {(id) => (
          <input
            id={id}
            type="file"
            accept=".yaml,.yml,text/yaml,application/yaml"
            onChange={({ target }) => void read(target.files?.[0])}
          />
        )}
      </Field>
      <Field label="Text">
        {(id) => (
          <textarea
            id={id}
            className="input mono import-text"
            spellCheck={false}
            value={file}
            onChange={({ target }) => setFile(target.value)}
            placeholder={"intent: deploy\ntarget:\n  host: nas\nsteps:\n  - kind: check\n    value: …"}
          />
        )}
      </Field>
    </ActionDialog>
  );
}
