// Decides what running one resolved command line means: an alias, a function, a builtin, a launcher, a shell, a program of the
// project, or just a program.
import type { Function as FunctionNode } from "unbash";
import { DEFINED_IN } from "../interpreter/compound.ts";
import { MAX_DEPTH, MAX_LAUNCHES, type Machine, type Output, type Programs, SILENT } from "../interpreter/machine.ts";
import { merge } from "../interpreter/merge.ts";
import { contentsOf, textAt } from "../interpreter/redirects.ts";
import {
  deeper,
  EMPTY,
  entered,
  fork,
  isPathChanged,
  keepFiles,
  type Lists,
  type PastCommand,
  restored,
  type State,
  without,
} from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { matches } from "../words/glob.ts";
import {
  ABSENT,
  alternatives,
  DEEP,
  hasGlob,
  isAnything,
  isForeign,
  isOpen,
  isUnknown,
  quoted,
  SOME,
  settled,
  UNKNOWN,
} from "../words/symbols.ts";
import { askAboutUntold, lookUpFiles, programPaths } from "./look-up-files.ts";
import { isForeignFile, ofOrigin } from "./output-origin.ts";
import {
  isSuspectedAnywhere,
  learnsFrom,
  mayBeKnown,
  placeOfCode,
  printsNumbers,
  printsSetup,
  programOfModule,
  recordOf,
  runsOf,
  SUSPECTS,
  startedIn,
  startsAtOnce,
} from "./registry.ts";
import { commandAssigned, runCommandsIn } from "./rules/commands.ts";
import { shell } from "./rules/shell.ts";
import { effectOfPast, mayHaveWritten } from "./written-files.ts";

/**
 * Files that something runs without being named: scheduled work, settings of git. What is proved dangerous in them counts when
 * they are written, because nothing asks again when they run.
 */
function wroteFile(path: string, texts: Output, state: State, machine: Machine): void {
  learnsFrom(path, texts, state);
  const files = state.location.cwd.map((cwd) => absolute(path, cwd));
  if (texts.some(isForeign)) askAboutFetched([path], state, machine);
  const commands = texts
    .filter((text) => !isAnything(text))
    .flatMap((text) => files.flatMap((file) => startedIn(file, text)));
  for (const command of new Set(commands))
    machine.provedOnly().runText(command, deeper(fork(state), { io: { stdin: null } }));
}

/** `curl -o /etc/cron.d/x https://h/x` */
function askAboutFetched(words: readonly string[], state: State, machine: Machine): void {
  const file = words.find((word) => state.location.cwd.some((cwd) => startsAtOnce(absolute(word, cwd))));
  if (file !== undefined)
    machine.report(
      "ask",
      "dyn.written_file",
      `${file} is run as it was fetched; read it first, and write it out in a step`,
    );
}

/** What it does is what `service NAME` does. */
const INIT_SCRIPT = /^\/etc\/(?:rc\.d\/)?init\.d\/[\w.@-]+$/;

const ANYTHING = /[\uFDD0\uFDDA]/;

const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1);

/** It is compared with the names of all programs. */
const COST_OF_PATTERN = 128;

