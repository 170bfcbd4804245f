// Runs the scripts that a package lists: those that a command names, and those that a package manager runs by itself.
import type { Machine, Output } from "../../../interpreter/machine.ts";
import { scriptTexts } from "../../../interpreter/redirects.ts";
import { deeper, entered, type State } from "../../../interpreter/state.ts";
import { absolute } from "../../../paths.ts";
import { optionValue, parseOptions, words } from "../../../words/options.ts";
import { isOpen, quoted, UNKNOWN } from "../../../words/symbols.ts";
import type { FilesRule } from "../../record.ts";

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

/** The scripts that composer runs by itself. */
const COMPOSER_RUNS =
  words(`pre-install-cmd post-install-cmd pre-update-cmd post-update-cmd pre-autoload-dump post-autoload-dump
  post-root-package-install post-create-project-cmd pre-package-install post-package-install`);

const OF_COMPOSER: typeof OWN = {
  install: COMPOSER_RUNS,
  i: COMPOSER_RUNS,
  update: COMPOSER_RUNS,
  upgrade: COMPOSER_RUNS,
  require: COMPOSER_RUNS,
  remove: COMPOSER_RUNS,
  "dump-autoload": COMPOSER_RUNS,
  "create-project": COMPOSER_RUNS,
};

const packageDirectory = (args: readonly string[]): string =>
  optionValue(parseOptions(args, VALUED), "prefix", "C", "dir", "cwd", "d", "working-dir") ?? ".";

/** `bare`: what it runs without a verb. `named`: whether a script is a verb of its own: `yarn build`. */
export type PackageManager = { readonly file: string; readonly bare: "installs" | "nothing"; readonly named: boolean };

/** The file that the manager would read; none for a command that runs no script of it. */
export const packageFiles =
  (manager: PackageManager): FilesRule =>
  (args) =>
    scriptNames(manager, args).length === 0 ? [] : [`${packageDirectory(args)}/${manager.file}`];

function scriptNames({ file, bare, named: isVerb }: PackageManager, args: readonly string[]): readonly string[] {
  const [verb, first] = parseOptions(args, VALUED, false).operands;
  if (verb === undefined) return bare === "installs" ? INSTALLS : [];
  const named = RUNS.has(verb) ? first : isVerb ? verb : undefined;
  const own = RUNS.has(verb) ? undefined : (file === "composer.json" ? OF_COMPOSER : OWN)[verb];
  return own ?? (named === undefined ? [] : [named]);
}

/** Runs the scripts that the command names, each with those before and after it; null where their file is not known. */
export const runPackageScript =
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
      machine.tick(text.length / 256);
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
