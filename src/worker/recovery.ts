// What a server finds when it starts: tasks that hold their target, and tasks that continue.
import { INTENTS } from "../domain/contract.ts";
import type { PauseStatus } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { Store } from "../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";
import { everyPage } from "./every-page.ts";

/** Takes a task whose journal cannot be read, or rejects when the fault is the database's. */
type Quarantine = (task: Task, error: unknown) => Promise<void>;

/** A procedure asks before its first step. A skill or an agent may have changed something before it asks. */
export async function pausedInTheMiddle(store: Store, quarantine: Quarantine): Promise<Task[]> {
  const unknown = await pausedAs(store, "need_input", ({ waiting }) => waiting?.kind === "resolution");
  const asking = await pausedAs(store, "need_approval", mayAskMidway);
  const begun: Task[] = [];
  for (const task of asking) if ((await hasBegun(store, task, quarantine)) === true) begun.push(task);
  return [...unknown, ...begun];
}

/** The oldest first, after those that hold their target: an older task may have been answered after a newer one began. */
export async function unfinishedInOrder(store: Store, quarantine: Quarantine): Promise<Task[]> {
  const begun: Task[] = [];
  const others: Task[] = [];
  for (const task of await store.unfinishedTasks()) {
    const holds = task.status === "running" && (await hasBegun(store, task, quarantine));
    if (holds !== null) (holds ? begun : others).push(task);
  }
  return [...begun, ...others];
}

/** Null for a task that is in quarantine. */
const hasBegun = (store: Store, task: Task, quarantine: Quarantine): Promise<boolean | null> =>
  store.readJournal(task.task_id).then(
    (journal) => hasStarted(projection(journal)),
    (error: unknown) => quarantine(task, error).then(() => null),
  );

const VOCABULARY: ReadonlySet<string> = new Set(INTENTS);

const mayAskMidway = ({ intent, delegation_mode }: Task): boolean =>
  delegation_mode === "agent" || !VOCABULARY.has(intent);

const pausedAs = async (store: Store, status: PauseStatus, matches: (task: Task) => boolean): Promise<Task[]> =>
  (
    await everyPage(
      (page) => store.listTasks({ ...page, status }),
      ({ task_id }) => task_id,
    )
  ).filter(matches);
