// Holds the records of package managers and builds of programming languages, and follows the packages and scripts that they run.
import type { Machine, Output, Program } from "../../interpreter/machine.ts";
import { scriptTexts } from "../../interpreter/redirects.ts";
import { deeper, entered, fork, keepFiles, type State } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { optionTable, optionValue, parseOptions, words } from "../../words/options.ts";
import { isOpen, quoted, UNKNOWN } from "../../words/symbols.ts";
import type { FilesRule, ProgramRecord } from "../record.ts";
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
import { PRELOADED, runScript } from "./languages.ts";

const VALUED = { short: "Cdw", long: words("prefix dir cwd working-dir filter workspace") };

const RUNS = new Set(words("run run-script rum urn"));

/** What a package manager runs of a package by itself. */
const INSTALLS = words("preinstall install postinstall prepublish preprepare prepare postprepare");

const OWN: Readonly<Record<string, readonly string[]>> = {
  install: INSTALLS,
  i: INSTALLS,
  ci: INSTALLS,
  add: INSTALLS,
  rebuild: INSTALLS,
  test: ["test"],
  t: ["test"],
  start: ["start"],
  stop: ["stop"],
  restart: ["stop", "restart", "start"],
  pack: ["prepare", "prepack", "postpack"],
  publish: ["prepublishOnly", "prepare", "prepack", "publish"],
  version: ["version"],
};

const packageDirectory = (args: readonly string[]): string =>
  optionValue(parseOptions(args, VALUED), "prefix", "C", "dir", "cwd", "d", "working-dir") ?? ".";

/** `bare`: what it runs without a verb. `named`: whether a script is a verb of its own: `yarn build`. */
type PackageManager = { readonly file: string; readonly bare: "installs" | "nothing"; readonly named: boolean };

/** The file that the manager would read; none for a command that runs no script of it. */
const packageFiles =
  (manager: PackageManager): FilesRule =>
  (args) =>
    scriptNames(manager, args).length === 0 ? [] : [`${packageDirectory(args)}/${manager.file}`];

function scriptNames({ bare, named: isVerb }: PackageManager, args: readonly string[]): readonly string[] {
  const [verb, first] = parseOptions(args, VALUED, false).operands;
  if (verb === undefined) return bare === "installs" ? INSTALLS : [];
  const named = RUNS.has(verb) ? first : isVerb ? verb : undefined;
  const own = RUNS.has(verb) ? undefined : OWN[verb];
  return own ?? (named === undefined ? [] : [named]);
}

/** Runs the scripts that the command names, each with those before and after it; null where their file is not known. */
const runPackageScript =
  (manager: PackageManager): ((argv: readonly string[], state: State, machine: Machine) => Output | null) =>
  ([, ...args], state, machine) => {
    if (setsScripts(args)) return setScripts(manager, args, state);
    const files = packageFiles(manager)(args, state);
    const texts = files.flatMap((file) =>
      [...scriptTexts(file, state), ...scriptsSet(file, state)].map((text) => [file, text] as const),
    );
    if (texts.length === 0) return null;
    const operands = parseOptions(args, VALUED, false).operands;
    const rest = operands.slice(
      operands.indexOf("--") < 0 ? (RUNS.has(operands[0] ?? "") ? 2 : 1) : operands.indexOf("--") + 1,
    );
    for (const [file, text] of texts) {
      const scripts = scriptsIn(text);
      for (const script of scriptNames(manager, args).flatMap((one) => [`pre${one}`, one, `post${one}`])) {
        const commands = isOpen(script) ? [...scripts.values()].flat() : (scripts.get(script) ?? []);
        for (const command of commands) {
          const inner = deeper(state, {
            location: { cwd: state.location.cwd.map((cwd) => absolute(`${file}/..`, cwd)) },
          });
          machine.runText([command, ...rest.map(quoted)].join(" "), inner);
          state.io.files = inner.io.files;
        }
      }
    }
    return [UNKNOWN];
  };

const setsScripts = (args: readonly string[]): boolean => {
  const [verb, action] = parseOptions(args, VALUED, false).operands;
  return verb === "set-script" || (verb === "pkg" && action === "set");
};

/** Not a path of a file: what the plan has set, beside the text that lies on disk. */
const keyOf = (file: string, state: State): readonly string[] =>
  state.location.cwd.map((cwd) => `${absolute(file, cwd)}\0scripts`);

const scriptsSet = (file: string, state: State): readonly string[] =>
  keyOf(file, state).flatMap((key) => state.io.files.get(key) ?? []);

