// Holds the records of interpreters: which of their options give code, which files code loads, and whether a use only looks.
import type { Program } from "../../interpreter/machine.ts";
import { fork } from "../../interpreter/state.ts";
import { words } from "../../words/options.ts";
import type { Applied, AppliesRule, EffectRule, ProgramRecord, StartedBy } from "../record.ts";
import { at, COMPUTED, codeProgram, type Loaded, type LoadRule, matchesOf, namesOf, under } from "../rules/code.ts";
import { type CodeDialect, DELETING_CALLS } from "../rules/code-calls.ts";
import { each, runsTexts } from "../rules/texts.ts";
import { PHP_LOOKS } from "./applications.ts";
import { RAILS_CONSEQUENCES } from "./frameworks.ts";

const SCRIPT: CodeDialect = {
  calls: new RegExp(
    `^(?:execSync|execFile|execFileSync|spawn|spawnSync|execa|execaSync|execaCommand|Command|runIn\\w*Context|${DELETING_CALLS})$`,
  ),
  bare: /^(?:eval|Function)$/,
  only: [
    [/^exec$/, /child_process|execa|shelljs/],
    [/^rm$/, /\brecursive\b/],
    [/^run$/, /\bDeno\s*\.\s*run\b/],
    [/^(?:remove|removeAll)$/, /\bDeno\b|fs-extra/],
  ],
  interpolates: /^`[\s\S]*\$\{/,
  always:
    /\.then\s*\(\s*eval\s*\)|(?:^|[^\w$)\]])\$`[^`]*\$\{|\b(?:fs|cp|child_process|require\([^)]*\))\s*\[\s*(?!["'`\d])[^\]]*\]\s*\(/,
};