function runProgram(argv: readonly string[], state: State, machine: Machine): Output {
  const [program = "", ...args] = argv;
  state.shell.last = argv.at(-1) ?? "";
  machine.tick();
  // An empty word is no program, and may come from an empty variable.
  if (program === "") return args.length === 0 ? [""] : machine.provedOnly().runArgv(args, state);
  if (program === ABSENT && state.location.here && state.bindings.configured && !state.bindings.sealed)
    return runConfigured(argv, state, machine);
  if (program === ABSENT && state.location.here && /^[\uFDD8\w./]/.test(args[0] ?? ""))
    return runAbsent(argv, state, machine);
  const name = settled(baseName(program));
  const isOfProject = isAnyOfProject(program, state, machine);
  runFilesOf(argv, state, machine);
  if (isOfProject) return runMatching(argv, name, state, machine);
  // An unquoted value in it may hold blanks: `rm$x-rf$x/usr`.
  if (isKnown(program.slice(0, Math.max(0, program.search(ANYTHING)))))
    return unresolved(argv, UNKNOWN, state, machine);
  if (isOpen(name) || hasGlob(name)) machine.tick(isAnything(name) ? 1 : COST_OF_PATTERN);
  if (isOpen(name)) {
    if (state.location.here && (program.includes("/") || isAnything(program)))
      askAboutUntold(placesOf(program, state), argv, state, machine);
    return unresolved(argv, name, state, machine);
  }
  if (hasGlob(name)) return globbedProgram(argv, name, state, machine);
  if (state.frame.launches > MAX_LAUNCHES || state.frame.depth > MAX_DEPTH) return tooDeep(argv, machine);
  const line = [name, ...args];
  const alias = state.frame.direct ? undefined : state.bindings.aliases.get(program);
  const body = state.frame.direct ? undefined : state.bindings.functions.get(program);
  state.frame.direct = false;
  if (alias !== undefined || body !== undefined) {
    // Aliases are not expanded everywhere, and a launcher sees no function: the program itself is judged as well.
    const definition = { name: program, args };
    const masked = isKnown(name) ? judgeMasked(line, state, machine) : [];
    const output = (alias ?? []).flatMap((text) => runAlias(text, definition, state, machine));
    for (const one of alias === undefined ? (body ?? []) : [])
      output.push(...callFunction(one, { name: program, lists: [args] }, state, machine));
    return alternatives([...output, ...masked]);
  }
  const file = ownFile(program, state);
  const argument = [...(file === null && INIT_SCRIPT.test(program) ? ["service"] : []), ...line.map(settled)];
  state.frame.own = file?.copy === null;
  state.frame.installed = file === null && isInstalled(program);
  machine.command(argument, state);
  state.frame.own = false;
  state.frame.installed = false;
  const done = lookUpFiles(argument, program, state, machine);
  const seen = state.io.reads.size;
  runCommandsIn(argument, state, machine);
  if (recordOf(name)?.fetches === "its address") askAboutFetched(args, state, machine);
  const printed = runNamed({ program, file, line }, state, machine);
  const output = ofOrigin(printed, { argv: argument, seen }, state, machine);
  done();
  if (printsSetup(line)) return SILENT;
  return printsNumbers(line) ? [SOME] : output;
}

const placesOf = (program: string, { location: { cwd } }: State): readonly string[] =>
  cwd.map((directory) => absolute(program, directory));

/** `./hooks/*.sh`: each file of this machine that the pattern matches. */
function runFilesOf([program = "", ...args]: readonly string[], state: State, machine: Machine): void {
  if (!program.includes("/") || !hasGlob(program) || !state.location.here || isInstalled(program)) return;
  for (const cwd of state.location.cwd) {
    const pattern = absolute(program, cwd);
    if (!pattern.startsWith("/") || isOpen(pattern.replaceAll(DEEP, ""))) continue;
    machine.runsMatching(pattern);
    const known = [...state.io.files.keys()].filter((path) => matches(pattern, path));
    for (const path of known) machine.runArgv([path, ...args], fork(state));
  }
}

/** A function of the text that is no program as well, with all alternatives of its words. */
function callWithEach(lines: readonly (readonly string[])[], state: State, machine: Machine): Output | null {
  const [name = ""] = lines[0] ?? [];
  const { bindings, frame } = state;
  const [body, ...others] = bindings.functions.get(name) ?? [];
  if (body === undefined || others.length > 0 || bindings.aliases.has(name) || isKnown(baseName(name))) return null;
  if (frame.direct || frame.launches > MAX_LAUNCHES || frame.depth > MAX_DEPTH) return null;
  state.shell.last = lines.at(-1)?.at(-1) ?? "";
  machine.tick(lines.length);
  return callFunction(body, { name, lists: lines.map((line) => line.slice(1)) }, state, machine);
}

/** An unset variable is no word where orch runs the text; which program it may name elsewhere is not known. */
function runAbsent(argv: readonly string[], state: State, machine: Machine): Output {
  machine.command(argv.map(settled), state);
  return machine.runArgv(argv.slice(1), state);
}

/**
 * What a file of this machine that was sourced names, and might as well have run: a program, or a launcher such as sudo. With words
 * that would be blocked after the first of the suspects, it is taken for that one.
 */
