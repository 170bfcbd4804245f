// Whether a check only looks, also in the short files that its shell runs: `. ./.env`, `bash check.sh`.
import { effectOf, observe, pathFrom, type ShellContext } from "../guard/guard.ts";

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
