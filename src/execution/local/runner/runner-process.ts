// The process that starts commands (D-035). A fork copies the page tables of its process, and a server's are large: this
// process loads little, so a command starts several times faster. When the server ends for any reason, the channel closes,
// and the running commands are killed.
import { createLaunch } from "../../sandbox/launcher.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { createSpaces } from "../../sandbox/spaces.ts";
import { type CommandEnd, createRunCommand, type RunningOutput, type ShellCommand } from "../run-command.ts";
import type { LiveBytes } from "./live-sender.ts";
import { noteGroupsIn } from "./running-groups.ts";

export type RunnerSetup = {
  /** Of the commands that have none of their own. */
  readonly plain: Sandbox;
  /** The memory that the spaces of all agents may hold. */
  readonly agent_spaces_bytes?: number;
  /** The directory for records of running groups; null: no records. */
  readonly running_dir: string | null;
};

export type RunnerRequest =
  | { readonly setup: RunnerSetup }
  | { readonly end_run: string }
  /** The server has its tasks for so long; without another such word, what runs is killed then. */
  | { readonly lives_ms: number }
  /** `held`: until it is allowed. */
  | { readonly id: number; readonly command: ShellCommand; readonly watch: boolean; readonly held: boolean }
  | { readonly id: number; readonly allowed: boolean }
  | { readonly id: number; readonly watch: boolean }
  | { readonly id: number; readonly stop: true };
export type RunnerReport =
  | { readonly id: number; readonly end: CommandEnd }
  /** Whether it took effect is unknown. */
  | { readonly id: number; readonly lost: string }
  | { readonly id: number; readonly live: LiveBytes };

type Running = {
  readonly abort: AbortController;
  readonly allowed: PromiseWithResolvers<boolean> | null;
  isWatched: boolean;
  output?: RunningOutput;
  /** Set while its output is sent. */
  stopSending?: () => void;
};

const running = new Map<number, Running>();
let spaces = createSpaces();
let runCommand = createRunCommand({ launch: createLaunch({ spaces }) });

process.on("message", (order: RunnerRequest) => {
  if ("setup" in order) setUp(order.setup);
  else if ("end_run" in order) spaces.endRun(order.end_run);
  else if ("lives_ms" in order) expectWordWithin(order.lives_ms);
  else if ("stop" in order) running.get(order.id)?.abort.abort();
  else if ("command" in order) void obey(order);
  else if ("allowed" in order) running.get(order.id)?.allowed?.resolve(order.allowed);
  else void setWatched(order.id, order.watch);
});

function setUp({ plain, running_dir, agent_spaces_bytes }: RunnerSetup): void {
  spaces = createSpaces(agent_spaces_bytes === undefined ? {} : { total_bytes: agent_spaces_bytes });
  spaces.prepare(plain);
  const launch = createLaunch(running_dir === null ? { spaces } : { spaces, noteGroup: noteGroupsIn(running_dir) });
  runCommand = createRunCommand({ plain, launch });
}

type Order = Extract<RunnerRequest, { readonly command: ShellCommand }>;

async function obey({ id, command, watch, held }: Order): Promise<void> {
  const allowed = held ? Promise.withResolvers<boolean>() : null;
  const started: Running = { abort: new AbortController(), allowed, isWatched: watch };
  running.set(id, started);
  const given = allowed === null ? command : { ...command, allowed: allowed.promise };
  const result = await runCommand(given, started.abort.signal, (output) => {
    started.output = output;
    if (started.isWatched) void setWatched(id, true);
  }).then(
    (end) => ({ id, end }),
    (error: unknown) => ({ id, lost: String(error) }),
  );
  running.delete(id);
  started.stopSending?.();
  // Nothing is left to do when the server has gone in this moment.
  if (process.connected) process.send?.(result satisfies RunnerReport, () => undefined);
}

/** What sends is loaded when somebody watches for the first time. */
async function setWatched(id: number, isWatched: boolean): Promise<void> {
  const found = running.get(id);
  if (found === undefined) return;
  found.isWatched = isWatched;
  found.stopSending?.();
  delete found.stopSending;
  const { sendLive } = await import("./live-sender.ts");
  if (found.output === undefined || !found.isWatched || found.stopSending !== undefined || !running.has(id)) return;
  found.stopSending = sendLive(found.output, async (pieces) => {
    await Promise.all(pieces.map((live) => report({ id, live })));
  });
}

/** Resolves when the report has been written, or cannot be. */
const report = (live: RunnerReport): Promise<void> =>
  new Promise((resolve) => {
    if (!process.connected || process.send === undefined) return resolve();
    process.send(live, () => resolve());
  });

function stopAll(): void {
  for (const { abort, allowed } of running.values()) {
    allowed?.resolve(false);
    abort.abort();
  }
}

let watchdog: NodeJS.Timeout | undefined;

/** A server that is stopped in the middle cannot kill its steps, and another one may take over from it (D-316). */
function expectWordWithin(ms: number): void {
  clearTimeout(watchdog);
  watchdog = setTimeout(stopAll, ms);
  watchdog.unref();
}

process.on("disconnect", stopAll);

// A signal from outside ends it as the end of the server does.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => process.connected && process.disconnect());
