// What lets nothing start now: freezes, each with the button that ends it, and a window by calendar, which ends by itself.
import { useState } from "react";
import { useAction } from "../../live/use-operation.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import type { OperationAnswer } from "../../typed-operations.ts";
import { type ShownFreeze, scopeOf } from "./freeze-scope.ts";

type Freezes = OperationAnswer<"list_freezes">;

export function InForce({ in_force, freezes }: Freezes) {
  const [asked, setAsked] = useState<ShownFreeze | null>(null);
  return (
    <>
      {in_force.map((held) => {
        const freeze = freezes.find(({ freeze_id }) => freeze_id === held.freeze_id) ?? null;
        return (
          <Notice key={held.freeze_id ?? `window ${held.until}`} tone="stop">
            <div className="in-force">
              <div>
                <p>
                  <strong>
                    {freeze === null ? "A freeze window holds every change" : `Frozen: ${scopeOf(freeze)}`}
                  </strong>
                </p>
                <p>{held.reason}</p>
                <p className="muted small">
                  {freeze !== null && (
                    <>
                      by {freeze.frozen_by}, <Time at={freeze.created_at} />
                    </>
                  )}
                  {held.until !== null && (
                    <>
                      {" "}
                      it ends <Time at={held.until} />
                    </>
                  )}
                </p>
              </div>
              {freeze !== null && (
                <button type="button" className="button" onClick={() => setAsked(freeze)}>
                  Thaw
                </button>
              )}
            </div>
          </Notice>
        );
      })}
      {asked !== null && <ThawDialog freeze={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function ThawDialog({ freeze, onClose }: { readonly freeze: ShownFreeze; readonly onClose: () => void }) {
  const thaw = useAction("thaw");
  const start = () => thaw.mutate({ freeze_id: freeze.freeze_id }, { onSuccess: onClose });
  return (
    <ActionDialog
      decides
      onClose={onClose}
      title={`Thaw ${scopeOf(freeze)}?`}
      description="What it held starts at once, oldest first."
      problem={thaw.error}
      busy={thaw.isPending}
      actions={[{ label: "Thaw it", look: "primary", run: start }]}
    />
  );
}
