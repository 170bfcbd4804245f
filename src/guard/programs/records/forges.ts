// Holds the records of the command lines of forges and of version control systems beside git.
import { optionValues, parseOptions, words } from "../../words/options.ts";
import type { EffectRule, ProgramRecord, StartedBy } from "../record.ts";
import { byOptions, COMPLETIONS, given, mayBeOption, REPOSITORY, verbs } from "../rules/effects.ts";
import { each } from "../rules/texts.ts";

/** A checkout or a clone of another version control system. */
const checkedOut = (args: readonly string[]): string | null =>
  /^(clone|checkout|co|export)$/.test(args[0] ?? "") ? (parseOptions(args).operands.at(-1) ?? null) : null;

const COMMIT_HOOKS: readonly StartedBy[] = [
  { files: /\/\.pre-commit-(?:config|hooks)\.yaml$/, commands: each(/^\s*(?:-\s+)?entry:\s*(.+)$/gm) },
];

const FORGE = "changes the forge";

const api = byOptions("X method f raw-field F field H header q jq t template input", (parsed) => {
  const methods = optionValues(parsed, "X", "method");
  if (methods.some((method) => !/^(GET|HEAD)$/i.test(method ?? ""))) return { changes: FORGE };
  const sends = given(parsed, words("f raw-field F field input")) && methods.length === 0;
  return sends ? { changes: FORGE } : parsed.operands.some(mayBeOption) ? "unknown" : "reads";
});

const forge = (change: string): EffectRule =>
  verbs(FORGE, "view list ls status diff checks watch get", change, { valued: "R repo" });

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

const GH_DELETES_DATA =
  /^[\w-]+(?:\s[\w-]+)?\s+delete(?:-\w+)?(?:\s|$)|^api\s(?:.*\s)?(?:-X\s*|--method[=\s])delete(?=\s|$)/i;

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "gh",
    prints: "anything",
    printsSetup: COMPLETIONS,
    effect: forgeTool,
    consequences: {
      deletes_data: GH_DELETES_DATA,
      force_push: [
        /^api\s(?=.*(?:-X\s*|--method[=\s])(?:delete|patch)(?:\s|$)).*\/git\/refs\//i,
        /^repo sync\s(?:.*\s)?--force(?=\s|$)/,
      ],
    },
    applies: { options: "input F", valued: "R repo" },
  },
  {
    names: "glab",
    prints: "anything",
    printsSetup: COMPLETIONS,
    effect: forgeTool,
    consequences: {
      deletes_data: GH_DELETES_DATA,
      force_push: /^api\s(?=.*(?:-X\s*|--method[=\s])(?:delete|patch)(?:\s|$)).*\/git\/refs\//i,
    },
    applies: { options: "input F", valued: "R repo" },
  },
  { names: "tig gitk", effect: "reads" },
  {
    names: "svn",
    commands: { variables: "SVN_SSH" },
    effect: verbs(
      REPOSITORY,
      "status st log info diff list ls cat blame",
      "checkout co update up commit ci add delete rm revert merge switch",
    ),
    unpacks: checkedOut,
    rewrites: true,
  },
  {
    names: "hg",
    commands: {
      options: "config",
      valued: "R repository cwd",
      within:
        /^(?:alias\.[\w-]+=!(.+)|(?:hooks|ui\.(?:editor|ssh|merge)|pager\.pager|merge-tools\.\w+\.executable|extdiff\.cmd)[\w.-]*=(?!python:)(.+))$/gs,
    },
    effect: verbs(
      REPOSITORY,
      "status st log diff cat annotate identify summary heads branches tags",
      "commit pull push update add remove merge",
    ),
    consequences: {
      force_push: /^push\s(?:.*\s)?(?:-f|--force)(?=\s|$)/,
      deletes_data: /^(?:strip|purge)(?:\s|$)/,
    },
    unpacks: checkedOut,
    rewrites: true,
  },
  {
    names: "tea",
    looks:
      "issues|pulls|releases|repos|labels|milestones|organizations|branches|notifications|actions|times|webhooks list|ls, issues|pulls|releases|repos|labels|milestones $, whoami, login list",
  },
  {
    names: "jj",
    looks:
      "log, st|status, show, diff, evolog, obslog, op log, operation log, branch|bookmark list, config list|get|path, root",
  },
  {
    names: "act",
    looks: "-l, --list, -n $, -n push|pull_request, --dryrun",
    obeys: {
      unless: /(?:^|\s)(?:-l|--list|-n|--dryrun)(?=\s|$)/,
      options: "W workflows",
      names: ".github/workflows/*",
    },
  },
  {
    names: "pre-commit",
    modules: "pre_commit",
    looks: "validate-config, validate-manifest, sample-config",
    obeys: {
      unless: /^(?:validate|sample|autoupdate|uninstall|clean|gc)/,
      options: "c config",
      names: ".pre-commit-config.yaml",
    },
    startedBy: COMMIT_HOOKS,
  },
  { names: "woodpecker-cli", looks: "repo ls, repo info, pipeline ls|info|last|logs|ps, info" },
  { names: "drone", looks: "repo ls, repo info, build ls|info|last, info, server ls|info, queue, secret ls" },
  { names: "forgejo-runner act_runner", looks: "list" },
  { names: "bzr", rewrites: true },
];
