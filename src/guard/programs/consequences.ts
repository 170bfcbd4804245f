// Reads what is always blocked of one resolved command line, and its consequences: from the sentence of its effect, from the record
// of its program, from the devices and the files that it writes.
import type { Consequence } from "../codes.ts";
import type { Report } from "../interpreter/machine.ts";
import type { State } from "../interpreter/state.ts";
import { deviceAt } from "../paths.ts";
import type { Consequences } from "./record.ts";
import { effectRuleOf, interpreterOf, kindOf, recordOf, writesOf } from "./registry.ts";
import { DESTROYS, judgeDeleted, judgeWritten, UNDECIDED } from "./rules/blocked.ts";
import { afterOptions, DELETES, DISKS, dashed, FIREWALL, NETWORK, REPOSITORY, STOPS, USERS } from "./rules/effects.ts";
import { namedActs } from "./rules/named-acts.ts";
import { onlyOptions, rowsIn } from "./rules/select.ts";

/** What is always blocked, as the record of the program says. */
export function judgeUse(argv: readonly string[], state: State, report: Report): void {
  const [name = ""] = argv;
  const record = recordOf(name);
  record?.alwaysBlocked?.(argv, state, report);
  // A program that writes nothing by its record is judged where one of its words is a device.
  if (writesOf(name).length > 0 || argv.some((word) => word.includes("/dev/"))) judgeDevices(argv, state, report);
  for (const row of rowsIn(record?.deletes, onlyOptions)) judgeDeleted(argv, row, state, report);
}

/** Devices that it writes to by an operand or an option. */
function judgeDevices(argv: readonly string[], state: State, report: Report): void {
  const [name = ""] = argv;
  judgeWritten(argv, { rows: writesOf(name), otherOutput: recordOf(name)?.otherOutput === true }, state, report);
}

type Uses = NonNullable<Consequences[Consequence]>;

/** Effects whose sentence is the consequence. */
const OF_SENTENCE: ReadonlyMap<string, Consequence> = new Map([
  [DELETES, "deletes_data"],
  [NETWORK, "changes_network"],
  [FIREWALL, "changes_network"],
  [USERS, "changes_accounts"],
  [STOPS, "reboots"],
]);

/** The words from the verb on. */
export function fromVerb(argv: readonly string[]): readonly string[] {
  const { verbOf, valued } = recordOf(argv[0] ?? "") ?? {};
  if (verbOf !== undefined) return verbOf(argv);
  return valued === undefined ? argv.slice(1) : afterOptions(argv.slice(1), dashed(valued));
}

/** `changes` completes "this step ..."; null where the effect is not known. */
export function consequencesIn(given: readonly string[], state: State, changes: string | null): readonly Consequence[] {
  const argv = scriptOf(recordOf(given[0] ?? "")?.runsAs?.(given) ?? innerUse(given) ?? given);
  const [name = "", ...args] = argv;
  const { consequences, cancels, statements } = recordOf(name) ?? {};
  const found = new Set<Consequence>();
  const whole = args.join(" ");
  const named = changes === null ? undefined : OF_SENTENCE.get(changes);
  if (named !== undefined && cancels?.test(whole) !== true) found.add(named);
  const uses = Object.entries(consequences ?? {}) as [Consequence, Uses][];
  const texts =
    uses.length === 0 ? [] : [fromVerb(argv).join(" "), ...(statements === true ? typed(whole, state) : [])];
  for (const [has, use] of uses)
    if ([use].flat().some((one) => one === true || texts.some((text) => one.test(text)))) found.add(has);
  if (writesDevice(argv, state, changes)) found.add("writes_device");
  const acts = state.frame.own ? [] : actsNamed(argv, changes).filter((act) => consequences?.[act] === undefined);
  const isSaid = found.size > 0;
  for (const act of acts) if (!isSaid || BESIDE_OTHERS.has(act)) found.add(act);
  return [...found];
}

/** What else a use may be when it deletes, stops or restarts something. */
const BESIDE_OTHERS: ReadonlySet<Consequence> = new Set(["changes_accounts", "changes_network"]);

/** A use whose words name what is done: of a program without a rule for its effect, or with one that reads such words. */
function actsNamed(argv: readonly string[], changes: string | null): readonly Consequence[] {
  const [name = ""] = argv;
  const rule = effectRuleOf(name);
  if (rule !== undefined && (typeof rule !== "function" || rule.named !== true)) return [];
  if (rule === undefined && recordOf(name)?.prints !== undefined) return [];
  // Versions of files are kept, and a device is no service.
  if (changes === DISKS || changes === REPOSITORY) return [];
  return namedActs({ program: rule === undefined ? name : null, args: fromVerb(argv), known: changes !== null });
}

/** `heroku run rails db:drop`, `fly ssh console -C "rails db:drop"`: a program without a record runs one that has consequences. */
function innerUse([name = "", ...args]: readonly string[]): readonly string[] | null {
  if (recordOf(name) !== undefined) return null;
  const at = args.findIndex((word) => /^(?:run|exec|-c|-C|--command)$/.test(word));
  const rest = at < 0 ? [] : args.slice(at + 1).flatMap((word) => word.split(" "));
  const first = rest.slice(0, MAX_BEFORE_INNER).findIndex((word) => recordOf(word)?.consequences !== undefined);
  return first < 0 ? null : rest.slice(first);
}

/** The name of an application or a service, and options. */
const MAX_BEFORE_INNER = 4;

/** `python3 manage.py flush`, `php artisan db:wipe`, `python3 -m pip uninstall x`: the script is the program. */
function scriptOf(argv: readonly string[]): readonly string[] {
  const [name = "", ...args] = argv;
  const { script, readsCode, code } = interpreterOf(name) ?? {};
  const rule = effectRuleOf(name);
  if ((script ?? readsCode) !== true || (typeof rule === "function" && rule.named === true)) return argv;
  const at = args.findIndex((word) => !word.startsWith("-"));
  const [path = "", ...rest] = args.slice(at);
  if (at < 0 || (code !== undefined && args.slice(0, at + 1).some((word) => code.test(word)))) return argv;
  return [path.slice(path.lastIndexOf("/") + 1), ...rest];
}

const typed = (whole: string, { io: { stdin } }: State): readonly string[] => [whole, ...(stdin ?? [])];

/** As the rules for devices see it, whether they block it or ask; also what shrinks, checks or labels one. */
function writesDevice(argv: readonly string[], state: State, changes: string | null): boolean {
  let found = false;
  const note = (_verdict: unknown, _code: unknown, reason: string): void => {
    found ||= reason === DESTROYS || reason === UNDECIDED;
  };
  const [name = ""] = argv;
  recordOf(name)?.alwaysBlocked?.(argv, state, note);
  judgeDevices(argv, state, note);
  if (found || changes !== DISKS || kindOf(name)?.attaches === true) return found;
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
  [/^\/proc\/sysrq-trigger$|^\/sys\/power\/state$/, "reboots"],
];

/** Of a file that is changed; `path` is absolute. */
export const consequencesOfFile = (path: string): readonly Consequence[] =>
  OF_FILE.flatMap(([pattern, consequence]) => (pattern.test(path) ? [consequence] : []));

/** Of a path that is written to. */
export const consequencesOfWrite = (path: string, state: State): readonly Consequence[] =>
  deviceAt(path, state) === "yes" ? ["writes_device"] : consequencesOfFile(path);
