// Package managers of Node, and the packages that they run.
import type { Output, Program } from "../interpreter/machine.ts";
import { deeper, fork } from "../interpreter/state.ts";
import { optionValue, parseOptions } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { codeProgram } from "./code.ts";
import { manager } from "./packages.ts";
import { options, type ProgramRecord, unlessDry, type VerbRules } from "./record.ts";
import { COMPLETIONS } from "./shell-setup.ts";

const PACKAGES = "changes packages";

const bareReads = options({ why: PACKAGES, operands: 0 });

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

/** `npm exec -- rimraf dist`, `pnpm dlx x`, `yarn exec x`. */
const packageExec: Program = (argv, state, machine): Output =>
  /^(exec|dlx|x)$/.test(argv[1] ?? "")
    ? packaged(
        argv.slice(1).filter((word) => word !== "--"),
        state,
        machine,
      )
    : [UNKNOWN];

const runBun = codeProgram({ code: /^(-e|-p|-pe|--eval|--print|eval)$/ });

export const NODE_PACKAGES: readonly ProgramRecord[] = [
  { names: "npm", runs: packageExec, printsSetup: COMPLETIONS, effect: node },
  { names: "pnpm", runs: packageExec, effect: node },
  {
    names: "bun",
    runs: runBun,
    effect: manager("outdated why info", `${NODE_CHANGES} build`, {
      rules: [["pm", manager("ls bin hash whoami cache-dir", "cache trust")]],
    }),
  },
  { names: "yarn", runs: packageExec, effect: yarn },
  { names: "npx pnpx bunx", runs: packaged, effect: "unknown" },
  { names: "uvx", runs: packaged },
];
