// Says what holds a task up that is to run: a freeze, another task on its target, labels (D-323), the level of its journal (D-329), or no slot.
import { type HeldBy, heldText } from "../domain/hold.ts";
import { canRead, JOURNAL_LEVEL, levelWithoutServer } from "../domain/journal-level.ts";
import { labelsWithoutServer, neededHere, servesLabels } from "../domain/labels.ts";
import type { NextAction } from "../domain/next-action.ts";
import type { Server } from "../domain/server.ts";
import type { Task } from "../domain/task.ts";
import { hasStarted } from "../tasks/progress.ts";
import { type Projection, projection } from "../tasks/projection.ts";
import type { OperationDeps } from "./deps.ts";
import type { TaskSummary } from "./shapes/task-view.ts";

type Deps = Pick<OperationDeps, "store" | "labels">;

/** What is known of each cause; null where it does not hold the task. */
export type Causes = Pick<TaskSummary, "held_by_freeze" | "queued_behind" | "queued_for" | "needs_level">;

type Waiting = Pick<TaskSummary, "waiting_for" | "waiting_text">;

type Here = Pick<OperationDeps, "labels"> & {
  readonly dispatcher: Pick<OperationDeps["dispatcher"], "isFull" | "isLeaving">;
};

/** The first cause that holds it. A task that runs, or is to start in a moment, waits for nothing. */
export function waitingOf(here: Here, task: Task, causes: Causes): Waiting {
  const { held_by_freeze, queued_behind, queued_for, needs_level } = causes;
  if (!isToRun(task)) return NOTHING;
  if (held_by_freeze !== null) return { waiting_for: "freeze", waiting_text: freezeSentence(held_by_freeze) };
  if (queued_behind !== null)
    return {
      waiting_for: "target",
      waiting_text: `Waits for task ${queued_behind}, which goes first on the same target.`,
    };
  if (queued_for !== null)
    return { waiting_for: "labels", waiting_text: `Waits for a server with ${labelsText(queued_for)}.` };
  if (needs_level !== null)
    return {
      waiting_for: "server",
      waiting_text: `Waits for a server that can read its journal, of level ${needs_level}.`,
    };
  return task.status === "accepted" && task.owner === null ? waitingForSlot(here, task) : NOTHING;
}

const NOTHING: Waiting = { waiting_for: null, waiting_text: null };

/** A live server has its labels. Whether another one has a free slot is not known here. */
function waitingForSlot({ labels, dispatcher }: Here, task: Task): Waiting {
  const needed = neededHere(task);
  if (needed !== null && !servesLabels(labels, needed))
    return { waiting_for: "slot", waiting_text: `Waits for a free slot on a server with ${labelsText(needed)}.` };
  if (dispatcher.isLeaving())
    return { waiting_for: "server", waiting_text: "Waits for another server, as this one is stopping." };
  return dispatcher.isFull() ? { waiting_for: "slot", waiting_text: "Waits for a free slot." } : NOTHING;
}

const MOST_WORDS = 12;

/** Its reason may be long, and of several lines. */
function freezeSentence(held_by: HeldBy): string {
  const words = held_by.reason.trim().split(/\s+/);
  const reason = words.slice(0, MOST_WORDS).join(" ");
  const sentence = heldText({ ...held_by, reason }).replace("held", "Held");
  if (words.length > MOST_WORDS) return `${sentence} ...`;
  return /[.!?]$/.test(reason) ? sentence : `${sentence}.`;
}

const labelsText = (labels: readonly string[]): string =>
  `the ${labels.length === 1 ? "label" : "labels"} ${labels.join(", ")}`;

const isToRun = ({ status }: Pick<Task, "status">): boolean => status === "accepted" || status === "running";

// A freeze holds only what has not begun.

export const heldBy = (deps: Pick<OperationDeps, "task_holds">, task: Task, state: Projection): HeldBy | null =>
  hasStarted(state) ? null : heldUnlessBegun(deps, task);

/** The same of a row: nothing is read while nothing is frozen, or of a task that was never claimed. */
export async function heldByOf({ task_holds, store }: Pick<OperationDeps, "task_holds" | "store">, task: Task) {
  const held = heldUnlessBegun({ task_holds }, task);
  if (held === null || task.status === "accepted") return held;
  return (await hasBegun(store, task)) ? null : held;
}

/** Of a journal that cannot be read it is not known. */
export const hasBegun = (store: OperationDeps["store"], { task_id }: Pick<Task, "task_id">): Promise<boolean> =>
  store.readJournal(task_id).then(
    (journal) => hasStarted(projection(journal)),
    () => true,
  );

const heldUnlessBegun = ({ task_holds }: Pick<OperationDeps, "task_holds">, task: Task): HeldBy | null =>
  isToRun(task) ? task_holds.holdOn(task) : null;

export const SEE_FREEZES: NextAction = {
  operation: "list_freezes",
  arguments: {},
  text: "A freeze holds it; it starts by itself once that is over. Ask a human before anything is thawed.",
};

// What no live server has.

/** The level that it needs of a server, where none that lives has it. */
export function waitsForLevel({ store }: Pick<Deps, "store">) {
  let live: Promise<readonly Server[]> | null = null;
  return async ({ needs_level }: Pick<Task, "needs_level">): Promise<number | null> => {
    if (canRead(JOURNAL_LEVEL, needs_level)) return null;
    live ??= store.listServers();
    return levelWithoutServer(await live, needs_level);
  };
}

/** Reads the servers once for a list of tasks, and not at all where this one has what each of them needs. */
export function waitsForLabels({ store, labels }: Deps) {
  let live: Promise<readonly Server[]> | null = null;
  return async (task: Pick<Task, "status" | "owner" | "backend" | "runs_on">): Promise<string[] | null> => {
    if (!isToRun(task) || servesLabels(labels, neededHere(task))) return null;
    live ??= store.listServers();
    return labelsWithoutServer(await live, task);
  };
}
