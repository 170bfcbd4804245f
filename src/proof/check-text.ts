// Reads from the texts of a check and its plan what the examiner has to know before it runs anything: programs and paths, the files
// that its shell runs, and whether it only looks.
import type { Examination } from "../domain/proof.ts";
import {
  type CommandPrograms,
  effectOf,
  isPlanTimeOver,
  observe,
  pathFrom,
  programsOf,
  type ShellContext,
  type World,
  worldLeftBy,
} from "../guard/guard.ts";
import { type PlanContract, shellContextOf } from "../policy/judge-plan.ts";
import type { ExaminedCheck } from "./port.ts";
import { treeOf, visit } from "./syntax.ts";
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

const RUNS_A_FILE = /^(\.|source|bash|sh)$/;
/** Most checks name none of them, and need no interpretation for it. */
const MAY_RUN_A_FILE = /(^|[^\w.-])(\.|source|\S*sh)\s/;

/** Absolute paths of the files whose text the shell would run: `. ./.env`, `bash check.sh`. */
export function scriptsIn(text: string, context: ShellContext): string[] {
  const paths = new Set<string>();
  if (!MAY_RUN_A_FILE.test(text)) return [];
  observe(text, context, {
    command: ([name = "", first = ""], directories) => {
      if (RUNS_A_FILE.test(name) && first !== "" && !/^-|[\uFDD0-\uFDEF]/.test(first))
        for (const directory of directories) paths.add(pathFrom(first, directory));
    },
    write: () => undefined,
  });
  return [...paths].slice(0, MAX_SCRIPTS);
}

const MAX_SCRIPTS = 8;

export const onlyLooks = (text: string, shell: ShellContext, files: ReadonlyMap<string, string>): boolean =>
  effectOf(text, { ...shell, files }).is === "reads";

/** Base names, each once. `unresolved`: something may run that the text does not name. Never throws. */
export const programsIn = (text: string, context: ShellContext): CommandPrograms => programsOf(text, context);

const MAX_PATHS = 200;
/** After a blank, a quote or a sign; not within an address such as `http://web/x`. */
const PATH = /(^|[\s"'=,;:(<>|&@[])(\/[\w.@%+~-][^\s"'`;,()<>|&:$\\{}[\]*?]*)/g;

/** Absolute paths in words, redirections and quoted code, in order; a part that a variable or a pattern ends is cut there. */
export function pathsIn(text: string, context: ShellContext): string[] {
  const paths = new Set<string>();
  const collect = (given: string): void => {
    for (const [, before, path = ""] of given.replace(/\w+:\/\/[^\s"']*/g, "").matchAll(PATH))
      if (before !== undefined && paths.size < MAX_PATHS) paths.add(plain(path));
  };
  const tree = treeOf(text);
  if (tree !== null)
    visit(tree, (node) => {
      if (node.type === "Word") collect(node.value);
      else if (node.type === "HereDocBody") collect(node.text);
    });
  observe(text, context, {
    command: (words) => {
      for (const word of words) collect(word.replace(/[\uFDD0-\uFDEF]/g, "*"));
    },
    write: (path) => collect(path.replace(/[\uFDD0-\uFDEF]/g, "*")),
  });
  return [...paths].filter((path) => path !== "/");
}

/** `/srv/web/` and `/srv/web.` at the end of a sentence name the same directory. */
const plain = (path: string): string => path.replace(/[/.]+$/, "") || "/";
