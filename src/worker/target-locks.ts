// One task at a time per target (D-012); the others wait in a queue, in the order in which they came. Each target has its own
// queue, and its holder may acquire it again. For a single lock there is domain/mutex.ts.
export type TargetLocks = {
  /**
   * Resolves when the task holds the target. A task that holds it keeps it, and one that waits for it keeps its place. `goes_first`: the
   * database says that the task has the target, so every other task here waits for it.
   */
  readonly acquire: (signature: string, task_id: string, goes_first?: boolean) => Promise<void>;
  readonly release: (signature: string, task_id: string) => void;
  readonly holderOf: (signature: string) => string | null;
};

type Entry = { readonly signature: string; readonly task_id: string; readonly admit: () => void };

export function createTargetLocks(): TargetLocks {
  /** The queues of all targets, in order of arrival. The first entry of a target holds it. */
  // Stryker disable next-line ArrayDeclaration: an entry of no target is never found
  let entries: readonly Entry[] = [];
  const first = (signature: string) => entries.find((entry) => entry.signature === signature);
  const holderOf: TargetLocks["holderOf"] = (signature) => first(signature)?.task_id ?? null;

  return {
    acquire: (signature, task_id, goes_first = false) =>
      new Promise((admit) => {
        const holder = holderOf(signature);
        if (holder === task_id) return admit();
        const before = entries.find((entry) => entry.signature === signature && entry.task_id === task_id);
        const admitAll = () => {
          before?.admit();
          admit();
        };
        const entry = { signature, task_id, admit: before === undefined ? admit : admitAll };
        if (goes_first) entries = [entry, ...entries.filter((one) => one !== before)];
        else entries = before === undefined ? [...entries, entry] : entries.with(entries.indexOf(before), entry);
        if (goes_first || holder === null) entry.admit();
      }),
    release: (signature, task_id) => {
      entries = entries.filter((entry) => entry.signature !== signature || entry.task_id !== task_id);
      // A task that holds the target already is admitted without effect.
      first(signature)?.admit();
    },
    holderOf,
  };
}
