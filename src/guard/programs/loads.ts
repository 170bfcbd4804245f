// What code of other languages loads: which files a name may stand for, in the order in which the language looks for them.
import { words } from "../words/options.ts";

/** `roots`: the directories that an absolute name is looked for in. `here`: that of the file with the code. */
type LoadPlace = { readonly roots: readonly string[]; readonly here: string; readonly cwd: string };

/** `of_language`: a module of the language itself, where no file beside the code takes its place. */
type Loaded = { readonly name: string; readonly paths: readonly string[]; readonly of_language?: true };

export type LoadRule = (code: string, place: LoadPlace) => readonly Loaded[];

const MAX_LOADED = 256;
const COMPUTED = "a name that is computed";

const under = (directories: readonly string[], paths: readonly string[]): readonly string[] =>
  directories.flatMap((directory) => paths.map((path) => `${directory}/${path}`));

/** The file, where the name is its path; else that name in each of the directories. */
const at = (name: string, ...directories: readonly string[]): readonly string[] =>
  name.startsWith("/") ? [name] : under(directories, [name]);

const matchesOf = (code: string, pattern: RegExp): readonly RegExpExecArray[] =>
  [...code.matchAll(pattern)].slice(0, MAX_LOADED);

/** What the first group of the pattern finds. */
const namesOf = (code: string, pattern: RegExp, pathsOf: (name: string) => readonly string[]): readonly Loaded[] =>
  matchesOf(code, pattern).map(([, name = ""]) => ({ name, paths: pathsOf(name) }));

