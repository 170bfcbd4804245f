// What a server finds when it starts: tasks that hold their target, and tasks that continue.
import { INTENTS } from "../domain/contract.ts";
import type { PauseStatus } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { Store } from "../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";

/** A procedure asks before its first step. A skill or an agent may have changed something before it asks. */
export async function pausedInTheMiddle(store: Store): Promise<Task[]> {
  const unknown = await pausedAs(store, "need_input", ({ waiting }) => waiting?.kind === "resolution");
  const asking = await pausedAs(store, "need_approval", mayAskMidway);
  const begun: Task[] = [];
  for (const task of asking) if (await hasBegun(store, task)) begun.push(task);
  return [...unknown, ...begun];
}

/** The oldest first, after those that hold their target: an older task may have been answered after a newer one began. */
export async function unfinishedInOrder(store: Store): Promise<Task[]> {
  const begun: Task[] = [];
  const others: Task[] = [];
  for (const task of await store.unfinishedTasks()) {
    const holds = task.status === "running" && (await hasBegun(store, task));
    (holds ? begun : others).push(task);
  }
  return [...begun, ...others];
}

const hasBegun = async (store: Store, { task_id }: Task): Promise<boolean> =>
  hasStarted(projection(await store.readJournal(task_id)));

const VOCABULARY: ReadonlySet<string> = new Set(INTENTS);

const mayAskMidway = ({ intent, delegation_mode }: Task): boolean =>
  delegation_mode === "agent" || !VOCABULARY.has(intent);

async function pausedAs(store: Store, status: PauseStatus, matches: (task: Task) => boolean): Promise<Task[]> {
  const paused: Task[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.listTasks({ status, limit: 500, after });
    paused.push(...page.filter(matches));
    after = page.at(-1)?.task_id;
    if (page.length < 500) return paused;
  }
}
