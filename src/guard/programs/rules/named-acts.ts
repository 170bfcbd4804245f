// Finds consequences in the words with which a use names what it does, where no record says more: `volumes destroy vol_1`,
// `db:drop`, `delete-stack`, `--purge`, `k3s-uninstall.sh`.

import type { Consequence } from "../../codes.ts";
import { words } from "../../words/options.ts";

const set = (text: string): ReadonlySet<string> => new Set(words(text));

const DELETING = set(
  "delete del destroy drop purge wipe erase remove autoremove rm rmi truncate expunge prune uninstall terminate unpublish teardown nuke gc",
);

/** One word of two: `deleteall`, `dropunused`. */
const DELETES_SOMETHING =
  /^(?:delete|destroy|purge|drop)(?:all|unused|tables?|index|indices|db|database|topics?|queues?)$/;

/** These delete data where they are about a store of it. */
const EMPTYING = set("reset clean cleanup clear flush empty fresh");

const STORES = set(
  `db database databases data schema table tables keyspace index indices trash trashbin bucket buckets queue queues topic volume
  volumes storage snapshots backups history archive cluster site all factory pg postgres mysql mongo redis`,
);

/** So do these with what migrates a database. */
const UNDOING = set("down downgrade rollback revert undo redo reset fresh refresh");

const MIGRATIONS = set("migrate migration migrations migrator db database schema");

const STOPPING = set("restart stop reload shutdown kill killall recycle redeploy");

const REBOOTING = set("reboot hibernate power-off power-cycle");

/** What is named after one of these is looked at, made or run. */
const HARMLESS = set(
  `list ls show get describe status info help logs log search find view cat explain plan diff check inspect history test print
  create add new generate set start build edit install exec ssh shell open copy cp export import dump backup apply deploy up pull
  push init login enable validate verify lint completion version`,
);

const CHANGING =
  "create|add|new|set|reset|update|change|modify|edit|grant|revoke|delete|del|remove|rm|destroy|disable|enable";

const ACCOUNTS = new RegExp(
  `\\b(?:users?|superusers?|persons?|accounts?|roles?|passwords?|passwd|api-?keys?|ssh-?keys?|access-?keys?|tokens?)[\\s:._-](?:${CHANGING})\\b|\\b(?:${CHANGING})[\\s:_-]?(?:users?|superusers?|admins?|roles?|passwords?|api-?keys?)(?=\\s|$)`,
);

const NETWORKS = new RegExp(
  `\\b(?:firewalls?|dns|domains?(?=\\s+records?)|networks?|networking|subnets?|vpcs?|vpn|security-groups?|floating-ips?|ips|load-balancers?)(?:[\\s:._-][\\w-]+?){0,2}[\\s:._-](?:${CHANGING}|attach|detach|allocate|release|assign|unassign)\\b|\\b(?:add|delete|remove|change)-(?:routes?|subnets?|rules?)\\b`,
);

/** It says what would be done, or how it is used. */
const ONLY_SAYS =
  /(?:^|\s)(?:-h(?=\s*$)|--(?:help|version|list|dry-?run|simulate|no-?op|no-?act|assumeno|just-print|print-only|what-?if|preview|diff)(?![\w-])(?!=(?:none|false)))/i;

/** `dc down -v` */
function takesVolumesDown(args: readonly string[]): boolean {
  const at = args.indexOf("down");
  return at >= 0 && args.slice(at).some((word) => word === "-v" || word === "--volumes");
}

const DELETING_OPTION =
  /^--(?:(?:delete|purge|destroy|wipe|erase|expunge|uninstall|prune)(?:-[\w-]+)?|remove-(?:all|old|file|source|snapshot|backup|volume)[\w-]*)(?:=(?!false|no|never|none|0).*)?$/;

/** How many words may come before the one that names what is done, with it. */
const MAX_WORDS = 4;

const MAX_LOOKED_AT = 16;

/** Options that have no value in any program that is known. */
const FLAG =
  /^-{1,2}(?:[yfqvDdni]+|yes|force|quiet|verbose|debug|json|silent|assume-?yes|batch|non-?interactive|no-[\w-]+|.+=.*)$/;

/** `volumes destroy`: the first words, without options and what may be their values. */
function namesIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const before = args.slice(0, end < 0 ? MAX_LOOKED_AT : Math.min(end, MAX_LOOKED_AT));
  const isValue = (at: number): boolean => {
    const option = before[at - 1] ?? "";
    return option.startsWith("-") && !FLAG.test(option) && !DELETING.has(before[at] ?? "");
  };
  return before.filter((word, at) => !word.startsWith("-") && !isValue(at)).slice(0, MAX_WORDS);
}

const NAME = /^[A-Za-z][\w:.-]{0,63}$/;

/** `deleteMany`, `db:drop`, `pool.delete`; of a name with a dot only the end counts, so that `delete.txt` is a file. */
function partsOf(name: string): readonly string[] {
  const parts = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[:_-]/);
  return parts.flatMap((part) => (part.includes(".") ? [part.slice(part.lastIndexOf(".") + 1)] : [part]));
}

/** Null: the name is no act that is known. */
function actOf(name: string, before: string | undefined): Consequence | "none" | null {
  if (!NAME.test(name)) return null;
  const parts = partsOf(name);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (HARMLESS.has(first)) return "none";
  const is = (acts: ReadonlySet<string>): boolean => acts.has(first) || acts.has(last);
  const about = [...parts, ...(before === undefined ? [] : partsOf(before))];
  const isAbout = (things: ReadonlySet<string>): boolean => about.some((part) => things.has(part));
  if (
    is(DELETING) ||
    DELETES_SOMETHING.test(first) ||
    (is(EMPTYING) && isAbout(STORES)) ||
    (is(UNDOING) && isAbout(MIGRATIONS))
  )
    return "deletes_data";
  if (is(REBOOTING) || REBOOTING.has(parts.slice(-2).join("-"))) return "reboots";
  if (is(STOPPING)) return "restarts_service";
  return HARMLESS.has(last) ? "none" : null;
}

/** `k3s-uninstall.sh`, `zfs-prune-snapshots`. */
function actOfProgram(program: string): Consequence | "none" | null {
  const parts = program.replace(/\.\w+$/, "").split(/[-_.]/);
  const acts = parts.map((part, at) => actOf(part, parts[at - 1]));
  return acts.find((act) => act !== null) ?? null;
}

type NamedUse = {
  /** The name of a program without a record: that may say it as well. Else null. */
  readonly program: string | null;
  /** From the verb on. */
  readonly args: readonly string[];
  /** Whether the effect of the use is known, so that its options say nothing more. */
  readonly known: boolean;
};

export function namedActs({ program, args, known }: NamedUse): readonly Consequence[] {
  if (ONLY_SAYS.test(args.join(" "))) return [];
  const names = namesIn(args);
  const text = names.filter((name) => NAME.test(name)).join(" ");
  const acts = names.map((name, at) => actOf(name, names[at - 1]));
  const own = program === null ? null : actOfProgram(program);
  const deletes = !known && (takesVolumesDown(args) || args.some((word) => DELETING_OPTION.test(word)));
  const found = [acts.find((act) => act !== null), own].filter((act) => act !== "none" && act !== null);
  return [
    ...found.filter((act) => act !== undefined),
    ...(deletes ? (["deletes_data"] as const) : []),
    ...(ACCOUNTS.test(text) ? (["changes_accounts"] as const) : []),
    ...(NETWORKS.test(text) ? (["changes_network"] as const) : []),
  ];
}
