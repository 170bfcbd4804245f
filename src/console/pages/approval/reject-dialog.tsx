// A no needs a reason: the supervisor learns from it.
import { useState } from "react";
import type { Approval } from "../../../domain/approval.ts";
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { TextArea } from "../../parts/field.tsx";

type Props = { readonly approval: Approval; readonly onClose: () => void };

export function RejectDialog({ approval: { approval_id, digest }, onClose }: Props) {
  const decide = useAction("approve");
  const [reason, setReason] = useState("");
  const reject = () => decide.mutate({ approval_id, digest, decision: "reject", reason }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title="Reject it?"
      description="Nothing of it runs. The supervisor is given the reason."
      problem={decide.error}
      busy={decide.isPending}
      actions={[{ label: "Reject", look: "danger", run: reject, disabled: reason.trim() === "" }]}
    >
      <TextArea label="Reason" required value={reason} onChange={setReason} />
    </ActionDialog>
  );
}
