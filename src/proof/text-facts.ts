// What the text of a check says by itself, and the files that its shell runs.
import type { Examination } from "../domain/proof.ts";
import { readsBefore } from "../domain/step-run.ts";
import { type PlanContract, shellContextOf } from "../policy/judge-plan.ts";
import { chanceIn } from "./chance.ts";
import { mayTimeTurnGreen } from "./clock.ts";
import { constantExit } from "./constant.ts";
import { decoyOf } from "./decoy.ts";
import { readPipes } from "./pipes.ts";

type Check = { readonly text: string; readonly contract: PlanContract };

export const namesTarget = (text: string, { target }: Pick<PlanContract, "target">): boolean =>
  decoyOf(text, target, "/nothing").names_target;

/** Whether a writer or its reader ends first. */
const pipeChance = (text: string): string | null => readPipes(text, { strict: false }).faults[0] ?? null;

const NO_FILES: ReadonlyMap<string, string> = new Map();

/** `scripts`: the texts of the files that its shell runs. Never throws. */
export function textFacts({ text, contract }: Check, home: string, scripts = NO_FILES): Omit<Examination, "control"> {
  const all = [text, ...scripts.values()];
  return {
    constant: constantExit(text, shellContextOf(contract, home).env)?.why ?? null,
    chance: all.map(chanceIn).find((found) => found !== null) ?? pipeChance(text),
    ...(all.some(mayTimeTurnGreen) && { by_time: true as const }),
    reads_before: readsBefore(text),
    names_target: namesTarget(text, contract),
    ...{ joined: false, decoy: null, red_at: null },
  };
}
