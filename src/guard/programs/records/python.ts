// Follows Python: the code that it is given, the modules that this loads, and whether a use only looks.
import type { Program } from "../../interpreter/machine.ts";
import { contentsOf, isWritten } from "../../interpreter/redirects.ts";
import type { State } from "../../interpreter/state.ts";
import { optionTable, optionValues, parseOptions, words } from "../../words/options.ts";
import { isOpen } from "../../words/symbols.ts";
import type { EffectRule, FilesRule, ProgramRecord } from "../record.ts";
import {
  at,
  COMPUTED,
  type CodeSource,
  codeProgram,
  type Loaded,
  type LoadRule,
  matchesOf,
  scriptOf,
  under,
} from "../rules/code.ts";
import { type CodeDialect, DELETING_CALLS } from "../rules/code-calls.ts";
import { launched } from "../rules/launch.ts";
import { pythonOnlyLooks } from "./python/looks.ts";

const PYTHON: CodeDialect = {
  calls: new RegExp(
    `^(?:system|popen|Popen|exec[lv]p?e?|spawn\\w*|posix_spawnp?|check_call|check_output|getoutput|getstatusoutput|create_subprocess_\\w+|run_path|${DELETING_CALLS})$`,
  ),
  bare: /^(?:exec|eval)$/,
  only: [[/^(?:run|call)$/, /\bsubprocess\s*\.\s*(?:run|call)\s*\(|\bfrom\s+subprocess\s+import\b/]],
  always:
    /\b(?:map|starmap|submit|apply_async|filter)\s*\([^;\n]*\b(?:os\.system|os\.popen|subprocess\.\w+|rmtree)\s*[,)]/,
  interpolates: /^[a-zA-Z]*[fF][a-zA-Z]*["'][\s\S]*\{/,
};

const MODULES = new Set(
  words(`__future__ __main__ abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
  builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser
  contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email
  encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass
  gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json
  keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib multiprocessing netrc nis
  nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform
  plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri random re readline reprlib
  resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
  sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog
  tabnanny tarfile telnetlib tempfile termios test textwrap this threading time timeit tkinter token tokenize tomllib trace traceback
  tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound
  wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`),
);

const QUOTED = /("""|''')[\s\S]*?\1/g;

/** `import a.b as c, d`, `from .a import b, (c, d)`, `importlib.import_module("a")`, `runpy.run_path("a.py")`. */
const pythonLoads: LoadRule = (given, { roots, here, cwd }) => {
  const code = given.replace(QUOTED, '""').replace(/#.*$/gm, "").replace(/\\\n/g, " ");
  const added = matchesOf(code, /sys\.path\.(?:insert|append)\s*\([^"'\n]*["']([^"'\n]+)["']/g).flatMap(
    ([, path = ""]) => at(path, cwd, here),
  );
  const places = [...roots, ...added];
  const found: Loaded[] = [];
  const module = (name: string, directories: readonly string[], members: readonly string[] = []): void => {
    const path = name.replaceAll(".", "/");
    const parts = path.split("/");
    const packages = parts.map((_, at) => `${parts.slice(0, at + 1).join("/")}/__init__.py`);
    const paths = under(directories, [
      `${path}.py`,
      ...packages,
      ...members.flatMap((one) =>
        path === "" ? [`${one}.py`, `${one}/__init__.py`] : [`${path}/${one}.py`, `${path}/${one}/__init__.py`],
      ),
    ]);
    found.push({ name, paths, ...(MODULES.has(parts[0] ?? "") && { of_language: true }) });
  };
  for (const [, many = ""] of matchesOf(code, /^[ \t]*(?:[^\n]*;[ \t]*)?import[ \t]+([\w., \t]+)/gm))
    for (const one of many.split(",")) module(one.trim().replace(/\s.*$/, ""), places);
  for (const [, dots = "", name = "", listed = ""] of matchesOf(
    code,
    /^[ \t]*(?:[^\n]*;[ \t]*)?from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n;]+)/gm,
  )) {
    const members = words(listed.replace(/[(),]/g, " ").replace(/\bas\s+\w+/g, " ")).filter((one) => /^\w+$/.test(one));
    const from = dots === "" ? places : [`${here}${"/..".repeat(dots.length - 1)}`];
    if (dots !== "" && name === "")
      found.push({
        name: `${dots}${members.join(", ")}`,
        paths: under(from, [...members.flatMap((one) => [`${one}.py`, `${one}/__init__.py`]), "__init__.py"]),
      });
    else module(name, from, members);
  }
  for (const [, name] of matchesOf(code, /\b(?:import_module|__import__|run_module)\s*\(\s*(?:["']([\w.]+)["'])?/g))
    if (name === undefined) found.push({ name: COMPUTED, paths: [] });
    else module(name, places);
  for (const [, path] of matchesOf(
    code,
    /\b(?:run_path|execfile|spec_from_file_location|exec\s*\(\s*open)\s*\(\s*(?:["'][\w.]+["']\s*,\s*)?(?:["']([^"'\n]+)["'])?/g,
  ))
    found.push(path === undefined ? { name: COMPUTED, paths: [] } : { name: path, paths: at(path, cwd) });
  return found;
};

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

/** The options that give code, with the code attached or after it. */
const PYTHON_CODE = /^-[bBdEhiIOqsSuvx]*c/;

const runCode = codeProgram({
  code: PYTHON_CODE,
  dialect: PYTHON,
  source: timed,
  loads: pythonLoads,
  path: "PYTHONPATH",
});

/** `python3 -m pip install x` is `pip install x`. */
const runPython: Program = (argv, state, machine) => {
  const at = argv.findIndex((word, n) => n > 0 && (!word.startsWith("-") || word === "-m"));
  const [module = "", ...args] = at > 0 && argv[at] === "-m" ? argv.slice(at + 1) : [];
  const program = machine.programs.ofModule(module);
  const output = runCode(argv, state, machine);
  if (program !== undefined) machine.runArgv([program, ...args], launched(state));
  return output;
};

/** Modules that python loads by itself. */
const PYTHON_OBEYS: NonNullable<ProgramRecord["obeys"]> = [
  { variable: "PYTHONSTARTUP", within: /(.+)/g },
  (_argv, state) =>
    (state.bindings.vars.get("PYTHONPATH") ?? []).flatMap((path) =>
      path
        .split(":")
        .flatMap((directory) => [`${directory || "."}/sitecustomize.py`, `${directory || "."}/usercustomize.py`]),
    ),
];

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "python",
    runs: runPython,
    effect: pythonEffect,
    versions: true,
    code: PYTHON_CODE,
    obeys: PYTHON_OBEYS,
    readsCode: true,
    script: true,
    mainFiles: "__main__.py",
  },
  {
    names: "python2 python3",
    runs: runPython,
    effect: pythonEffect,
    kinds: true,
    code: PYTHON_CODE,
    obeys: PYTHON_OBEYS,
    readsCode: true,
    script: true,
    mainFiles: "__main__.py",
  },
  {
    names: "pytest py.test nosetests",
    runs: codeProgram({ code: /^(?!)/, dialect: PYTHON, source: testsOf }),
    armed: testFiles,
  },
  { names: "pypy", runs: runPython, versions: true, code: PYTHON_CODE, readsCode: true, script: true },
  { names: "pypy3", runs: runPython, effect: pythonEffect, code: PYTHON_CODE, readsCode: true, script: true },
];
