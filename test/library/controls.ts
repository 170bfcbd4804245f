// The checks of a procedure of the library in an empty world that has the machine's own programs: the imitated ones are scripts,
// and those prove nothing there.
import { stepEnvironment } from "../../src/domain/step-run.ts";
import { baseEnvironment, createRunCommand } from "../../src/execution/execution.ts";
import { createControl } from "../../src/execution/local/control/control.ts";
import type { LibraryFile } from "../../src/schema/sop-file.ts";

const HOME = "/srv";

/** What each check answers, by the index of its step. `close` ends the process that runs commands. */
export function createControls() {
  const runCommand = createRunCommand();
  const runControl = createControl({ runCommand });
  return {
    answersOf: async ({ procedure, contract }: LibraryFile) => {
      const { target, steps } = procedure;
      const { task_id, payload = {} } = contract;
      const env = { ...baseEnvironment({ home: HOME }), ...stepEnvironment({ task_id, target, payload }) };
      const directory = target["compose_dir"] ?? HOME;
      const checks = steps.flatMap((step, index) => (step.kind === "check" ? [{ index, script: step.value }] : []));
      return Promise.all(
        checks.map(async ({ index, script }) => {
          const check = { script, env, directory, masked: [], programs: [] };
          return { index, ...(await runControl(check, new AbortController().signal)) };
        }),
      );
    },
  };
}
