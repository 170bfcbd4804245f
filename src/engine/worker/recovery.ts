// Finds, at the start of a server, the tasks that hold their target, those that continue, and those that cannot be read.
import { INTENTS, signatureOf } from "../../domain/contract.ts";
import { isQuarantined } from "../../domain/errors.ts";
import type { TaskStatus } from "../../domain/outcome.ts";
import type { Task, TaskColumns } from "../../domain/task.ts";
import type { Store } from "../../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";

export const UNFINISHED = ["accepted", "running"] as const satisfies TaskStatus[];
const OPEN = [...UNFINISHED, "need_input", "need_approval"] as const satisfies TaskStatus[];

/** Takes a task that cannot be read, or rejects when the fault is the database's. */
type Quarantine = (task: TaskColumns, error: unknown) => Promise<void>;

/** The tasks that have not ended, oldest first. One whose row cannot be read goes to `quarantine`. */
export async function openTasks(store: Store, quarantine: Quarantine): Promise<Task[]> {
  const open = await everyPage((page) => store.listTaskColumns({ ...page, status: OPEN, unended: true }), idOf);
  const rows = new Map<string, Task>();
  for (const status of OPEN)
    for (const task of await everyPage((page) => store.listTasks({ ...page, status }), idOf))
      rows.set(task.task_id, task);
  const tasks: Task[] = [];
  for (const columns of open) {
    const task = rows.get(columns.task_id) ?? (await readTask(store, columns, quarantine));
    if (task !== null) tasks.push(task);
  }
  return tasks;
}

/** Null for a task that is in quarantine. */
export const readTask = (store: Store, columns: TaskColumns, quarantine: Quarantine): Promise<Task | null> =>
  store.findTask(columns.task_id).catch(async (error: unknown) => {
    if (!isQuarantined(error)) throw error;
    await quarantine(columns, error);
    return null;
  });

/** A procedure asks before its first step. A skill or an agent may have changed something before it asks, and a parked task too. */
export async function pausedInTheMiddle(store: Store, tasks: readonly Task[], quarantine: Quarantine): Promise<Task[]> {
  const unknown = tasks.filter(({ status, waiting }) => status === "need_input" && waiting?.kind === "resolution");
  const asking = tasks.filter((task) => (task.status === "need_approval" ? mayAskMidway(task) : isParked(task)));
  const begun: Task[] = [];
  for (const task of asking) if ((await hasBegun(store, task, quarantine)) === true) begun.push(task);
  return [...unknown, ...begun];
}

/** The oldest first, after those that hold their target: an older task may have been answered after a newer one began. */
export async function unfinishedInOrder(store: Store, tasks: readonly Task[], quarantine: Quarantine): Promise<Task[]> {
  const begun: Task[] = [];
  const others: Task[] = [];
  for (const task of tasks.filter(isUnfinished)) {
    const holds = task.status === "running" && (await hasBegun(store, task, quarantine));
    if (holds !== null) (holds ? begun : others).push(task);
  }
  return [...begun, ...others];
}

export const isUnfinished = ({ status }: Pick<Task, "status">): boolean =>
  status === "accepted" || status === "running";

type Targeting = Pick<Task, "task_id" | "intent" | "target_signature">;

/**
 * The target that a task in quarantine keeps, because a step may have had an effect; null where none has begun. Its journal
 * says which, and where that cannot be read, its row.
 */
export const keptTarget = (store: Store, row: Targeting): Promise<Targeting | null> =>
  store.readJournal(row.task_id).then(
    (journal) => {
      const state = projection(journal);
      const contract = state.accepted?.contract;
      if (!hasStarted(state)) return null;
      return contract === undefined
        ? row
        : { task_id: row.task_id, intent: contract.intent, target_signature: signatureOf(contract) };
    },
    () => row,
  );

/** Null for a task that is in quarantine. */
const hasBegun = (store: Store, task: Task, quarantine: Quarantine): Promise<boolean | null> =>
  store.readJournal(task.task_id).then(
    (journal) => hasStarted(projection(journal)),
    (error: unknown) => quarantine(task, error).then(() => null),
  );

const isParked = ({ waiting }: Task): boolean => waiting?.kind === "parked";

const VOCABULARY: ReadonlySet<string> = new Set(INTENTS);

const mayAskMidway = ({ intent, delegation_mode }: Task): boolean =>
  delegation_mode === "agent" || !VOCABULARY.has(intent);

const idOf = ({ task_id }: Pick<Task, "task_id">): string => task_id;

// Reads a list of the store to its end, page by page.

const PAGE = 500;

export type Page = { readonly limit: number; readonly after: string | undefined };

/** `idOf` gives the id that the next page follows. */
export async function everyPage<Row>(
  read: (page: Page) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | undefined; ; ) {
    const page = await read({ limit: PAGE, after });
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return rows;
    after = idOf(last);
  }
}