function runConfigured(argv: readonly string[], state: State, machine: Machine): Output {
  const [, ...args] = argv;
  machine.command(argv.map(settled), state);
  for (const name of SUSPECTS.slice(0, 1)) machine.provedOnly().runArgv([name, ...args], fork(state));
  const launched = baseName(args[0] ?? "");
  if (isKnown(launched) || ownFile(args[0] ?? "", state) !== null) return machine.runArgv(args, state);
  return runHidden(args, state, machine);
}

type Named = { readonly program: string; readonly file: OwnFile; readonly line: readonly string[] };

function runNamed({ program, file, line }: Named, state: State, machine: Machine): Output {
  const [name = "", ...args] = line;
  if (file?.copy === null) return runScriptFile(file.path, args, state, machine);
  // Of a program that is found by its name, more than the name is seldom known.
  const found = file !== null && (program.includes("/") || textAt(file.copy, state) !== undefined);
  const copied = file === null ? program : found ? file.copy : baseName(file.copy);
  if (copied === program)
    return runsOf(name)?.(line, state, machine) ?? (isInstalled(program) ? runHidden(args, state, machine) : [UNKNOWN]);
  return machine.runArgv([copied, ...args], fork(state, { frame: { launches: state.frame.launches + 1 } }));
}

/** The program that the first line names runs the file; else a shell does. */
function runScriptFile(path: string, args: readonly string[], state: State, machine: Machine): Output {
  const [first = ""] = contentsOf(path, state);
  const [, program = "", option = ""] = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)(?:[ \t]+(\S+))?/.exec(first) ?? [];
  const name = baseName(program);
  if (name === "" || /^(ba|da|z|k|a|mk)?sh$/.test(name)) return shell([name || "bash", path, ...args], state, machine);
  const inner = fork(state, { frame: { launches: state.frame.launches + 1 } });
  const output = machine.runArgv([name, ...(option === "" ? [] : [option]), path, ...args], inner);
  keepFiles(state, inner);
  return output;
}

type OwnFile = { readonly path: string; readonly copy: string | null } | null;

/** A program that this very text wrote or copied: by its path, or by its name where a shell would find it. */
function ownFile(program: string, state: State): OwnFile {
  if (state.io.files.size === 0 && state.io.copies.size === 0) return null;
  const isOwn = (path: string) => textAt(path, state) !== undefined || state.io.copies.has(path);
  const hashed = program.includes("/") ? undefined : state.io.copies.get(program);
  if (hashed !== undefined) return { path: program, copy: hashed };
  const paths = program.includes("/")
    ? state.location.cwd.map((cwd) => absolute(program, cwd))
    : isPathChanged(state)
      ? [...state.io.files.keys(), ...state.io.copies.keys()].filter((path) => path.endsWith(`/${program}`))
      : programPaths(program, state);
  const path = paths.find(isOwn);
  return path === undefined ? null : { path, copy: state.io.copies.get(path) ?? null };
}

/** Not one of the project, of which nothing is known at all. */
const isInstalled = (program: string): boolean =>
  !program.includes("/") || /^\/(usr\/)?(local\/)?(s?bin|lib\w*)\//.test(program);

/** An unknown program may run the words after it: `fakeroot rm -rf /`. Only what is proved counts, but for code. */
function runHidden(args: readonly string[], state: State, machine: Machine): Output {
  const inner = deeper(state, { frame: { launches: state.frame.launches + 1 }, io: { stdin: null } });
  const bases = args.map(baseName);
  // What comes after `--` is the command, although a word before it may be named like a program: `guix shell bash -- bash -c x`.
  const dashes = args.indexOf("--");
  if (dashes >= 0 && (isSuspectedAnywhere(bases[dashes + 1] ?? "") || placeOfCode(args.slice(dashes + 1)) === 0))
    return runHidden(args.slice(dashes + 1), state, machine);
  const given = placeOfCode(args);
  if (given >= 0) machine.runArgv(args.slice(given), inner);
  const at = bases.findIndex(isSuspectedAnywhere);
  if (at >= 0 && at !== given) machine.provedOnly().runArgv(args.slice(at), inner);
  const text = args[args.indexOf("-c") + 1];
  if (given < 0 && args.includes("-c") && text !== undefined) machine.provedOnly().runText(text, inner);
  const spoken = args.findIndex((_, place) => isSpoken(args, place));
  if (given < 0 && spoken >= 0) machine.provedOnly().runText(args[spoken] ?? "", inner);
  return [UNKNOWN];
}

