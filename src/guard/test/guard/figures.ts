// What a run of generated cases is asked for, what the guard said about them, and how that is printed.
import type { Family } from "./oracle.ts";

/** `ORCH_GUARD_SEED` and `ORCH_GUARD_CASES` run other cases, or more; `ORCH_TESTS=all` runs 1,000. */
export const SEED = Number(process.env["ORCH_GUARD_SEED"] ?? 20_260_101);
export const CASES = Number(process.env["ORCH_GUARD_CASES"] ?? (process.env["ORCH_TESTS"] === "all" ? 1_000 : 400));

export type Reached = {
  readonly command: string;
  readonly family: Family;
  readonly verdict: "block" | "ask" | "allow";
  readonly steps: readonly string[];
};

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

/** How many were blocked and asked about, and which steps were asked about. */
export function printFigures(cases: readonly Reached[], seconds: number): void {
  const count = (verdict: Reached["verdict"]): number => cases.filter((one) => one.verdict === verdict).length;
  const asked = count("ask");
  print(
    `seed ${SEED}: ${cases.length} reached a listed operation; ${count("block")} blocked, ${asked} asked about ` +
      `(${share(asked, cases.length)}), ${count("allow")} allowed; ${seconds.toFixed(1)} s`,
  );
  const behind = new Map<string, number>();
  for (const { verdict, steps } of cases) {
    if (verdict === "ask") for (const step of new Set(steps)) behind.set(step, (behind.get(step) ?? 0) + 1);
  }
  const most = [...behind].sort(([, a], [, b]) => b - a).slice(0, 12);
  if (most.length > 0) print(`behind the asks: ${most.map(([step, times]) => `${step} ${times}`).join(", ")}`);
}

/** The shortest first: they show the cause best. */
export const shortest = (commands: readonly string[]): string[] =>
  commands.toSorted((a, b) => a.length - b.length).slice(0, 20);
