// Says what each verb of git does to the world. Where a verb both lists and changes, its options and operands decide.
import { optionTable, parseOptions, words } from "../../../words/options.ts";
import type { EffectRule } from "../../record.ts";
import {
  byOptions,
  given,
  type MoreVerbs,
  mayBeOption,
  options,
  REPOSITORY,
  unlessDry,
  verbs,
} from "../../rules/effects.ts";

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

export const VERBS = verbs(
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
