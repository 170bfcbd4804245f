// A command that the starter has started (D-275), as what the starter reports of it makes it.
import { Readable } from "node:stream";
import { getSystemErrorName } from "node:util";
import type { Ending, NeverBegan } from "./containment.ts";
import { signalOf } from "./process-group.ts";
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
  let left = has_gate ? 4 : 3;
  const leave = () => {
    left -= 1;
    if (left === 0) over();
  };
  const gate = has_gate ? createGate(() => order("O"), leave) : null;
  const streams = [relayed(order, leave), relayed(order, leave)] as const;
  const outcome = createOutcome(program, streams, gate);
  const begin = (pid: string) => outcome.begin(Number(pid), { kill: () => order("K"), unref: letGo });
  const leaveProcess = () => {
    outcome.gone.resolve();
    leave();
    setImmediate(letThrough, streams);
  };
  const taking: Readonly<Record<string, (said: string) => void>> = {
    S: (pid) => how === "init" && begin(pid),
    P: begin,
    F: (number) => outcome.refuse(Number(number)),
    // There is no process of it.
    N: (number) => {
      outcome.refuse(Number(number));
      gate?.take("");
      leaveProcess();
    },
    G: (said) => gate?.take(said),
    E: (status) => outcome.ended.resolve(endOf(Number(status))),
    // No other process is left in its namespace.
    L: (status) => {
      outcome.ended.resolve(endOf(Number(status)));
      outcome.gone.resolve();
    },
    X: (status) => {
      // Process 1 has ended before it could say how the command did.
      outcome.ended.resolve(how === "init" ? { exit_code: null, signal: "SIGKILL" } : endOf(Number(status)));
      outcome.lose("its parent has ended");
      leaveProcess();
    },
  };
  return {
    begun: outcome.begun,
    take: (what, bytes) => {
      const stream = streams[STREAMS.indexOf(what)];
      if (stream === undefined) taking[what]?.(bytes.toString("latin1"));
      else stream.push(bytes.length === 0 ? null : bytes);
    },
    lose: (said) => {
      outcome.lose(said);
      gate?.lose();
    },
  };
}

type Streams = readonly [stdout: Readable, stderr: Readable];

/** What is known first counts: what comes later changes nothing. */
function createOutcome(program: string, streams: Streams, gate: Gate | null) {
  const begun = Promise.withResolvers<Running | NeverBegan>();
  const ended = Promise.withResolvers<Ending | NeverBegan>();
  const gone = Promise.withResolvers<void>();
  const [stdout, stderr] = streams;
  let hasBegun = false;
  const fail = (fault: NeverBegan) => {
    begun.resolve(fault);
    ended.resolve(fault);
    letGoUnread();
  };
  const letGoUnread = () => {
    if (!hasBegun) for (const stream of streams) stream.destroy();
  };
  return {
    begun: begun.promise,
    ended,
    gone,
    begin: (pid: number, means: Pick<Running, "kill" | "unref">) => {
      hasBegun = true;
      begun.resolve({ pid, stdout, stderr, gate, ended: ended.promise, gone: gone.promise, ...means });
    },
    refuse: (number: number) => fail({ fault: `spawn ${program} ${getSystemErrorName(-number)}` }),
    lose: (said: string) => {
      const error = new Error(`what starts the commands was lost${said === "" ? "" : `: ${said.trim()}`}`);
      // Nothing of a command has run whose gate was not opened.
      if (gate?.isOpened() === false) fail({ fault: error.message });
      for (const { promise, reject } of [begun, ended]) {
        // A command that is still at its gate is waited for later.
        promise.catch(() => undefined);
        reject(error);
      }
      gone.resolve();
      letGoUnread();
    },
  };
}

const STREAMS = ["1", "2"];

/** What is not to be read, so that it ends. */
function letThrough(streams: readonly Readable[]): void {
  for (const stream of streams) if (stream.readableFlowing === null) stream.resume();
}

type Gate = ReturnType<typeof createGate>;

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
    /** No word of it follows. Whether an opened one was passed is then unknown. */
    lose: () => {
      passed.promise.catch(() => undefined);
      if (isOpened) passed.reject(new Error("what starts the commands was lost while one went through its gate"));
      else passed.resolve(false);
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
  return routine({ exit_code: null, signal: signalOf(signal) ?? `signal ${signal}` });
}
