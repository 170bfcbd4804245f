// Freezes: nothing starts, on any server, until it is thawed. The reason is shown on every task that waits for it.
import type { FormEvent } from "react";
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import { StepUp } from "../../parts/step-up.tsx";
import { count } from "../../parts/text.ts";
import type { OperationAnswer } from "../../typed-operations.ts";
import { FreezeForm } from "./freeze-form.tsx";
import { attributesIn } from "./freeze-scope.ts";

type Props = { readonly open: boolean; readonly onClose: () => void };

export function FreezeDialog({ open, onClose }: Props) {
  const freeze = useAction("freeze");
  const close = () => {
    freeze.reset();
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string): string => String(given.get(name) ?? "").trim();
    const target = attributesIn(text("target"));
    freeze.mutate({
      reason: text("reason"),
      except_diagnostics: given.has("except_diagnostics"),
      now: given.has("now"),
      ...(text("intent") !== "" && { intent: text("intent") }),
      ...(Object.keys(target).length > 0 && { target }),
    });
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={freeze.data === undefined ? "Freeze" : "Frozen"}
      description="No task starts, on any server, until somebody thaws it. Tasks are still accepted, and wait."
    >
      {freeze.error !== null && <ProblemNotice problem={freeze.error} />}
      {freeze.data === undefined ? (
        <StepUp>
          <FreezeForm busy={freeze.isPending} onSubmit={submit} onBack={close} />
        </StepUp>
      ) : (
        <Frozen result={freeze.data} onClose={close} />
      )}
    </Dialog>
  );
}

function Frozen({ result, onClose }: { readonly result: OperationAnswer<"freeze">; readonly onClose: () => void }) {
  const { created, running, cancelled } = result;
  return (
    <>
      <ul>
        {!created && <li>The same freeze was open already.</li>}
        <li>
          {running.length === 0
            ? "Nothing runs."
            : `${count(running.length, "task")} had begun, and go on to their end.`}
        </li>
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
    </>
  );
}