/** `npm pkg set scripts.build='...'`, `npm set-script build '...'`. */
function setScripts({ file }: PackageManager, args: readonly string[], state: State): Output {
  const [verb, first = "", ...rest] = parseOptions(args, VALUED).operands;
  const pairs =
    verb === "set-script"
      ? [[first, rest[0] ?? ""]]
      : rest.flatMap((word) => {
          const [, name = "", value = ""] = /^scripts(?:\.|\[["']?)([^=\]"']+)["']?\]?=([\s\S]*)$/.exec(word) ?? [];
          return name === "" ? [] : [[name, value]];
        });
  for (const key of keyOf(`${packageDirectory(args)}/${file}`, state)) {
    const before = state.io.files.get(key) ?? [];
    if (pairs.length > 0)
      state.io.files = entered(state.io.files, key, [
        ...before,
        JSON.stringify({ scripts: Object.fromEntries(pairs) }),
      ]);
  }
  return [UNKNOWN];
}

function scriptsIn(text: string): ReadonlyMap<string, readonly string[]> {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    if (typeof scripts !== "object" || scripts === null) return new Map();
    const entries = Object.entries(scripts as Record<string, unknown>);
    return new Map(entries.map(([name, value]) => [name, [value].flat().filter((one) => typeof one === "string")]));
  } catch {
    return new Map();
  }
}

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

const NINJA_APPLIES: NonNullable<ProgramRecord["applies"]> = {
  options: "f P S C",
  names: "CMakeLists.txt meson.build SConstruct BUILD BUILD.bazel",
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

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "ninja cmake meson bazel",
      effect: { changes: "builds files" },
      applies: NINJA_APPLIES,
    },
    { names: "gcc g++ cc clang rustc", effect: { changes: "builds files" }, writesKnown: true },
    { names: "javac tsc", effect: { changes: "builds files" } },
  ]),
  {
    names: "pip",
    prints: "anything",
    printsSetup: COMPLETIONS,
    effect: pip,
    sideEffects: { long: "log log-file report", effect: WRITING },
    applies: PIP_APPLIES,
  },
  {
    names: "pip3",
    prints: "anything",
    kinds: true,
    effect: pip,
    sideEffects: { long: "log log-file report", effect: WRITING },
    applies: PIP_APPLIES,
  },
  {
    names: "pipx",
    effect: manager("list environment", "install uninstall upgrade upgrade-all inject reinstall ensurepath"),
  },
  {
    names: "uv",
    runs: inUv,
    effect: uv,
    applies: {
      when: /^(?:pip|sync|run|add)(?:\s|$)/,
      options: "r requirement requirements with-requirements env-file c constraint",
    },
  },
  { names: "pipenv pdm hatch rye pixi", runs: inVenv },
  {
    names: "poetry",
    runs: inVenv,
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
    effect: manager(
      "list search info specification outdated env environment contents which query dependency",
      "install uninstall update cleanup push fetch pristine build",
    ),
  },
  {
    names: "bundle bundler",
    runs: inBundle,
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
    applies: { when: /^(?:run|build|test|install)(?:\s|$)/, names: "Cargo.toml build.rs src" },
  },
  {
    names: "rustup",
    effect: manager("show check which", "update install uninstall default self", {
      rules: [["toolchain target component", manager("list", "install uninstall add remove link")]],
    }),
  },
  {
    names: "go",
    prints: "anything",
    effect: go,
    applies: { when: /^(?:run|build|generate|test|install)(?:\s|$)/, operands: /\.go$/, names: "*.go go.mod" },
  },
  {
    names: "dotnet",
    effect: ([, ...args]) => (/^--(info|version|list-sdks|list-runtimes)$/.test(args.join(" ")) ? "reads" : "unknown"),
    consequences: { deletes_data: /^ef database drop(?!.*--dry-run)|^(?:tool uninstall|remove)\s/ },
    applies: { operands: /\.(?:dll|exe|csproj|sln)$/ },
  },
  {
    names: "npm",
    ...scriptsOf(NPM),
    printsSetup: COMPLETIONS,
    effect: node,
    sideEffects: NPM_SIDE_EFFECTS,
    applies: PRELOADED,
  },
  {
    names: "pnpm",
    ...scriptsOf(PNPM),
    effect: node,
    sideEffects: NPM_SIDE_EFFECTS,
    applies: PRELOADED,
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
    script: true,
  },
  {
    names: "yarn",
    ...scriptsOf(YARN),
    effect: yarn,
    sideEffects: NPM_SIDE_EFFECTS,
    applies: PRELOADED,
  },
  { names: "npx", runs: packaged, effect: "unknown", applies: PRELOADED },
  { names: "pnpx bunx", runs: packaged, effect: "unknown" },
  { names: "uvx", runs: packaged },
  {
    names: "mvn gradle ant sbt gradlew mvnw",
    applies: {
      options: "f file b build-file",
      names: "pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts build.xml build.sbt",
    },
  },
  { names: "scons", applies: NINJA_APPLIES },
  { names: "nix-build home-manager", applies: { names: "default.nix shell.nix flake.nix", operands: /\.nix$/ } },
  { names: "tox", applies: { options: "c conf", names: "tox.ini pyproject.toml setup.cfg" } },
  { names: "nox", applies: { options: "f noxfile", names: "noxfile.py" } },
  { names: "gulp", applies: { options: "f gulpfile", names: "gulpfile.js gulpfile.mjs gulpfile.cjs" } },
  { names: "grunt", applies: { options: "gruntfile", names: "Gruntfile.js" } },
  { names: "mage", applies: { names: "magefile.go" } },
  { names: "pip2", sideEffects: { long: "log log-file report", effect: WRITING } },
  { names: "c++ clang++ ld", writesKnown: true },
];
