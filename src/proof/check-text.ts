// What the examiner has to know of the texts of a check and its plan before it runs anything.
import type { Examination } from "../domain/proof.ts";
import { isPlanTimeOver, type ShellContext, type World, worldLeftBy } from "../guard/guard.ts";
import { type PlanContract, shellContextOf } from "../policy/judge-plan.ts";
import { onlyLooks, scriptsIn } from "./only-looks.ts";
import type { ExaminedCheck } from "./port.ts";
import { pathsIn, programsIn } from "./programs.ts";
import { textFacts } from "./text-facts.ts";

/** What the answer of a check depends on beside its text: the programs and the scripts that it runs. */
export function runBy(text: string, contract: PlanContract, home: string) {
  const shell = shellContextOf(contract, home);
  return { programs: programsIn(text, shell).programs, scripts: scriptsIn(text, shell) };
}

export type CheckText = {
  readonly facts: Omit<Examination, "control">;
  /** Whether a decoy may run: the check only looks, also after the commands of the plan. */
  readonly has_decoy: boolean;
  /** The paths that the plan names; null where it takes too long to judge. */
  readonly masked: readonly string[] | null;
};

type Judged = Omit<ExaminedCheck, "contract"> & { readonly contract: PlanContract };

/** `scripts`: the texts of the scripts that it runs. */
export function checkText(
  { text, contract, commands, decoy_on }: Judged,
  scripts: ReadonlyMap<string, string>,
  home: string,
): CheckText {
  const shell = shellContextOf(contract, home);
  const facts = textFacts({ text, contract }, home, scripts);
  if (facts.constant !== null) return { facts, has_decoy: false, masked: [] };
  const has_decoy = decoy_on !== "nowhere" && onlyLooks(text, { ...shell, world: worldLeft(commands, shell) }, scripts);
  const masked = new Set<string>();
  for (const one of [text, ...commands]) {
    if (isPlanTimeOver()) return { facts, has_decoy: false, masked: null };
    for (const path of pathsIn(one, shell)) masked.add(path);
  }
  return { facts, has_decoy, masked: [...masked] };
}

/** A command of the plan may have changed what a word of the check means. */
const worldLeft = (commands: ExaminedCheck["commands"], shell: ShellContext): World | undefined =>
  commands.reduce<World | undefined>((world, command) => worldLeftBy(command, { ...shell, world }), undefined);
