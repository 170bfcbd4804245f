// Follows git: its command line, what git runs of its own (aliases, `submodule foreach`, `rebase --exec`, `bisect run`), the
// files that its configuration includes, and any spelling that git itself takes for `reset --hard`.
import type { Machine, Output, Program } from "../../interpreter/machine.ts";
import { contentsOf } from "../../interpreter/redirects.ts";
import { deeper, entered, type State, valuesOf } from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { hasLong, optionTable, parseOptions, words } from "../../words/options.ts";
import { isAnything, isOpen, isUnknown, quoted, startsUnknown, UNKNOWN } from "../../words/symbols.ts";
import type {
  BlockRule,
  EffectRule,
  FilesRule,
  PathsRule,
  ProgramRecord,
  StartedBy,
  StayRule,
  WordsRule,
} from "../record.ts";
import { WRITING } from "../rules/effects.ts";
import { ANY, type Args, OPERAND } from "../rules/select.ts";
import { runEach, valuesBehind } from "../rules/texts.ts";
import { VERBS } from "./git/verbs.ts";

/** `git -C /srv/app rev-list --count HEAD..@{u}`. */
function countsCommits(args: Args): boolean {
  const [verb, option, ...more] = args[0] === "-C" ? args.slice(2) : args;
  return verb === "rev-list" && option === "--count" && more.every((arg) => OPERAND.test(arg));
}

const GIT_SENDS = /^(?:push|send-email|send-pack|svn|lfs|annex|p4|subtree|submodule|)$/;

const gitStays: StayRule = (argv, why) => why !== "" && !GIT_SENDS.test(gitCommand(argv).verb);

const wordsOfGit: WordsRule = (argv) => {
  const { verb, args } = gitCommand(argv);
  return [verb, ...args];
};

const gitPaths: PathsRule = (argv) => gitCommand(argv).directories.slice(-1);

/** Verbs that name another repository. */
const GIT_TALKS = /^(?:clone|push|pull|fetch|ls-remote|remote|submodule|archive)$/;

const gitTalks = (argv: readonly string[]): boolean => GIT_TALKS.test(gitCommand(argv).verb);

const TREES =
  /^(?:pull|checkout|switch|merge|rebase|reset|restore|stash|submodule|am|apply|cherry-pick|revert|clone|worktree|sparse-checkout|clean|read-tree|checkout-index)$/;

const gitRewrites = (argv: readonly string[]): boolean => TREES.test(gitCommand(argv).verb);

const CLONES = optionTable("b o c j directory file strip-components depth branch origin");

/** The directory that a clone fills. */
function cloneTarget(args: readonly string[]): string | null {
  const at = args.indexOf("clone");
  const [from, to] = parseOptions(at < 0 ? [] : args.slice(at + 1), CLONES).operands;
  if (from === undefined) return null;
  const name = from.replace(/\/+$/, "");
  return to ?? name.slice(name.lastIndexOf("/") + 1).replace(/\.git$/, "");
}

const GIT_SETTINGS: readonly StartedBy[] = [{ files: /(^|[/.])git\/?config$/, commands: settingsIn }];

type GitCommand = {
  readonly verb: string;
  readonly args: readonly string[];
  /** `-C` directories in order. */
  readonly directories: readonly string[];
  /** `name=value` of each `-c`. */
  readonly config: readonly string[];
  /** `name=VARIABLE` of each `--config-env`. */
  readonly config_env: readonly string[];
};

const VALUED = new Set(
  words("-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source"),
);

function gitCommand(argv: readonly string[]): GitCommand {
  const directories: string[] = [];
  const config: string[] = [];
  const config_env: string[] = [];
  for (let at = 1; at < argv.length; at += 1) {
    const arg = argv[at] ?? "";
    if (!arg.startsWith("-")) return { verb: arg, args: argv.slice(at + 1), directories, config, config_env };
    if (arg.startsWith("--config-env=")) config_env.push(arg.slice(13));
    if (!VALUED.has(arg)) continue;
    at += 1;
    if (arg === "-C") directories.push(argv[at] ?? "");
    if (arg === "--config-env") config_env.push(argv[at] ?? "");
    if (arg === "-c") config.push(argv[at] ?? "");
  }
  return { verb: "", args: [], directories, config, config_env };
}

