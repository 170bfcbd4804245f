// Lists the files that a command runs: scripts, makefiles, compose files, units. The guard reads none of them: it asks for their
// texts, and it asks a human if the plan itself wrote one whose text is not known.
import { textAt } from "../interpreter/redirects.ts";
import { isPathChanged, type State, valuesOf } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { optionValues, words } from "../words/options.ts";
import { DEEP, globbed, hasGlob, isForeign, isOpen, startsUnknown, UNKNOWN } from "../words/symbols.ts";
import type { Applied, AppliesRule, ProgramRecord, Rows } from "./record.ts";
import { interpreterOf, recordOf } from "./registry.ts";
import { placeOfScript, SCRIPT_VERB } from "./rules/code.ts";
import { isMeant, onlyOptions, operandsOf, parsedBy, rowsIn } from "./rules/select.ts";

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
  readonly obeyed: Obeyed;
};

/** What runs and the guard does not read: a file that the plan wrote is a question, and so is an address. */
type Obeyed = {
  readonly files: readonly ObeyedFile[];
  readonly addresses: readonly string[];
};

/** `holds`: what makes a known text a question. */
export type ObeyedFile = { readonly path: string; readonly holds: RegExp | undefined };

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
  const bare = language?.script === true ? pathsFrom(bareScript(args), directories) : [];
  const armed = [...(rule?.armed?.(args, state) ?? []), ...bare];
  const { files, addresses } = obeyedBy(argv, directories, state);
  const applied = [...namedBy(language?.applies, argv, state), ...files.map(({ path }) => path)];
  const found = pathsFrom([...own, ...scripts], directories);
  return {
    scripts: found.filter((path) => !isUntold(path)),
    applied: pathsFrom(applied, directories).filter((path) => !isUntold(path)),
    unknown: found.filter(isUntold),
    remote: [...scripts, ...applied].filter((path) => ADDRESS.test(path)),
    armed: SYSTEM.test(program) ? [...armed, program] : armed,
    obeyed: { files, addresses },
  };
}

/** Where a command has put directories into PATH, a program may lie in one of them. */
function inPath(program: string, state: State): readonly string[] {
  if (!isPathChanged(state) || program === "" || hasGlob(program) || recordOf(program)?.builtin === true) return [];
  const directories = valuesOf(state, "PATH").flatMap((path) => (path === "" ? [] : path.split(":")));
  return (
    directories
      .filter((one) => !isOpen(one) && !SYSTEM.test(`${one}/`))
      // An empty entry is the working directory.
      .map((one) => `${one === "" ? "." : one}/${program}`)
  );
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
      .filter((path) => !OF_KERNEL.test(path) && (path.startsWith("/") || isUntold(path)))
  );
}

const OF_KERNEL = /^\/(?:dev\/(?!shm\/|mqueue\/)|proc\/)/;

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

/** `python3 deploy`: a word that is a file only where something has written it. */
function bareScript(args: readonly string[]): readonly string[] {
  const first = args[placeOfScript(args, SCRIPT_VERB)];
  return first === undefined || /[./]/.test(first) ? [] : [first];
}

/** Lists the files that `python -m` runs. Python loads the packages above the module first. */
const moduleFiles = (names: readonly string[]): readonly string[] => [
  ...names.map((_, at) => `${names.slice(0, at + 1).join("/")}/__init__.py`),
  `${names.join("/")}.py`,
  `${names.join("/")}/__main__.py`,
];

type FileRows = Rows<Applied | AppliesRule> | undefined;

const rowsOf = (rows: FileRows, [, ...args]: readonly string[]): readonly (Applied | AppliesRule)[] =>
  rowsIn(rows, onlyOptions).filter((row) => typeof row === "function" || isMeant(args, row));

/** Files, directories and patterns that decide what the command does, as it names them. */
const namedBy = (rows: FileRows, argv: readonly string[], state: State): readonly string[] =>
  rowsOf(rows, argv).flatMap((row) => namedByRow(row, argv, state));

const namedByRow = (row: Applied | AppliesRule, argv: readonly string[], state: State): readonly string[] =>
  typeof row === "function" ? row(argv, state) : withIncluded(namedIn(argv.slice(1), row, state), row, state);

/** Libraries that any program loads. */
const LOADED: readonly Applied[] = words("LD_PRELOAD LD_AUDIT").map((variable) => ({
  variable,
  within: /([^\s:]*\/[^\s:]+)/g,
}));

const INPUT = "/dev/stdin";

