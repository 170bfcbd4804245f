// Where a task runs, as text.
import { tagOf } from "../domain/labels.ts";

/** Null for any server. */
export function placeText(backend: string, runs_on: readonly string[] | null): string | null {
  if (backend !== "local") return runs_on === null ? "the flow engine" : `the flow engine, tag ${tagOf(runs_on)}`;
  return runs_on === null ? null : `servers with ${runs_on.join(", ")}`;
}

export const queuedFor = (missing: readonly string[]): string => `no server has ${missing.join(", ")}`;
