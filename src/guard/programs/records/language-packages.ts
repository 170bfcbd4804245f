// Holds the records of package managers and builds of programming languages, and follows the packages and scripts that they run.
import type { Output, Program } from "../../interpreter/machine.ts";
import { record, scriptTexts, textAt } from "../../interpreter/redirects.ts";
import { deeper, fork, keepFiles } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { matches } from "../../words/glob.ts";
import { optionTable, optionValue, optionValues, parseOptions } from "../../words/options.ts";
import { FOREIGN, UNKNOWN } from "../../words/symbols.ts";
import type { Applied, ProgramRecord } from "../record.ts";
import {
  COMPLETIONS,
  manager,
  onThisMachine,
  options,
  PACKAGES,
  unlessDry,
  type VerbRules,
  verbs,
  WRITING,
} from "../rules/effects.ts";
import { PATH } from "../rules/select.ts";
import {
  COMPILES,
  FETCHED,
  goRuns,
  NODE_OBEYS,
  PIP_OBEYS,
  PIP_VALUED,
  UVX_OBEYS,
} from "./language-packages/fetched.ts";
import { type PackageManager, packageFiles, runPackageScript } from "./language-packages/scripts.ts";
import { PRELOADED, runScript } from "./languages.ts";

const BUILDS = "builds files";

const bareReads = options({ why: PACKAGES, operands: 0 });

const pip = unlessDry(
  "dry-run",
  manager("list show freeze check search inspect debug index hash version", "install uninstall download wheel", {
    valued: "python proxy cert cache-dir log timeout",
    rules: [
      ["config", manager("get list debug", "set unset edit")],
      ["cache", manager("dir info list", "remove purge")],
    ],
  }),
);

const uv = manager("tree", "add remove sync lock init venv build publish export", {
  valued: "project directory python p config-file",
  rules: [
    ["pip", manager("list show freeze check tree", "install uninstall sync compile")],
    ["python tool", manager("list dir find", "install uninstall upgrade pin update-shell")],
    ["cache", manager("dir", "clean prune")],
    ["version", options({ why: PACKAGES, operands: 0, changes: "bump" })],
  ],
});

const go = verbs(BUILDS, "list version doc", "build install get clean fmt fix", {
  valued: "C",
  rules: [
    ["env", options({ why: "changes settings", changes: "w u" })],
    ["mod", verbs(BUILDS, "graph why verify", "download tidy init edit vendor")],
  ],
});

const NODE_RULES: VerbRules = [
  ["config c", manager("get list ls", "set delete edit fix")],
  ["version", bareReads],
  ["pkg", manager("get", "set delete fix")],
  ["cache", manager("ls list", "add clean clear verify rm")],
  ["owner team access dist-tag", manager("ls list get", "add rm set grant revoke create destroy")],
  ["audit", options({ why: PACKAGES, operands: 0, changes: "fix" })],
  ["run run-script", bareRun],
];

/** Without a name it lists the scripts. */
function bareRun(argv: readonly string[]) {
  return argv.slice(1).every((arg) => arg.startsWith("-")) ? "reads" : "unknown";
}

const NODE_READS = `ls list ll la view v info show search find s outdated root prefix bin whoami ping doctor explain why fund
  query licenses sbom`;

const NODE_CHANGES = `install i ci add remove uninstall rm r un update up upgrade publish unpublish link ln unlink dedupe ddp prune
  pack rebuild rb init create set-script login logout deprecate star shrinkwrap import fetch patch deploy store
  self-update global`;

const node = unlessDry(
  "dry-run",
  manager(NODE_READS, NODE_CHANGES, {
    valued: "filter F prefix C dir cwd w workspace registry",
    rules: NODE_RULES,
  }),
);

const yarn = manager(NODE_READS, `${NODE_CHANGES} set plugin`, {
  valued: "cwd",
  bare: { changes: PACKAGES },
  rules: [...NODE_RULES, ["version", { changes: "writes files" }]],
});

/** `wrangler@3`, `@scope/tool@latest`. */
const VERSION = /(?<=.)@[\w.^~-]+$/;

/** `npx rimraf dist`: the package is the program. */
const packaged: Program = ([, ...args], state, machine): Output => {
  const parsed = parseOptions(args, { short: "pc", long: ["package", "call"] }, false);
  const text = optionValue(parsed, "c", "call");
  if (text !== null) return machine.runText(text, deeper(state));
  const [name = "", ...rest] = parsed.operands;
  return name === "" ? [UNKNOWN] : machine.runArgv([name.replace(VERSION, ""), ...rest], fork(state));
};

const INTERPRETER = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|perl|ruby|php|(?:ba|da|z|k)?sh)$/;

/** `pipx run black`. */
const packagedAfter =
  (verb: RegExp): Program =>
  ([name = "", first = "", ...rest], state, machine) =>
    verb.test(first) ? packaged([name, ...rest], state, machine) : [UNKNOWN];

