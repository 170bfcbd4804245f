// Walks a parsed program in order, every branch of it, and shows each simple command with its words resolved to a
// watcher. It runs nothing. Text that a shell would run is parsed again.
import { type Command, forEachChild, parse, type Script, type Statement, type SyntaxNode } from "unbash";
import {
  ABSENT,
  alternatives,
  BRACE,
  HELD,
  isAnything,
  isForeign,
  isUnknown,
  joined,
  UNKNOWN,
} from "../words/symbols.ts";
import { expandedAsText } from "./arithmetic.ts";
import { type Budget, costOfCommand, costOfParsing } from "./budget.ts";
import { walkCompound } from "./compound.ts";
import { filesOf, noteWriter, type Run, runsWhatWasRead } from "./files-of-run.ts";
import { ends } from "./leaving.ts";
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
import { merge, mergeVariables, mergeWorld } from "./merge.ts";
import { isSameScript } from "./same-script.ts";
import { narrow, narrowAtEnd, numbersAfter, type Shown, widened } from "./shown-numbers.ts";
import { runSimple } from "./simple-command.ts";
import { continueAs, deeper, fork, keepFiles, type SourceFile, type State, weightOf } from "./state.ts";
import { reportEndlessDocument } from "./unreadable.ts";

/** Each of them runs the rest of the program's knowledge once more. */
const TRAP_COST = 100;

type Whole = Machine & {
  readonly runNode: (node: Node, state: State) => Output;
  readonly end: () => void;
};

/** `ended`: where the shell has ended before its last command. */
type Trap = { readonly text: string; readonly state: State; ended: State | null };

/** `budget` and `traps` are shared by all machines of one interpretation. */
type MachineParts = {
  readonly watchers: readonly Watcher[];
  readonly programs: Programs;
  readonly report: Report;
  readonly certain: boolean;
  readonly budget: Budget;
  readonly traps: Trap[];
  readonly run: Run;
  readonly origin: string | null;
};

/** For text that may or may not be run, what is not proved is no finding; that it was not followed to its end is one. */
export const strictly = (parts: MachineParts): MachineParts => ({
  ...parts,
  certain: false,
  report: (verdict, code, ...rest) => {
    if (verdict === "block" || code.startsWith("cap.")) parts.report(verdict, code, ...rest);
  },
});

export function createMachine(parts: MachineParts): Whole {
  const { watchers, programs, report, certain, budget, traps, run } = parts;
  const tick = (cost = 1): void => budget.spend(cost);
  const machine: Whole = {
    programs,
    report,
    certain,
    tick,
    command: (argv, state) => {
      tick(costOfCommand(argv, state));
      noteWriter(argv, state, run, parts.origin);
      for (const watcher of watchers) watcher.command(argv, state, certain);
    },
    write: (path, state, text = [UNKNOWN]) => {
      noteWriter([">", path], state, run, parts.origin);
      for (const watcher of watchers) watcher.write(path, state, certain, text);
    },
    runText: (text, state) => runText(text, state, machine),
    runFile: (path, text, state) => {
      const added = addedTo(text);
      if (added === null) return inFile({ path, text }, state, parts, () => runText(text, state, machine));
      // What was there runs as it would have without the commands, and may assign anything.
      machine.runsFile(path, undefined);
      state.bindings.sealed = false;
      return inFile({ path, text: added }, state, parts, () => joined([UNKNOWN], runText(added, state, machine)));
    },
    ...filesOf(run),
    past: run.past,
    scripts: run.scripts,
    running: run.running,
    origin: parts.origin,
    runScript: (script, state) => runScript(script, state, walk),
    runBody: (body, state) => (body.type === "CompoundList" ? walk.list(body, state) : walkCompound(body, state, walk)),
    runArgv: (argv, state) => programs.run(argv, state, machine),
    provedOnly: () => createMachine(strictly(parts)),
    runNode: (node, state) => walkNode(node, state, walk),
    atEnd: (text, state) => {
      tick(TRAP_COST);
      traps.push({ text, state, ended: null });
    },
    ends: (state, ended) => {
      mergeWorld(state, ended);
      for (const trap of traps) {
        if (trap.ended === null) trap.ended = fork(ended);
        else merge(trap.ended, ended);
      }
    },
    end: () => {
      for (let trap = traps.shift(); trap !== undefined; trap = traps.shift()) {
        const state = deeper(trap.state);
        if (trap.ended !== null) merge(state, trap.ended);
        runText(trap.text, widened(state), machine);
      }
    },
  };
  const walk: Walk = {
    machine,
    place: run.place,
    list: (list, state) => statements(list.commands, state, walk),
    node: (node, state) => walkNode(node, state, walk),
  };
  return machine;
}

