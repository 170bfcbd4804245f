// The question before a schedule is removed.
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";

export function RemoveDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const remove = useAction("remove_schedule");
  return (
    <ActionDialog
      onClose={onClose}
      title={`Remove the schedule ${name}?`}
      description="It submits nothing more. Its tasks stay, and a running one goes on. Pausing it keeps it for later."
      problem={remove.error}
      busy={remove.isPending}
      actions={[{ label: "Remove it", look: "danger", run: () => remove.mutate({ name }, { onSuccess: onClose }) }]}
    />
  );
}