const PERL: CodeDialect = {
  calls: /^(?:rmtree|remove_tree|open[23]|capture|capturex|systemx)$/,
  bare: /^(?:system|exec)$/,
  loose: true,
  interpolates: /^(?:"|`|q[qx])[\s\S]*(?<!\\)[$@][\w{]/,
  backquotes: true,
  always:
    /\b(?:eval|do)\s*\(?\s*(?:[$@]|shift\b|lc\b|join\b|pack\b|get\b|reverse\b)|\bopen\b[^;\n]*(?:["']\s*\|\s*[$@]|(?:-\||\|-)["']\s*,\s*[$@]|[$@]\w+\s*\|\s*["'])/,
};

const RUBY: CodeDialect = {
  calls: new RegExp(
    `^(?:popen|popen[23]e?|capture[23]e?|pipeline\\w*|instance_eval|class_eval|module_eval|${DELETING_CALLS})$`,
  ),
  bare: /^(?:system|exec|spawn|eval)$/,
  only: [[/^(?:system|exec|spawn)$/, /\b(?:Kernel|Process)\s*\./]],
  loose: true,
  interpolates: /^(?:"|`|%)[\s\S]*#\{/,
  backquotes: true,
  always: /\b(?:send|public_send|__send__|method)\b\s*\(?\s*[:"'](?:system|exec|spawn|`|eval|rm_rf)/,
};

const PHP: CodeDialect = {
  calls: /^(?!)$/,
  bare: /^(?:system|exec|shell_exec|passthru|proc_open|popen|pcntl_exec|eval|assert|create_function)$/,
  interpolates: /^["`][\s\S]*(?<!\\)[$][\w{]/,
  backquotes: true,
  always:
    /\b(?:call_user_func\w*|array_map|array_walk|array_filter|usort)\s*\(\s*["'](?:system|exec|shell_exec|passthru|popen|unlink|rmdir|assert)["']|["'](?:system|exec|shell_exec|passthru|popen)["']\s*;|\b(?:include|require)(?:_once)?\s*\(?\s*\$/,
};

const LUA: CodeDialect = { calls: /^(?:execute|popen)$/, bare: /^(?:load|loadstring)$/, loose: true };

const R: CodeDialect = {
  calls: /^(?:system2?|shell)$/,
  only: [[/^unlink$/, /\brecursive\s*=\s*T/]],
  always:
    /\beval\s*\(\s*(?:str2lang|str2expression|parse)\s*\(\s*text\s*=\s*(?!["'])|\b(?:source|sys\.source|source_url|install_url)\s*\(\s*(?:url\s*\(\s*)?["']https?:/,
};

const JULIA: CodeDialect = {
  calls: /^(?!)$/,
  only: [[/^rm$/, /\brecursive\b/]],
  always: /\b(?:run|read|pipeline)\s*\(\s*`[^`]*\$|\binclude(?:_string)?\s*\([^)]*\bdownload\s*\(/,
};

const ELIXIR: CodeDialect = {
  calls: /^(?:cmd|shell|rm_rf)$/,
  bare: /^eval_string$/,
  loose: true,
  interpolates: /^"[\s\S]*#\{/,
};

const GROOVY: CodeDialect = {
  calls: /^(?!)$/,
  interpolates: /^"[\s\S]*(?<!\\)\$/,
  always: /\b\w+\.execute\s*\(|\$[^"']*["']\s*\.execute\s*\(/,
};

const NODE_MODULES = new Set(
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
const scriptLoads: LoadRule = (given, { here }) => {
  const code = given.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return matchesOf(code, MODULE).flatMap(([whole, , name]): Loaded[] => {
    if (name === undefined) return /^(?:require|import\s*\()/.test(whole) ? [{ name: COMPUTED, paths: [] }] : [];
    if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(name))
      return [{ name, paths: SUFFIXES.map((suffix) => `${name.startsWith("/") ? "" : `${here}/`}${name}${suffix}`) }];
    const bare = name.replace(/^(?:node|bun|deno):/, "");
    return bare !== name || NODE_MODULES.has(bare.split("/")[0] ?? "") ? [] : [{ name, paths: [] }];
  });
};

const PERL_MODULES =
  /^(?:strict|warnings|utf8|feature|lib|vars|constant|parent|base|integer|bytes|open|autodie|diagnostics|overload|v?\d[\d._]*|POSIX|Carp|Cwd|Env|English|Errno|Exporter|Fcntl|FindBin|Socket|Storable|Symbol|Benchmark|B|DB_File|Safe|threads|attributes|bigint|bignum|if|less|locale|mro|re|sigtrap|sort|subs|version|(?:Data|File|Getopt|IO|IPC|List|Scalar|Sys|Term|Text|Time|Tie|Digest|MIME|Encode|Math|Unicode|Hash|Test|Pod|HTTP::Tiny|JSON::PP|Archive|Compress|Module|Params|Perl|PerlIO|Thread|Config|ExtUtils|I18N|Memoize|Net|Search|User)(?:::.*)?)$/;

/** `require "./x.pl"`, `do "x.pl"`, `use lib "lib"; use Local::Module`. */
const perlLoads: LoadRule = (given, { here, cwd, roots }) => {
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
      PERL_MODULES.test(name) && libraries.length === 0
        ? []
        : [
            {
              name,
              paths: under([...libraries, ...roots], [`${name.replaceAll("::", "/")}.pm`]),
              ...(PERL_MODULES.test(name) && { of_language: true }),
            },
          ],
  );
  return [...files, ...modules];
};

const RUBY_MODULES = new Set(
  words(`abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate did_you_mean digest drb English erb etc expect fcntl fiddle
  fileutils find forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net nkf objspace observer open3 open-uri
  openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rake rdoc readline reline resolv rexml rinda ripper
  rubygems securerandom set shellwords singleton socket stringio strscan syslog tempfile time timeout tmpdir tracer tsort un uri weakref
  webrick yaml zlib`),
);

const ruby = (path: string): readonly string[] => (/\.(?:rb|so)$/.test(path) ? [path] : [`${path}.rb`, path]);

/** `require_relative "x"`, `require "./x"`, `load "x.rb"`. */
const rubyLoads: LoadRule = (given, { here, cwd, roots }) => {
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
      ...(RUBY_MODULES.has(name.split("/")[0] ?? "") && { of_language: true }),
    };
  });
};

/** `include "x.php"`, `require_once __DIR__ . "/x.php"`. */
const phpLoads: LoadRule = (code, { here, cwd }) =>
  matchesOf(
    code,
    /\b(?:include|require)(?:_once)?\b\s*\(?\s*(__DIR__\s*\.\s*|dirname\s*\(\s*__FILE__\s*\)\s*\.\s*)?(["'])([^"'\n$]+)\2/g,
  ).map(([, beside, , name = ""]) => ({
    name,
    paths: beside === undefined ? at(name, cwd, here) : [`${here}/${name}`],
  }));

/** `require "x"`, `dofile("x.lua")`. */
const luaLoads: LoadRule = (code, { cwd }) => [
  ...namesOf(code, /\b(?:dofile|loadfile)\s*\(?\s*["']([^"'\n]+)["']/g, (name) => at(name, cwd)),
  ...namesOf(code, /\brequire\s*\(?\s*["']([^"'\n]+)["']/g, (name) => {
    const path = name.replaceAll(".", "/");
    return under([cwd], [`${path}.lua`, `${path}/init.lua`]);
  }),
];

/** `source("x.R")`, `include("x.jl")`. */
const sourceLoads: LoadRule = (code, { here, cwd }) =>
  namesOf(code, /\b(?:source|include|sys\.source)\s*\(\s*["']([^"'\n]+)["']/g, (name) => at(name, cwd, here));

export const PRELOADED: Applied = {
  variable: "NODE_OPTIONS",
  within: /(?:^|\s)(?:-r|--require|--import|--loader)[\s=]+(\S+)/g,
};

const TASKS_OF_JSON: readonly StartedBy[] = [
  { files: /\/deno\.jsonc?$/, commands: each(/"[\w:-]+"\s*:\s*"((?:[^"\\]|\\.)*)"/g) },
];

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

const SCRIPT_CODE = /^(?:--(?:eval|print)(?=$|=)|-(?:pe|e|p)$|-e(?=\W|\w{2})|eval$)/;

const PERL_CODE = /^-[acdlnpswW0-7FtTuUX]*[eE]/;

const RUBY_CODE = /^-[acdlnpsvwW]*e/;

const PHP_CODE = /^-[rBER]$|^-r/;

const EXPRESSION = /^-e$/;

export const runScript = codeProgram({ code: SCRIPT_CODE, dialect: SCRIPT, loads: scriptLoads });

const expression = (dialect: CodeDialect, loads: LoadRule = sourceLoads): Program =>
  codeProgram({ code: EXPRESSION, dialect, loads });

const runRubyCode = codeProgram({ code: RUBY_CODE, dialect: RUBY, loads: rubyLoads, path: "RUBYLIB" });

/** `ruby -run -e rm_r -- -f x`: commands of the shell by other names. */
const runRuby: Program = (argv, state, machine) => {
  const at = argv.indexOf("-e");
  const [, name = ""] = /^(rm|mv|cp|chmod)(?:_rf?)?$/.exec(argv[at + 1] ?? "") ?? [];
  if (!argv.includes("-run") || name === "") return runRubyCode(argv, state, machine);
  const words = argv.slice(at + 2).filter((word) => word !== "--");
  return machine.runArgv([name, ...(/_r/.test(argv[at + 1] ?? "") ? ["-r"] : []), ...words], fork(state));
};

const DENO_OBEYS: readonly Applied[] = [
  {
    when: /^(?:(?:run|install|i|test|bench|serve|add|x|compile)\s+)?(?:-\S+\s+)*(?:https?|data):/,
    operands: /^(?:https?|data):/,
  },
  { when: /^task(?:\s|$)/, names: "deno.json deno.jsonc" },
];

/** `java Main` may be compiled from a file beside it. */
const classOf: AppliesRule = ([, ...args]) =>
  args.filter((word) => /^[A-Z][\w.]*$/.test(word)).map((word) => `${word.replaceAll(".", "/")}.java`);

const NODE_OBEYS: readonly Applied[] = [{ options: "r require import loader experimental-loader" }, PRELOADED];

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "node",
    runs: runScript,
    effect: nodeEffect,
    versions: true,
    code: SCRIPT_CODE,
    applies: "env-file",
    obeys: NODE_OBEYS,
    readsCode: true,
    script: true,
    mainFiles: "package.json index.js",
  },
  {
    names: "nodejs",
    runs: runScript,
    effect: onlyVersion,
    code: SCRIPT_CODE,
    applies: "env-file",
    obeys: NODE_OBEYS,
    readsCode: true,
    script: true,
    mainFiles: "package.json index.js",
  },
  {
    names: "deno",
    runs: runScript,
    effect: onlyVersion,
    code: SCRIPT_CODE,
    obeys: DENO_OBEYS,
    script: true,
    startedBy: TASKS_OF_JSON,
  },
  {
    names: "tsx",
    runs: runScript,
    code: SCRIPT_CODE,
    applies: "env-file",
    obeys: NODE_OBEYS,
    script: true,
  },
  {
    names: "ts-node",
    runs: runScript,
    code: SCRIPT_CODE,
    applies: "env-file",
    obeys: NODE_OBEYS,
    script: true,
  },
  {
    names: "perl",
    runs: codeProgram({ code: PERL_CODE, dialect: PERL, loads: perlLoads, path: "PERL5LIB" }),
    effect: perlEffect,
    versions: true,
    code: PERL_CODE,
    writes: { words: /(?:^|[;{}$\d/|,!\s])[wW]\s*(\/dev\/[\w/.-]+)/ },
    readsCode: true,
    script: true,
  },
  {
    names: "ruby",
    runs: runRuby,
    effect: onlyVersion,
    versions: true,
    code: RUBY_CODE,
    obeys: [{ options: "r" }, { variable: "RUBYOPT", within: /-r\s*(\S+)/g }],
    readsCode: true,
    script: true,
  },
  {
    names: "rails",
    looks: "about, routes, stats, notes, db:version, db:migrate:status, --version",
    runs: codeProgram({ code: /^r(?:unner)?$/, dialect: RUBY }),
    code: /^r(?:unner)?$/,
    consequences: RAILS_CONSEQUENCES,
    applies: { when: /(?:^|\s)db:/, names: "db/migrate db/schema.rb" },
  },
  {
    names: "php",
    runs: codeProgram({ code: PHP_CODE, dialect: PHP, loads: phpLoads }),
    effect: phpEffect,
    versions: true,
    code: PHP_CODE,
    readsCode: true,
    script: true,
  },
  {
    names: "lua",
    runs: expression(LUA, luaLoads),
    effect: onlyVersion,
    versions: true,
    code: EXPRESSION,
    readsCode: true,
    script: true,
  },
  { names: "luajit", runs: expression(LUA, luaLoads), versions: true, code: EXPRESSION, readsCode: true, script: true },
  { names: "Rscript", runs: expression(R), effect: onlyVersion, code: EXPRESSION, readsCode: true, script: true },
  { names: "R", runs: expression(R), effect: onlyVersion, code: EXPRESSION, readsCode: true },
  {
    names: "elixir iex",
    runs: expression(ELIXIR),
    effect: onlyVersion,
    code: EXPRESSION,
    obeys: { operands: /\.exs?$/ },
  },
  {
    names: "groovy",
    runs: expression(GROOVY),
    effect: onlyVersion,
    code: EXPRESSION,
    obeys: { operands: /\.groovy$/ },
  },
  { names: "julia", runs: expression(JULIA), code: EXPRESSION, readsCode: true, script: true },
  {
    names: "java",
    effect: onlyVersion,
    obeys: [{ options: "jar cp classpath", operands: /\.(?:jar|java)$/ }, classOf],
  },
  { names: "osascript", runs: runsShellScripts, effect: onlyVersion, script: true },
  { names: "objcopy", writes: { operands: "last", valued: "m o g t S O f" } },
  { names: "mono wine", obeys: { operands: /\.(?:dll|exe|csproj|sln)$/ } },
  { names: "jruby", applies: "r" },
  {
    names: "jest vitest mocha playwright cypress",
    effect: "unknown",
    applies: { options: "c config", names: "jest.config.* vitest.config.* playwright.config.* cypress.config.*" },
  },
];
