// Holds the records of interpreters of other languages: which of their options give code, and whether a use of them only looks.
import type { Program } from "../interpreter/machine.ts";
import { contentsOf, isWritten } from "../interpreter/redirects.ts";
import { fork, type State } from "../interpreter/state.ts";
import { optionTable, optionValues, parseOptions } from "../words/options.ts";
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
import { pythonOnlyLooks } from "./python-looks.ts";
import type { EffectRule, FilesRule, ProgramRecord } from "./record.ts";
import { runsTexts } from "./runs-texts.ts";

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
