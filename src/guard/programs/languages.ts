// Interpreters of other languages: which of their options give code, and whether a use of them only looks.
import type { Program } from "../interpreter/machine.ts";
import { contentsOf, isWritten } from "../interpreter/redirects.ts";
import { fork, type State } from "../interpreter/state.ts";
import { optionTable, optionValues, parseOptions, words } from "../words/options.ts";
import { isOpen } from "../words/symbols.ts";
import { type CodeSource, codeProgram, scriptOf } from "./code.ts";
import { type CodeDialect, DIALECTS } from "./code-calls.ts";
import {
  type LoadRule,
  luaLoads,
  perlLoads,
  phpLoads,
  pythonLoads,
  rubyLoads,
  scriptLoads,
  sourceLoads,
} from "./loads.ts";
import { looks } from "./looks/rule.ts";
import { PHP_LOOKS } from "./looks/services.ts";
import type { EffectRule, FilesRule, ProgramRecord } from "./record.ts";
import { runsTexts } from "./runs-texts.ts";

// Whether a short Python program only looks. Its modules and every attribute that it names are known to compute or to read, so
// nothing else can be reached; of the built-in functions none may run, find or write anything. What is on no list is unknown.

const MODULES = new Set(
  words(`json sys os os.path re time datetime pathlib socket ssl urllib urllib.request urllib.error hashlib math collections
  csv itertools string yaml tomllib tomli configparser platform shutil ipaddress base64 statistics textwrap pprint gzip
  xml.etree.ElementTree functools operator html getpass pwd grp uuid`),
);

const ATTRIBUTES = new Set(
  words(`load loads dumps read readline readlines decode encode split rsplit splitlines strip lstrip rstrip startswith endswith
  lower upper replace get keys values items join format count index find exit argv stdin stdout stderr environ path exists
  isfile isdir islink getsize getmtime basename dirname stat st_size st_mtime st_mode listdir getenv search match fullmatch
  findall group groups time sleep monotonic strftime now utcnow today timestamp fromtimestamp fromisoformat strptime
  timedelta datetime date total_seconds days seconds timezone utc Path read_text read_bytes name stem suffix iterdir glob
  is_file is_dir create_connection gethostbyname gethostname close request error
  urlopen URLError HTTPError status code getcode headers reader DictReader Counter most_common isdigit isnumeric
  safe_load safe_load_all dump pprint node release machine python_version uname processor disk_usage which total used free
  ip_address ip_network network_address num_addresses is_private b64decode b64encode mean median fromstring getroot findtext iter
  attrib text tag defaultdict OrderedDict sections getint getboolean read_string getuser getpwnam getgrnam uuid4 title zfill
  ljust rjust center splitext suffixes parent parts resolve as_posix hexdigest sha256 md5 append add sqrt floor ceil JSONDecodeError timeout reason`),
);

const DANGEROUS =
  /^(eval|exec|execfile|compile|getattr|setattr|delattr|globals|locals|vars|breakpoint|help|input|reload|file|apply|type|class|case|match|__(?!name__$).*)$/;