/** What the commands have added to a file that holds more; null where they have not. */
const addedTo = (text: string): string | null => (text.startsWith(`${HELD}\n`) ? text.slice(HELD.length + 1) : null);

/** Any text that is run within it is of another origin, and counts as the line that runs it. */
function inFile(file: SourceFile, state: State, { run: { place }, report }: MachineParts, run: () => Output): Output {
  const { file: held, scripts, depth, launches } = state.frame;
  const call = callOf(file, state);
  // `exec gosu app "$0" "$@"`: the same text with the same words is being followed already.
  if (scripts.includes(call)) return [UNKNOWN];
  if (scripts.length >= MAX_CHAIN) {
    report("ask", "cap.depth", `more than ${MAX_CHAIN} scripts run one another; run them one after the other`);
    return [UNKNOWN];
  }
  const before = place.at;
  place.at = { file, offset: 0 };
  // How deep the commands of a file are nested counts in each file anew.
  Object.assign(state.frame, { file, scripts: [...scripts, call], depth: 0, launches: 0 });
  const output = run();
  Object.assign(state.frame, { file: held, scripts, depth, launches });
  place.at = before;
  return output;
}

/** The file with all that it sees: its words, its input, the directory, and the variables, of a new process those that are exported. */
function callOf({ path, text }: SourceFile, { bindings, frame, io, location }: State): string {
  const { vars, exported, inherited } = bindings;
  const seen = [...vars].filter(([name]) => inherited === null || exported.has(name));
  return JSON.stringify([path, text, frame.positional, io.stdin, location.cwd, seen]);
}

function runText(given: string, state: State, machine: Machine): Output {
  const { file } = state.frame;
  if (file !== null && file.text !== given) state.frame.file = null;
  const output = runUnder(given, state, machine);
  state.frame.file = file;
  return output;
}

