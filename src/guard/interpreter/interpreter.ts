// Walks a parsed program in order, every branch of it, and shows each simple command with its words resolved to a
// watcher. It runs nothing. Text that a shell would run is parsed again.
import { parse, type Script, type Statement } from "unbash";
import { ABSENT, alternatives, BRACE, joined, scrub, UNKNOWN } from "../words/symbols.ts";
import { expandedAsText } from "./arithmetic.ts";
import { type Budget, createBudget, Exhausted, LIMITS } from "./budget.ts";
import { walkCompound } from "./compound.ts";
import { literalCommands } from "./literal-commands.ts";
import {
  MAX_DEPTH,
  type Machine,
  type Node,
  type Output,
  type Programs,
  type Report,
  type Walk,
  type Watcher,
} from "./machine.ts";
import { merge, mergeVariables } from "./merge.ts";
import { runSimple } from "./simple-command.ts";
import { deeper, fork, initialState, keepFiles, type ShellContext, type State, weightOf } from "./state.ts";

const MAX_SOURCE = 65_536;
/** Of what a cap or an error has hidden. */
const HIDDEN_LIMITS = { work: 5_000, cpu_ms: 20 };

export type Interpretation = {
  readonly source: string;
  readonly context: ShellContext;
  readonly watchers: readonly Watcher[];
  readonly programs: Programs;
};

/**
 * Shows the whole program to every watcher. Where a cap or an error ends that early, each command whose words are written out
 * is judged by itself, so that nothing is hidden.
 */
export function interpret({ source, context, watchers, programs }: Interpretation): void {
  const report: Report = (...finding) => {
    for (const watcher of watchers) watcher.report(...finding);
  };
  if (Buffer.byteLength(source, "utf8") > MAX_SOURCE) {
    report(
      "ask",
      "cap.length",
      `the command is longer than ${MAX_SOURCE} bytes; put it into a file that the step runs`,
    );
    return;
  }
  const parts = { watchers, programs, report, certain: true, traps: [] };
  const machine = createMachine({ ...parts, budget: createBudget(LIMITS) });
  try {
    machine.runText(scrub(source), initialState(context));
    machine.end();
  } catch (error) {
    const hidden = createMachine(strictly({ ...parts, budget: createBudget(HIDDEN_LIMITS) }));
    for (const command of literalCommands(scrub(source))) {
      if (!attempted(() => hidden.runNode(command, initialState(context)))) break;
    }
    if (!(error instanceof Exhausted)) throw error;
    report("ask", error.code, error.message);
  }
}

/** An error in one command is on record already, by that of the whole. False when the budget is spent. */
function attempted(walk: () => unknown): boolean {
  try {
    walk();
  } catch (error) {
    return !(error instanceof Exhausted);
  }
  return true;
}

/** Each of them runs the rest of the program's knowledge once more. */
const TRAP_COST = 100;

type Whole = Machine & {
  readonly runNode: (node: Node, state: State) => Output;
  readonly end: () => void;
};
type Trap = { readonly text: string; readonly state: State };

/** `budget` and `traps` are shared by all machines of one interpretation. */
type MachineParts = Pick<Interpretation, "watchers" | "programs"> & {
  readonly report: Report;
  readonly certain: boolean;
  readonly budget: Budget;
  readonly traps: Trap[];
};

/** For text that may or may not be run, what is not proved is no finding; that it was not followed to its end is one. */
const strictly = (parts: MachineParts): MachineParts => ({
  ...parts,
  certain: false,
  report: (verdict, code, ...rest) => {
    if (verdict === "block" || code.startsWith("cap.")) parts.report(verdict, code, ...rest);
  },
});

