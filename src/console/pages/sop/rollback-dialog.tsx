// The question before a rollback: the steps of an earlier version become a new one, which asks for its approval.
import { useNavigate } from "@tanstack/react-router";
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";
import type { ShownSop } from "./shown-sop.ts";

type Props = { readonly sop: ShownSop["sop"]; readonly open: boolean; readonly onClose: () => void };

export function RollbackDialog({ sop: { sop_id, version }, open, onClose }: Props) {
  const navigate = useNavigate();
  const back = useAction("rollback_sop");
  const start = () =>
    back.mutate(
      { sop_id },
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
    <Dialog
      open={open}
      onClose={onClose}
      title={`Roll back to version ${version}?`}
      description={`A new version with the steps of version ${version} is stored and asks for an approval, which shows the difference. Until then nothing changes: tasks go on with the version in use.`}
    >
      {back.error !== null && <ProblemNotice problem={back.error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button primary" disabled={back.isPending} onClick={start}>
          Ask for the rollback
        </button>
      </div>
    </Dialog>
  );
}
