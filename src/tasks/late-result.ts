// Whether a journal takes the late result of a server (D-330): only of a step that this server has started, whose outcome is not known.
import type { LateResult } from "../domain/late-result.ts";
import { hasEnded } from "../domain/outcome.ts";
import type { Projection } from "./projection.ts";
import { stepInFlight } from "./step-delivery.ts";

/** A job of a flow engine is looked up again, and a step that may be repeated runs again: nothing is asked about either. */
export function takesLateResult(
  state: Projection,
  { index, attempt, owner }: Pick<LateResult, "index" | "attempt" | "owner">,
): boolean {
  const record = state.steps.records.get(index);
  const asked = stepInFlight(state);
  if (record === undefined || asked?.index !== index || asked.attempt !== attempt) return false;
  if (state.reported !== null && hasEnded(state.reported.status)) return false;
  return record.state === "started" && record.started_by === owner && record.late === null && record.job === undefined;
}
