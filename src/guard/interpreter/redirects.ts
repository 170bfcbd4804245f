// Redirections: what standard input holds, which files are written, and with what text.
import type { Redirect, Redirection, Word } from "unbash";
import { absolute } from "../paths.ts";
import { matches } from "../words/glob.ts";
import {
  alternatives,
  asForeign,
  asRead,
  DEEP,
  FOREIGN,
  HELD,
  hasGlob,
  isAnything,
  isOpen,
  isUnknown,
  joined,
  UNKNOWN,
  unglobbed,
} from "../words/symbols.ts";
import { expandBody, expandText } from "./expand.ts";
import { type Machine, type Output, SILENT } from "./machine.ts";
import { deeper, entered, type State, without } from "./state.ts";

const WRITES = new Set([">", ">>", ">|", "&>", "&>>", "<>"]);
const STANDARD_INPUT = new Set(["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

/** `persists`: `exec > file` redirects all that follows. */
type Redirected = { readonly redirects: readonly Redirection[]; readonly persists?: boolean };
type Target = { readonly redirect: Redirect; readonly paths: readonly string[] };

/** Runs `run` with the redirections applied, and keeps what it wrote to a file or to another command. */
export function redirected(
  { redirects, persists = false }: Redirected,
  state: State,
  machine: Machine,
  run: (state: State) => Output,
): Output {
  if (redirects.length === 0) return run(state);
  const { stdin: before, input, sources } = state.io;
  const outputs: Target[] = [];
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect") {
      connect(redirect, textOf(redirect, state, machine), state);
      if (isInput(redirect)) Object.assign(state.io, { input: [], sources: [] });
    } else if (redirect.target !== undefined) {
      const paths = readsOutput(redirect) ? [] : expandText(redirect.target, state, machine);
      if (redirect.operator === "<") {
        connect(redirect, alternatives(paths.flatMap((path) => textsRead(path, state, machine))), state);
        if (isInput(redirect)) Object.assign(state.io, { input: readPaths(paths, state), sources: [] });
      }
      if (redirect.operator === "<&") {
        const texts = paths.flatMap((fd) =>
          fd === "0" || fd === "-" ? (before ?? []) : contentsOf(`/dev/fd/${fd}`, state),
        );
        connect(redirect, alternatives(texts), state);
      }
      outputs.push({ redirect, paths });
    }
  }
  const output = run(state);
  if (!persists) Object.assign(state.io, { stdin: before, input, sources });
  // What the rest of the program writes goes there too.
  const first: Output = persists ? [UNKNOWN] : output;
  return outputs.reduce<Output>(
    (text, { redirect, paths }) => written({ redirect, paths }, text, state, machine),
    first,
  );
}

/** What is read from a connection, or from a file of unknown writing, is decided by somebody else. */
function textsRead(path: string, state: State, machine: Machine): readonly string[] {
  const texts = contentsOf(path, state);
  return texts.some(isUnknown) && machine.programs.isForeignFile(path, state, machine) ? texts.map(asForeign) : texts;
}

/** Input of descriptor 0, or of another that the command may open as /dev/fd/N. */
function connect({ descriptor }: Redirection, text: readonly string[], state: State): void {
  const fd = descriptor?.type === "FileDescriptor" ? descriptor.value : 0;
  if (fd === 0) state.io.stdin = text;
  else state.io.files = entered(state.io.files, `/dev/fd/${fd}`, text);
}

function textOf(redirect: Exclude<Redirection, Redirect>, state: State, machine: Machine): readonly string[] {
  if (redirect.type === "HereString") {
    const texts = redirect.target === undefined ? [UNKNOWN] : expandText(redirect.target, state, machine);
    return texts.map((text) => `${unglobbed(text)}\n`);
  }
  const isQuoted = redirect.delimiter?.quoted === true;
  // Where a line goes on, its tabs stay.
  const tabs = isQuoted ? /^\t+/gm : /(?<!\\\n)^\t+/gm;
  const raw = redirect.operator === "<<-" ? redirect.body.text.replace(tabs, "") : redirect.body.text;
  // No file name patterns are expanded there.
  return isQuoted ? [raw] : expandBody(raw, redirect.body.parts, state, machine).map(unglobbed);
}

const isInput = ({ descriptor }: Redirection): boolean =>
  descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);

