// Package managers of programming languages.
import { manager } from "./packages.ts";
import { options, type ProgramRecord, unlessDry, verbs } from "./record.ts";
import { COMPLETIONS } from "./shell-setup.ts";

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

export const LANGUAGE_PACKAGES: readonly ProgramRecord[] = [
  { names: "pip", prints: "anything", printsSetup: COMPLETIONS, effect: pip },
  { names: "pip3", prints: "anything", kinds: true, effect: pip },
  {
    names: "pipx",
    effect: manager("list environment", "install uninstall upgrade upgrade-all inject reinstall ensurepath"),
  },
  { names: "uv", effect: uv },
  {
    names: "poetry",
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
    printsSetup: "shell.bash",
    effect: manager("list info search", "install remove uninstall update upgrade create clean"),
  },
  { names: "mamba", effect: manager("list info search", "install remove uninstall update upgrade create clean") },
  {
    names: "gem",
    effect: manager(
      "list search info specification outdated env environment contents which query dependency",
      "install uninstall update cleanup push fetch pristine build",
    ),
  },
  {
    names: "bundle bundler",
    effect: manager(
      "list show info outdated check doctor platform env",
      "install update add remove lock clean package init",
      {
        bare: { changes: PACKAGES },
      },
    ),
  },
  {
    names: "composer",
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
      "build b check c install uninstall update add remove publish clean new init fetch fix vendor generate-lockfile",
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
];
