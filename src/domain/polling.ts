// Polls a check that has `within`: when it runs again, which of its tries are recorded, and how this reads; and says which steps only let
// time pass. Without a schema, because the flow script carries no library.
import type { AgentStep } from "./agent-events.ts";
import { TRIES_SHOWN } from "./duration.ts";
import type { Step, StepResult } from "./step.ts";

/** The kinds of steps that run nothing: they let time pass. */
const PAUSES = ["wait"] as const;
type PauseKind = (typeof PAUSES)[number];

export const pauses = (kind: string): boolean => PAUSES.some((pause) => pause === kind);

export const isPause = <S extends { readonly kind: string }>(step: S): step is Extract<S, { kind: PauseKind }> =>
  pauses(step.kind);

export type CheckTries = NonNullable<StepResult["tries"]>;
type CheckTry = CheckTries["first"][number];
type PolledCheck = Extract<Step, { kind: "check" }> & { readonly within: string };

export const isPolled = (step: AgentStep | undefined): step is PolledCheck =>
  step?.kind === "check" && step.within !== undefined;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
/** What the last try has at least, unless the whole time is shorter. */
const LAST_TRY_MS = 1_000;

/** How long to wait after the try with this number; null where no time is left for another one. */
export function pauseAfter(nth: number, left_ms: number): number | null {
  const longest = left_ms - LAST_TRY_MS;
  return longest <= 0 ? null : Math.min(FIRST_PAUSE_MS * 2 ** Math.min(nth - 1, 10), LONGEST_PAUSE_MS, longest);
}

/** Adds a try. Of many tries the first and the last ones stay. */
export function withTry({ first, last }: Pick<CheckTries, "first" | "last">, made: CheckTry): CheckTries {
  const count = made.nth;
  if (first.length < TRIES_SHOWN) return { count, first: [...first, made], last: [] };
  return { count, first: [...first], last: [...last, made].slice(-TRIES_SHOWN) };
}

const UNITS = { ms: "ms", s: "s", m: "min", h: "h" } as const;

/** `polled for up to 60 s`; undefined for every other step. */
export function pollingText(step: AgentStep): string | undefined {
  if (!isPolled(step)) return undefined;
  const [, number = "", unit = ""] = /^([\d.]+)(\w+)$/.exec(step.within) ?? [];
  return `polled for up to ${number} ${UNITS[unit as keyof typeof UNITS] ?? unit}`;
}

/** `13 tries`; empty for a step that is not polled. */
export const triesText = ({ tries }: Pick<StepResult, "tries">): string =>
  tries === undefined ? "" : `${tries.count} ${tries.count === 1 ? "try" : "tries"}`;