function obeyedBy(argv: readonly string[], directories: readonly string[], state: State): Obeyed {
  const files: ObeyedFile[] = [];
  const addresses: string[] = [];
  const loaded = LOADED.filter(({ variable = "" }) => state.bindings.vars.has(variable));
  for (const row of [...rowsOf(interpreterOf(argv[0] ?? "")?.obeys, argv), ...loaded]) {
    const { holds = undefined, forge = undefined, input = undefined } = typeof row === "function" ? {} : row;
    const isAddress = (word: string) =>
      CODE_ADDRESS.test(word) || forge?.test(word) === true || (isForeign(word) && startsUnknown(word));
    const named = [...namedByRow(row, argv, state), ...(input === undefined ? [] : [INPUT])];
    addresses.push(...named.filter(isAddress));
    const local = named.filter((word) => !isAddress(word));
    const connected = local.filter((word) => CONNECTED.test(word));
    const paths = [...connected, ...pathsFrom(local, directories)];
    files.push(...paths.map((path) => ({ path, holds })));
  }
  return { files, addresses };
}

/** The addresses of code: `https://h/x.tgz`, `git+ssh://h/x`, `github:user/x`, `name@git+https://h/x`. */
const CODE_ADDRESS =
  /(?:^|[@\s=])(?:(?!(?:file|npm|jsr|node|docker|oci|s3|gs):)[a-z][a-z+.-]*:\/\/|(?:github|gitlab|bitbucket|gist|sourcehut|data|git\+\w+|git):|git@)/i;

/** What a process substitution or a pipe holds. */
const CONNECTED = /^\/dev\/(?:fd\/\d+|stdin)$/;

const valuesIn = ({ bindings: { vars } }: State, name: string): readonly string[] => vars.get(name) ?? [];

const within = (texts: readonly string[], paths: RegExp): readonly string[] =>
  texts.flatMap((text) => [...text.matchAll(paths)].map(([, path = ""]) => path));

function namedIn(args: readonly string[], row: Applied, state: State): readonly string[] {
  const { options = "", names = "", directory, form, variable } = row;
  if (row.within !== undefined) return within(variable === undefined ? args : valuesIn(state, variable), row.within);
  // `-chdir=x` and `-jar x` are long names after one dash.
  const spelled = args.map((arg) =>
    /^-[a-zA-Z][\w-]{2,}(?:=|$)/.test(arg) && longAfterOne(arg, row) ? `-${arg}` : arg,
  );
  const parsed = parsedBy(spelled, row);
  const values = optionValues(parsed, ...words(options)).flatMap((value) => (value === null ? [] : value.split(",")));
  const given = values.map((value) => value.replace(/^@|^file:\/\/|^[\w.-]+=@?(?=.*[/.])/, ""));
  const base = directory === undefined ? null : (optionValues(parsed, directory).at(-1) ?? null);
  const found = words(names).map((name) => (base === null || name.startsWith("/") ? name : `${base}/${name}`));
  const picked = operandsOf(parsed, row);
  const meant = [...given, ...picked].filter((path) => path !== "-" && (form?.test(path) ?? true));
  return [...meant, ...found.map(globbed)];
}

/** Adds the files that the named files include, and what those include. */
function withIncluded(named: readonly string[], { includes, includesIn }: Applied, state: State) {
  if (includes === undefined) return named;
  const all = new Set(named);
  for (const file of all) {
    if (all.size > MAX_INCLUDED) break;
    const own = includesIn === undefined ? [file] : words(includesIn).map((name) => `${file}/${name}`);
    for (const from of own)
      for (const text of textsOf(from, state))
        for (const [, path = ""] of text.matchAll(includes)) {
          all.add(globbed(path));
          if (!path.startsWith("/")) all.add(globbed(`${folderOf(from)}/${path}`));
        }
  }
  return [...all];
}

const MAX_INCLUDED = 256;
const folderOf = (file: string): string => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".");

function longAfterOne(arg: string, { options = "", valued = "" }: Applied): boolean {
  const name = arg.slice(1).replace(/=.*$/, "");
  return words(`${options} ${valued}`).includes(name);
}

const textsOf = (file: string, state: State): readonly string[] =>
  state.location.cwd.flatMap((cwd) => textAt(absolute(file, cwd), state) ?? []);

/** Decides which files on standard input the program runs or applies. */
export function inputRunBy(argv: readonly string[]): "all" | "redirected" | "none" {
  const [name = "", ...args] = argv;
  if (interpreterOf(name)?.readsCode === true) return readsProgram(name, args) ? "all" : "none";
  const inputs = rowsOf(interpreterOf(name)?.applies, argv).map((row) =>
    typeof row === "function" ? undefined : row.input,
  );
  return inputs.includes("all") ? "all" : inputs.includes("redirected") ? "redirected" : "none";
}

/** Decides whether an interpreter reads its program from standard input: no word and no option gives it. */
function readsProgram(name: string, args: readonly string[]): boolean {
  if (/sh$/.test(name) && args.some((arg) => /^-[a-zA-Z]*s/.test(arg))) return true;
  if (args.some((arg) => /^-\w*[ceErp]$|^--eval|^-m$/.test(arg))) return false;
  const first = args.find((arg) => arg === "-" || arg === "--" || !/^[-+]/.test(arg));
  return first === undefined || first === "-";
}
