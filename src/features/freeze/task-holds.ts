// What is frozen, as this server knows it (D-320): the open freezes as they were read last, and the windows of now. It decides what is
// not even tried; that a task takes its first step is decided by the commit of that step, in the database.
import type { HeldBy, StartableTask, TaskHolds } from "../../domain/hold.ts";
import type { Clock, Store } from "../../ports.ts";
import { type Freeze, holds, isHeldByWindows } from "./freeze.ts";
import { type FreezeWindow, type WindowState, windowsAt } from "./windows.ts";

type Deps = {
  readonly store: Pick<Store, "openFreezes">;
  readonly clock: Clock;
  readonly windows: readonly FreezeWindow[];
};

type Known = Awaited<ReturnType<Store["openFreezes"]>>;

export function createFreezeHolds({ store, clock, windows }: Deps): TaskHolds {
  const listeners: (() => void)[] = [];
  let known: Known = { freezes: [], unreadable: [] };
  let seen: ReadonlySet<string> = new Set();
  let last: Promise<void> = Promise.resolve();
  const window = windowOf(windows, clock);

  const idsOf = ({ freezes, unreadable }: Known): string[] => [
    ...freezes.map(({ freeze_id }) => freeze_id),
    ...unreadable,
    ...(window() === null ? [] : [WINDOW]),
  ];

  // One after the other, so that an earlier reading does not replace a later one.
  const look = (): Promise<void> => {
    const next = last.then(async () => {
      known = await store.openFreezes();
      const now = new Set(idsOf(known));
      const eased = [...seen].some((id) => !now.has(id));
      seen = now;
      if (eased) for (const listener of listeners) listener();
    });
    last = next.catch(() => undefined);
    return next;
  };

  const holdOn = (task: StartableTask): HeldBy | null => {
    const [unread] = known.unreadable;
    if (unread !== undefined) return heldBy({ freeze_id: unread, reason: UNREAD });
    const found = known.freezes.find((freeze) => holds(freeze, task));
    if (found !== undefined) return heldBy(found);
    return isHeldByWindows(task) ? window() : null;
  };

  return {
    look,
    holdOn,
    passing: (task) => known.freezes.filter((freeze) => !holds(freeze, task)).map(({ freeze_id }) => freeze_id),
    inForce: () => [
      ...known.unreadable.map((freeze_id) => heldBy({ freeze_id, reason: UNREAD })),
      ...known.freezes.map(heldBy),
      ...[window()].filter((held) => held !== null),
    ],
    onEased: (listener) => void listeners.push(listener),
  };
}

const WINDOW = "window";
const UNREAD = "this freeze cannot be read, so it holds everything; thaw it";

const heldBy = ({ freeze_id, reason }: Pick<Freeze, "freeze_id" | "reason">): HeldBy => ({
  freeze_id,
  reason,
  until: null,
});

/** The window of now. It is computed again when one begins or ends, or when the clock was set back. */
function windowOf(windows: readonly FreezeWindow[], clock: Clock): () => HeldBy | null {
  if (windows.length === 0) return () => null;
  let from = Number.POSITIVE_INFINITY;
  let state: WindowState = { held_by: null, changes_at: null };
  return () => {
    const now = clock();
    const isOver = state.changes_at !== null && now >= state.changes_at;
    if (now.getTime() < from || isOver) {
      state = windowsAt(windows, now);
      from = now.getTime();
    }
    return state.held_by;
  };
}
