// The process that commands are started from. A fork copies the page tables of the process that forks, and a server's are
// large: from here, where hardly anything is loaded, a command starts several times faster. When the server is gone,
// however it went, the channel closes, and what still runs is killed.
import { type Command, type CommandEnd, runCommand } from "./run-command.ts";

export type Order = { readonly id: number; readonly command: Command } | { readonly id: number; readonly stop: true };
export type Report = { readonly id: number; readonly end: CommandEnd };

const running = new Map<number, AbortController>();

process.on("message", (order: Order) => {
  if ("stop" in order) return running.get(order.id)?.abort();
  const controller = new AbortController();
  running.set(order.id, controller);
  void runCommand(order.command, controller.signal).then((end) => {
    running.delete(order.id);
    if (process.connected) process.send?.({ id: order.id, end } satisfies Report);
  });
});

process.on("disconnect", () => {
  for (const controller of running.values()) controller.abort();
});
