// Limits what one judgement, and all of a plan, may cost. Work is the same on every machine; the time of the processor covers
// what work does not count.

/** Thrown where the budget is spent: the interpretation ends there. */
export class Exhausted extends Error {
  readonly code: "cap.count" | "cap.time";

  constructor(code: Exhausted["code"], reason: string) {
    super(reason);
    this.code = code;
  }
}

const FIX = "split it into steps, or put it into a file that the step runs";

export type Budget = {
  /** Throws `Exhausted`. */
  readonly spend: (cost: number) => void;
};

/** `work`: simple commands, and what costs as much. `cpu_ms`: time of the processor, of this thread alone. */
export type Limits = { readonly work: number; readonly cpu_ms: number };

export const LIMITS: Limits = { work: 30_000, cpu_ms: 50 };

/** The clock costs as much as a simple command. */
const LOOK_EVERY = 32;

export function createBudget({ work, cpu_ms }: Limits): Budget {
  const start = cpuMs();
  let spent = 0;
  let calls = 0;
  return {
    spend: (cost) => {
      spent += cost;
      calls += 1;
      if (spent > work) throw new Exhausted("cap.count", `the command expands to more than ${work} commands; ${FIX}`);
      if (calls % LOOK_EVERY !== 0 || cpuMs() - start <= cpu_ms) return;
      noteCut();
      throw new Exhausted("cap.time", `the command takes more than ${cpu_ms} ms to judge; ${FIX}`);
    },
  };
}

/** Until when texts are judged whole, and until when by the commands that are written out in them. */
const WHOLE_MS = 1_000;
const WRITTEN_OUT_MS = 1_700;
/** More of both for each text. */
const SHARE_MS = 3;

const PLAN_TIME_FIX = "use fewer or shorter steps";
export const PLAN_SPENT = `the steps together take more than ${WHOLE_MS} ms to judge; ${PLAN_TIME_FIX}`;
/** Nothing of the text is known, so it cannot be approved either. */
export const PLAN_OVER = `the steps together take more than ${WRITTEN_OUT_MS} ms to judge, and this one was not judged; ${PLAN_TIME_FIX}`;

/** The plan that is being judged: when that began, and how many texts were judged whole. Nothing in it waits, so there is one in a thread. */
let plan: { readonly began: number; texts: number; is_cut: boolean } | null = null;

/**
 * The time that all texts of a plan may take together, in ms of the processor. It bounds a list of texts that are made to cost,
 * and no list of ordinary ones, each of which takes less than its share. All texts that `judge` judges are those of one plan.
 */
export function withPlanTime<T>(judge: () => T): T {
  if (plan !== null) return judge();
  plan = { began: cpuMs(), texts: 0, is_cut: false };
  try {
    return judge();
  } finally {
    plan = null;
  }
}

/** Only a text that is judged whole has a share: what is spent stays spent. */
export function countText(): void {
  if (plan !== null) plan.texts += 1;
}

/** The time has ended something before its end: with more of it, more may be found. */
function noteCut(): void {
  if (plan !== null) plan.is_cut = true;
}

export const isPlanCut = (): boolean => plan?.is_cut === true;

function hasTaken(limit_ms: number): boolean {
  const is_over = plan !== null && cpuMs() - plan.began > limit_ms + SHARE_MS * plan.texts;
  if (is_over) noteCut();
  return is_over;
}

export const isPlanSpent = (): boolean => hasTaken(WHOLE_MS);
export const isPlanOver = (): boolean => hasTaken(WRITTEN_OUT_MS);

/** The time of the processor that this thread has taken, which does not depend on what else the machine does. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