/** Only a direct call with these arguments reads. */
const READING_CALLS: Readonly<Record<string, RegExp>> = {
  open: /^(mode = )?["'][rbt]{1,2}["']$|^(encoding|errors|newline) = (?!=)/,
  urlopen: /^(timeout|context) = (?!=)/,
};

const TOKEN =
  /[ \t]+|\\\n|\n|#[^\n]*|[rRbBuUfF]{0,2}(?:"""[^"\\]*"""|'''[^'\\]*'''|"(?!"")(?:[^"\\\n]|\\.)*"|'(?!'')(?:[^'\\\n]|\\.)*')|\d\w*(?:\.\d\w*)?|[A-Za-z_]\w*|[^\s\w"'`@\\]/gy;
const NAME = /^[A-Za-z_]\w*$/;
const MAX_CODE = 4096;
/** A comment that names another encoding makes other text of what follows. */
const ENCODED = /#.*coding[:=]/;

/** Never throws. */
export function pythonOnlyLooks(code: string): boolean {
  const isRead = code.length <= MAX_CODE && /^[\x20-\x7e\n\t]*$/.test(code) && !ENCODED.test(code);
  const tokens = isRead ? tokensOf(code.trim()) : null;
  return tokens?.every((_, at) => isKnown(tokens, at)) === true;
}

/** A new line is a `;`, and nothing within brackets. Null where the text is not made of known tokens. */
function tokensOf(code: string): readonly string[] | null {
  const found = [...code.matchAll(TOKEN)];
  const last = found.at(-1);
  if (last === undefined || last.index + last[0].length !== code.length) return null;
  let depth = 0;
  const tokens = found.map(({ 0: text }) => (FORMATTED.test(text) ? embeddedIn(text) : [text]));
  if (tokens.some((some) => some === null)) return null;
  return tokens
    .flatMap((some) => some ?? [])
    .flatMap((text) => {
      if (/^[([{]$/.test(text)) depth += 1;
      if (/^[)\]}]$/.test(text)) depth -= 1;
      if (text === "\n") return depth > 0 ? [] : [";"];
      return /^[\s#\\]/.test(text) ? [] : [text];
    });
}

const FORMATTED = /^[rRbBuU]?[fF][rR]?["']/;
const EXPRESSION = /\{([^{}:!\\]*)(?:![rsa])?(?::[^{}]*)?\}/g;

/** The tokens of the expressions in a formatted string; null where the text does not show where they end. */
function embeddedIn(text: string): readonly string[] | null {
  const plain = text.replace(/\{\{|\}\}/g, "");
  if (/[{}]/.test(plain.replace(EXPRESSION, "")) || /\\N|\n/.test(plain)) return null;
  const parts = [...plain.matchAll(EXPRESSION)].map(([, code = ""]) => tokensOf(code.trim()));
  if (parts.some((tokens) => tokens === null || !isBalanced(tokens))) return null;
  return ['""', ...parts.flatMap((tokens) => ["(", ...(tokens ?? []), ")"])];
}

function isBalanced(tokens: readonly string[]): boolean {
  const open: string[] = [];
  for (const token of tokens) {
    if (/^[([{]$/.test(token)) open.push(token);
    if (/^[)\]}]$/.test(token) && `${open.pop()}${token}`.match(/^(?:\(\)|\[\]|\{\})$/) === null) return false;
  }
  return open.length === 0;
}

function isKnown(tokens: readonly string[], at: number): boolean {
  const [before = ";", token = "", after = ";"] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  // A prefix that is not on the list: an f-string holds code.
  if (/["']$/.test(token)) return !/^[fFtTrRbBuU]{1,3}$/.test(before);
  if (!NAME.test(token)) return token !== "." || NAME.test(after);
  if (token === "import" || token === "from") return isImport(statementAt(tokens, at));
  if (DANGEROUS.test(token)) return false;
  if (Object.hasOwn(READING_CALLS, token) && !isImported(tokens, at) && !isReadingCall(tokens, at)) return false;
  // A variable of the environment may name a file that a module writes; those of orch name none.
  if (token === "environ")
    return after === "." || /^\[ ["']ORCH_\w*["'] \]$/.test(tokens.slice(at + 1, at + 4).join(" "));
  // The loader of YAML makes objects of any class.
  if (/^load(_all)?$/.test(token) && tokens.includes("yaml")) return false;
  // It renames files where it is not that of a text.
  if (token === "replace") return !tokens.some((one) => one === "os" || one === "pathlib");
  // Where modules are found could be changed under `sys.path`.
  if (token === "os") return after === "." || isImported(tokens, at);
  if (token === "path") return tokens[at - 2] === "os" || isImported(tokens, at);
  return before !== "." || isImported(tokens, at) || ATTRIBUTES.has(token);
}

function statementAt(tokens: readonly string[], at: number): readonly string[] {
  const begin = tokens.lastIndexOf(";", at) + 1;
  const end = tokens.indexOf(";", at);
  return tokens.slice(begin, end < 0 ? undefined : end);
}

const isImported = (tokens: readonly string[], at: number): boolean =>
  /^(import|from)$/.test(statementAt(tokens, at)[0] ?? "");

const IMPORT = /^import ([\w.]+)(?: as (\w+))?$/;
const FROM = /^from ([\w.]+) import (.+)$/;

/** `import a, b.c as d` and `from a import b, c`. Under another name, a call that has to be read would not be seen. */
function isImport(statement: readonly string[]): boolean {
  const text = statement.join(" ").replaceAll(" . ", ".");
  const [, module = "", names = ""] = FROM.exec(text) ?? [];
  if (module !== "")
    return MODULES.has(module) && names.split(" , ").every((name) => ATTRIBUTES.has(name) && name !== "path");
  return text
    .replace(/^import /, "")
    .split(" , ")
    .every((one) => {
      const [, imported = "", as = ""] = IMPORT.exec(`import ${one}`) ?? [];
      return MODULES.has(imported) && !MODULES.has(as) && !ATTRIBUTES.has(as);
    });
}

/** `open(path)` and `open(path, "rb")`, not `open` alone. */
function isReadingCall(tokens: readonly string[], at: number): boolean {
  const given = argumentsAt(tokens, at + 1);
  const allowed = READING_CALLS[tokens[at] ?? ""];
  if (given === null || given.some((words) => words[0] === "*")) return false;
  const [first = [], ...more] = given;
  return first[1] !== "=" && more.every((words) => allowed?.test(words.join(" ")) === true);
}

/** Null where no complete list of arguments begins there. */
function argumentsAt(tokens: readonly string[], at: number): readonly (readonly string[])[] | null {
  if (tokens[at] !== "(") return null;
  const found: string[][] = [[]];
  let depth = 1;
  for (const token of tokens.slice(at + 1)) {
    if (/^[)\]}]$/.test(token)) depth -= 1;
    if (depth === 0) return found;
    if (/^[([{]$/.test(token)) depth += 1;
    if (depth === 1 && token === ",") found.push([]);
    else found.at(-1)?.push(token);
  }
  return null;
}

const isShort = (code: string): boolean => !isOpen(code) && pythonOnlyLooks(code);

type Looked = { readonly io: Pick<State["io"], "stdin" | "files"> };

/** Code on the command line or on standard input that only looks; a module that this very text wrote would be run. */
function looksInPython([first = "", ...rest]: readonly string[], { io: { stdin, files } }: Looked): boolean {
  if ([...files.keys()].some((path) => path.endsWith(".py"))) return false;
  if (/^-[ISEsuB]*c$/.test(first)) return isShort(rest[0] ?? "");
  if (/^-[ISEsuB]+$/.test(first) && rest.length > 0) return looksInPython(rest, { io: { stdin, files } });
  return (first === "" || first === "-") && stdin !== null && stdin.length > 0 && stdin.every(isShort);
}

/** `python3 -m json.tool` is a way to print. */
const pythonEffect: EffectRule = ([, ...args], state) => {
  if (looksInPython(args, state)) return "reads";
  if (args.every((arg) => /^(-V+|--version|-h|--help)$/.test(arg)) && args.length > 0) return "reads";
  const [module, first = "", ...more] = args[0] === "-m" ? args.slice(1) : [];
  if (module === "json.tool") return more.filter((arg) => !arg.startsWith("-")).length > 0 ? "unknown" : "reads";
  if (module === "pip") return /^(list|show|freeze|check|--version)$/.test(first) ? "reads" : "unknown";
  return /^(site|platform|sysconfig)$/.test(module ?? "") ? "reads" : "unknown";
};

const onlyVersion: EffectRule = ([, ...args]) =>
  args.length > 0 && args.every((arg) => /^-{1,2}(v|V|version|h|help)$/.test(arg)) ? "reads" : "unknown";

/** `php occ status`: some scripts are known by their names. */
const phpEffect: EffectRule = ([, first = "", ...args], state) => {
  const script = PHP_LOOKS[first.slice(first.lastIndexOf("/") + 1)];
  if (script !== undefined) return script([first, ...args], state);
  return /^-([vilm]|-version|-info|-modules|-syntax-check|-ini)$/.test(first) ? "reads" : "unknown";
};

/** `perl -ne 'print if /error/' FILE`; a name with other characters may be a command that it opens. */
const perlEffect: EffectRule = ([program = "", ...args], state) => {
  const [flags = "", code = "", ...files] = args;
  const isPrint = /^\s*print(?:\s+(?:if|unless)\s+\/(?:[^/\\$@{}`]|\\.)*\/[imsx]*)?\s*;?\s*$/;
  const prints = /^-[nl]*n[nl]*e$/.test(flags) && isPrint.test(code) && files.every((file) => /^[\w./~-]+$/.test(file));
  return prints ? "reads" : onlyVersion([program, ...args], state);
};

/** `node -p process.version`, `node -e 'console.log(require("./package.json").version)'`. */
const SHOWN =
  /^\s*(?:console\.log\()?\s*(?:process\.(?:version|arch|platform|versions(?:\.\w+)?|uptime\(\)|memoryUsage\(\))|require\((["'])[\w./@-]+\.json\1\)(?:\.\w+)*)\s*\)?;?\s*$/;

const nodeEffect: EffectRule = ([program = "", ...args], state) =>
  args.length === 2 && /^-(?:p|e|pe)$/.test(args[0] ?? "") && SHOWN.test(args[1] ?? "")
    ? "reads"
    : onlyVersion([program, ...args], state);

const runsShellScripts = runsTexts((args) =>
  args.flatMap((arg) => [...arg.matchAll(/do shell script "([^"]*)"/g)].map(([, text = ""]) => text)),
);
/** `python3 -m timeit -s SETUP STATEMENT` runs both. */
function timed(args: readonly string[], state: State): CodeSource {
  const at = args.indexOf("-m");
  const module = args[at + 1] ?? "";
  if (at >= 0 && module !== "timeit") {
    const path = module.replaceAll(".", "/");
    const written = [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`].filter((file) =>
      isWritten(file, state),
    );
    const codes = written.flatMap((file) => contentsOf(file, state));
    return { codes, args: args.slice(at + 2), file: written[0], from_cwd: true };
  }
  if (at < 0) return scriptOf(args, state);
  const parsed = parseOptions(args.slice(at + 2), optionTable("n r s u number repeat setup unit"), false);
  const setup = optionValues(parsed, "s", "setup").map((text) => text ?? "");
  return { codes: [[...setup, ...parsed.operands].join("\n")], args: [] };
}

/** What a runner of tests loads: its own file, and files of tests, which the commands so far wrote. */
const testFiles: FilesRule = (args) => ["conftest.py", ...args.filter((arg) => /\.py$/.test(arg))];

function testsOf(args: readonly string[], state: State): CodeSource {
  const named = [...state.io.files.keys()].filter((path) => /\/(?:test_[^/]*|[^/]*_test)\.py$/.test(path));
  const files = [...new Set([...testFiles(args, state), ...named])].filter((file) => isWritten(file, state));
  return { codes: files.flatMap((file) => contentsOf(file, state)), args: [] };
}

const { PYTHON, SCRIPT, PERL, RUBY, PHP, LUA, R, JULIA, ELIXIR, GROOVY } = DIALECTS;

/** The options that give code, with the code attached or after it. */
const CODE = {
  python: /^-[bBdEhiIOqsSuvx]*c/,
  script: /^(?:--(?:eval|print)(?=$|=)|-(?:pe|e|p)$|-e(?=\W|\w{2})|eval$)/,
  perl: /^-[acdlnpswW0-7FtTuUX]*[eE]/,
  ruby: /^-[acdlnpsvwW]*e/,
  php: /^-[rBER]$|^-r/,
  expression: /^-e$/,
} as const;

const runPython = codeProgram({
  code: CODE.python,
  dialect: PYTHON,
  source: timed,
  loads: pythonLoads,
  path: "PYTHONPATH",
});
export const runScript = codeProgram({ code: CODE.script, dialect: SCRIPT, loads: scriptLoads });
const expression = (dialect: CodeDialect, loads: LoadRule = sourceLoads): Program =>
  codeProgram({ code: CODE.expression, dialect, loads });

const runRubyCode = codeProgram({ code: CODE.ruby, dialect: RUBY, loads: rubyLoads, path: "RUBYLIB" });

/** `ruby -run -e rm_r -- -f x`: commands of the shell by other names. */
const runRuby: Program = (argv, state, machine) => {
  const at = argv.indexOf("-e");
  const [, name = ""] = /^(rm|mv|cp|chmod)(?:_rf?)?$/.exec(argv[at + 1] ?? "") ?? [];
  if (!argv.includes("-run") || name === "") return runRubyCode(argv, state, machine);
  const words = argv.slice(at + 2).filter((word) => word !== "--");
  return machine.runArgv([name, ...(/_r/.test(argv[at + 1] ?? "") ? ["-r"] : []), ...words], fork(state));
};

export const LANGUAGES: readonly ProgramRecord[] = [
  { names: "python", runs: runPython, effect: pythonEffect, versions: true, code: CODE.python },
  { names: "python2 python3", runs: runPython, effect: pythonEffect, kinds: true, code: CODE.python },
  {
    names: "pytest py.test nosetests",
    runs: codeProgram({ code: /^(?!)/, dialect: PYTHON, source: testsOf }),
    armed: testFiles,
  },
  { names: "pypy", runs: runPython, versions: true, code: CODE.python },
  { names: "pypy3", runs: runPython, effect: pythonEffect, code: CODE.python },
  { names: "node", runs: runScript, effect: nodeEffect, versions: true, code: CODE.script },
  { names: "nodejs deno", runs: runScript, effect: onlyVersion, code: CODE.script },
  { names: "tsx ts-node", runs: runScript, code: CODE.script },
  {
    names: "perl",
    runs: codeProgram({ code: CODE.perl, dialect: PERL, loads: perlLoads, path: "PERL5LIB" }),
    effect: perlEffect,
    versions: true,
    code: CODE.perl,
  },
  {
    names: "ruby",
    runs: runRuby,
    effect: onlyVersion,
    versions: true,
    code: CODE.ruby,
  },
  {
    names: "rails",
    runs: codeProgram({ code: /^r(?:unner)?$/, dialect: RUBY }),
    code: /^r(?:unner)?$/,
    effect: looks("about, routes, stats, notes, db:version, db:migrate:status, --version"),
  },
  {
    names: "php",
    runs: codeProgram({ code: CODE.php, dialect: PHP, loads: phpLoads }),
    effect: phpEffect,
    versions: true,
    code: CODE.php,
  },
  { names: "lua", runs: expression(LUA, luaLoads), effect: onlyVersion, versions: true, code: CODE.expression },
  { names: "luajit", runs: expression(LUA, luaLoads), versions: true, code: CODE.expression },
  { names: "Rscript R", runs: expression(R), effect: onlyVersion, code: CODE.expression },
  { names: "elixir iex", runs: expression(ELIXIR), effect: onlyVersion, code: CODE.expression },
  { names: "groovy", runs: expression(GROOVY), effect: onlyVersion, code: CODE.expression },
  { names: "julia", runs: expression(JULIA), code: CODE.expression },
  { names: "java", effect: onlyVersion },
  { names: "osascript", runs: runsShellScripts, effect: onlyVersion },
];
