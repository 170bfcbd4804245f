// The question before a schedule is removed.
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNotice } from "../../parts/notice.tsx";

type Props = { readonly name: string; readonly open: boolean; readonly onClose: () => void };

export function RemoveDialog({ name, open, onClose }: Props) {
  const remove = useAction("remove_schedule");
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Remove the schedule ${name}?`}
      description="It submits nothing more. Its tasks stay, and a running one goes on. Pausing it keeps it for later."
    >
      {remove.error !== null && <ProblemNotice problem={remove.error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Back
        </button>
        <button
          type="button"
          className="button danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ name }, { onSuccess: onClose })}
        >
          Remove it
        </button>
      </div>
    </Dialog>
  );
}
