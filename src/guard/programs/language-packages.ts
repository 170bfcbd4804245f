// Package managers of programming languages.
import { changes, options, READS, UNSURE, unlessDry, verbs } from "./effect-rules.ts";
import { printsAnything } from "./outputs.ts";
import { manager, managerPart } from "./packages.ts";
import type { ProgramRecord } from "./record.ts";
import { COMPLETIONS } from "./shell-setup.ts";

const PACKAGES = "changes packages";

const BUILDS = "builds files";

const bareReads = options({ why: PACKAGES, operands: 0 });

const pip = unlessDry(
  "dry-run",
  manager("list show freeze check search inspect debug index hash version", "install uninstall download wheel", {
    valued: "--python --proxy --cert --cache-dir --log --timeout",
    rules: [
      ["config", managerPart("get list debug", "set unset edit")],
      ["cache", managerPart("dir info list", "remove purge")],
    ],
  }),
);

const uv = manager("tree", "add remove sync lock init venv build publish export", {
  valued: "--project --directory --python -p --config-file",
  rules: [
    ["pip", manager("list show freeze check tree", "install uninstall sync compile")],
    ["python tool", manager("list dir find", "install uninstall upgrade pin update-shell")],
    ["cache", managerPart("dir", "clean prune")],
    ["version", options({ why: PACKAGES, operands: 0, changes: "bump" })],
  ],
});

const go = verbs({
  why: BUILDS,
  valued: "-C",
  reads: "list version doc",
  changes: "build install get clean fmt fix",
  rules: [
    ["env", options({ why: "changes settings", changes: "w u" })],
    ["mod", verbs({ why: BUILDS, reads: "graph why verify", changes: "download tidy init edit vendor" })],
  ],
});

export const LANGUAGE_PACKAGES: readonly ProgramRecord[] = [
  { names: "pip", runs: printsAnything, printsSetup: COMPLETIONS, effect: pip },
  { names: "pip3", runs: printsAnything, kinds: true, effect: pip },
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
        ["env", managerPart("info list", "use remove")],
        ["version", bareReads],
        ["config", options({ reads: "list", otherwise: UNSURE })],
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
        bare: changes(PACKAGES),
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
    runs: printsAnything,
    effect: verbs({
      why: BUILDS,
      reads: "tree metadata search info version locate-project pkgid audit outdated",
      changes:
        "build b check c install uninstall update add remove publish clean new init fetch fix vendor generate-lockfile",
    }),
  },
  {
    names: "rustup",
    effect: manager("show check which", "update install uninstall default self", {
      rules: [["toolchain target component", managerPart("list", "install uninstall add remove link")]],
    }),
  },
  { names: "go", runs: printsAnything, effect: go },
  {
    names: "dotnet",
    effect: ([, ...args]) => (/^--(info|version|list-sdks|list-runtimes)$/.test(args.join(" ")) ? READS : UNSURE),
  },
];
