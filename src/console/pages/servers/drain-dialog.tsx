// The question before a server ends.
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { ShownServer } from "./shown-server.ts";

type Props = { readonly server: ShownServer; readonly is_alone: boolean; readonly onClose: () => void };

export function DrainDialog({ server: { name, server_id }, is_alone, onClose }: Props) {
  const drain = useAction("drain_server");
  const start = () => drain.mutate({ name: server_id }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title={`Drain ${name}?`}
      description="It claims nothing more, lets its running steps end, leaves its tasks to the others, and stops."
      problem={drain.error}
      busy={drain.isPending}
      actions={[{ label: "Drain it", look: "danger", run: start }]}
    >
      {is_alone && (
        <Notice tone="ask">
          It is the only live server: until one is started, no task runs and this page cannot be loaded.
        </Notice>
      )}
    </ActionDialog>
  );
}
