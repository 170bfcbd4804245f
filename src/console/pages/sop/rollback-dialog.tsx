// The question before a rollback: the steps of an earlier version become a new one, which asks for its approval.

import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { useStored } from "../../parts/use-stored.ts";
import type { ShownSop } from "./shown-sop.ts";

type Props = { readonly sop: ShownSop["sop"]; readonly onClose: () => void };

export function RollbackDialog({ sop: { sop_id, version }, onClose }: Props) {
  const open = useStored();
  const back = useAction("rollback_sop");
  return (
    <ActionDialog
      onClose={onClose}
      title={`Roll back to version ${version}?`}
      description={`A new version with the steps of version ${version} is stored and asks for an approval, which shows the difference. Until then nothing changes: tasks go on with the version in use.`}
      problem={back.error}
      busy={back.isPending}
      actions={[
        {
          label: "Ask for the rollback",
          look: "primary",
          run: () => back.mutate({ sop_id }, { onSuccess: open }),
        },
      ]}
    />
  );
}