const PYTHON = new Set(
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

const TEXTS = /("""|''')[\s\S]*?\1/g;

/** `import a.b as c, d`, `from .a import b, (c, d)`, `importlib.import_module("a")`, `runpy.run_path("a.py")`. */
export const pythonLoads: LoadRule = (given, { roots, here, cwd }) => {
  const code = given.replace(TEXTS, '""').replace(/#.*$/gm, "").replace(/\\\n/g, " ");
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
    found.push({ name, paths, ...(PYTHON.has(parts[0] ?? "") && { of_language: true }) });
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

const NODE = new Set(
  words(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2
  https inspector module net os path perf_hooks process punycode querystring readline repl sea sqlite stream string_decoder sys test timers
  tls trace_events tty url util v8 vm wasi worker_threads zlib`),
);
const SUFFIXES = [
  "",
  ...words(".js .cjs .mjs .json .node .ts .cts .mts .tsx /index.js /index.cjs /index.mjs /index.ts /package.json"),
];

const MODULE =
  /\b(?:require(?:\.resolve)?\s*\(|import\s*\(|import\s+|export\s+[^;"'`]*?\bfrom\s*|from\s+)\s*(?:(["'`])([^"'`\n$]+)\1|(?=[\w$.`]+\s*[+)`]))/g;

/** `require("./x")`, `import x from "./x.mjs"`, `import("./x.js")`. */
export const scriptLoads: LoadRule = (given, { here }) => {
  const code = given.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return matchesOf(code, MODULE).flatMap(([whole, , name]): Loaded[] => {
    if (name === undefined) return /^(?:require|import\s*\()/.test(whole) ? [{ name: COMPUTED, paths: [] }] : [];
    if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(name))
      return [{ name, paths: SUFFIXES.map((suffix) => `${name.startsWith("/") ? "" : `${here}/`}${name}${suffix}`) }];
    const bare = name.replace(/^(?:node|bun|deno):/, "");
    return bare !== name || NODE.has(bare.split("/")[0] ?? "") ? [] : [{ name, paths: [] }];
  });
};

const PERL =
  /^(?:strict|warnings|utf8|feature|lib|vars|constant|parent|base|integer|bytes|open|autodie|diagnostics|overload|v?\d[\d._]*|POSIX|Carp|Cwd|Env|English|Errno|Exporter|Fcntl|FindBin|Socket|Storable|Symbol|Benchmark|B|DB_File|Safe|threads|attributes|bigint|bignum|if|less|locale|mro|re|sigtrap|sort|subs|version|(?:Data|File|Getopt|IO|IPC|List|Scalar|Sys|Term|Text|Time|Tie|Digest|MIME|Encode|Math|Unicode|Hash|Test|Pod|HTTP::Tiny|JSON::PP|Archive|Compress|Module|Params|Perl|PerlIO|Thread|Config|ExtUtils|I18N|Memoize|Net|Search|User)(?:::.*)?)$/;

/** `require "./x.pl"`, `do "x.pl"`, `use lib "lib"; use Local::Module`. */
export const perlLoads: LoadRule = (given, { here, cwd, roots }) => {
  const code = given
    .replace(/^=\w[\s\S]*?^=cut.*$/gm, "")
    .replace(/(^|\s)#.*$/gm, "$1")
    .replace(/^__(?:END|DATA)__[\s\S]*/m, "");
  const libraries = matchesOf(code, /\buse\s+lib\s+(?:qw\s*[(/]([^)/]*)[)/]|[^;]*?["']([^"']+)["'])/g)
    .flatMap(([, many, one]) => words(many ?? one ?? ""))
    .map((path) => path.replace(/^\$(?:FindBin::)?(?:Real)?Bin\b|^\$\{(?:FindBin::)?(?:Real)?Bin\}/, here))
    .flatMap((path) => at(path, cwd));
  const files = matchesOf(
    code,
    /\b(?:require|do)\s+(?:["']([^"'\n]+)["']|\$FindBin::Bin\s*\.\s*["']([^"'\n]+)["'])/g,
  ).map(([, path, below]) => {
    const name = (path ?? below ?? "").replace(/^\$\{?(?:FindBin::)?(?:Real)?Bin\}?/, here);
    return { name, paths: below === undefined ? at(name, cwd, ...libraries) : [`${here}/${below}`] };
  });
  const modules = matchesOf(code, /^\s*(?:use|require)\s+([A-Za-z_]\w*(?:::\w+)*)\b(?!\s*(?:=>|\())/gm).flatMap(
    ([, name = ""]): Loaded[] =>
      PERL.test(name) && libraries.length === 0
        ? []
        : [
            {
              name,
              paths: under([...libraries, ...roots], [`${name.replaceAll("::", "/")}.pm`]),
              ...(PERL.test(name) && { of_language: true }),
            },
          ],
  );
  return [...files, ...modules];
};

const RUBY = new Set(
  words(`abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate did_you_mean digest drb English erb etc expect fcntl fiddle
  fileutils find forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net nkf objspace observer open3 open-uri
  openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rake rdoc readline reline resolv rexml rinda ripper
  rubygems securerandom set shellwords singleton socket stringio strscan syslog tempfile time timeout tmpdir tracer tsort un uri weakref
  webrick yaml zlib`),
);

const ruby = (path: string): readonly string[] => (/\.(?:rb|so)$/.test(path) ? [path] : [`${path}.rb`, path]);

/** `require_relative "x"`, `require "./x"`, `load "x.rb"`. */
export const rubyLoads: LoadRule = (given, { here, cwd, roots }) => {
  const code = given.replace(/^=begin[\s\S]*?^=end.*$/gm, "").replace(/(^|\s)#(?!\{).*$/gm, "$1");
  const added = matchesOf(code, /(?:\$LOAD_PATH|\$:)[^\n]*?["']([^"'\n]+)["']/g).flatMap(([, path = ""]) =>
    under([here, cwd], [path]),
  );
  return matchesOf(
    code,
    /\b(require_relative|require|load|autoload)\b\s*\(?\s*(?::\w+\s*,\s*)?(?:File\.(?:join|expand_path)\s*\(\s*)?(?:__dir__\s*,\s*)?(["'])([^"'\n]+)\2/g,
  ).map(([whole, how, , name = ""]): Loaded => {
    if (how === "require_relative" || whole.includes("__dir__")) return { name, paths: ruby(`${here}/${name}`) };
    if (/^\.{0,2}\//.test(name)) return { name, paths: ruby(name.startsWith("/") ? name : `${cwd}/${name}`) };
    if (how === "load") return { name, paths: under([cwd, ...added], ruby(name)) };
    return {
      name,
      paths: under([...added, ...roots], ruby(name)),
      ...(RUBY.has(name.split("/")[0] ?? "") && { of_language: true }),
    };
  });
};

/** `include "x.php"`, `require_once __DIR__ . "/x.php"`. */
export const phpLoads: LoadRule = (code, { here, cwd }) =>
  matchesOf(
    code,
    /\b(?:include|require)(?:_once)?\b\s*\(?\s*(__DIR__\s*\.\s*|dirname\s*\(\s*__FILE__\s*\)\s*\.\s*)?(["'])([^"'\n$]+)\2/g,
  ).map(([, beside, , name = ""]) => ({
    name,
    paths: beside === undefined ? at(name, cwd, here) : [`${here}/${name}`],
  }));

/** `require "x"`, `dofile("x.lua")`. */
export const luaLoads: LoadRule = (code, { cwd }) => [
  ...namesOf(code, /\b(?:dofile|loadfile)\s*\(?\s*["']([^"'\n]+)["']/g, (name) => at(name, cwd)),
  ...namesOf(code, /\brequire\s*\(?\s*["']([^"'\n]+)["']/g, (name) => {
    const path = name.replaceAll(".", "/");
    return under([cwd], [`${path}.lua`, `${path}/init.lua`]);
  }),
];

/** `@include "x.awk"`. */
export const awkLoads: LoadRule = (code, { here, cwd }) =>
  namesOf(code, /^\s*@(?:include|load)\s+"([^"\n]+)"/gm, (name) =>
    name.startsWith("/") ? [name] : under([cwd, here], [name, `${name}.awk`]),
  );

/** `source("x.R")`, `include("x.jl")`. */
export const sourceLoads: LoadRule = (code, { here, cwd }) =>
  namesOf(code, /\b(?:source|include|sys\.source)\s*\(\s*["']([^"'\n]+)["']/g, (name) => at(name, cwd, here));
