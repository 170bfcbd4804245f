// Lists the files that a command runs: scripts, makefiles, compose files, units. The guard reads none of them: it asks for their
// texts, and it asks a human if the plan itself wrote one whose text is not known.
import { isPathChanged, type State, valuesOf } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { words } from "../words/options.ts";
import { DEEP, hasGlob, isOpen, UNKNOWN } from "../words/symbols.ts";
import { appliedBy } from "./applied-files.ts";
import type { ProgramRecord } from "./record.ts";
import { interpreterOf, recordOf } from "./registry.ts";
import { placeOfScript, SCRIPT_VERB } from "./rules/code.ts";

/**
 * `scripts` may lie on disk; of `unknown` the text does not tell which they are. `applied` hold what a program does in a language of
 * its own. `armed` are run without being named, and matter only where the plan wrote them.
 */
type FilesRun = {
  readonly scripts: readonly string[];
  readonly applied: readonly string[];
  readonly unknown: readonly string[];
  /** Addresses in the network. */
  readonly remote: readonly string[];
  readonly armed: readonly string[];
};

const CODE = /^(-\w*[ceErp]|--eval|--print)$/;

const SYSTEM = /^\/(usr\/)?(local\/)?(s?bin|lib\w*)\//;

/** `program` is the first word as it was written, with its directory. */
export function filesRunBy(
  argv: readonly string[],
  directories: readonly string[],
  state: State,
  program = argv[0] ?? "",
): FilesRun {
  const [name = "", ...args] = argv;
  const rule = recordOf(name);
  const own = program.includes("/") ? (SYSTEM.test(program) ? [] : [program]) : inPath(program, state);
  const language = interpreterOf(name);
  const scripts = rule?.files?.(args, state) ?? (language?.script === true ? codeFile(language, args, rule?.code) : []);
  const armed = rule?.armed?.(args, state) ?? [];
  const applied = appliedBy(argv, state);
  const found = pathsFrom([...own, ...scripts], directories);
  return {
    scripts: found.filter((path) => !isUntold(path)),
    applied: pathsFrom(applied, directories).filter((path) => !isUntold(path)),
    unknown: found.filter(isUntold),
    remote: [...scripts, ...applied].filter((path) => ADDRESS.test(path)),
    armed: SYSTEM.test(program) ? [...armed, program] : armed,
  };
}

/** Where a command has put directories into PATH, a program may lie in one of them. */
function inPath(program: string, state: State): readonly string[] {
  if (!isPathChanged(state) || program === "" || hasGlob(program) || recordOf(program)?.builtin === true) return [];
  const directories = valuesOf(state, "PATH").flatMap((path) => path.split(":"));
  return directories
    .filter((one) => one !== "" && !isOpen(one) && !SYSTEM.test(`${one}/`))
    .map((one) => `${one}/${program}`);
}

const ADDRESS = /^[a-z][\w+.-]*:\/\//i;

const isUntold = (path: string): boolean => isOpen(path.replaceAll(DEEP, ""));

function pathsFrom(paths: readonly string[], directories: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return (
    paths
      .filter((path) => path !== "" && path !== "-" && !ADDRESS.test(path))
      .flatMap((path) => directories.map((cwd) => absolute(path, cwd)))
      // `find . -name x.sh`: in some directory below.
      .map((path) => (path.startsWith("/") ? path.replaceAll(`/${UNKNOWN}/`, `/${DEEP}/`) : path))
      .filter((path) => !/^\/(dev|proc)\//.test(path) && (path.startsWith("/") || isUntold(path)))
  );
}

/** Options after the script belong to the script, not to the interpreter. */
function codeFile({ mainFiles = "" }: ProgramRecord, args: readonly string[], code = CODE): readonly string[] {
  const place = placeOfScript(args, SCRIPT_VERB);
  if (args.slice(0, place < 0 ? args.length : place).some((arg) => code.test(arg))) return [];
  if (args[0] === "-m" && args[1] !== undefined) return moduleFiles(args[1].split("."));
  if (args[0] === "-") return [];
  const first = args[place];
  if (first === undefined) return [];
  const inDirectory = /\w\.\w+$/.test(first) ? [] : words(mainFiles).map((name) => `${first}/${name}`);
  return [...(/[./]/.test(first) ? [first] : []), ...inDirectory];
}

/** Lists the files that `python -m` runs. Python loads the packages above the module first. */
const moduleFiles = (names: readonly string[]): readonly string[] => [
  ...names.map((_, at) => `${names.slice(0, at + 1).join("/")}/__init__.py`),
  `${names.join("/")}.py`,
  `${names.join("/")}/__main__.py`,
];