function runUnder(given: string, state: State, machine: Machine): Output {
  const text = given.replaceAll("\0", "");
  const script = parsed(isAnything(text) ? "" : text, machine);
  // What may be data only is not refused for it.
  if (machine.certain) reportEndlessDocument(text, script, machine.report);
  const isOpen = isUnknown(text.replaceAll(ABSENT, ""));
  if (text.trim() === ABSENT || (isOpen && (isForeign(text) || !isQuotedData(text, script)))) {
    const reason = "unknown text would be run by a shell; write the command out, or put the script in a file";
    machine.report("ask", "dyn.pipe_to_shell", reason);
  }
  runsWhatWasRead(text, isOpen, state, machine);
  if (isAnything(text) || text === "") return [text];
  // The parser keeps some line continuations that bash removes first, so the text is judged both ways where that matters.
  const plain = text.includes("\\\n") ? parse(text.replaceAll("\\\n", "")) : script;
  if (plain !== script && !isSameScript(script, plain)) machine.runScript(plain, deeper(state));
  // Another shell may see words where this parser sees an error: what they substitute runs.
  if (script.errors !== undefined && !state.shell.recovering && /\$\(|`/.test(text)) {
    machine.report("ask", "parse.error", NOT_BASH);
    expandedAsText(text, deeper(state, { shell: { recovering: true } }), machine);
  }
  return machine.runScript(script, state);
}

/** Scripts that run one another. */
const MAX_CHAIN = 32;

const MAX_KEPT = 128;

const MAX_KEPT_LENGTH = 512;

/** Text that is run again and again is parsed once. */
function parsed(text: string, { scripts, tick }: Machine): ReturnType<typeof parse> {
  const known = scripts.get(text);
  if (known !== undefined) return known;
  tick(costOfParsing(text));
  const script = parse(text);
  if (text.length <= MAX_KEPT_LENGTH && scripts.size < MAX_KEPT) scripts.set(text, script);
  return script;
}

const NOT_BASH = "the command is not valid bash; correct it, `bash -n` shows where";

function runScript(script: Script & { readonly errors?: unknown }, state: State, walk: Walk): Output {
  if (script.errors !== undefined) walk.machine.report("ask", "parse.error", NOT_BASH);
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
        ...cwd.filter((path) => !state.location.start.includes(path) || isInForeignHome(path, command, inner)),
      ]);
  }
  return output;
}

/** `ssh nas 'cd app; rm -rf ./*'`: where the name may be wrong, what is deleted is the home itself. */
const isInForeignHome = (home: string, { args }: Command, { location: { cwd, here } }: State): boolean =>
  !here && !/^["']?\//.test(args[0]?.text ?? "") && cwd.some((path) => path.startsWith(`${home}/`));

function walkNode(node: Node, state: State, walk: Walk): Output {
  walk.machine.tick(1 + weightOf(state));
  if (state.frame.file !== null) walk.place.at = { file: state.frame.file, offset: node.pos };
  switch (node.type) {
    case "Command":
      return runSimple(node, state, walk.machine);
    case "Pipeline":
      return pipeline(node.commands, state, walk);
    case "AndOr":
      return andOr(node, state, walk);
    default:
      return walkCompound(node, state, walk);
  }
}

function pipeline(commands: readonly Node[], state: State, walk: Walk): Output {
  if (commands.length === 1 && commands[0] !== undefined) return walk.node(commands[0], state);
  let { stdin, input, sources } = state.io;
  for (const [at, command] of commands.entries()) {
    const reads = new Set<string>();
    const inner = fork(state, { io: { stdin, input, sources, reads }, frame: { concurrent: true } });
    stdin = walk.node(command, inner);
    keepFiles(state, inner);
    // Without a file of its own, a command passes on what it was given.
    const passes = command.type === "Command" && walk.machine.programs.passes(command.name?.text ?? "");
    const through = reads.size > 0 ? [...reads] : [...input, ...sources];
    [input, sources] = passes ? [through, []] : [[], through];
    for (const path of reads) state.io.reads.add(path);
    // With lastpipe the last command runs in this very shell.
    if (at === commands.length - 1) mergeVariables(state, inner);
  }
  return stdin ?? [""];
}

const countOf = (text: string): number => text.split(UNKNOWN).length - 1;

/**
 * Whether what is not known of a text is data in it: `rm -rf '<unknown>'`. `script` is the parsed text. Only single quotes keep
 * everything in them from being code.
 */
function isQuotedData(text: string, script: ReturnType<typeof parse>): boolean {
  if (script.errors !== undefined || text.includes(BRACE)) return false;
  let quoted = 0;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "SingleQuoted") quoted += countOf(node.value);
    forEachChild(node, visit);
  };
  visit(script);
  return quoted === countOf(text);
}

type List = Extract<Node, { type: "AndOr" }>;

/** After each command its list goes on from where it has succeeded, or from where it has failed. */
function andOr(list: List, state: State, walk: Walk): Output {
  const { commands, operators } = list;
  let output: Output = [""];
  let failed: State | null = null;
  let hasMoved = false;
  for (const [at, command] of commands.entries()) {
    const onFailure = at > 0 && operators[at - 1] === "||";
    const from: State = onFailure ? (failed ?? fork(state)) : state;
    const { cwd } = from.location;
    const text = walk.node(command, from);
    output = at === 0 ? text : joined(output, hasMoved ? text : ["", ...text]);
    hasMoved = at === 0 && operators[0] === "&&" && staysAbove(command, cwd, from);
    if (at > 0 && at === commands.length - 1 && ends(command, from)) {
      walk.machine.ends(onFailure ? state : (failed ?? state), from);
      if (!onFailure && failed !== null) continueAs(state, failed);
      failed = null;
    } else if (onFailure) {
      merge(state, from);
      failed = from;
    } else if (!succeeds(command)) {
      if (failed === null) failed = fork(state);
      else merge(failed, state);
      if (operators[at] === "&&") narrow(numbersAfter(command, true), state);
    }
  }
  if (failed !== null) merge(state, failed);
  narrowAtEnd(numbersShown(list, state), state);
  return output;
}

/** `cd "$(dirname "$0")/.."`: to where the shell is, or above it, it always gets. */
const staysAbove = (node: Node, before: readonly string[], { location: { cwd } }: State): boolean =>
  node.type === "Command" &&
  cwd !== before &&
  cwd.every(
    (path) =>
      path.startsWith("/") && before.some((one) => one === path || one.startsWith(path === "/" ? path : `${path}/`)),
  );

/** What a list that may end with `exit` has shown where it goes on. */
function numbersShown({ commands, operators }: List, state: State): readonly Shown[] {
  const last = commands.at(-1);
  if (last === undefined || !ends(last, state)) return [];
  const [first, ...others] = commands.slice(0, -1);
  if (operators.at(-1) === "&&") return first === undefined || others.length > 0 ? [] : numbersAfter(first, false);
  return operators.slice(0, -1).every((operator) => operator === "&&")
    ? commands.slice(0, -1).flatMap((command) => numbersAfter(command, true))
    : [];
}

/** An assignment fails only where a command in it does. */
const succeeds = (node: Node): boolean =>
  node.type === "Command" &&
  node.name === undefined &&
  !node.prefix.some((part) => part.type !== "Assignment" || /[`(]/.test(part.text));