const RUNS = /^(?:run|exec|ssh|shell|--(?:run|exec|execute|shell))$/;

/** A whole command in one word, after one that says that it is run: `app exec web "rm -rf /usr"`. */
function isSpoken(args: readonly string[], place: number): boolean {
  const [last = "", earlier = ""] = [args[place - 1], args[place - 2]];
  if (!RUNS.test(last) && !(RUNS.test(earlier) && !last.startsWith("-"))) return false;
  const [first = "", second] = (args[place] ?? "").trim().split(/\s+/, 2);
  return second !== undefined && isSuspectedAnywhere(baseName(first));
}

const isKnown = (name: string): boolean => runsOf(name) !== undefined || SUSPECTS.includes(name);

function judgeMasked(line: readonly string[], state: State, machine: Machine): Output {
  const strict = machine.provedOnly();
  strict.command(line.map(settled), state);
  const inner = fork(state, { bindings: { aliases: new Map(), functions: new Map() } });
  return runsOf(line[0] ?? "")?.(line, inner, strict) ?? [UNKNOWN];
}

function tooDeep(argv: readonly string[], machine: Machine): Output {
  const reason = `commands are nested deeper than ${MAX_DEPTH} levels; write them out one after the other`;
  machine.report("ask", "cap.depth", reason, argv);
  return [UNKNOWN];
}

/** An unknown word may turn out empty, or be a launcher, so what follows is judged as a command too. */
function unresolved(argv: readonly string[], name: string, state: State, machine: Machine): Output {
  if (!isAssignment(name) && !mayBeKnown(name)) return runMatching(argv, name, state, machine);
  const reason = "the program cannot be determined from the text; write its name out";
  machine.report("ask", "dyn.program", reason, argv);
  const known = argv.findIndex((word) => !isAnything(settled(word)));
  if (isAnything(name) && known > 0) machine.runArgv(argv.slice(known), fork(state));
  return [UNKNOWN];
}

function globbedProgram(argv: readonly string[], name: string, state: State, machine: Machine): Output {
  if (!isAssignment(name) && !mayBeKnown(name)) return runMatching(argv, name, state, machine);
  machine.report("ask", "dyn.program", "the program is a file name pattern; write its name out", argv);
  for (const candidate of SUSPECTS) {
    if (matches(name, candidate)) machine.runArgv([candidate, ...argv.slice(1)], fork(state));
  }
  return [UNKNOWN];
}

/** The parser takes some assignments to an element for a program. */
const isAssignment = (name: string): boolean => name.includes("=");

/** `test_$name`: one of the functions that are named so, or a program that the guard knows nothing of. */
function runMatching(argv: readonly string[], name: string, state: State, machine: Machine): Output {
  const [, ...args] = argv;
  machine.command(argv.map(settled), state);
  const { functions, aliases } = state.bindings;
  const start = fork(state);
  // What begins as a path is no function that is named like its last part.
  const spelled = /^[^\uFDD0-\uFDD8\uFDDA]*\//.test(argv[0] ?? "") ? settled(argv[0] ?? "") : name;
  for (const candidate of [...functions.keys(), ...aliases.keys()].filter((one) => matches(spelled, one))) {
    const branch = fork(start);
    machine.runArgv([candidate, ...args], branch);
    merge(state, branch);
  }
  return runHidden(args, state, machine);
}

/** What the interpreter is given as its programs. */
export const PROGRAMS: Programs = {
  run: runProgram,
  call: callWithEach,
  declares: (name) => recordOf(name)?.declares === true,
  takesData: (name) => recordOf(name)?.takesData === true,
  isProgram: (word, state) => isOpen(word) || isKnown(settled(baseName(word))) || ownFile(word, state) !== null,
  wrote: wroteFile,
  ofModule: programOfModule,
  assigned: commandAssigned,
  passes: (name) => recordOf(name)?.passes === true,
  isForeignFile,
  mayWrite: mayHaveWritten,
};

const OF_SYSTEM = /^\/$|\/(s?bin|lib\w*|proc|dev|snap)(\/|$)/;

/**
 * A pattern of programs that are the project's own: `for hook in /hooks/*; do "$hook"; done`. Any file of a directory that is
 * written out, with none of the system's programs and nothing that this text put there.
 */
