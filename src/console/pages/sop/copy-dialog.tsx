// Copies the version in use to another target: a candidate there, on trial until a run on that target is proved.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { InlineCode } from "../../parts/code.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import type { ShownSop } from "./shown-sop.ts";

type Props = { readonly sop: ShownSop["sop"]; readonly onClose: () => void };

const TITLE = "Copy to another target";
const DESCRIPTION = "The copy is a candidate: it asks for its promotion, and its first run asks for an approval.";

export function CopyDialog({ sop: { sop_id, target: old }, onClose }: Props) {
  const copy = useAction("copy_sop");
  const [target, setTarget] = useState<Readonly<Record<string, string>>>(old);
  const [with_parameters, setWithParameters] = useState(true);
  if (copy.data !== undefined) return <Copied answer={copy.data} onClose={onClose} />;
  const is_same = Object.entries(target).every(([name, value]) => old[name] === value);
  return (
    <ActionDialog
      onClose={onClose}
      title={TITLE}
      description={DESCRIPTION}
      problem={copy.error}
      busy={copy.isPending}
      actions={[
        {
          ...{ label: "Store the copy", look: "primary", disabled: is_same },
          hint: is_same ? "Change a value of the target first" : undefined,
          run: () => copy.mutate({ sop_id, target, with_parameters }),
        },
      ]}
    >
      {Object.entries(target).map(([name, value]) => (
        <TextField
          key={name}
          label={name}
          is_code
          value={value}
          onChange={(text) => setTarget({ ...target, [name]: text })}
        />
      ))}
      <label className="row">
        <input
          type="checkbox"
          checked={with_parameters}
          onChange={({ target: field }) => setWithParameters(field.checked)}
        />
        Put parameters in the place of the old target's values where that does not change what runs
      </label>
    </ActionDialog>
  );
}

type Copy = { readonly answer: OperationAnswer<"copy_sop">; readonly onClose: () => void };

function Copied({ answer: { sop, approval_id, literals }, onClose }: Copy) {
  return (
    <Dialog onClose={onClose} title={TITLE} description={DESCRIPTION}>
      <Notice tone="ok">
        <p>
          Stored as version {sop.version} of {sop.intent} on <InlineCode text={sop.target_signature} />.
        </p>
      </Notice>
      {literals.length > 0 && (
        <Notice tone="ask">
          <p>These steps still name values of the old target. Change them where they should follow:</p>
          <ul>
            {literals.map(({ step_index, key, value }) => (
              <li key={`${step_index} ${key}`}>
                Step {step_index}: <InlineCode text={value} />, which was {key}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="actions">
        <Link to="/sops/$sop_id" params={{ sop_id: sop.sop_id }} className="button" onClick={onClose}>
          Show the copy
        </Link>
        {approval_id !== null && (
          <Link to="/approvals/$approval_id" params={{ approval_id }} className="button primary">
            Review its promotion
          </Link>
        )}
      </div>
    </Dialog>
  );
}
