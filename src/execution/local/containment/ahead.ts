// Processes that are in a space or a namespace before there is a command for them: to start and to enter it takes longer than most
// commands run (D-275). Each waits until it is given a directory, an environment and arguments, and then becomes that program, so nothing
// differs from one that was started with them. Without orch they end, and have run nothing.
import { existsSync, readFileSync, statSync } from "node:fs";
import { Socket } from "node:net";
import type { NeverBegan, ProcessContext } from "./containment.ts";
import { GATE } from "./gate.ts";
import type { Argv, Started } from "./spawn-detached.ts";

/** How many wait. */
const AHEAD = 2;
/** Longer orders go the usual way, and those for a directory that is not there: it is orch then that hears of a refusal. */
const MAX_BYTES = 64 * 1024;
const PERL = "/usr/bin/perl";

/**
 * Perl, because bash adds to the environment. The arguments are the numbers of the inherited files, the order last; the pipe of the order
 * is the gate of what it becomes, where there is one.
 */
const WAIT = `
my $last = pop @ARGV;
for (@ARGV) { open(my $file, "<&=", $_) and close $file }
open(my $pipe, "<&=", $last) or exit 125;
my $order = "";
while ($order !~ /\\0end\\z/) { sysread($pipe, $order, 65536, length $order) or exit 125 }
my ($directory, $gate, $count, @words) = split /\\0/, substr($order, 0, -4), -1;
$^F = ${GATE};
open(my $at, "<&", $pipe) if $gate;
close $pipe;
exit 125 if $gate and fileno $at != ${GATE};
chdir $directory or do { print STDERR "orch: $directory: $!\\n"; exit 1 };
%ENV = map { split /=/, $_, 2 } splice @words, 0, $count;
exec { $words[0] } @words or do { print STDERR "orch: $words[0]: $!\\n"; exit 127 };
`;

export const canWait = (): boolean => existsSync(PERL);

/** What waits, with the numbers of the files that it has inherited. */
export const waiter = (files: readonly number[]): Argv => [PERL, "-e", WAIT, "--", ...files.map(String)];

export type Ahead<S extends Started> = {
  /** Null where none waits, or the order does not fit: the command is then started the usual way. */
  readonly take: (argv: Argv, place: ProcessContext, gate?: "at_gate") => S | null;
  /** Ends those that wait. */
  readonly empty: () => void;
};

/** `start` starts one that waits, whose last stdio is the pipe for its order. */
export function createAhead<S extends Started>(start: () => Promise<S | NeverBegan>): Ahead<S> {
  const waiting = new Set<S>();
  let starting = 0;
  let emptied = 0;

  const add = async (): Promise<void> => {
    const round = emptied;
    starting += 1;
    const started = await start().finally(() => (starting -= 1));
    if ("fault" in started) return;
    if (round !== emptied) return void started.child.kill("SIGKILL");
    // One that ends while it waits shows that by its exit.
    orderPipe(started).on("error", () => undefined);
    started.child.once("exit", () => waiting.delete(started));
    waiting.add(started);
    for (const held of heldBy(started)) held.unref();
  };
  const fill = (round: number): void => {
    for (let n = waiting.size + starting; n < AHEAD && round === emptied; n += 1) void add();
  };

  return {
    take: (argv, place, gate) => {
      const order = orderOf(argv, place, gate);
      const found = order === null ? undefined : [...waiting].find(isUp);
      setImmediate(fill, emptied);
      if (found === undefined || order === null) return null;
      waiting.delete(found);
      for (const held of heldBy(found)) held.ref();
      if (gate === undefined) orderPipe(found).end(order);
      else orderPipe(found).write(order);
      return found;
    },
    empty: () => {
      emptied += 1;
      for (const { child } of waiting) child.kill("SIGKILL");
      waiting.clear();
    },
  };
}

function orderOf(argv: Argv, { cwd, env }: ProcessContext, gate?: "at_gate"): Buffer | null {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = [cwd, gate === undefined ? "" : "1", String(variables.length), ...variables, ...argv];
  const order = Buffer.from([...words, "end"].join("\0"));
  const fits = order.length <= MAX_BYTES && !words.some((word) => word.includes("\0"));
  return fits && isDirectory(cwd) ? order : null;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A step before may have ended it, and its exit is not heard yet. */
function isUp({ pid }: Started): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1") !== "";
  } catch {
    return false;
  }
}

const orderPipe = ({ child }: Started): Socket => child.stdio.at(-1) as Socket;

/** What keeps the event loop waiting. */
const heldBy = ({ child }: Started): { readonly ref: () => unknown; readonly unref: () => unknown }[] => [
  child,
  ...child.stdio.filter((stream) => stream instanceof Socket),
];
