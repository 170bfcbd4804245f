// Limits what one judgement, and all of a plan, may cost. What is counted is work, which is the same for the same text on every
// machine and under every load. A clock is the last stop, for what no count has foreseen.
import { hasGlob, isOpen } from "../words/symbols.ts";
import type { State } from "./state.ts";

/** Thrown where the budget is spent: the interpretation ends there. */
export class Exhausted extends Error {
  readonly code: "cap.count" | "cap.time";

  constructor(code: Exhausted["code"], reason: string) {
    super(reason);
    this.code = code;
  }
}

const FIX = "split it into steps, or put it into a file that the step runs";

const COSTLY = `the command takes more work to judge than one text may; ${FIX}`;

export type Budget = {
  /** Throws `Exhausted`. */
  readonly spend: (cost: number) => void;
};

/** Of one text. A unit is what an assignment costs, some 5 µs on a fast processor. A long text has more to be read. */
export const workFor = (text: string): number => Math.min(WORK + text.length * WORK_FOR_CHARACTER, MAX_WORK);

const WORK = 12_000;
const WORK_FOR_CHARACTER = 6;
const MAX_WORK = 64_000;

/** Of what a cap or an error has hidden. */
export const HIDDEN_WORK = 3_000;

export function createBudget(work: number): Budget {
  const start = cpuMs();
  let spent = 0;
  let calls = 0;
  return {
    spend: (cost) => {
      spent += cost;
      if (plan !== null) plan.work += cost;
      if (spent > work) throw new Exhausted("cap.count", COSTLY);
      calls += 1;
      if (calls % LOOK_EVERY !== 0) return;
      const now = cpuMs();
      if (now - start <= LAST_STOP_MS && (plan === null || now - plan.began <= PLAN_LAST_STOP_MS)) return;
      noteCut();
      throw new Exhausted("cap.time", `the command takes more than ${LAST_STOP_MS} ms to judge; ${FIX}`);
    },
  };
}

/** Of the processor, in this thread: ten times what the work takes on a slow one. Only a mistake in what work costs leads there. */
const LAST_STOP_MS = 5_000;
const PLAN_LAST_STOP_MS = 20_000;

/** The clock costs as much as an assignment. */
const LOOK_EVERY = 64;

/** The parser reads a substitution that is nested in others once for each of them. */
export function costOfParsing(text: string): number {
  const open: boolean[] = [];
  let depth = 0;
  let nested = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === OPEN || char === OPEN_BRACE) {
      const substitutes = /[$<>]/.test(text.charAt(at - 1));
      open.push(substitutes);
      if (substitutes) depth += 1;
    } else if ((char === CLOSE || char === CLOSE_BRACE) && open.pop() === true) depth -= 1;
    nested += depth * depth;
  }
  return text.length / 128 + nested / 4_096;
}

const [OPEN, CLOSE, OPEN_BRACE, CLOSE_BRACE] = [40, 41, 123, 125];

/**
 * Each word is read by every rule about words: as a path from each directory that the command may run in, through each link, and
 * as a pattern of paths, among them those of the files that were written.
 */
export function costOfCommand(argv: readonly string[], { location: { cwd }, io: { links, files } }: State): number {
  const length = argv.reduce((sum, word) => sum + word.length, 0);
  const patterns = argv.filter((word) => isOpen(word) || hasGlob(word)).length;
  const paths = cwd.reduce((sum, directory) => sum + 1 + directory.length / 16, 0) * (1 + links.length);
  return 3 + length / 64 + paths * (argv.length / 4 + patterns * (2 + files.size / 4));
}

/** What texts of one plan may cost before the rest is judged by what is written out, and before the rest is not judged. */
const WHOLE_WORK = 200_000;
const WRITTEN_OUT_WORK = 360_000;
/** More of both for each text. */
const SHARE = 600;

const PLAN_FIX = "use fewer or shorter steps";
export const PLAN_SPENT = `the steps together take more work to judge than a plan may; ${PLAN_FIX}`;
/** Nothing of the text is known, so it cannot be approved either. */
export const PLAN_OVER = `the steps together take more work to judge than a plan may, and this one was not judged; ${PLAN_FIX}`;

type PlanWork = { readonly began: number; work: number; texts: number; is_cut: boolean };

/** The plan that is being judged: its work, and how many texts were judged whole. Nothing in it waits, so there is one in a thread. */
let plan: PlanWork | null = null;

/**
 * The work that all texts of a plan may take together. It bounds a list of texts that are made to cost, and no list of ordinary
 * ones, each of which takes less than its share. All texts that `judge` judges are those of one plan. A judgement that the clock
 * has ended is made once more, when the code is warm, before anybody is asked.
 */
export function withPlanWork<T>(judge: () => T): T {
  if (plan !== null) return judge();
  const first = judgedOnce(judge);
  return first.is_cut ? judgedOnce(judge).judged : first.judged;
}

function judgedOnce<T>(judge: () => T): { readonly judged: T; readonly is_cut: boolean } {
  const own = { began: cpuMs(), work: 0, texts: 0, is_cut: false };
  plan = own;
  try {
    return { judged: judge(), is_cut: own.is_cut };
  } finally {
    plan = null;
  }
}

/** Only a text that is judged whole has a share: what is spent stays spent. */
export function countText(): void {
  if (plan !== null) plan.texts += 1;
}

/** The clock has ended something before its end: judged again, more may be found. */
function noteCut(): void {
  if (plan !== null) plan.is_cut = true;
}

export const isPlanCut = (): boolean => plan?.is_cut === true;

const hasTaken = (work: number): boolean => plan !== null && plan.work > work + SHARE * plan.texts;

export const isPlanSpent = (): boolean => hasTaken(WHOLE_WORK);
export const isPlanOver = (): boolean => hasTaken(WRITTEN_OUT_WORK);

/** Node 22.18 measures the whole process only. */
const usage: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage;

/** The time of the processor that this thread has taken, which does not depend on what else the machine does. */
export function cpuMs(): number {
  const { user, system } = usage();
  return (user + system) / 1_000;
}