/** Sections are not distinguished: an entry of another section is an alias that is never called. */
function rememberAliases(text: string, state: State): void {
  if (!/^[^\S\n]*\[alias\]/im.test(text)) return;
  for (const [, name = "", value = ""] of text.matchAll(/^[^\S\n]*([A-Za-z][\w-]*)\s*=\s*(.*)$/gm)) {
    const plain = value
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .replace(/\\(["\\])/g, "$1");
    state.bindings.gitAliases = entered(state.bindings.gitAliases, name.toLowerCase(), [plain]);
  }
}

/** `GIT_CONFIG_PARAMETERS="'alias.x=!rm' 'alias.y'='log'"`. */
function rememberParameters(text: string, state: State): void {
  for (const [, name = "", value = ""] of text.matchAll(/alias\.([\w-]+)'?='?([^']*)/gi)) {
    state.bindings.gitAliases = entered(state.bindings.gitAliases, name.toLowerCase(), [value]);
  }
}

/** A repository's or the user's configuration file now holds the text. */
function rememberConfiguration(path: string, texts: readonly string[], state: State): void {
  if (!/(^|[/.])git\/?config$/.test(path)) return;
  for (const text of texts) {
    rememberAliases(text, state);
    for (const cwd of state.location.cwd) rememberIncludes(text, absolute(path, cwd), state);
  }
}

/** Settings whose value is a command of its own, or text for a shell. */
const COMMAND_SETTING =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|gpg\.program|diff\.external|pager\..+|(diff|merge|filter|credential|remote|submodule|interactive|difftool|mergetool|man|browser|sendemail|hook)\.(.+\.)?(external|textconv|command|cmd|path|driver|helper|process|clean|smudge|uploadpack|receivepack|update|difffilter))$/i;

/** The commands that a configuration file sets. */
function settingsIn(text: string): readonly string[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    const [, name, sub] = /^\s*\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]/.exec(line) ?? [];
    if (name !== undefined) section = sub === undefined ? name : `${name}.${sub}`;
    const [, key = "", value = ""] = /^\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    return COMMAND_SETTING.test(`${section}.${key}`) ? [commandIn(value)] : [];
  });
}

const commandIn = (value: string): string =>
  value
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/\\(["\\])/g, "$1")
    .replace(/^!/, "");

const FILTERS = words(
  "setup tree-filter index-filter parent-filter msg-filter commit-filter env-filter tag-name-filter",
);

const MAX_CONFIG = 1_000;

/** `git clone -c core.sshCommand=…` */
const CLONE_SETTING = /^(?:-c|--config(?:=|$))/;

/**
 * The command line of git, and what git runs of its own: aliases, `submodule foreach`, `rebase --exec`, `bisect run`.
 */
const runGit: Program = (argv, state, machine) => {
  const { verb, args, config: given, config_env } = gitCommand(argv);
  const config = [
    ...given,
    ...(verb === "clone" ? valuesBehind(CLONE_SETTING)(args, state) : []),
    ...config_env.flatMap((entry) => {
      const equals = entry.indexOf("=");
      return valuesOf(state, entry.slice(equals + 1)).map((value) => `${entry.slice(0, equals)}=${value}`);
    }),
  ];
  // Pagers, editors, filters and credential helpers: git gives their text to a shell.
  for (const entry of config) {
    const text = entry.slice(entry.indexOf("=") + 1).replace(/^!/, "");
    machine.provedOnly().runText(text, deeper(state));
  }
  for (const arg of args) {
    const [, text] =
      /^(?:ext::|--(?:upload-pack|receive-pack|exec|extcmd|open-files-in-pager)=|-O)([\s\S]+)$/.exec(arg) ?? [];
    if (text !== undefined) machine.provedOnly().runText(text, deeper(state));
  }
  if (verb === "difftool") runEach(valuesBehind(/^(?:-x|--extcmd(?:=|$))/)(args, state), state, machine.provedOnly());
  const aliases = aliasesOf(config, state);
  const alias = aliases.get(verb.toLowerCase());
  const others = alias?.filter((text) => text !== verb) ?? [];
  if (others.length > 0) {
    const call = { verb, args, aliases };
    return others.flatMap((text) => runAlias(text, call, state, machine));
  }
  if (verb === "config") remember(args, state, machine);
  for (const text of includedTexts(state).flatMap(settingsIn)) machine.provedOnly().runText(text, deeper(state));
  runHooks(verb, argv, state, machine);
  if (verb === "submodule" || verb === "bisect" || verb === "rebase" || verb === "filter-branch")
    return runNested(verb, args, state, machine);
  return [UNKNOWN];
};

/** From `git config`, from `-c` and from the environment; names are not case-sensitive. */
function aliasesOf(config: readonly string[], state: State): ReadonlyMap<string, readonly string[]> {
  for (const text of state.bindings.vars.get("GIT_CONFIG_PARAMETERS") ?? []) rememberParameters(text, state);
  for (const name of ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"]) {
    for (const path of state.bindings.vars.get(name) ?? [])
      for (const text of contentsOf(path, state)) rememberAliases(text, state);
  }
  for (const entry of config.filter((line) => /^include\.path=/i.test(line)))
    for (const text of contentsOf(entry.slice(entry.indexOf("=") + 1), state)) rememberAliases(text, state);
  for (const text of includedTexts(state)) rememberAliases(text, state);
  const count = Math.min(MAX_CONFIG, Number(state.bindings.vars.get("GIT_CONFIG_COUNT")?.[0] ?? 0) || 0);
  const fromEnvironment = Array.from({ length: count }, (_, n) => {
    return `${valuesOf(state, `GIT_CONFIG_KEY_${n}`)[0]}=${valuesOf(state, `GIT_CONFIG_VALUE_${n}`)[0]}`;
  });
  const given = [...fromEnvironment, ...config].flatMap((entry) => {
    const [match, name = "", text = ""] = /^alias\.([^=]+)=([\s\S]*)$/i.exec(entry) ?? [];
    return match === undefined ? [] : [[name.toLowerCase(), [text]] as const];
  });
  return given.length === 0 ? state.bindings.gitAliases : new Map([...state.bindings.gitAliases, ...given]);
}

type AliasCall = {
  readonly verb: string;
  readonly args: readonly string[];
  readonly aliases: ReadonlyMap<string, readonly string[]>;
};

function runAlias(alias: string, { verb, args, aliases }: AliasCall, state: State, machine: Machine): Output {
  const inner = deeper(state, { shell: { posix: true } });
  inner.bindings.gitAliases = entered(aliases, verb.toLowerCase(), [verb]);
  const tail = args.map(quoted).join(" ");
  return machine.runText(alias.startsWith("!") ? `${alias.slice(1)} ${tail}` : `git ${alias} ${tail}`, inner);
}

/** The hooks that a verb runs, on this side; `pre-receive` and its kind run on the other. */
const HOOKS: Readonly<Record<string, string>> = {
  commit: "pre-commit prepare-commit-msg commit-msg post-commit post-rewrite pre-auto-gc",
  merge: "pre-merge-commit prepare-commit-msg commit-msg post-merge",
  pull: "pre-merge-commit post-merge pre-rebase post-checkout post-rewrite reference-transaction",
  fetch: "reference-transaction",
  push: "pre-push pre-receive update post-receive post-update push-to-checkout",
  checkout: "post-checkout",
  switch: "post-checkout",
  clone: "post-checkout",
  worktree: "post-checkout",
  rebase: "pre-rebase post-rewrite post-checkout",
  am: "applypatch-msg pre-applypatch post-applypatch",
  "cherry-pick": "prepare-commit-msg commit-msg post-commit",
  revert: "prepare-commit-msg commit-msg post-commit",
  gc: "pre-auto-gc",
  hook: "",
};

/** Where the hooks of the verb lie when nothing says otherwise. */
const hookFiles: FilesRule = (args, { location: { cwd }, bindings }) => {
  const { verb, directories } = gitCommand(["git", ...args]);
  const from = directories.reduce((paths, directory) => paths.map((path) => absolute(directory, path)), cwd);
  const hooks = words(HOOKS[verb] ?? "").flatMap((name) => from.map((path) => absolute(`.git/hooks/${name}`, path)));
  return [...hooks, ...includes(bindings)];
};

/** Hooks whose text is known. In which directory they lie depends on settings, so any that could be one counts. */
function runHooks(verb: string, argv: readonly string[], state: State, machine: Machine): void {
  const names = HOOKS[verb];
  if (names === undefined) return;
  const wanted = words(verb === "hook" ? argv.slice(argv.indexOf("hook") + 1).join(" ") : names);
  for (const [path, texts] of hooksWritten(state)) {
    if (!wanted.includes(path.slice(path.lastIndexOf("/") + 1))) continue;
    for (const text of texts)
      if (!isAnything(text)) machine.runFile(path, text, deeper(state, { io: { stdin: null } }));
  }
}

/** In a directory of hooks, or in the one that core.hooksPath names. */
function* hooksWritten({ io: { files }, bindings: { gitAliases } }: State) {
  const [given] = gitAliases.get(HOOKS_PATH) ?? [];
  const folder = given?.replace(/^\.?\/|\/$/g, "");
  for (const [path, texts] of files)
    if (/\/hooks\/[^/]+$/.test(path) || (folder !== undefined && path.includes(`/${folder}/`)))
      yield [path, texts] as const;
}

/** Kept with the aliases, under a name that no alias can have. */
const HOOKS_PATH = "core.hookspath";

function remember(args: readonly string[], state: State, machine: Machine): void {
  const [first = "", ...rest] = parseOptions(args, { short: "f", long: ["file"] }).operands;
  const [name = "", value] = first === "set" ? rest : [first, ...rest];
  if (name.toLowerCase().startsWith("alias.") && value !== undefined)
    state.bindings.gitAliases = entered(state.bindings.gitAliases, name.slice(6).toLowerCase(), [value]);
  if (value === undefined) return;
  if (name.toLowerCase() === HOOKS_PATH)
    state.bindings.gitAliases = entered(state.bindings.gitAliases, HOOKS_PATH, [value]);
  if (/^include(if\..+)?\.path$/i.test(name)) rememberInclude(value, null, state);
  if (COMMAND_SETTING.test(name)) machine.provedOnly().runText(commandIn(value), deeper(state));
}

function runNested(verb: string, args: readonly string[], state: State, machine: Machine): Output {
  const inner = deeper(state);
  const words = parseOptions(args, undefined, false).operands;
  if (verb === "bisect") return words[0] === "run" ? machine.runArgv(words.slice(1), inner) : [UNKNOWN];
  if (verb === "submodule") {
    if (words[0] !== "foreach") return [UNKNOWN];
    return machine.runText(parseOptions(words.slice(1), undefined, false).operands.join(" "), inner);
  }
  const { options } = parseOptions(args, { short: "xsX", long: ["exec", "strategy", "onto", ...FILTERS] });
  for (const { name, value } of options) {
    if ((name === "x" || name === "exec" || FILTERS.includes(name)) && value !== null) machine.runText(value, inner);
  }
  return [UNKNOWN];
}

const INCLUDES = "include.path";

/**
 * Files that the configuration of git includes: their aliases and commands count as those of the configuration itself. Files that
 * the configuration includes, as they are named in it; kept with the aliases under a name that no alias can have.
 */
function rememberInclude(value: string, directory: string | null, state: State): void {
  const home = state.bindings.vars.get("HOME")?.[0] ?? UNKNOWN;
  const path = value
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^~(?=\/)/, home);
  const from = directory === null ? state.location.cwd.flatMap((cwd) => [cwd, `${cwd}/.git`, home]) : [directory];
  const before = includes(state.bindings);
  const paths = from.map((one) => absolute(path, one));
  state.bindings.gitAliases = entered(state.bindings.gitAliases, INCLUDES, [...new Set([...before, ...paths])]);
}

const includes = ({ gitAliases }: State["bindings"]): readonly string[] => gitAliases.get(INCLUDES) ?? [];

/** The texts of all that is included. */
const includedTexts = (state: State): readonly string[] =>
  includes(state.bindings).flatMap((path) => contentsOf(path, state).filter((text) => !isAnything(text)));

function rememberIncludes(text: string, file: string, state: State): void {
  let within = false;
  for (const line of text.split("\n")) {
    const [, section] = /^\s*\[\s*([\w.-]+)/.exec(line) ?? [];
    if (section !== undefined) within = /^include(if)?$/i.test(section);
    const [, path] = /^(?:\s*\[[^\]]*\])?\s*path\s*=\s*(.+)$/i.exec(line) ?? [];
    if (within && path !== undefined) rememberInclude(path, absolute("..", file), state);
  }
}

/** Settings that name a program git would run. */
const RUNS_PROGRAM =
  /^(core\.(pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy)|pager\.|sequence\.editor|.*\.(external|textconv|command|cmd|program|helper|driver|process|clean|smudge)=)/i;

const gitEffect: EffectRule = (argv, state) => {
  const { verb, args, config: set } = gitCommand(argv);
  if (verb === "") return "reads";
  return set.some((entry) => RUNS_PROGRAM.test(entry)) ? "unknown" : VERBS(["git", verb, ...args], state);
};

const MODES = ["soft", "mixed", "merge", "keep"];

const judgeReset: BlockRule = (argv, _state, report) => {
  const { verb, args } = gitCommand(argv);
  if (verb !== "reset" && argv.includes("reset") && argv.some((word) => /^--h/.test(word)) && argv.some(isOpen))
    report("ask", "dyn.operand", "an unknown option may make this a hard reset; write the options out", argv);
  if (isUnknown(verb)) {
    report("ask", "dyn.operand", "the git subcommand cannot be determined from the text; write it out", argv);
    if (!isAnything(verb)) return;
  } else if (verb !== "reset") return;
  const parsed = parseOptions(args);
  if (parsed.options.some(({ name }) => name === "help")) return;
  if (hasLong(parsed, "hard", 1) && args.some((arg) => /^--h/.test(arg))) {
    if (verb !== "reset") return;
    const reason = "a hard reset throws uncommitted work away; use git stash, or git reset --keep";
    report("block", "git.reset_hard", reason, argv);
  } else if (
    args.some((arg) => startsUnknown(arg) || (arg.startsWith("-") && isOpen(arg))) &&
    !parsed.options.some(({ name }) => MODES.includes(name))
  ) {
    report("ask", "dyn.operand", "the mode of this reset cannot be determined from the text; write it out", argv);
  }
};

/** `git-reset --hard`, a program in git's own directory. */
const runDashed: Program = ([program = "", ...args], state, machine) =>
  machine.runArgv(["git", program.slice("git-".length), ...args], state);

const GIT_FORCE_PUSH =
  /^(?:push|send-pack)\s(?:.*\s)?(?:-[a-zA-Z]*[fd][a-zA-Z]*|--force(?:-w\S*)?|--mi\w*|--de\w*|--pru\w*|\+\S+|:[^\s:/]\S*)(?=\s|$)/;

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "git",
    runs: runGit,
    armed: hookFiles,
    numbers: countsCommits,
    effect: gitEffect,
    alwaysBlocked: judgeReset,
    suspected: 2,
    suspectedInWords: true,
    takesData: true,
    sideEffects: [
      { long: "output output-directory", effect: WRITING },
      { long: "upload-pack receive-pack exec", effect: "unknown" },
      {
        words:
          /^(?:ext|fd)::|^protocol\.\S*allow=|^(?:core|diff|gpg|credential|filter|merge|uploadpack|remote)\.\S*(?:command|program|helper|textconv|pager|editor|hook\w*|vcs)=/i,
        effect: "unknown",
      },
      { long: "lost-found", effect: WRITING },
    ],
    consequences: {
      deletes_data:
        /^clean\s(?:.*\s)?(?:-\w*f\w*|--force)(?=\s|$)|^stash (?:drop|clear)(?:\s|$)|^branch\s(?:.*\s)?-\w*D|^tag\s(?:.*\s)?(?:-d|--delete)(?=\s|$)|^checkout\s(?:.*\s)?(?:-f|--force|--|\.)(?=\s|$)|^restore\s(?!(?:.*\s)?(?:-S|--staged)(?:\s|$)(?!.*(?:-W|--worktree)))|^reflog (?:expire|delete)\s|^push\s(?:.*\s)?(?:-[a-zA-Z]{0,8}d[a-zA-Z]{0,8}|--de\w*|--pru\w*|:[^\s:/]\S*)(?=\s|$)|^gc\s(?:.*\s)?--prune=(?:now|all)|^(?:lfs )?prune(?:\s|$)|^worktree remove\s|^filter-repo\s|^annex (?:drop|dropunused|dropkey)(?:\s|$)/,
      force_push: GIT_FORCE_PUSH,
    },
    between: true,
    talks: gitTalks,
    paths: gitPaths,
    applies: [
      { when: /(?:^|\s)(?:apply|am)(?:\s|$)/, skip: 1, operands: ANY, valued: "C c", input: "all" },
      { variable: "GIT_CONFIG_GLOBAL", within: /(.+)/g },
    ],
    verbOf: wordsOfGit,
    commands: {
      variables: `GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_PROXY_COMMAND`,
    },
    startedBy: GIT_SETTINGS,
    learns: rememberConfiguration,
    unpacks: cloneTarget,
    rewrites: gitRewrites,
    here: gitStays,
  },
  {
    names: "hub",
    runs: runGit,
    alwaysBlocked: judgeReset,
    consequences: {
      force_push: GIT_FORCE_PUSH,
    },
    verbOf: wordsOfGit,
  },
  { names: "git-reset", runs: runDashed, suspected: 24, suspectedInWords: true },
  { names: "git-submodule git-rebase git-bisect", runs: runDashed },
];
