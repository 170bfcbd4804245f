// Holds the records of package managers of programming languages, and follows the packages that they run.
import type { Output, Program } from "../interpreter/machine.ts";
import { deeper, fork, keepFiles } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { optionTable, optionValue, parseOptions } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { runScript } from "./languages.ts";
import { type PackageManager, packageFiles, runPackageScript } from "./package-scripts.ts";
import { manager } from "./packages.ts";
import { COMPLETIONS, options, type ProgramRecord, unlessDry, type VerbRules, verbs } from "./record.ts";

const PACKAGES = "changes packages";

const BUILDS = "builds files";

const bareReads = options({ why: PACKAGES, operands: 0 });

const pip = unlessDry(
  "dry-run",
  manager("list show freeze check search inspect debug index hash version", "install uninstall download wheel", {
    valued: "--python --proxy --cert --cache-dir --log --timeout",
    rules: [
      ["config", manager("get list debug", "set unset edit")],
      ["cache", manager("dir info list", "remove purge")],
    ],
  }),
);

const uv = manager("tree", "add remove sync lock init venv build publish export", {
  valued: "--project --directory --python -p --config-file",
  rules: [
    ["pip", manager("list show freeze check tree", "install uninstall sync compile")],
    ["python tool", manager("list dir find", "install uninstall upgrade pin update-shell")],
    ["cache", manager("dir", "clean prune")],
    ["version", options({ why: PACKAGES, operands: 0, changes: "bump" })],
  ],
});

const go = verbs(BUILDS, "list version doc", "build install get clean fmt fix", {
  valued: "-C",
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
    valued: "--filter -F --prefix -C --dir --cwd -w --workspace --registry",
    rules: NODE_RULES,
  }),
);

const yarn = manager(NODE_READS, `${NODE_CHANGES} set plugin`, {
  valued: "--cwd",
  bare: { changes: PACKAGES },
  rules: [...NODE_RULES, ["version", { changes: "writes files" }]],
});

/** `npx rimraf dist`: the package is the program. */
const packaged: Program = ([, ...args], state, machine): Output => {
  const parsed = parseOptions(args, { short: "pc", long: ["package", "call"] }, false);
  const text = optionValue(parsed, "c", "call");
  if (text !== null) return machine.runText(text, deeper(state));
  return parsed.operands.length === 0 ? [UNKNOWN] : machine.runArgv(parsed.operands, fork(state));
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

export const LANGUAGE_PACKAGES: readonly ProgramRecord[] = [
  { names: "pip", prints: "anything", printsSetup: COMPLETIONS, effect: pip },
  { names: "pip3", prints: "anything", kinds: true, effect: pip },
  {
    names: "pipx",
    effect: manager("list environment", "install uninstall upgrade upgrade-all inject reinstall ensurepath"),
  },
  { names: "uv", runs: inUv, effect: uv },
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
  },
  {
    names: "rustup",
    effect: manager("show check which", "update install uninstall default self", {
      rules: [["toolchain target component", manager("list", "install uninstall add remove link")]],
    }),
  },
  { names: "go", prints: "anything", effect: go },
  {
    names: "dotnet",
    effect: ([, ...args]) => (/^--(info|version|list-sdks|list-runtimes)$/.test(args.join(" ")) ? "reads" : "unknown"),
  },
  { names: "npm", ...scriptsOf(NPM), printsSetup: COMPLETIONS, effect: node },
  { names: "pnpm", ...scriptsOf(PNPM), effect: node },
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
  },
  { names: "yarn", ...scriptsOf(YARN), effect: yarn },
  { names: "npx pnpx bunx", runs: packaged, effect: "unknown" },
  { names: "uvx", runs: packaged },
];
