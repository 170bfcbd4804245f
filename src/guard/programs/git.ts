// git, and any spelling that git itself takes for `reset --hard`.
import type { Machine, Output, Program } from "../interpreter/machine.ts";
import { contentsOf } from "../interpreter/redirects.ts";
import { deeper, entered, type State, valuesOf } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { hasLong, optionTable, optionValues, parseOptions, words } from "../words/options.ts";
import { isOpen, isUnknown, quoted, UNKNOWN } from "../words/symbols.ts";
import { countsCommits } from "./prints-numbers.ts";
import {
  type BlockRule,
  byOptions,
  COMPLETIONS,
  type EffectRule,
  type FilesRule,
  given,
  type MoreVerbs,
  mayBeOption,
  options,
  type ProgramRecord,
  unlessDry,
  verbs,
} from "./record.ts";

// The command line of git, and what git runs of its own: aliases, `submodule foreach`, `rebase --exec`, `bisect run`.

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

export function gitCommand(argv: readonly string[]): GitCommand {
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
export function rememberConfiguration(path: string, texts: readonly string[], state: State): void {
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
export function settingsIn(text: string): readonly string[] {
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

const runGit: Program = (argv, state, machine) => {
  const { verb, args, config: given, config_env } = gitCommand(argv);
  const config = [
    ...given,
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
  const aliases = new Map(state.bindings.gitAliases);
  const count = Math.min(MAX_CONFIG, Number(state.bindings.vars.get("GIT_CONFIG_COUNT")?.[0] ?? 0) || 0);
  const fromEnvironment = Array.from({ length: count }, (_, n) => {
    return `${valuesOf(state, `GIT_CONFIG_KEY_${n}`)[0]}=${valuesOf(state, `GIT_CONFIG_VALUE_${n}`)[0]}`;
  });
  for (const entry of [...fromEnvironment, ...config]) {
    const match = /^alias\.([^=]+)=([\s\S]*)$/i.exec(entry);
    if (match !== null) aliases.set((match[1] ?? "").toLowerCase(), [match[2] ?? ""]);
  }
  return aliases;
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
    for (const text of texts) if (text !== UNKNOWN) machine.runFile(path, text, deeper(state, { io: { stdin: null } }));
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

// Files that the configuration of git includes: their aliases and commands count as those of the configuration itself.

const INCLUDES = "include.path";

/** Files that the configuration includes, as they are named in it; kept with the aliases under a name that no alias can have. */
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
  includes(state.bindings).flatMap((path) => contentsOf(path, state).filter((text) => text !== UNKNOWN));

function rememberIncludes(text: string, file: string, state: State): void {
  let within = false;
  for (const line of text.split("\n")) {
    const [, section] = /^\s*\[\s*([\w.-]+)/.exec(line) ?? [];
    if (section !== undefined) within = /^include(if)?$/i.test(section);
    const [, path] = /^(?:\s*\[[^\]]*\])?\s*path\s*=\s*(.+)$/i.exec(line) ?? [];
    if (within && path !== undefined) rememberInclude(path, absolute("..", file), state);
  }
}

// What git, other version control systems and the command lines of forges do to the world. Where a verb both lists and
// changes, its options and operands decide.

const REPOSITORY = "changes a repository";

const CHANGES = { changes: REPOSITORY };

type Listing = { readonly valued: string; readonly changes: string; readonly lists: string };

/** Lists without operands, or with an option that says so; an operand alone creates. */
function listing({ valued, changes: acting, lists }: Listing): EffectRule {
  const [table, acts, looks] = [optionTable(valued), words(acting), words(lists)];
  return ([, ...args]) => {
    const parsed = parseOptions(args, table);
    if (given(parsed, acts)) return CHANGES;
    if (given(parsed, looks)) return "reads";
    if (parsed.operands.some(mayBeOption)) return "unknown";
    return parsed.operands.length > 0 ? CHANGES : "reads";
  };
}

const branch = listing({
  valued: "contains no-contains merged no-merged points-at sort format u set-upstream-to",
  changes: "d D m M c C f u t delete move copy force track set-upstream-to unset-upstream edit-description",
  lists: "l a r list all remotes show-current contains no-contains merged no-merged points-at",
});

const tag = listing({
  valued: "contains no-contains points-at sort format m F u message file local-user",
  changes: "d a s f m F u delete annotate sign force message file local-user",
  lists: "l n v list verify contains no-contains merged no-merged points-at",
});

/** `git config name` prints, `git config name value` sets. */
const config = byOptions("f file blob type default value comment", (parsed) => {
  const acting = "add unset unset-all replace-all rename-section remove-section e edit";
  const looking = "get get-all get-regexp get-urlmatch get-color get-colorbool l list";
  if (given(parsed, words(acting))) return CHANGES;
  const [verb = "", ...rest] = parsed.operands;
  if (given(parsed, words(looking)) || /^(get|list)$/.test(verb)) return "reads";
  if (parsed.operands.some(mayBeOption)) return "unknown";
  return /^(set|unset|rename-section|remove-section|edit)$/.test(verb) || rest.length > 0 ? CHANGES : "reads";
});

const dryRun = (names: string) => unlessDry(names, { changes: REPOSITORY });

const part = (reading: string, change: string, more?: MoreVerbs): EffectRule =>
  verbs(REPOSITORY, reading, change, more);

/** They print, and with `--output` into a file. */
const printing = options({ why: "writes files", changes: "output", valued: "n L S G O format pretty" });

const VERBS = verbs(
  REPOSITORY,
  `status blame annotate shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file for-each-ref show-ref
    show-branch merge-base name-rev grep whatchanged cherry range-diff diff-tree diff-index diff-files count-objects fsck
    var version check-ignore check-attr check-mailmap check-ref-format verify-commit verify-tag verify-pack request-pull
    stripspace patch-id column`,
  `am bugreport cherry-pick checkout checkout-index clone commit-tree credential-store diagnose fast-import
    filter-branch filter-repo gc init maintenance merge merge-file mktag mktree pack-objects pack-refs pull quiltimport
    read-tree rebase repack reset restore revert switch unpack-objects update-index update-ref update-server-info write-tree
    send-email send-pack fetch-pack subtree`,
  {
    rules: [
      ["log show diff", printing],
      ["archive", options({ why: "writes files", changes: "o output", valued: "o format prefix" })],
      ["branch", branch],
      ["tag", tag],
      ["config", config],
      ["push add rm mv clean prune", dryRun("n dry-run")],
      ["fetch commit", dryRun("dry-run")],
      ["apply", unlessDry("check stat numstat summary", { changes: REPOSITORY })],
      ["format-patch", options({ reads: "stdout", otherwise: { changes: "writes files" } })],
      ["hash-object", options({ why: REPOSITORY, changes: "w", valued: "t" })],
      ["interpret-trailers", options({ why: "writes files", changes: "in-place" })],
      ["symbolic-ref", options({ why: REPOSITORY, changes: "d delete m", operands: 1, valued: "m" })],
      ["replace", options({ why: REPOSITORY, changes: "d e f g delete edit graft", reads: "l list", operands: 0 })],
      ["remote", part("show get-url", "add rm remove rename set-url set-head set-branches prune update")],
      [
        "stash",
        part("list show", "push save pop apply drop clear branch create store", { bare: CHANGES, otherwise: CHANGES }),
      ],
      ["worktree", part("list", "add move remove prune lock unlock repair")],
      ["notes", part("list show get-ref", "add append copy edit merge prune remove")],
      ["reflog", part("show list exists", "expire delete drop", { otherwise: "reads" })],
      ["bisect", part("log view visualize terms", "start good bad new old skip reset replay run")],
      ["submodule", part("status summary foreach", "add init update deinit set-branch set-url sync absorbgitdirs")],
      ["sparse-checkout", part("list check-rules", "init set add reapply disable")],
      ["bundle", part("verify list-heads", "create unbundle")],
      ["rerere", part("status diff remaining", "clear forget gc", { bare: CHANGES })],
      ["commit-graph multi-pack-index", part("verify", "write repack expire")],
      [
        "lfs",
        part(
          "ls-files status env logs locks version pointer",
          "install uninstall pull push fetch prune checkout track untrack lock unlock migrate",
        ),
      ],
    ],
  },
);

/** Settings that name a program git would run. */
const RUNS_PROGRAM =
  /^(core\.(pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy)|pager\.|sequence\.editor|.*\.(external|textconv|command|cmd|program|helper|driver|process|clean|smudge)=)/i;

const gitEffect: EffectRule = (argv, state) => {
  const { verb, args, config: set } = gitCommand(argv);
  if (verb === "") return "reads";
  return set.some((entry) => RUNS_PROGRAM.test(entry)) ? "unknown" : VERBS(["git", verb, ...args], state);
};

const FORGE = "changes the forge";

const api = byOptions("X method f raw-field F field H header q jq t template input", (parsed) => {
  const methods = optionValues(parsed, "X", "method");
  if (methods.some((method) => !/^(GET|HEAD)$/i.test(method ?? ""))) return { changes: FORGE };
  const sends = given(parsed, words("f raw-field F field input")) && methods.length === 0;
  return sends ? { changes: FORGE } : parsed.operands.some(mayBeOption) ? "unknown" : "reads";
});

const forge = (change: string): EffectRule =>
  verbs(FORGE, "view list ls status diff checks watch get", change, { valued: "-R --repo" });

const forgeTool = verbs(FORGE, "status version search", "", {
  rules: [
    [
      "pr mr issue run release repo workflow label gist project ruleset ci job pipeline variable secret cache ssh-key gpg-key org",
      forge(`create close merge edit comment review reopen ready checkout delete cancel rerun download clone fork rename sync
        archive set enable disable run lock unlock upload pin unpin transfer develop retry approve add update note`),
    ],
    ["auth config", verbs(FORGE, "status list get", "login logout refresh setup-git switch set")],
    ["api", api],
  ],
});

export const FORGES: readonly ProgramRecord[] = [
  { names: "gh glab", prints: "anything", printsSetup: COMPLETIONS, effect: forgeTool },
  { names: "tig gitk", effect: "reads" },
  {
    names: "svn",
    effect: verbs(
      REPOSITORY,
      "status st log info diff list ls cat blame",
      "checkout co update up commit ci add delete rm revert merge switch",
    ),
  },
  {
    names: "hg",
    effect: verbs(
      REPOSITORY,
      "status st log diff cat annotate identify summary heads branches tags",
      "commit pull push update add remove merge",
    ),
  },
];

const MODES = ["soft", "mixed", "merge", "keep"];

const judgeReset: BlockRule = (argv, _state, report) => {
  const { verb, args } = gitCommand(argv);
  if (verb !== "reset" && argv.includes("reset") && argv.some((word) => /^--h/.test(word)) && argv.some(isOpen))
    report("ask", "dyn.operand", "an unknown option may make this a hard reset; write the options out", argv);
  if (isUnknown(verb)) {
    report("ask", "dyn.operand", "the git subcommand cannot be determined from the text; write it out", argv);
    if (verb !== UNKNOWN) return;
  } else if (verb !== "reset") return;
  const parsed = parseOptions(args);
  if (parsed.options.some(({ name }) => name === "help")) return;
  if (hasLong(parsed, "hard", 1) && args.some((arg) => /^--h/.test(arg))) {
    if (verb !== "reset") return;
    const reason = "a hard reset throws uncommitted work away; use git stash, or git reset --keep";
    report("block", "git.reset_hard", reason, argv);
  } else if (
    args.some((arg) => arg.startsWith(UNKNOWN) || (arg.startsWith("-") && isOpen(arg))) &&
    !parsed.options.some(({ name }) => MODES.includes(name))
  ) {
    report("ask", "dyn.operand", "the mode of this reset cannot be determined from the text; write it out", argv);
  }
};

/** `git-reset --hard`, a program in git's own directory. */
const runDashed: Program = ([program = "", ...args], state, machine) =>
  machine.runArgv(["git", program.slice("git-".length), ...args], state);

export const GIT: readonly ProgramRecord[] = [
  {
    names: "git",
    runs: runGit,
    armed: hookFiles,
    numbers: countsCommits,
    effect: gitEffect,
    alwaysBlocked: judgeReset,
    suspected: "anywhere",
    takesData: true,
  },
  { names: "hub", runs: runGit, alwaysBlocked: judgeReset },
];

export const DASHED_GIT: readonly ProgramRecord[] = [
  { names: "git-reset", runs: runDashed, suspected: "anywhere" },
  { names: "git-submodule git-rebase git-bisect", runs: runDashed },
];
