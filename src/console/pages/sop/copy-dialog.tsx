// Copies the version in use to another target: a candidate there, on trial until a run on that target is proved.
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { InlineCode } from "../../parts/code.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice, ProblemNotice } from "../../parts/notice.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import type { ShownSop } from "./shown-sop.ts";

type Props = { readonly sop: ShownSop["sop"]; readonly open: boolean; readonly onClose: () => void };

export const CopyDialog = ({ sop, open, onClose }: Props) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Copy to another target"
    description="The copy is a candidate: it asks for its promotion, and its first run asks for an approval."
  >
    <CopyForm sop={sop} onClose={onClose} />
  </Dialog>
);

function CopyForm({ sop: { sop_id, target: old }, onClose }: Omit<Props, "open">) {
  const copy = useAction("copy_sop");
  const [target, setTarget] = useState<Readonly<Record<string, string>>>(old);
  const [with_parameters, setWithParameters] = useState(true);
  const id = useId();
  if (copy.data !== undefined) return <Copied answer={copy.data} onClose={onClose} />;
  const is_same = Object.entries(target).every(([name, value]) => old[name] === value);
  return (
    <>
      {Object.entries(target).map(([name, value]) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{name}</label>
          <input
            id={`${id}-${name}`}
            className="input mono"
            value={value}
            onChange={({ target: field }) => setTarget({ ...target, [name]: field.value })}
          />
        </div>
      ))}
      <label className="row">
        <input
          type="checkbox"
          checked={with_parameters}
          onChange={({ target: field }) => setWithParameters(field.checked)}
        />
        Put parameters in the place of the old target's values where that does not change what runs
      </label>
      {copy.error !== null && <ProblemNotice problem={copy.error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          disabled={is_same || copy.isPending}
          title={is_same ? "Change a value of the target first" : undefined}
          onClick={() => copy.mutate({ sop_id, target, with_parameters })}
        >
          Store the copy
        </button>
      </div>
    </>
  );
}

type Copy = { readonly answer: OperationAnswer<"copy_sop">; readonly onClose: () => void };

function Copied({ answer: { sop, approval_id, literals }, onClose }: Copy) {
  return (
    <>
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
    </>
  );
}
