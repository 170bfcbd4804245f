// The process that starts commands (D-035). A fork copies the page tables of its process, and a server's are large: this
// process loads little, so a command starts several times faster. When the server ends for any reason, the channel closes,
// and the running commands are killed.
import { confine } from "../confinement/confined.ts";
import { createGroupContainment } from "../containment/group-containment.ts";
import { namespaceContainment } from "../containment/namespace-containment.ts";
import { type CommandEnd, createRunCommand, type RunCommand, type ShellCommand } from "../run-command.ts";
import type { StepLimits } from "../step-limits.ts";
import { noteGroupsIn } from "./running-groups.ts";

export type RunnerSetup = {
  readonly sandboxed: boolean;
  readonly limits: StepLimits;
  /** The directory for records of running groups; null: no records. */
  readonly running_dir: string | null;
};

export type RunnerRequest =
  | { readonly setup: RunnerSetup }
  | { readonly id: number; readonly command: ShellCommand }
  | { readonly id: number; readonly stop: true };
export type RunnerReport = { readonly id: number; readonly end: CommandEnd };

const running = new Map<number, AbortController>();
let runCommand: RunCommand = createRunCommand({ confine });

process.on("message", (order: RunnerRequest) => {
  if ("setup" in order) runCommand = createRunCommand(meansOf(order.setup));
  else if ("stop" in order) running.get(order.id)?.abort();
  else void obey(order);
});

const meansOf = ({ sandboxed, limits, running_dir }: RunnerSetup) => ({
  limits,
  confine,
  containment: sandboxed
    ? namespaceContainment
    : createGroupContainment(running_dir === null ? undefined : noteGroupsIn(running_dir)),
});

async function obey({ id, command }: { readonly id: number; readonly command: ShellCommand }): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const end = await runCommand(command, controller.signal);
  running.delete(id);
  if (process.connected) process.send?.({ id, end } satisfies RunnerReport);
}

process.on("disconnect", () => {
  for (const controller of running.values()) controller.abort();
});

// A signal from outside ends it as the end of the server does.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => process.connected && process.disconnect());
