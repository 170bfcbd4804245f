// The commits of this process while a task is tried, and what each has recorded last.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { NewEvent } from "../domain/journal.ts";

type Traced = { readonly when: string; readonly kinds: readonly string[]; readonly events: readonly NewEvent[] };

/** `done` has a short text for each commit. `onCommit` hears how many there are. */
export function watchCommits(onCommit: (count: number) => void) {
  const done: string[] = [];
  const names = new Map<number, string>();
  const textOf = (event: NewEvent): string => {
    if (event.kind === "skill_step_started") names.set(event.body.index, JSON.stringify(event.body.name));
    if (event.kind === "skill_step_started") return `step ${names.get(event.body.index)} begun`;
    if (event.kind === "skill_step_finished") return `step ${names.get(event.body.index)} ended`;
    return event.kind.replaceAll("_", " ");
  };
  const listen = (message: unknown) => {
    const { when, kinds, events } = message as Traced;
    if (when !== "after") return;
    done.push(events.map(textOf).at(-1) ?? kinds.join(", ").replaceAll("_", " "));
    onCommit(done.length);
  };
  subscribe("orch:commit", listen);
  return { done, stop: () => void unsubscribe("orch:commit", listen) };
}