/** `pip install .` runs the script that builds the directory. */
const runPip: Program = ([, ...args], state, machine) => {
  const [verb, ...operands] = parseOptions(args, optionTable(`${PIP_VALUED} r requirement c constraint`)).operands;
  if (!/^(?:install|wheel|download)$/.test(verb ?? "")) return [UNKNOWN];
  const editable = optionValues(parseOptions(args, optionTable("e editable")), "e", "editable");
  for (const directory of [...operands, ...editable.flatMap((value) => value ?? [])]) {
    const script = `${directory.replace(/\[[^\]]*\]$/, "")}/setup.py`;
    if (/^\.|\//.test(directory) && scriptTexts(script, state).length > 0)
      machine.runArgv(["python3", script], fork(state));
  }
  return [UNKNOWN];
};

/** `npm exec -- rimraf dist`, `pnpm dlx x`, `yarn exec x`. */
const packageExec =
  (manager: PackageManager): Program =>
  (argv, state, machine): Output =>
    /^(exec|dlx|x)$/.test(argv[1] ?? "") || (argv[1] === "run" && INTERPRETER.test(argv[2] ?? ""))
      ? packaged(
          argv.slice(1).filter((word) => word !== "--"),
          state,
          machine,
        )
      : (runPackageScript(manager)(argv, state, machine) ?? [UNKNOWN]);

/** `uv run x.py`, `poetry run python x.py`, `bundle exec rake`. `valued`: options before the command. */
const inEnvironment =
  (verb: RegExp, valued: string): Program =>
  ([, ...args], state, machine): Output => {
    const at = args.findIndex((word) => !word.startsWith("-"));
    if (!verb.test(args[at] ?? "")) return [UNKNOWN];
    const parsed = parseOptions(args.slice(at + 1), optionTable(valued), false);
    const [first = ""] = parsed.operands;
    const module = optionValue(parsed, "m", "module");
    const directory = optionValue(parsed, "directory", "C", "cwd");
    const cwd = directory === null ? state.location.cwd : state.location.cwd.map((one) => absolute(directory, one));
    const python = module === null ? parsed.operands : ["-m", module, ...parsed.operands];
    const isPython = module !== null || /\.pyw?$/.test(first) || first === "-";
    const inner = fork(state, { location: { cwd }, frame: { launches: state.frame.launches + 1 } });
    const output = python.length === 0 ? [UNKNOWN] : machine.runArgv(isPython ? ["python3", ...python] : python, inner);
    keepFiles(state, inner);
    return output;
  };

const inUv = inEnvironment(
  /^run$/,
  "p m w directory project with with-requirements with-editable python extra group env-file index index-url package module",
);

const inVenv = inEnvironment(/^run$/, "C n p directory cwd name prefix project env");

const inBundle = inEnvironment(/^exec$/, "gemfile");

const NPM: PackageManager = { file: "package.json", bare: "nothing", named: false };

const PNPM: PackageManager = { ...NPM, named: true };

const YARN: PackageManager = { ...PNPM, bare: "installs" };

const COMPOSER: PackageManager = { ...PNPM, file: "composer.json" };

const scriptsOf = (manager: PackageManager) => ({ runs: packageExec(manager), files: packageFiles(manager) });

const runBun: Program = (argv, state, machine) =>
  argv[1] === "run" ? packageExec(PNPM)(argv, state, machine) : runScript(argv, state, machine);

/** What of the files of a build runs a program; the rest compiles. */
const NINJA_OBEYS: Applied = {
  options: "f P",
  names: "CMakeLists.txt meson.build build.ninja WORKSPACE MODULE.bazel BUILD BUILD.bazel",
  holds:
    /execute_process|custom_(?:command|target)|ExternalProject|FetchContent|REMOVE|\b(?:CODE|SCRIPT)\b|cmake_language|include\s*\(|run_(?:command|target)|_install_script|generator|genrule|repository|command\s*=|\bload\s*\(/,
};

const PIP_APPLIES: NonNullable<ProgramRecord["applies"]> = {
  when: /^install(?:\s|$)/,
  options: "r requirement c constraint",
  operands: PATH,
  includes: /^\s*(?:-[rc]|--requirement|--constraint)[\s=]+(\S+)/gm,
};

const NPM_SIDE_EFFECTS: NonNullable<ProgramRecord["sideEffects"]> = {
  words: /^--(?:logs-dir|cache|userconfig|globalconfig|script-shell|node-options)(?:=|$)/,
  effect: "unknown",
};

/** What is made of a source that the plan wrote is not known. */
const compiles: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, optionTable("o x I L l D std"));
  const isOwn = (word: string) =>
    state.location.cwd
      .map((cwd) => absolute(word, cwd))
      .some((path) => textAt(path, state) !== undefined && !machine.isOnDisk(path, state));
  if (![...parsed.operands, "/dev/stdin"].some(isOwn)) return [UNKNOWN];
  const [first = ""] = parsed.operands;
  const made = optionValue(parsed, "o") ?? (/\.rs$/.test(first) ? first.replace(/\.rs$/, "") : "a.out");
  record({ path: made, append: false, text: [FOREIGN] }, state, machine);
  return [UNKNOWN];
};

/** `go build -o x .` */
const goBuilds: Program = ([name = "", verb = "", ...args], state, machine) => {
  if (!/^(?:build|install)$/.test(verb)) return [UNKNOWN];
  const sources = goRuns([name, "run", ...args], state).filter((word) => word.endsWith(".go"));
  const [cwd = "/"] = state.location.cwd;
  const own = [...state.io.files.keys()].filter((file) =>
    sources.some((source) => matches(absolute(source, cwd), file)),
  );
  const made = optionValue(parseOptions(args, optionTable("o")), "o") ?? cwd.slice(cwd.lastIndexOf("/") + 1);
  if (own.some((file) => !machine.isOnDisk(file, state)))
    record({ path: made, append: false, text: [FOREIGN] }, state, machine);
  return [UNKNOWN];
};

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "ninja cmake meson bazel",
      effect: { changes: "builds files" },
      obeys: NINJA_OBEYS,
    },
    { names: "gcc g++ cc clang rustc", runs: compiles, effect: { changes: "builds files" }, writesKnown: true },
    { names: "javac tsc", effect: { changes: "builds files" } },
  ]),
  {
    names: "pip",
    modules: "pip pip3",
    runs: runPip,
    printsSetup: COMPLETIONS,
    effect: pip,
    sideEffects: { long: "log log-file report", effect: WRITING },
    applies: PIP_APPLIES,
    obeys: PIP_OBEYS,
  },
  {
    names: "pip3",
    runs: runPip,
    kinds: true,
    effect: pip,
    sideEffects: { long: "log log-file report", effect: WRITING },
    applies: PIP_APPLIES,
    obeys: PIP_OBEYS,
  },
  {
    names: "pipx",
    modules: "pipx",
    runs: packagedAfter(/^run$/),
    obeys: [
      {
        when: /^(?:install|inject|run|runpip|upgrade)(?:\s|$)/,
        options: "spec",
        valued: "python i index-url suffix",
        operands: FETCHED,
      },
    ],
    effect: manager("list environment", "install uninstall upgrade upgrade-all inject reinstall ensurepath"),
  },
  {
    names: "uv",
    modules: "uv",
    runs: inUv,
    effect: uv,
    applies: {
      when: /^(?:pip|sync|run|add)(?:\s|$)/,
      options: "r requirement requirements with-requirements env-file c constraint",
    },
    obeys: [
      ...PIP_OBEYS,
      {
        when: /^(?:run|tool run|tool install|x)(?:\s|$)/,
        options: "from with with-editable",
        valued: "p python m module directory project",
        skip: 1,
        operands: /^(?:https?:\/\/|git\+)/,
      },
    ],
  },
  {
    names: "pipenv pdm hatch rye pixi",
    modules: "pipenv pdm hatch",
    runs: inVenv,
    obeys: [
      { when: /^run(?:\s|$)/, names: "pyproject.toml Pipfile pixi.toml hatch.toml", holds: /scripts|tasks|\bcmd\b/ },
      { when: /^(?:add|install)(?:\s|$)/, options: "e editable", operands: FETCHED },
    ],
  },
  {
    names: "poetry",
    modules: "poetry",
    runs: inVenv,
    obeys: [
      { when: /^add(?:\s|$)/, operands: FETCHED },
      {
        when: /^(?:run|install|build)(?:\s|$)/,
        names: "pyproject.toml",
        holds: /build-script|^\s*script\s*=|\[tool\.(?:poe|taskipy)|git\s*=/m,
      },
    ],
    printsSetup: COMPLETIONS,
    effect: manager("show check about search", "add remove install update lock init new build publish", {
      rules: [
        ["env", manager("info list", "use remove")],
        ["version", bareReads],
        ["config", options({ reads: "list", otherwise: "unknown" })],
      ],
    }),
  },
  {
    names: "conda",
    runs: inVenv,
    printsSetup: "shell.bash",
    effect: manager("list info search", "install remove uninstall update upgrade create clean"),
  },
  {
    names: "mamba",
    runs: inVenv,
    effect: manager("list info search", "install remove uninstall update upgrade create clean"),
  },
  {
    names: "gem",
    obeys: {
      when: /^(?:install|i|update)(?:\s|$)/,
      valued: "v version s source i install-dir n bindir",
      operands: FETCHED,
    },
    effect: manager(
      "list search info specification outdated env environment contents which query dependency",
      "install uninstall update cleanup push fetch pristine build",
    ),
  },
  {
    names: "bundle bundler",
    runs: inBundle,
    obeys: {
      when: /^(?:install|update|exec)?(?:\s|$)/,
      names: "Gemfile",
      holds: /git|https?:\/\/(?!rubygems\.org)|path|system|`/,
    },
    effect: manager(
      "list show info outdated check doctor platform env",
      "install update add remove lock clean package init",
      { bare: { changes: PACKAGES } },
    ),
  },
  {
    names: "composer",
    ...scriptsOf(COMPOSER),
    effect: manager(
      "show outdated validate licenses why why-not depends prohibits search diagnose status",
      "install update require remove upgrade dump-autoload create-project self-update clear-cache",
    ),
  },
  {
    names: "cargo",
    prints: "anything",
    effect: verbs(
      BUILDS,
      "tree metadata search info version locate-project pkgid audit outdated",
      "build b check c uninstall update add remove publish clean new init fetch fix vendor generate-lockfile",
      {
        rules: [
          [
            "install",
            options({
              why: PACKAGES,
              changes: "f force path git version",
              reads: "list",
              otherwise: { changes: PACKAGES },
            }),
          ],
        ],
      },
    ),
    applies: { when: /^(?:run|build|test|install)(?:\s|$)/, names: "src" },
    obeys: [
      { when: COMPILES, names: "build.rs Cargo.lock .cargo/config.toml" },
      { when: COMPILES, names: "Cargo.toml", holds: /^\s*build\s*=|\bgit\s*=|proc-macro/m },
      { when: /^(?:r|run|t|test|bench)(?:\s|$)/, names: "src/*.rs src/bin/*.rs src/*/*.rs tests/*.rs examples/*.rs" },
      { when: /^(?:install|add)(?:\s|$)/, options: "git path" },
    ],
  },
  {
    names: "rustup",
    effect: manager("show check which", "update install uninstall default self", {
      rules: [["toolchain target component", manager("list", "install uninstall add remove link")]],
    }),
  },
  {
    names: "go",
    runs: goBuilds,
    effect: go,
    applies: { when: /^(?:run|build|generate|test|install)(?:\s|$)/, operands: /\.go$/, names: "*.go go.mod" },
    obeys: goRuns,
  },
  {
    names: "dotnet",
    effect: ([, ...args]) => (/^--(info|version|list-sdks|list-runtimes)$/.test(args.join(" ")) ? "reads" : "unknown"),
    consequences: { deletes_data: /^ef database drop(?!.*--dry-run)|^(?:tool uninstall|remove)\s/ },
    applies: { operands: /\.(?:dll|exe|csproj|sln)$/ },
    obeys: [
      {
        when: /^(?:run|test|watch|script|fsi)(?:\s|$)/,
        operands: /\.(?:csx?|fsx?|csproj)$/,
        names: "*.cs *.fs */*.cs",
      },
      {
        when: /^(?:run|test|build|publish|restore|msbuild)(?:\s|$)/,
        names: "*.csproj *.fsproj Directory.Build.props Directory.Build.targets",
        holds: /Exec|Target|Task/,
      },
      { operands: /\.dll$/ },
    ],
  },
  {
    names: "npm",
    ...scriptsOf(NPM),
    printsSetup: COMPLETIONS,
    effect: node,
    sideEffects: NPM_SIDE_EFFECTS,
    obeys: [...NODE_OBEYS, PRELOADED],
  },
  {
    names: "pnpm",
    ...scriptsOf(PNPM),
    effect: node,
    sideEffects: NPM_SIDE_EFFECTS,
    obeys: [...NODE_OBEYS, PRELOADED],
  },
  {
    names: "bun",
    runs: runBun,
    files: (args, state) => [
      ...packageFiles(PNPM)(args, state),
      ...args.slice(0, 2).filter((word) => /\.[cm]?[jt]sx?$/.test(word)),
    ],
    effect: manager("outdated why info", `${NODE_CHANGES} build`, {
      rules: [["pm", manager("ls bin hash whoami cache-dir", "cache trust")]],
    }),
    obeys: NODE_OBEYS,
    script: true,
  },
  {
    names: "yarn",
    ...scriptsOf(YARN),
    effect: yarn,
    sideEffects: NPM_SIDE_EFFECTS,
    obeys: [...NODE_OBEYS, PRELOADED],
  },
  { names: "npx pnpx bunx", runs: packaged, effect: "unknown", obeys: [UVX_OBEYS, PRELOADED] },
  { names: "uvx", runs: packaged, obeys: UVX_OBEYS },
  { names: "pip2", sideEffects: { long: "log log-file report", effect: WRITING } },
  { names: "c++ clang++ ld", runs: compiles, writesKnown: true },
];
