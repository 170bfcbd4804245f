// The question before a server ends.
import { useAction } from "../../live/use-operation.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice, ProblemNotice } from "../../parts/notice.tsx";
import { StepUp } from "../../parts/step-up.tsx";
import type { ShownServer } from "./server-card.tsx";

type Props = {
  readonly server: ShownServer;
  readonly is_alone: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
};

export function DrainDialog({ server: { name, server_id }, is_alone, open, onClose }: Props) {
  const drain = useAction("drain_server");
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Drain ${name}?`}
      description="It claims nothing more, lets its running steps end, leaves its tasks to the others, and stops."
    >
      {drain.error !== null && <ProblemNotice problem={drain.error} />}
      <StepUp>
        {is_alone && (
          <Notice tone="ask">
            It is the only live server: until one is started, no task runs and this page cannot be loaded.
          </Notice>
        )}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
          <button
            type="button"
            className="button danger"
            disabled={drain.isPending}
            onClick={() => drain.mutate({ name: server_id }, { onSuccess: onClose })}
          >
            Drain it
          </button>
        </div>
      </StepUp>
    </Dialog>
  );
}
