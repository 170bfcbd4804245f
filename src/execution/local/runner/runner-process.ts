// The process that commands are started from. A fork copies the page tables of the process that forks, and a server's are
// large: from here, where hardly anything is loaded, a command starts several times faster. When the server is gone,
// however it went, the channel closes, and what still runs is killed.
import { confine } from "../confinement/confined.ts";
import { createGroupContainment } from "../containment/group-containment.ts";
import { namespaceContainment } from "../containment/namespace-containment.ts";
import { type Command, type CommandEnd, createRunCommand, type RunCommand } from "../run-command.ts";
import type { StepLimits } from "../step-limits.ts";
import { noteGroupsIn } from "./running-groups.ts";

export type RunnerSetup = {
  readonly sandboxed: boolean;
  readonly limits: StepLimits;
  /** Where groups are noted while they run; null: nowhere. */
  readonly running_dir: string | null;
};

export type Order =
  | { readonly setup: RunnerSetup }
  | { readonly id: number; readonly command: Command }
  | { readonly id: number; readonly stop: true };
export type Report = { readonly id: number; readonly end: CommandEnd };

const running = new Map<number, AbortController>();
let runCommand: RunCommand = createRunCommand({ confine });

process.on("message", (order: Order) => {
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

async function obey({ id, command }: { readonly id: number; readonly command: Command }): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const end = await runCommand(command, controller.signal);
  running.delete(id);
  if (process.connected) process.send?.({ id, end } satisfies Report);
}

process.on("disconnect", () => {
  for (const controller of running.values()) controller.abort();
});

// Told to end by anyone but the server, it leaves as it does when the server is gone.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => process.connected && process.disconnect());
