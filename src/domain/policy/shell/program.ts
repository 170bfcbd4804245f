// What running one resolved command line means: an alias, a function, a builtin, a launcher, a shell, or just a program.
import { BUILTINS } from "./builtins.ts";
import { CONTAINERS } from "./containers.ts";
import { ESCAPES } from "./escapes.ts";
import { FILTERS } from "./filters.ts";
import { FINDERS } from "./find.ts";
import { GIT } from "./git.ts";
import { matches } from "./glob.ts";
import { NUMBERS, setUpText } from "./known-output.ts";
import { LAUNCHERS } from "./launchers.ts";
import { MAX_DEPTH, MAX_LAUNCHES, type Machine, type Output, type Program, type Watcher } from "./machine.ts";
import { ONE_LINERS } from "./one-liners.ts";
import { PRODUCERS } from "./producers.ts";
import { isWritten } from "./redirects.ts";
import { SHELLS, shell } from "./shells.ts";
import { fork, type State, without } from "./state.ts";
import { hasGlob, isOpen, quoted, UNKNOWN } from "./symbols.ts";
import { XARGS } from "./xargs.ts";

const PROGRAMS: ReadonlyMap<string, Program> = new Map([
  ...PRODUCERS,
  ...FILTERS,
  ...NUMBERS,
  ...ESCAPES,
  ...BUILTINS,
  ...LAUNCHERS,
  ...SHELLS,
  ...FINDERS,
  ...XARGS,
  ...CONTAINERS,
  ...GIT,
  ...ONE_LINERS,
]);

/** Programs that a glob such as `/bin/r?` is tried against. */
const DESTRUCTIVE = "rm git docker podman dd mkfs wipefs shred find chmod chown mv bash sh sudo env xargs tee cp".split(
  " ",
);

const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1);

export function runProgram(argv: readonly string[], state: State, machine: Machine, watcher: Watcher): Output {
  const [program = "", ...args] = argv;
  if (program === "" || !machine.tick()) return [""];
  const name = baseName(program);
  if (isOpen(name)) return unresolved(argv, name, state, machine);
  if (hasGlob(name)) return globbedProgram(argv, name, state, machine);
  if (state.launches > MAX_LAUNCHES || state.depth > MAX_DEPTH) return tooDeep(argv, machine);
  const alias = state.aliases.get(program);
  if (alias !== undefined) return runAlias(program, alias, args, state, machine);
  const body = state.functions.get(program);
  if (body !== undefined) return callFunction(program, body, args, state, machine);
  const line = [name, ...args];
  watcher.command(line, state, machine.report);
  if (program.includes("/") && isWritten(program, state)) return shell(["bash", ...argv], state, machine);
  return setUpText(line) ?? PROGRAMS.get(name)?.(line, state, machine) ?? [UNKNOWN];
}

function tooDeep(argv: readonly string[], machine: Machine): Output {
  const reason = `commands are nested deeper than ${MAX_DEPTH} levels; write them out one after the other`;
  machine.report("block", "cap.depth", reason, argv);
  return [UNKNOWN];
}

/** An unknown word may turn out empty, or be a launcher, so what follows is judged as a command too. */
function unresolved(argv: readonly string[], name: string, state: State, machine: Machine): Output {
  const reason = "the program cannot be told from the text; write its name out";
  machine.report("ask", "dyn.program", reason, argv);
  const known = argv.findIndex((word) => word !== UNKNOWN);
  if (name === UNKNOWN && known > 0) machine.runArgv(argv.slice(known), fork(state));
  return [UNKNOWN];
}

function globbedProgram(argv: readonly string[], name: string, state: State, machine: Machine): Output {
  machine.report("ask", "dyn.program", "the program is a file name pattern; write its name out", argv);
  for (const candidate of DESTRUCTIVE) {
    if (matches(name, candidate)) machine.runArgv([candidate, ...argv.slice(1)], fork(state));
  }
  return [UNKNOWN];
}

function runAlias(name: string, text: string, args: readonly string[], state: State, machine: Machine): Output {
  const inner = fork(state, { depth: state.depth + 1 });
  inner.aliases = without(inner.aliases, name);
  return machine.runText([text, ...args.map(quoted)].join(" "), inner);
}

function callFunction(
  name: string,
  body: Parameters<Machine["runBody"]>[0],
  args: readonly string[],
  state: State,
  machine: Machine,
): Output {
  if (state.calls.includes(name) && state.concurrent) {
    const reason = "a function that starts itself again in a pipeline or in the background is a fork bomb; remove it";
    machine.report("block", "disk.write", reason, [name, ...args]);
    return [UNKNOWN];
  }
  const { positional, calls, depth, concurrent } = state;
  Object.assign(state, { positional: args, calls: [...calls, name], depth: depth + 1, concurrent: false });
  const output = machine.runBody(body, state);
  Object.assign(state, { positional, calls, depth, concurrent });
  return output;
}
