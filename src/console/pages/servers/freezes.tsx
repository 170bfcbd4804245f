// Shows the freezes, and asks for one: nothing starts, on any server, until it is thawed. The reason is shown on every task
// that waits for it.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import type { OperationAnswer } from "../../operations.ts";
import { ActionDialog, Dialog } from "../../parts/dialog.tsx";
import { Field, TextArea } from "../../parts/field.tsx";
import { count } from "../../parts/text.ts";
import { attributesIn } from "./freeze-scope.ts";

export function FreezeDialog({ onClose }: { readonly onClose: () => void }) {
  const freeze = useAction("freeze");
  const [reason, setReason] = useState("");
  if (freeze.data !== undefined) return <Frozen result={freeze.data} onClose={onClose} />;
  const start = (given: FormData) => {
    const text = (name: string): string => String(given.get(name) ?? "").trim();
    const target = attributesIn(text("target"));
    freeze.mutate({
      reason: reason.trim(),
      except_diagnostics: given.has("except_diagnostics"),
      now: given.has("now"),
      ...(text("intent") !== "" && { intent: text("intent") }),
      ...(Object.keys(target).length > 0 && { target }),
    });
  };
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title="Freeze"
      description={DESCRIPTION}
      problem={freeze.error}
      busy={freeze.isPending}
      actions={[{ label: "Freeze", look: "danger", run: start, disabled: reason.trim() === "" }]}
    >
      <FreezeFields reason={reason} onReason={setReason} />
    </ActionDialog>
  );
}

const DESCRIPTION = "No task starts, on any server, until somebody thaws it. Tasks are still accepted, and wait.";

function Frozen({ result, onClose }: { readonly result: OperationAnswer<"freeze">; readonly onClose: () => void }) {
  const { created, running, paused, cancelled } = result;
  return (
    <Dialog onClose={onClose} title="Frozen" description={DESCRIPTION}>
      <ul>
        {!created && <li>The same freeze was open already.</li>}
        <li>
          {running.length === 0
            ? "Nothing runs."
            : `${count(running.length, "task")} had begun, and go on to their end.`}
        </li>
        {paused.length > 0 && (
          <li>
            These had begun and wait for an answer, with which they go on, frozen or not: {paused.join(", ")}. Cancel
            what is not to.
          </li>
        )}
        {cancelled.map(({ task_id, outcome }) => (
          <li key={task_id}>
            <code>{task_id}</code>: {outcome}
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" className="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

type FreezeDialogProps = { readonly reason: string; readonly onReason: (reason: string) => void };

const FreezeFields = ({ reason, onReason }: FreezeDialogProps) => (
  <>
    <TextArea
      label="Reason"
      hint="Every task that waits for it shows it."
      required
      most={1_024}
      value={reason}
      onChange={onReason}
    />
    <Field label="Only this intent">
      {(id) => <input id={id} name="intent" className="input mono" autoComplete="off" placeholder="deploy" />}
    </Field>
    <Field label="Only targets with" hint="Leave both empty to hold everything.">
      {(id) => (
        <input
          id={id}
          name="target"
          className="input mono"
          autoComplete="off"
          placeholder="service=web; environment=prod"
        />
      )}
    </Field>
    <label className="tick">
      <input type="checkbox" name="except_diagnostics" defaultChecked /> Diagnostic tasks, which change nothing, start
      all the same
    </label>
    <label className="tick">
      <input type="checkbox" name="now" /> Also cancel what runs
    </label>
  </>
);
