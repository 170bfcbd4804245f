// Reads the consequences of one resolved command line: from the sentence of its effect, from the table, from the devices and the
// files that it writes.
import type { Consequence } from "../../codes.ts";
import type { State } from "../../interpreter/state.ts";
import { deviceAt } from "../../paths.ts";
import { rowsByName, words } from "../../words/options.ts";
import { DESTROYS, UNDECIDED } from "../blocked-operands.ts";
import { composeCommand, dockerCommand } from "../containers.ts";
import { gitCommand } from "../git.ts";
import { afterOptions, DELETES, DISKS, FIREWALL, NETWORK, STOPS, USERS } from "../record.ts";
import { recordOf } from "../registry.ts";
import { judgeWritten } from "../written-devices.ts";
import { BEFORE_VERB, USES } from "./table.ts";

/** Effects whose sentence is the consequence. */
const OF_SENTENCE: ReadonlyMap<string, Consequence> = new Map([
  [DELETES, "deletes_data"],
  [NETWORK, "changes_network"],
  [FIREWALL, "changes_network"],
  [USERS, "changes_accounts"],
  [STOPS, "reboots"],
]);

/** They change what is attached, and write nothing to it. */
const ATTACHING = /^(?:u?mount|swapo(?:n|ff)|losetup|exportfs|quotao(?:n|ff)|kpartx|smartctl|blockdev)/;

/** `shutdown -c` cancels. */
const NOT_MEANT: Readonly<Record<string, RegExp>> = {
  shutdown: /(?:^|\s)-\w*c(?:\s|$)/,
  init: /^[qQu]$/,
  telinit: /^[qQu]$/,
};

const ROWS = rowsByName(
  USES.flatMap(([has, rows]) => rows.map(([of, when]) => ({ of, has, when }))),
  ({ of }) => of,
);

const VALUED = new Map(
  BEFORE_VERB.flatMap(([of, valued]) => words(of).map((name) => [name, new Set(words(valued))] as const)),
);

const ENGINES = /^(?:docker|podman|nerdctl)$/;

const COMPOSERS = /^(?:docker|podman)-compose$/;

/** Their statements may come from standard input. */
const CLIENTS = /^(?:psql|mysql|mariadb|sqlite3|clickhouse-client|mongosh|mongo|redis-cli|valkey-cli|keydb-cli)$/;

/** The words from the verb on. */
export function fromVerb(argv: readonly string[]): readonly string[] {
  const [name = "", ...args] = argv;
  if (ENGINES.test(name) || COMPOSERS.test(name)) {
    const command = dockerCommand(COMPOSERS.test(name) ? composeCommand(argv) : argv);
    return [...words(command.verb), ...command.args];
  }
  if (/^(?:git|hub)$/.test(name)) {
    const { verb, args: rest } = gitCommand(argv);
    return [verb, ...rest];
  }
  const valued = VALUED.get(name);
  return valued === undefined ? args : afterOptions(args, valued);
}

/** `php /srv/cloud/occ user:delete x`: the script is the program. */
function scripted(argv: readonly string[]): readonly string[] {
  const [name = "", ...args] = argv;
  const at = name === "php" ? args.findIndex((word) => !word.startsWith("-")) : -1;
  return /(?:^|\/)occ$/.test(args[at] ?? "") ? ["occ", ...args.slice(at + 1)] : argv;
}

/** `changes` completes "this step ..."; null where the effect is not known. */
export function consequencesIn(given: readonly string[], state: State, changes: string | null): readonly Consequence[] {
  const argv = scripted(given);
  const [name = "", ...args] = argv;
  const found = new Set<Consequence>();
  const whole = args.join(" ");
  const named = changes === null ? undefined : OF_SENTENCE.get(changes);
  if (named !== undefined && NOT_MEANT[name]?.test(whole) !== true) found.add(named);
  const rows = ROWS.get(name) ?? [];
  const texts = rows.length === 0 ? [] : [fromVerb(argv).join(" "), ...(CLIENTS.test(name) ? typed(whole, state) : [])];
  for (const { has, when } of rows) if (when === undefined || texts.some((text) => when.test(text))) found.add(has);
  if (writesDevice(argv, state, changes)) found.add("writes_device");
  return [...found];
}

const typed = (whole: string, { io: { stdin } }: State): readonly string[] => [whole, ...(stdin ?? [])];

/** As the rules for devices see it, whether they block it or ask; also what shrinks, checks or labels one. */
function writesDevice(argv: readonly string[], state: State, changes: string | null): boolean {
  let found = false;
  const note = (_verdict: unknown, _code: unknown, reason: string): void => {
    found ||= reason === DESTROYS || reason === UNDECIDED;
  };
  recordOf(argv[0] ?? "")?.alwaysBlocked?.(argv, state, note);
  judgeWritten(argv, state, note);
  if (found || changes !== DISKS || ATTACHING.test(argv[0] ?? "")) return found;
  return argv.slice(1).some((word) => word.startsWith("/dev/") && deviceAt(word, state) === "yes");
}

const OF_FILE: readonly (readonly [RegExp, Consequence])[] = [
  [/^\/etc\/(?:passwd|shadow|group|gshadow|subuid|subgid|sudoers|doas\.conf)(?:$|[-.]|\.d\/)/, "changes_accounts"],
  [/\/\.ssh\/authorized_keys2?$/, "changes_accounts"],
  [
    /^\/etc\/(?:netplan|network|NetworkManager|systemd\/network|wireguard|iptables|ufw|firewalld|nftables|wpa_supplicant)(?:\/|$|\.)/,
    "changes_network",
  ],
  [/^\/etc\/(?:resolv\.conf|hosts|hosts\.(?:allow|deny)|dhcpcd\.conf)$/, "changes_network"],
  [/^\/proc\/sys\/net\//, "changes_network"],
  [/^\/proc\/sysrq-trigger$/, "reboots"],
];

/** Of a file that is changed; `path` is absolute. */
export const consequencesOfFile = (path: string): readonly Consequence[] =>
  OF_FILE.flatMap(([pattern, consequence]) => (pattern.test(path) ? [consequence] : []));

/** Of a path that is written to. */
export const consequencesOfWrite = (path: string, state: State): readonly Consequence[] =>
  deviceAt(path, state) === "yes" ? ["writes_device"] : consequencesOfFile(path);
