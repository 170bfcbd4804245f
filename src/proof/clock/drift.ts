// How numbers and answers move while nothing but time passes. Above 0 is up, below 0 is down, NaN is either or not known. The
// drift of an answer above 0 means that time alone may turn a red check green.

/** What is known of a text or a number that a check computes. */
export type Reading = {
  /** From one run to a later one. A moment in seconds has 1, a file's time has 0, a difference the difference. */
  readonly drift: number;
  /** With the time that the run itself takes. It is much the same in every run. */
  readonly own: number;
  /** Where the clock was read last. */
  readonly at: number;
  /** A list of lines, or a number that is never below 0. */
  readonly isCount: boolean;
  /** It is always there, also where it is 0. */
  readonly isNumber: boolean;
  /** The time of something that has happened. */
  readonly isPast: boolean;
  /** It may say an age in words: "Up 5 minutes". */
  readonly hasAges: boolean;
};

export const STEADY: Reading = {
  drift: 0,
  own: 0,
  at: 0,
  isCount: false,
  isNumber: false,
  isPast: false,
  hasAges: false,
};

export const moment = (at: number): Reading => ({ ...STEADY, drift: 1, at });
/** A list of lines. */
export const lines = (drift: number): Reading => ({ ...STEADY, drift, isCount: true });
/** Never below 0. */
export const count = (drift: number): Reading => ({ ...lines(drift), isNumber: true });
const UNKNOWN: Reading = { ...STEADY, drift: Number.NaN };

export const isSteady = ({ drift, own }: Reading): boolean => drift === 0 && own === 0;

/** Both decide: `a && b`, `a || b`. */
export function joined(first: number, second: number): number {
  if (first === 0 || second === 0) return first + second;
  return first * second > 0 ? first : Number.NaN;
}

export const joinedAll = (drifts: readonly number[]): number => drifts.reduce(joined, 0);

/** What is made of it in a way that is not followed. */
export const blurred = (given: Reading): Reading => (isSteady(given) ? given : UNKNOWN);

export const blur = (drift: number): number => (drift === 0 ? 0 : Number.NaN);

/** One text after the other. */
export function concatenated(first: Reading, second: Reading): Reading {
  if (!isSteady(first) && !isSteady(second)) return UNKNOWN;
  const one = isSteady(first) ? second : first;
  return { ...one, isPast: first.isPast || second.isPast, hasAges: first.hasAges || second.hasAges };
}

/** The same text from either of two places: lists of lines grow and shrink together. */
export function either(first: Reading, second: Reading): Reading {
  if (isSteady(first) || isSteady(second)) return concatenated(first, second);
  if (first.isCount && second.isCount) return { ...first, drift: joined(first.drift, second.drift) };
  return first.drift === second.drift && first.own === second.own
    ? { ...first, at: Math.max(first.at, second.at) }
    : UNKNOWN;
}

export const plus = (first: Reading, second: Reading): Reading => ({
  ...STEADY,
  drift: first.drift + second.drift,
  own: first.own + second.own,
  at: Math.max(first.at, second.at),
  isCount: first.isCount && second.isCount,
  isNumber: true,
});

/** Two readings of one clock: what is left is the time between them, which the run takes itself. */
export function minus(first: Reading, second: Reading): Reading {
  const isSameClock = first.drift === second.drift && first.own === second.own && !isSteady(first);
  if (isSameClock) return { ...STEADY, own: Math.sign(first.at - second.at) };
  return plus(first, times(second, -1));
}

export const times = (given: Reading, factor: number): Reading => ({
  ...given,
  drift: given.drift * factor,
  own: given.own * factor,
  isCount: given.isCount && factor >= 0,
});

/** A deadline in a loop is the same in each run. */
const speed = ({ drift, own }: Reading, isInLoop: boolean): number => (drift === 0 && !isInLoop ? own : drift);

export type Operand = { readonly reading: Reading; readonly literal: string | null };

const ORDER = new Map([
  ...["-gt", "-ge", ">", ">="].map((operator) => [operator, 1] as const),
  ...["-lt", "-le", "<", "<="].map((operator) => [operator, -1] as const),
]);

/** The answer of `left operator right`. */
export function compared(left: Operand, operator: string, right: Operand, isInLoop: boolean): number {
  const direction = ORDER.get(operator);
  const difference = speed(minus(left.reading, right.reading), isInLoop);
  if (direction !== undefined) return difference * direction;
  if (difference === 0) return 0;
  const isTurned = operator === "!=" || operator === "-ne";
  return isTurned ? -equal(left, operator, right) : equal(left, operator, right);
}

function equal(left: Operand, operator: string, right: Operand): number {
  const [given, other] = left.literal === null ? [left.reading, right] : [right.reading, left];
  if (given.isCount && other.literal !== null) {
    if (/^0*$/.test(other.literal)) return -given.drift;
    // A list that has the text in it.
    if (!given.isNumber && (operator === "=~" || /^\*.*\*$/.test(other.literal))) return given.drift;
  }
  // The day of a backup is today, until it is not.
  const isReached =
    (left.reading.isPast && right.reading.drift > 0) || (right.reading.isPast && left.reading.drift > 0);
  return isReached ? -1 : Number.NaN;
}

/** Whether there is text. A moment is always there. */
export const isThere = ({ drift, isCount, isNumber }: Reading): number =>
  (isCount && !isNumber) || Number.isNaN(drift) ? drift : 0;