/** Regular files of this machine, and patterns of them. */
const readPaths = (paths: readonly string[], { location: { cwd, here } }: State): readonly string[] =>
  here
    ? paths
        .flatMap((path) => cwd.map((directory) => absolute(path, directory)))
        .filter((path) => path.startsWith("/") && !isOpen(path.replaceAll(DEEP, "")) && !/^\/(dev|proc)\//.test(path))
    : [];

/** The known text of a file, UNKNOWN where the program did not write it itself. */
export const contentsOf = (path: string, state: State): readonly string[] => textsToRun(path, state).map(asRead);

/** The same, with what the file held before the commands marked as that. */
export function textsToRun(path: string, state: State): readonly string[] {
  for (const read of readPaths([path], state)) if (read !== "/dev/null" && path !== "-") state.io.reads.add(read);
  return textsAt(path, state);
}

function textsAt(path: string, state: State): readonly string[] {
  if (path === "-" || state.location.cwd.some((cwd) => STANDARD_INPUT.has(absolute(path, cwd))))
    return state.io.stdin ?? [""];
  if (path === "/dev/null") return [""];
  if (hasGlob(path))
    return alternatives(
      matching(path, state).flatMap((found) =>
        STANDARD_INPUT.has(found) ? (state.io.stdin ?? [""]) : (textAt(found, state) ?? [UNKNOWN]),
      ),
    );
  return alternatives(state.location.cwd.flatMap((cwd) => textAt(absolute(path, cwd), state) ?? [UNKNOWN]));
}

/** The known text of a file, also through a link. */
export function textAt(path: string, { io: { files, links } }: State): readonly string[] | undefined {
  const known = files.get(path);
  if (known !== undefined || links.length === 0) return known;
  for (const { host, inside } of links) {
    const through =
      path === inside || path.startsWith(`${inside}/`) ? files.get(host + path.slice(inside.length)) : undefined;
    if (through !== undefined) return through;
  }
  return undefined;
}

/** The known texts of a file that is run. Where it is not known, written-files.ts says whether that is a question. */
export function scriptTexts(path: string, state: State): readonly string[] {
  if (isSomewhere(path) && !hasGlob(path))
    return alternatives(matching(path, state).flatMap((found) => textAt(found, state) ?? []));
  const texts = textsToRun(path, state);
  return path === "-" || /^\/(dev|proc)\//.test(path) ? texts : texts.filter((text) => !isAnything(text));
}

/** In some directory below one that is known, as find prints it. */
const isSomewhere = (path: string): boolean => path.indexOf(`/${UNKNOWN}/`) > 0;

/** Whether a file that the path may stand for has a known text. */
export const isKnownScript = (path: string, state: State): boolean =>
  isWritten(path, state) || (isSomewhere(path) && matching(path, state).length > 0);

/** What a filter reads: its operands, or standard input. */
export function inputOf(operands: readonly string[], state: State): readonly string[] {
  if (operands.length === 0) return state.io.stdin ?? [""];
  return operands.reduce<readonly string[]>(
    (texts, path) => alternatives(texts.flatMap((text) => contentsOf(path, state).map((more) => text + more))),
    [""],
  );
}

/** Paths with a known text that a pattern may stand for. */
const matching = (pattern: string, state: State): readonly string[] =>
  [...state.io.files.keys(), ...STANDARD_INPUT].filter((path) =>
    state.location.cwd.some((cwd) => matches(absolute(pattern, cwd), path)),
  );

/** Whether the program wrote this file, so that its text is known. */
export const isWritten = (path: string, state: State): boolean =>
  (hasGlob(path) && matching(path, state).length > 0) ||
  state.location.cwd.some(
    (cwd) => STANDARD_INPUT.has(absolute(path, cwd)) || textAt(absolute(path, cwd), state) !== undefined,
  );

/** `> >(command)`: the command reads what is written. */
function readsOutput(redirect: Redirect): boolean {
  return processOf(redirect.target) !== undefined && redirect.operator !== "<";
}

const processOf = (word: Word | undefined) =>
  word?.parts?.find((part) => part.type === "ProcessSubstitution" && part.operator === ">");

function written({ redirect, paths }: Target, output: Output, state: State, machine: Machine): Output {
  const process = processOf(redirect.target);
  if (process?.type === "ProcessSubstitution" && process.script !== undefined) {
    machine.runScript(process.script, deeper(state, { io: { stdin: output } }));
    return [""];
  }
  const toFile =
    WRITES.has(redirect.operator) || (redirect.operator === ">&" && !paths.every((path) => /^\d+-?$|^-$/.test(path)));
  if (!toFile) {
    if (redirect.operator !== ">&" || !isStandard(redirect)) return output;
    for (const connection of paths.flatMap((fd) => state.io.copies.get(`/dev/fd/${fd}`) ?? []))
      machine.write(connection, state, output);
    return [""];
  }
  for (const path of paths) {
    // A connection that is opened under another number has been sent nothing.
    const text = isStandard(redirect) ? output : isConnection(path) ? SILENT : [UNKNOWN];
    machine.write(path, state, text);
    if (isConnection(path)) state.io.copies = entered(state.io.copies, descriptorOf(redirect), path);
    record({ path, append: redirect.operator.includes(">>"), text }, state, machine);
  }
  return isStandard(redirect) ? [""] : output;
}

/** A path that bash takes for a connection. */
export const isConnection = (path: string): boolean => /^\/dev\/(tcp|udp)\//.test(path);

/** What is sent later through the descriptor goes where it was opened to. */
const descriptorOf = ({ descriptor }: Redirect): string =>
  `/dev/fd/${descriptor?.type === "FileDescriptor" ? descriptor.value : 1}`;

const isStandard = ({ descriptor }: Redirect): boolean =>
  descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 1);

/** For each list of past commands, which only grows: what was written by redirections, each once. */
const SAID = new WeakMap<object, Set<string>>();

function remember(path: string, { location: { cwd: directories } }: State, { past, origin }: Machine): void {
  const said = SAID.get(past) ?? new Set();
  SAID.set(past, said);
  const line = [path, ...directories].join("\0");
  if (said.has(line)) return;
  said.add(line);
  past.push({ argv: [">", path], directories, stdin: null, ran: new Set(), origin });
}

type WrittenFile = { readonly path: string; readonly append: boolean; readonly text: Output };

/** Remembers what a file holds now. */
export function record({ path, append, text }: WrittenFile, state: State, machine: Machine): void {
  if (path === "/dev/null") return;
  machine.tick(text.reduce((sum, one) => sum + one.length, 0) / 256);
  machine.programs.wrote(path, text, state, machine);
  if (text.some(isAnything)) remember(path, state, machine);
  const unknown = append && machine.programs.isForeignFile(path, state, machine) ? FOREIGN : HELD;
  for (const cwd of state.location.cwd) {
    const file = absolute(path, cwd);
    if (state.io.copies.has(file)) state.io.copies = without(state.io.copies, file);
    state.io.files = entered(
      state.io.files,
      file,
      append ? joined(state.io.files.get(file) ?? [`${unknown}\n`], text) : text,
    );
  }
}
