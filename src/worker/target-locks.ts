// One task at a time per target (D-012); the others wait in a queue, in the order in which they came. Each target has its own
// queue, and its holder may acquire it again. For a single lock there is domain/mutex.ts.
export type TargetLocks = {
  /** Resolves when the task holds the target. A task that holds it keeps it. */
  readonly acquire: (signature: string, task_id: string) => Promise<void>;
  readonly release: (signature: string, task_id: string) => void;
  readonly holderOf: (signature: string) => string | null;
};

export function createTargetLocks(): TargetLocks {
  const queues = new Map<string, { readonly task_id: string; readonly admit: () => void }[]>();

  return {
    acquire: (signature, task_id) =>
      new Promise((admit) => {
        const queue = queues.get(signature) ?? [];
        queues.set(signature, queue);
        const position = queue.findIndex((waiting) => waiting.task_id === task_id);
        if (position > 0) throw new Error(`task ${task_id} waits for its target already`);
        if (position === -1) queue.push({ task_id, admit });
        if (queue[0]?.task_id === task_id) admit();
      }),
    release: (signature, task_id) => {
      const queue = queues.get(signature) ?? [];
      const position = queue.findIndex((waiting) => waiting.task_id === task_id);
      if (position === -1) return;
      queue.splice(position, 1);
      if (queue.length === 0) queues.delete(signature);
      else if (position === 0) queue[0]?.admit();
    },
    holderOf: (signature) => queues.get(signature)?.[0]?.task_id ?? null,
  };
}
