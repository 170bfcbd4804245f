// Reads the windows of ORCH_FREEZE_WINDOWS, times by calendar in which nothing starts that changes something (D-321), and decides what is
// held now. As an operator writes them: `Fri 16:00 to Mon 07:00 Europe/Berlin: weekend`, or for what has no days of the week `cron 0 16 24
// 12 * for 9d: Christmas`.
import { Cron } from "croner";
import { READ_ONLY_INTENTS, type TaskContract } from "../../domain/contract.ts";
import type { HeldBy, StartableTask, TaskHolds } from "../../domain/hold.ts";
import { cronIn, isTimezone, localCron } from "../../engine/tasks/wall-clock.ts";
import type { Clock, Store } from "../../ports.ts";
import { type Freeze, holds } from "./freeze.ts";

export type FreezeWindow = {
  readonly reason: string;
  readonly timezone: string;
  readonly from: string;
  /** That of its end, or how long it is. */
  readonly until: { readonly cron: string } | { readonly ms: number };
};

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DAY = "(?:sun|mon|tue|wed|thu|fri|sat)";
const CLOCK = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const WEEKLY = new RegExp(
  `^(?:(${DAY}(?:[,-]${DAY})*) )?(${CLOCK}) to (?:(${DAY}) )?(${CLOCK}|24:00)(?: (\\S+))?$`,
  "i",
);
const BY_CRON = /^cron (\S+ \S+ \S+ \S+ \S+) for (\d{1,4})([mhd])(?: (\S+))?$/i;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const WINDOW_FORM =
  'such as "Fri 16:00 to Mon 07:00 Europe/Berlin: weekend" or "cron 0 16 24 12 * for 9d Europe/Berlin: Christmas", separated by semicolons';

export function windowIn(text: string, local: string): FreezeWindow | { readonly fault: string } {
  const at = text.indexOf(": ");
  const reason = text.slice(at + 2).trim();
  if (at < 0 || reason === "") return { fault: 'must end with a colon, a space and the reason, such as ": weekend"' };
  const times = text.slice(0, at).trim().replace(/\s+/g, " ");
  const weekly = WEEKLY.exec(times);
  const by_cron = BY_CRON.exec(times);
  if (weekly === null && by_cron === null) return { fault: `must have a begin and an end, ${WINDOW_FORM}` };
  const timezone = weekly?.[5] ?? by_cron?.[4] ?? local;
  if (!isTimezone(timezone)) return { fault: "must name a time zone of IANA, such as Europe/Berlin or UTC" };
  const window = weekly === null ? timedBy(by_cron ?? []) : weekdays(weekly);
  return "fault" in window ? window : { ...window, reason, timezone };
}

type Times = Pick<FreezeWindow, "from" | "until">;

function weekdays([, days, from, end_day, to]: readonly (string | undefined)[]): Times | { readonly fault: string } {
  const begin = days === undefined ? null : daysIn(days);
  if (begin?.length === 0) return { fault: "must name days from an earlier to a later one, such as Mon-Fri" };
  if (end_day !== undefined && begin?.length !== 1)
    return { fault: "may name the day of its end only where it names one day of its begin" };
  const end = to === "24:00" ? "00:00" : to;
  const isNextDay = to === "24:00" || (end_day === undefined && (end ?? "") <= (from ?? ""));
  const ends = end_day === undefined ? begin : [DAYS.indexOf(end_day.toLowerCase())];
  const until = { cron: cronAt(end ?? "", ends?.map((day) => (isNextDay ? (day + 1) % 7 : day)) ?? null) };
  const window = { from: cronAt(from ?? "", begin), until };
  return window.from === until.cron ? { fault: "must not end when it begins" } : window;
}

/** `Mon-Wed,Sat` is 1, 2, 3, 6. Empty for a range that runs backwards over no day. */
const daysIn = (text: string): number[] =>
  text.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map((day) => DAYS.indexOf(day.toLowerCase()));
    const count = (last - first + 7) % 7;
    return Array.from({ length: count + 1 }, (_, nth) => (first + nth) % 7);
  });

const cronAt = (clock: string, days: readonly number[] | null): string => {
  const [hour, minute] = clock.split(":").map(Number);
  const on = days === null ? "*" : [...new Set(days)].sort().join(",");
  return `${minute} ${hour} * * ${on}`;
};

function timedBy([, cron = "", count, unit = ""]: readonly (string | undefined)[]): Times | { readonly fault: string } {
  const ms = Number(count) * (UNIT_MS[unit.toLowerCase()] ?? 0);
  if (ms === 0) return { fault: "must last at least a minute" };
  try {
    if (new Cron(cron, { paused: true }).nextRun() === null) return { fault: "names a begin that never comes" };
  } catch {
    return { fault: "must have a cron expression of five fields: minute, hour, day, month, weekday" };
  }
  return { from: cron, until: { ms } };
}

type WindowState = {
  /** Of the window in force that ends last; null where none is. */
  readonly held_by: HeldBy | null;
  /** Nothing changes before. Null where no begin comes any more. */
  readonly changes_at: Date | null;
};

export function windowsAt(windows: readonly FreezeWindow[], now: Date): WindowState {
  const states = windows.map((window) => ({ window, ...stateOf(window, now) }));
  const changes = states.flatMap(({ begins, ends }) => ends ?? begins ?? []).map((at) => at.getTime());
  const changes_at = changes.length === 0 ? null : new Date(Math.min(...changes));
  const last = states
    .flatMap(({ window, ends }) => (ends === null ? [] : [{ reason: window.reason, until: ends.toISOString() }]))
    .sort((a, b) => (a.until < b.until ? 1 : -1))[0];
  return { held_by: last === undefined ? null : { freeze_id: null, ...last }, changes_at };
}

type Place = { readonly begins: Date | null; readonly ends: Date | null };

/**
 * When it ends, while it is in force, and when it begins next. It ends too late rather than too early: where the clocks go back, at the
 * second time that they show its end.
 */
function stateOf({ from, until, timezone }: FreezeWindow, now: Date): Place {
  const begin = localCron(from, timezone);
  const { clock } = begin;
  const begun = begin.begun(now);
  const next = begin.after(begun ?? clock.localAt(now));
  const begins = next === null ? null : clock.first(next);
  if (begun === null) return { begins, ends: null };
  const ends = "ms" in until ? new Date(clock.last(begun).getTime() + until.ms) : lastEnd(begin, until.cron, begun);
  return { begins, ends: ends > now ? ends : null };
}

/** Where it begins again at its end, the end after that. */
function lastEnd({ after, clock }: ReturnType<typeof localCron>, end: string, begun: number): Date {
  const endAfter = (local: number): Date => clock.last(cronIn(end, "UTC").nextRun(new Date(local))?.getTime() ?? local);
  let begin: number | null = begun;
  let ends = endAfter(begun);
  for (let days = 0; days < DAYS.length; days++) {
    begin = after(begin);
    if (begin === null || clock.first(begin) > ends) return ends;
    ends = endAfter(begin);
  }
  return ends;
}

/** Windows are for changes: looking is always allowed. */
export const isHeldByWindows = ({ intent }: Pick<TaskContract, "intent">): boolean => !READ_ONLY_INTENTS.has(intent);

// What is frozen, as this server knows it (D-320): the open freezes as they were read last, and the windows of now. It decides what is
// not even tried; that a task takes its first step is decided by the commit of that step, in the database.

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