function createMachine(parts: MachineParts): Whole {
  const { watchers, programs, report, certain, budget, traps } = parts;
  const tick = (cost = 1): void => budget.spend(cost);
  const machine: Whole = {
    programs,
    report,
    tick,
    command: (argv, state) => {
      for (const watcher of watchers) watcher.command(argv, state, certain);
    },
    write: (path, state) => {
      for (const watcher of watchers) watcher.write(path, state, certain);
    },
    runText: (text, state) => runText(text, state, machine),
    runScript: (script, state) => runScript(script, state, walk),
    runBody: (body, state) => (body.type === "CompoundList" ? walk.list(body, state) : walkCompound(body, state, walk)),
    runArgv: (argv, state) => programs.run(argv, state, machine),
    provedOnly: () => createMachine(strictly(parts)),
    runNode: (node, state) => walkNode(node, state, walk),
    atEnd: (text, state) => {
      tick(TRAP_COST);
      traps.push({ text, state });
    },
    end: () => {
      for (let trap = traps.shift(); trap !== undefined; trap = traps.shift())
        runText(trap.text, deeper(trap.state), machine);
    },
  };
  const walk: Walk = {
    machine,
    list: (list, state) => statements(list.commands, state, walk),
    node: (node, state) => walkNode(node, state, walk),
  };
  return machine;
}

function runText(given: string, state: State, machine: Machine): Output {
  const text = given.replaceAll("\0", "");
  if (text.includes(UNKNOWN) || text.includes(BRACE) || text.trim() === ABSENT) {
    const reason = "unknown text would be run by a shell; write the command out, or put the script in a file";
    machine.report("ask", "dyn.pipe_to_shell", reason);
  }
  if (text === UNKNOWN || text === "") return [text];
  // The parser keeps some line continuations that bash removes first, so the text is judged both ways.
  if (text.includes("\\\n")) machine.runScript(parse(text.replaceAll("\\\n", "")), deeper(state));
  const script: Script & { readonly errors?: unknown } = parse(text);
  // Another shell may see words where this parser sees an error: what they substitute runs.
  if (script.errors !== undefined && !state.shell.recovering && /\$\(|`/.test(text))
    expandedAsText(text, deeper(state, { shell: { recovering: true } }), machine);
  return machine.runScript(script, state);
}

function runScript(script: Script & { readonly errors?: unknown }, state: State, walk: Walk): Output {
  if (script.errors !== undefined) {
    walk.machine.report("ask", "parse.error", "the command is not valid bash; correct it, `bash -n` shows where");
  }
  if (state.frame.depth > MAX_DEPTH) {
    const reason = `commands are nested deeper than ${MAX_DEPTH} levels; write them out one after the other`;
    walk.machine.report("ask", "cap.depth", reason);
    return [UNKNOWN];
  }
  return statements(script.commands, state, walk);
}

function statements(commands: readonly Statement[], state: State, walk: Walk): Output {
  let output: Output = [""];
  for (const { command, background } of commands) {
    const inner = background === true ? fork(state, { frame: { concurrent: true } }) : state;
    const { cwd } = inner.location;
    output = joined(output, walk.node(command, inner));
    if (inner !== state) keepFiles(state, inner);
    // A separate `cd` may fail, and what follows then runs in the directory before it.
    if (command.type === "Command" && inner.location.cwd !== cwd)
      inner.location.cwd = alternatives([
        ...inner.location.cwd,
        ...cwd.filter((path) => !state.location.start.includes(path)),
      ]);
  }
  return output;
}

function walkNode(node: Node, state: State, walk: Walk): Output {
  walk.machine.tick(1 + weightOf(state));
  switch (node.type) {
    case "Command":
      return runSimple(node, state, walk.machine);
    case "Pipeline":
      return pipeline(node.commands, state, walk);
    case "AndOr":
      return andOr(node.commands, state, walk);
    default:
      return walkCompound(node, state, walk);
  }
}

function pipeline(commands: readonly Node[], state: State, walk: Walk): Output {
  if (commands.length === 1 && commands[0] !== undefined) return walk.node(commands[0], state);
  let stdin = state.io.stdin;
  for (const [at, command] of commands.entries()) {
    const inner = fork(state, { io: { stdin }, frame: { concurrent: true } });
    stdin = walk.node(command, inner);
    keepFiles(state, inner);
    // With lastpipe the last command runs in this very shell.
    if (at === commands.length - 1) mergeVariables(state, inner);
  }
  return stdin ?? [""];
}

/** Each may or may not run after the ones before it. */
function andOr(commands: readonly Node[], state: State, walk: Walk): Output {
  let output: Output = [""];
  for (const [at, command] of commands.entries()) {
    const before = at === 0 ? null : fork(state);
    const text = walk.node(command, state);
    output = at === 0 ? text : joined(output, ["", ...text]);
    if (before !== null) merge(state, before);
  }
  return output;
}
