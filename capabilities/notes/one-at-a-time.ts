// One change of the notes at a time per process (spec section 4, apply_note_moves): two tasks that have read the same parent
// would both move the note, and on some servers the second move deletes it.

/** Runs a change once everything before it has ended, however it has. One that was stopped while it waited throws and is not run. */
export type InTurn = <T>(signal: AbortSignal, change: () => Promise<T>) => Promise<T>;

export function createLine(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, change) => {
    const turn = last.then(() => {
      signal.throwIfAborted();
      return change();
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** The one of all tasks, the skill's and agents' alike. */
export const inTurn = createLine();
