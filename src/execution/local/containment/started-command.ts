// A command that the starter has started (D-275), as what the starter reports of it makes it.
import { constants } from "node:os";
import { Readable } from "node:stream";
import { getSystemErrorName } from "node:util";
import type { Ending, NeverBegan } from "./containment.ts";
import { type Running, routine } from "./running.ts";

/** `apart`: its parent is a process of its own. `init`: that is process 1 of a pid namespace. */
export type ParentKind = "apart" | "init";

export type StartedCommand = {
  readonly begun: Promise<Running | NeverBegan>;
  readonly take: (what: string, bytes: Buffer) => void;
  /** What starts commands has ended: what became of this one is unknown. */
  readonly lose: (said: string) => void;
};

type Ordered = { readonly program: string; readonly how: ParentKind; readonly has_gate: boolean };
type Means = {
  readonly order: (what: string) => void;
  /** Nothing of it follows. */
  readonly over: () => void;
  readonly letGo: () => void;
};

export function createCommand({ program, how, has_gate }: Ordered, { order, over, letGo }: Means): StartedCommand {
  const begun = Promise.withResolvers<Running | NeverBegan>();
  const ended = Promise.withResolvers<Ending | NeverBegan>();
  const gone = Promise.withResolvers<void>();
  let left = has_gate ? 4 : 3;
  const leave = () => {
    left -= 1;
    if (left === 0) over();
  };
  const gate = createGate(() => order("O"), leave);
  const [stdout, stderr] = [relayed(order, leave), relayed(order, leave)];
  const streams = [stdout, stderr];
  let hasBegun = false;
  const begin = (pid: string) => {
    hasBegun = true;
    const means = { kill: () => order("K"), unref: letGo, gate: has_gate ? gate : null };
    begun.resolve({ pid: Number(pid), stdout, stderr, ended: ended.promise, gone: gone.promise, ...means });
  };
  const fail = (fault: NeverBegan) => {
    begun.resolve(fault);
    ended.resolve(fault);
    if (!hasBegun) for (const stream of streams) stream.destroy();
  };
  const failBy = (number: string) => fail(refusal(program, Number(number)));
  const leaveProcess = () => {
    gone.resolve();
    leave();
    setImmediate(letThrough, streams);
  };
  const lose = (said: string) => {
    const error = lost(said);
    // Nothing of a command has run whose gate was not opened.
    if (has_gate && !gate.isOpened()) fail({ fault: error.message });
    for (const one of [begun, ended]) refuse(one, error);
    gone.resolve();
    if (!hasBegun) for (const stream of streams) stream.destroy();
  };
  const taking: Readonly<Record<string, (said: string) => void>> = {
    S: (pid) => how === "init" && begin(pid),
    P: begin,
    F: failBy,
    // There is no process of it.
    N: (number) => {
      failBy(number);
      gate.take("");
      leaveProcess();
    },
    G: gate.take,
    E: (status) => ended.resolve(endOf(Number(status))),
    // No other process is left in its namespace.
    L: (status) => {
      ended.resolve(endOf(Number(status)));
      gone.resolve();
    },
    X: (status) => {
      // Process 1 has ended before it could say how the command did.
      ended.resolve(how === "init" ? { exit_code: null, signal: "SIGKILL" } : endOf(Number(status)));
      if (!hasBegun) lose("its parent has ended");
      leaveProcess();
    },
  };
  return {
    begun: begun.promise,
    take: (what, bytes) => {
      const stream = streams[STREAMS.indexOf(what)];
      if (stream === undefined) taking[what]?.(bytes.toString("latin1"));
      else stream.push(bytes.length === 0 ? null : bytes);
    },
    lose,
  };
}

const STREAMS = ["1", "2"];

const lost = (said: string): Error =>
  new Error(`what starts the commands was lost${said === "" ? "" : `: ${said.trim()}`}`);

/** A command that is still at its gate is waited for later. */
function refuse({ promise, reject }: Pick<PromiseWithResolvers<unknown>, "promise" | "reject">, error: Error): void {
  promise.catch(() => undefined);
  reject(error);
}

/** What is not to be read, so that it ends. */
function letThrough(streams: readonly Readable[]): void {
  for (const stream of streams) if (stream.readableFlowing === null) stream.resume();
}

const refusal = (program: string, number: number): NeverBegan => ({
  fault: `spawn ${program} ${getSystemErrorName(-number)}`,
});

/** The shell has ended, or gone through, when its end of the socket is closed. */
function createGate(open: () => void, closed: () => void) {
  const passed = Promise.withResolvers<boolean>();
  let isOpened = false;
  let hasPassed = false;
  return {
    open: () => {
      isOpened = true;
      open();
    },
    isOpened: () => isOpened,
    passed: passed.promise,
    take: (said: string) => {
      hasPassed ||= said !== "";
      if (said !== "") return;
      passed.resolve(hasPassed);
      closed();
    },
  };
}

/** What a command writes, as the starter has read it. */
function relayed(order: (what: string) => void, leave: () => void): Readable {
  return new Readable({
    read: () => undefined,
    destroy(error, done) {
      if (!this.readableEnded) order("R");
      leave();
      done(error);
    },
  });
}

/** As wait(2) gives it. */
function endOf(status: number): Ending {
  const signal = status & 127;
  if (signal === 0) return { exit_code: status >> 8, signal: null };
  return routine({ exit_code: null, signal: SIGNALS.get(signal) ?? "SIGKILL" });
}

/** Some have two names, of which Node gives the first. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name as NodeJS.Signals]),
);
