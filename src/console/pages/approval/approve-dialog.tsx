// The last question before a yes.
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { shortDigest } from "../../parts/text.ts";
import { meaningOf } from "./meaning.ts";
import type { Shown } from "./shown.ts";

type Props = { readonly shown: Shown; readonly onClose: () => void };

export function ApproveDialog({ shown, onClose }: Props) {
  const decide = useAction("approve");
  const { approval_id, digest } = shown.approval;
  const approve = () => decide.mutate({ approval_id, digest, decision: "approve" }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title="Approve it?"
      description={meaningOf(shown)}
      problem={decide.error}
      busy={decide.isPending}
      actions={[{ label: "Approve", look: "primary", run: approve }]}
    >
      <p className="small muted">
        The decision is recorded with your name and is for <code>{shortDigest(digest)}</code>: if anything of it
        changes, it does not hold.
      </p>
    </ActionDialog>
  );
}
