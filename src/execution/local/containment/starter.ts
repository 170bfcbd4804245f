// Starts commands through a small process (D-275): its orders, and what it reports.
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { NeverBegan, ProcessContext } from "./containment.ts";
import { createFrames, frame } from "./frames.ts";
import type { Running } from "./running.ts";
import { type Argv, pipeOf, spawnDetached } from "./spawn-detached.ts";
import { createCommand, type ParentKind, type StartedCommand } from "./started-command.ts";
import { starterArgv } from "./starter-script.ts";

type StartOrder = readonly [argv: Argv, place: ProcessContext, how: ParentKind, gate?: "at_gate"];

type Starter = {
  /** Null where it has ended or is closed. */
  readonly start: (...command: StartOrder) => Promise<Running | NeverBegan> | null;
  /** What it has started goes on; then it ends. */
  readonly close: () => void;
};

type Place = {
  /** What enters a space, to be put before what starts there. */
  readonly enter?: readonly string[];
  /** The open files that it is entered by. */
  readonly files?: readonly number[];
  /** For an account other than root that makes namespaces. */
  readonly makes_user?: boolean;
};

const STDIO = ["ignore", "ignore", "pipe"] as const;
const MOST_SAID = 4_096;
const START_MS = 10_000;
/** A command that has not begun by then never will: something has stopped the starter. */
const BEGIN_MS = 30_000;

/** They may have been stopped, and then do not notice that this process is gone. */
const started_here = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of started_here) child.kill("SIGKILL");
});

/** The number that the first of the files has in the process. */
export const FIRST_FILE: number = STDIO.length;

/** Null where this machine cannot. */
async function createStarter({ enter = [], files = [], makes_user = false }: Place): Promise<Starter | null> {
  const inherited = [...files, "orders"].map((_, at) => FIRST_FILE + at);
  const argv = starterArgv(inherited, makes_user);
  if (argv === null) return null;
  const around = [...enter, ...argv] as unknown as Argv;
  const started = await spawnDetached(around, { cwd: "/", env: {} }, [...STDIO, ...files, "pipe"]);
  if ("fault" in started) return null;
  const { child } = started;
  const [orders, errors] = [child.stdio.at(-1) as Socket, pipeOf(child, 2) as Socket];
  const commands = new Map<number, StartedCommand>();
  const ready = Promise.withResolvers<boolean>();
  let [said, isUp] = ["", true];
  errors.on("data", (text: Buffer) => {
    said = `${said}${text}`.slice(-MOST_SAID);
  });
  orders.on("error", () => undefined);
  orders.on(
    "data",
    createFrames(({ what, id, bytes }) => (what === READY ? ready.resolve(true) : commands.get(id)?.take(what, bytes))),
  );
  started_here.add(child);
  // What it is entered by may have ended alone: the starter ends when nothing orders any more.
  const leave = () => {
    for (const one of [orders, errors]) one.destroy();
  };
  child.once("exit", () => {
    started_here.delete(child);
    isUp = false;
    ready.resolve(false);
    for (const command of commands.values()) command.lose(said);
    leave();
  });
  if (!(await Promise.race([ready.promise, sleep(START_MS, false, { ref: false })]))) {
    child.kill("SIGKILL");
    leave();
    return null;
  }
  return ordering({
    commands,
    orders,
    held: [child, orders, errors],
    isUp: () => isUp,
    end: () => child.kill("SIGKILL"),
  });
}

const READY = "H";

type Opened = {
  readonly commands: Map<number, StartedCommand>;
  readonly orders: Socket;
  readonly held: readonly { readonly ref: () => unknown; readonly unref: () => unknown }[];
  readonly isUp: () => boolean;
  readonly end: () => void;
};

function ordering({ commands, orders, held, isUp, end }: Opened): Starter {
  const holding = new Set<number>();
  let ids = 0;
  let isClosed = false;
  const send = (what: string, id: number, text?: string) => void (isUp() && orders.write(frame(what, id, text)));
  // The event loop waits for it only while a command runs.
  const hold = (wanted: boolean) => {
    for (const one of held) one[wanted ? "ref" : "unref"]();
  };
  const letGo = (id: number) => {
    if (holding.delete(id) && holding.size === 0) hold(false);
  };
  const forget = (id: number) => {
    commands.delete(id);
    letGo(id);
    if (isClosed && commands.size === 0) orders.end();
  };
  hold(false);
  return {
    start: (argv, place, how, gate) => {
      if (!isUp() || isClosed) return null;
      const has_gate = gate !== undefined;
      const order = orderOf(argv, place, how, has_gate);
      if (order === null) return Promise.resolve({ fault: `spawn ${argv[0]} ERR_INVALID_ARG_VALUE` });
      const id = ++ids;
      const means = { order: (what: string) => send(what, id), over: () => forget(id), letGo: () => letGo(id) };
      const command = createCommand({ program: argv[0], how, has_gate }, means);
      commands.set(id, command);
      holding.add(id);
      hold(true);
      send("S", id, order);
      const late = setTimeout(end, BEGIN_MS).unref();
      return command.begun.finally(() => clearTimeout(late));
    },
    close: () => {
      isClosed = true;
      if (commands.size === 0) orders.end();
    },
  };
}

/** Null where a word would end within itself. */
function orderOf(argv: Argv, { cwd, env }: ProcessContext, how: ParentKind, has_gate: boolean): string | null {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = [how, has_gate ? "1" : "0", cwd, String(variables.length), ...variables, ...argv];
  return words.some((word) => word.includes("\0")) ? null : words.join("\0");
}

export type KeptStarter = {
  /** Null where nothing starts it from within. */
  readonly start: (...command: StartOrder) => Promise<Running | NeverBegan | null>;
  /** So that one is there before the first command. */
  readonly prepare: () => void;
  /** What it has started goes on. The next command starts another one, which is kept again. */
  readonly rest: () => void;
  /** No other one is kept any more. */
  readonly close: () => void;
};

const TRIES = 3;

/** Another one is started where the last has ended. */
export function keepStarter(place: Place = {}): KeptStarter {
  let kept: Promise<Starter | null> | undefined;
  let rests = 0;
  let isClosed = false;
  const take = (): Promise<Starter | null> => {
    kept ??= createStarter(place);
    return kept;
  };
  const drop = (one: Promise<Starter | null>) => {
    if (kept === one) kept = undefined;
  };
  const rest = () => {
    rests += 1;
    const was = kept;
    kept = undefined;
    void was?.then((starter) => starter?.close());
  };
  return {
    start: async (...command) => {
      const before = rests;
      for (let tries = 0; tries < TRIES; tries += 1) {
        // The files that it is entered by may be closed by now.
        if (isClosed && tries > 0) return null;
        const taken = take();
        const starter = await taken;
        // In one turn with the order: what is closed takes none.
        const started = starter?.start(...command) ?? null;
        const isLast = isClosed || rests !== before;
        if (started === null || isLast) drop(taken);
        if (isLast) starter?.close();
        if (starter === null || started !== null) return started;
      }
      return null;
    },
    prepare: () => void take(),
    rest,
    close: () => {
      isClosed = true;
      rest();
    },
  };
}
