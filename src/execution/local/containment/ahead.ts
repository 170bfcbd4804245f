// Processes that are in a space or a namespace before there is a command for them: to start and to enter it takes longer than most
// commands run (D-275). Each waits until it is given a directory, an environment and arguments, and then becomes that program, so nothing
// differs from one that was started with them. Without orch they end, and have run nothing.
import { once } from "node:events";
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
/** An order begins with its length, in so many digits: what follows it is not read. */
const LENGTH = 8;

/**
 * Perl, because bash adds to the environment. The arguments are the numbers of the inherited files, the order last; the pipe of the order
 * is the gate of what it becomes, where there is one. `apart`: it becomes that in a child, which leads its own group and whose pid it
 * writes into the pipe, and ends as the child does: a command that kills its parent then kills nothing that others need (D-311).
 */
const WAIT = `
my ($apart, $last) = (shift @ARGV, pop @ARGV);
for (@ARGV) { open(my $file, "<&=", $_) and close $file }
open(my $pipe, "+<&=", $last) or exit 125;
if ($apart eq "apart") {
  my $child = fork // exit 125;
  if ($child) {
    close $_ for $pipe, *STDOUT, *STDERR;
    waitpid $child, 0;
    kill $? & 127, $$ if $? & 127;
    exit $? >> 8;
  }
  setpgrp 0, 0;
  syswrite $pipe, "$$\\n";
}
sub take { my ($size, $text) = (@_, ""); sysread $pipe, $text, $size - length $text, length $text or exit 125 while length $text < $size; $text }
my ($directory, $gate, $count, @words) = split /\\0/, take(take(${LENGTH})), -1;
$^F = ${GATE};
open(my $at, "+<&", $pipe) if $gate;
close $pipe;
exit 125 if $gate and fileno $at != ${GATE};
chdir $directory or do { print STDERR "orch: $directory: $!\\n"; exit 1 };
%ENV = map { split /=/, $_, 2 } splice @words, 0, $count;
exec { $words[0] } @words or do { print STDERR "orch: $words[0]: $!\\n"; exit 127 };
`;

export const canWait = (): boolean => existsSync(PERL);

/** What waits, with the numbers of the files that it has inherited. */
export const waiter = (files: readonly number[], how: "apart" | "itself"): Argv => [
  PERL,
  ...["-e", WAIT, "--", how],
  ...files.map(String),
];

/** The child of what was started apart; a fault where it has ended before. */
export async function apart({ child }: Started): Promise<Started | NeverBegan> {
  const pipe = child.stdio.at(-1) as Socket;
  pipe.on("error", () => undefined);
  const [said] = await Promise.race([once(pipe, "data"), once(child, "exit").then(() => [])]);
  const pid = Number.parseInt(String(said), 10);
  return Number.isNaN(pid) ? { fault: "what should run it has ended" } : { child, pid };
}

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
    if (round !== emptied) return end(started);
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
      give(found, order, gate);
      return found;
    },
    empty: () => {
      emptied += 1;
      for (const started of waiting) end(started);
      waiting.clear();
    },
  };
}

/** Gives its order to one that has just been started; null where the order does not fit. */
export async function startNow<S extends Started>(
  start: () => Promise<S | NeverBegan>,
  argv: Argv,
  place: ProcessContext,
): Promise<S | NeverBegan | null> {
  const order = orderOf(argv, place);
  if (order === null) return null;
  const started = await start();
  if (!("fault" in started)) give(started, order);
  return started;
}

function give(started: Started, order: Buffer, gate?: "at_gate"): void {
  if (gate === undefined) orderPipe(started).end(order);
  else orderPipe(started).write(order);
}

/** Without the pipe for its order it ends by itself. */
function end(started: Started): void {
  started.child.kill("SIGKILL");
  orderPipe(started).destroy();
}

function orderOf(argv: Argv, { cwd, env }: ProcessContext, gate?: "at_gate"): Buffer | null {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = [cwd, gate === undefined ? "" : "1", String(variables.length), ...variables, ...argv];
  const order = Buffer.from(words.join("\0"));
  const fits = order.length <= MAX_BYTES && !words.some((word) => word.includes("\0"));
  if (!fits || !isDirectory(cwd)) return null;
  return Buffer.concat([Buffer.from(String(order.length).padStart(LENGTH, "0")), order]);
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
