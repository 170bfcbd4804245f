// Freezes that were thawed: what was held, why, and by whom.
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-list-keys.ts";
import { type ShownFreeze, scopeOf } from "./freeze-scope.ts";

export function PastFreezes({ freezes }: { readonly freezes: readonly ShownFreeze[] }) {
  const past = freezes.filter(({ thawed_at }) => thawed_at !== null);
  if (past.length === 0) return null;
  return (
    <details className="past-freezes">
      <summary>Freezes that were thawed ({past.length})</summary>
      <ul className="list">
        {past.map(({ freeze_id, thawed_at, thawed_by, ...freeze }) => (
          <li key={freeze_id} className="schedule" {...ROW}>
            <p>
              <strong>{scopeOf({ freeze_id, thawed_at, thawed_by, ...freeze })}</strong>: {freeze.reason}
            </p>
            <p className="muted small">
              frozen by {freeze.frozen_by} <Time at={freeze.created_at} />, thawed by {thawed_by ?? "an unknown token"}{" "}
              {thawed_at !== null && <Time at={thawed_at} />}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
