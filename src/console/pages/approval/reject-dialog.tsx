// A no needs a reason: the supervisor learns from it.
import { type FormEvent, useState } from "react";
import type { Approval } from "../../../domain/approval.ts";
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import { StepUp } from "../../parts/step-up.tsx";

type Props = { readonly approval: Approval; readonly open: boolean; readonly onClose: () => void };

export function RejectDialog({ approval: { approval_id, digest }, open, onClose }: Props) {
  const decide = useAction("approve");
  const [reason, setReason] = useState("");
  const reject = (event: FormEvent) => {
    event.preventDefault();
    decide.mutate({ approval_id, digest, decision: "reject", reason }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Reject it?"
      description="Nothing of it runs. The supervisor is given the reason."
    >
      {decide.error !== null && <ProblemNotice problem={decide.error} />}
      <StepUp>
        <form className="stack" onSubmit={reject}>
          <div className="field">
            <label htmlFor="reason">Reason</label>
            <textarea
              id="reason"
              className="input"
              required
              maxLength={4096}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </div>
          <div className="actions">
            <button type="button" className="button" onClick={onClose}>
              Back
            </button>
            <button type="submit" className="button danger" disabled={decide.isPending || reason.trim() === ""}>
              Reject
            </button>
          </div>
        </form>
      </StepUp>
    </Dialog>
  );
}
