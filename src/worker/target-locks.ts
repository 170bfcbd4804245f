// One task at a time per target; the others wait in a queue, in the order they came. A queue for each key, whose holder
// has a name and may ask again; for one holder at a time in all there is domain/mutex.ts.
export type TargetLocks = {
  /** Resolves once the task holds the target. A task that holds it already keeps it. */
  readonly acquire: (signature: string, task_id: string) => Promise<void>;
  readonly release: (signature: string, task_id: string) => void;
  readonly holderOf: (signature: string) => string | null;
};

export function createTargetLocks(): TargetLocks {
  const lines = new Map<string, { readonly task_id: string; readonly admit: () => void }[]>();

  return {
    acquire: (signature, task_id) =>
      new Promise((admit) => {
        const line = lines.get(signature) ?? [];
        lines.set(signature, line);
        const place = line.findIndex((waiting) => waiting.task_id === task_id);
        if (place > 0) throw new Error(`task ${task_id} is already in line for its target`);
        if (place === -1) line.push({ task_id, admit });
        if (line[0]?.task_id === task_id) admit();
      }),
    release: (signature, task_id) => {
      const line = lines.get(signature) ?? [];
      const place = line.findIndex((waiting) => waiting.task_id === task_id);
      if (place === -1) return;
      line.splice(place, 1);
      if (line.length === 0) lines.delete(signature);
      else if (place === 0) line[0]?.admit();
    },
    holderOf: (signature) => lines.get(signature)?.[0]?.task_id ?? null,
  };
}
