// Package managers of programming languages, and what builds.
import { changes, changing, type Family, options, READS, UNSURE, unlessDry, unsure, verbs } from "./effect.ts";
import { manager, sub } from "./packages.ts";

const PACKAGES = "changes packages";
const BUILDS = "builds files";
const bareReads = options({ why: PACKAGES, operands: 0 });

const NODE_RULES: Family = [
  ["config c", sub("get list ls", "set delete edit fix")],
  ["version", bareReads],
  ["pkg", sub("get", "set delete fix")],
  ["cache", sub("ls list", "add clean clear verify rm")],
  ["owner team access dist-tag", sub("ls list get", "add rm set grant revoke create destroy")],
  ["audit", options({ why: PACKAGES, operands: 0, changes: "fix" })],
  ["run run-script", bareRun],
];

/** Without a name it lists the scripts. */
function bareRun(argv: readonly string[]) {
  return argv.slice(1).every((arg) => arg.startsWith("-")) ? READS : UNSURE;
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
  bare: changes(PACKAGES),
  rules: [...NODE_RULES, ["version", () => changes("writes files")]],
});

const pip = unlessDry(
  "dry-run",
  manager("list show freeze check search inspect debug index hash version", "install uninstall download wheel", {
    valued: "--python --proxy --cert --cache-dir --log --timeout",
    rules: [
      ["config", sub("get list debug", "set unset edit")],
      ["cache", sub("dir info list", "remove purge")],
    ],
  }),
);

const uv = manager("tree", "add remove sync lock init venv build publish export", {
  valued: "--project --directory --python -p --config-file",
  rules: [
    ["pip", manager("list show freeze check tree", "install uninstall sync compile")],
    ["python tool", manager("list dir find", "install uninstall upgrade pin update-shell")],
    ["cache", sub("dir", "clean prune")],
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

export const LANGUAGES: Family = [
  ["npm pnpm", node],
  [
    "bun",
    manager("outdated why info", `${NODE_CHANGES} build`, {
      rules: [["pm", sub("ls bin hash whoami cache-dir", "cache trust")]],
    }),
  ],
  ["yarn", yarn],
  ["npx pnpx bunx", unsure],
  ["pip pip3", pip],
  ["pipx", manager("list environment", "install uninstall upgrade upgrade-all inject reinstall ensurepath")],
  ["uv", uv],
  [
    "poetry",
    manager("show check about search", "add remove install update lock init new build publish", {
      rules: [
        ["env", sub("info list", "use remove")],
        ["version", bareReads],
        ["config", options({ reads: "list", otherwise: UNSURE })],
      ],
    }),
  ],
  ["conda mamba", manager("list info search", "install remove uninstall update upgrade create clean")],
  [
    "gem",
    manager(
      "list search info specification outdated env environment contents which query dependency",
      "install uninstall update cleanup push fetch pristine build",
    ),
  ],
  [
    "bundle bundler",
    manager("list show info outdated check doctor platform env", "install update add remove lock clean package init", {
      bare: changes(PACKAGES),
    }),
  ],
  [
    "composer",
    manager(
      "show outdated validate licenses why why-not depends prohibits search diagnose status",
      "install update require remove upgrade dump-autoload create-project self-update clear-cache",
    ),
  ],
  [
    "cargo",
    verbs({
      why: BUILDS,
      reads: "tree metadata search info version locate-project pkgid audit outdated",
      changes:
        "build b check c install uninstall update add remove publish clean new init fetch fix vendor generate-lockfile",
    }),
  ],
  [
    "rustup",
    manager("show check which", "update install uninstall default self", {
      rules: [["toolchain target component", sub("list", "install uninstall add remove link")]],
    }),
  ],
  ["go", go],
  ["dotnet", ([, ...args]) => (/^--(info|version|list-sdks|list-runtimes)$/.test(args.join(" ")) ? READS : UNSURE)],
  ["gcc g++ cc clang rustc javac tsc", changing(BUILDS)],
];
