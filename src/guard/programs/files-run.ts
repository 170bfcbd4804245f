// Which files a command runs: scripts, makefiles, compose files, units. The guard reads none of them: it asks for their texts,
// and asks a human where the plan itself wrote one whose text is not known.
import type { State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { hasGlob, isOpen } from "../words/symbols.ts";
import { recordOf } from "./registry.ts";

/** `scripts` may lie on disk. `armed` are run without being named, and matter only where the plan wrote them. */
type FilesRun = { readonly scripts: readonly string[]; readonly armed: readonly string[] };

const LANGUAGES =
  /^(python|pypy|perl|ruby|node|nodejs|deno|tsx|ts-node|bun|php|lua|luajit|Rscript|julia|tclsh|wish|expect|osascript)[\d.]*$/;
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
  const own = program.includes("/") && !SYSTEM.test(program) ? [program] : [];
  const scripts = rule?.files?.(args, state) ?? (LANGUAGES.test(name) ? codeFile(args) : []);
  const armed = rule?.armed?.(args, state) ?? [];
  return {
    scripts: own.length + scripts.length === 0 ? [] : pathsFrom([...own, ...scripts], directories),
    armed: SYSTEM.test(program) ? [...armed, program] : armed,
  };
}

const pathsFrom = (paths: readonly string[], directories: readonly string[]): readonly string[] =>
  paths
    .flatMap((path) => directories.map((cwd) => absolute(path, cwd)))
    .filter((path) => path.startsWith("/") && !isOpen(path) && !hasGlob(path) && !/^\/(dev|proc)\//.test(path));

function codeFile(args: readonly string[]): readonly string[] {
  if (args.some((arg) => CODE.test(arg))) return [];
  if (args[0] === "-m" && args[1] !== undefined)
    return [`${args[1].replaceAll(".", "/")}.py`, `${args[1].replaceAll(".", "/")}/__main__.py`];
  if (args[0] === "-") return [];
  const first = args.find((arg) => !arg.startsWith("-") && !/^(run|eval|repl|test|x|install|add)$/.test(arg));
  return first === undefined || !/[./]/.test(first) ? [] : [first];
}