function isAnyOfProject(program: string, state: State, { past, isOnDisk }: Machine): boolean {
  const { location, io } = state;
  const directory = program.slice(0, Math.max(0, program.lastIndexOf("/")));
  const name = program.slice(directory.length);
  if (directory === "" || hasGlob(directory) || isOpen(directory)) return false;
  if (isUnknown(name) || !(hasGlob(name) || isOpen(name))) return false;
  // What find prints below a directory is seldom all meant to be run, but for one that is made for that.
  if (name.includes(DEEP) && !directory.startsWith("/")) return false;
  const written = [...io.files.keys()].filter((path) => !isOnDisk(path, state));
  const placed = [...written, ...io.copies.keys(), ...io.links.map(({ inside }) => inside)];
  return location.cwd
    .map((cwd) => absolute(directory, cwd))
    .every(
      (path) =>
        path.startsWith("/") &&
        !isOpen(path) &&
        !OF_SYSTEM.test(path) &&
        !placed.some((file) => isWithin(file, path) || isWithin(path, file)) &&
        !past.some((one) => mayWriteTo(path, one, state)),
    );
}

const isWithin = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`);

function mayWriteTo(path: string, one: PastCommand, state: State): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  // It has run a file of the directory itself.
  if ([...one.ran].some((ran) => isWithin(ran, path))) return false;
  const isNamed = one.argv.slice(1).some((word) => word.includes(name));
  return (
    (isNamed || one.directories.some((directory) => isWithin(directory, path))) && effectOfPast(one, state) !== "reads"
  );
}

type Definition = { readonly name: string; readonly args: readonly string[] };

/** `lists`: alternatives of its words. */
type Call = { readonly name: string; readonly lists: Lists };

function runAlias(text: string, { name, args }: Definition, state: State, machine: Machine): Output {
  const { aliases } = state.bindings;
  state.bindings.aliases = without(aliases, name);
  state.frame.depth += 1;
  const output = machine.runText([text, ...args.map(quoted)].join(" "), state);
  state.bindings.aliases = aliases;
  state.frame.depth -= 1;
  return output;
}

const MAX_RECURSION = 3;

/** Without any condition: it never ends. */
const callsAlways = (body: FunctionNode["body"], name: string): boolean =>
  body.type === "BraceGroup" &&
  body.body.commands.some(({ command }) => command.type === "Command" && command.name?.text === name);

const haveSameValues = (first: State["bindings"]["vars"], second: State["bindings"]["vars"]): boolean =>
  first.size === second.size &&
  [...second].every(([name, values]) => first.get(name)?.join("\0") === values.join("\0"));

function callFunction(body: FunctionNode["body"], { name, lists }: Call, state: State, machine: Machine): Output {
  const caller = state.frame;
  if (caller.calls.includes(name) && caller.concurrent) {
    const reason = "a function that starts itself again in a pipeline or in the background is a fork bomb; remove it";
    machine.report("block", "disk.write", reason, [name, ...(lists[0] ?? [])]);
    return [UNKNOWN];
  }
  if (caller.calls.filter((call) => call === name).length >= MAX_RECURSION) {
    // It would do once more what it is doing.
    const isSame =
      !callsAlways(body, name) &&
      caller.calls.at(-1) === name &&
      JSON.stringify(lists) === JSON.stringify(caller.positional);
    if (isSame && haveSameValues(caller.found.get(name) ?? EMPTY, state.bindings.vars)) return [UNKNOWN];
    const reason = "a function that calls itself is not followed further; use a loop";
    machine.report("ask", "cap.depth", reason, [name, ...(lists[0] ?? [])]);
    return [UNKNOWN];
  }
  const { vars, attributes } = state.bindings;
  const locals = new Set<string>();
  state.frame = {
    ...caller,
    positional: lists,
    calls: [...caller.calls, name],
    found: entered(caller.found, name, vars),
    depth: caller.depth + 1,
    concurrent: false,
    file: DEFINED_IN.get(body) ?? null,
    locals,
  };
  const output = machine.runBody(body, state);
  const { bindings } = state;
  if (locals.size > 0) {
    bindings.vars = restored(bindings.vars, locals, vars);
    if (bindings.attributes !== attributes) bindings.attributes = restored(bindings.attributes, locals, attributes);
  }
  state.frame = caller;
  return output;
}
