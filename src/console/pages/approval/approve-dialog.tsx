// The last question before a yes.
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import { StepUp } from "../../parts/step-up.tsx";
import { shortDigest } from "../../parts/text.ts";
import { meaningOf } from "./meaning.ts";
import type { Shown } from "./shown.ts";

type Props = { readonly shown: Shown; readonly open: boolean; readonly onClose: () => void };

export function ApproveDialog({ shown, open, onClose }: Props) {
  const decide = useAction("approve");
  const { approval_id, digest } = shown.approval;
  const approve = () => decide.mutate({ approval_id, digest, decision: "approve" }, { onSuccess: onClose });
  return (
    <Dialog open={open} onClose={onClose} title="Approve it?" description={meaningOf(shown)}>
      {decide.error !== null && <ProblemNotice problem={decide.error} />}
      <StepUp>
        <p className="small muted">
          The decision is recorded with your name and is for <code>{shortDigest(digest)}</code>: if anything of it
          changes, it does not hold.
        </p>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
          <button type="button" className="button primary" disabled={decide.isPending} onClick={approve}>
            Approve
          </button>
        </div>
      </StepUp>
    </Dialog>
  );
}
