// Hands a judgement its contract without the id of the task, and finds out whether it asked for it (D-398): where it did not, its
// answer is that for every task of the same plan.

type Given = readonly unknown[];
type OfTask = { readonly task_id: unknown };

/** `task_id`: the id that is missing in `given`, where its place holds null; null where nothing is missing. */
export type Withheld = { readonly given: Given; readonly task_id: string | null };

/** Only of the contract that is an argument, or a field of one, and only where no other id is among them. */
export function withheldTask(given: Given): Withheld {
  const ids = new Set<unknown>();
  const without = mapTasks(given, (one) => {
    ids.add(one.task_id);
    return { ...one, task_id: null };
  });
  const [task_id] = ids;
  return ids.size === 1 && typeof task_id === "string" ? { given: without, task_id } : { given, task_id: null };
}

/** What was given at first. `hasRead` says whether the id was looked at until then, by anything that could depend on it. */
export function watchedTask({ given, task_id }: Withheld): { readonly given: Given; readonly hasRead: () => boolean } {
  if (task_id === null) return { given, hasRead: () => false };
  let has_read = false;
  const read = (): string => {
    has_read = true;
    return task_id;
  };
  const watched = mapTasks(given, (one) =>
    Object.defineProperty({ ...one }, "task_id", { get: read, enumerable: true }),
  );
  return { given: watched, hasRead: () => has_read };
}

const mapTasks = (given: Given, change: (one: OfTask) => OfTask): Given =>
  given.map((argument) => {
    if (isOfTask(argument)) return change(argument);
    return isWithContract(argument) ? { ...argument, contract: change(argument.contract) } : argument;
  });

const isOfTask = (value: unknown): value is OfTask =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "task_id");

const isWithContract = (value: unknown): value is { readonly contract: OfTask } =>
  typeof value === "object" && value !== null && "contract" in value && isOfTask(value.contract);
