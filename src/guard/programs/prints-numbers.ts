// Forms of command lines that print nothing but numbers, for the `numbers` of records: bash may evaluate what they print as
// arithmetic. Each is spelled out whole, because an option, a subcommand or an abbreviation more may print text.
type Args = readonly string[];

type Form = {
  /** Options without a value. */
  readonly flags?: RegExp;
  /** Options with a value, and the form of it. */
  readonly valued?: Readonly<Record<string, RegExp>>;
  /** Of all other words. */
  readonly operands: RegExp;
};

const ANY = /^(?!-)/;

/** Whether each word is of the form, with one of `needed` among the options. `--name=value` and `--name value` are one. */
function fits(args: Args, { flags, valued = {}, operands }: Form, needed: readonly string[] = []): boolean {
  const left = new Set(needed);
  for (let at = 0; at < args.length; at += 1) {
    const [, name = "", given] = /^(--?[A-Za-z-]+)(?:=(.*))?$/s.exec(args[at] ?? "") ?? [];
    const form = Object.hasOwn(valued, name) ? valued[name] : undefined;
    left.delete(name);
    if (form !== undefined) {
      if (given === undefined) at += 1;
      if (!form.test(given ?? args[at] ?? "")) return false;
    } else if (name === "" ? !operands.test(args[at] ?? "") : flags?.test(args[at] ?? "") !== true) return false;
  }
  return needed.length === 0 || left.size < needed.length;
}

const INSPECTED = /^(\s|\{\{\s*(len [.\w]+|\.RestartCount|\.State\.(ExitCode|Pid|Health\.FailingStreak))\s*\}\})+$/;
const UNIT =
  /^(MainPID|ExecMainPID|ControlPID|NRestarts|ExecMainStatus|ExecMainCode|TasksCurrent|\w+TimestampMonotonic)$/;
const REPLICAS = /^jsonpath=\{\.(status\.(\w*[rR]eplicas|observedGeneration)|spec\.replicas)\}$/;
const COLUMNS = /^(p?pid|etimes|rss|vsz|nlwp|uid)=(,(p?pid|etimes|rss|vsz|nlwp|uid)=)*$/;
const DIGITS = /^(0-9|\[:digit:\])(\\n)?$/;

/** `docker inspect -f '{{.RestartCount}}' web`. */
export function inspectsNumbers([first = "", ...rest]: Args): boolean {
  const isLong = /^(container|image)$/.test(first);
  const valued = { "-f": INSPECTED, "--format": INSPECTED };
  const isInspect = (isLong ? rest[0] : first) === "inspect";
  return isInspect && fits(isLong ? rest.slice(1) : rest, { valued, operands: ANY }, Object.keys(valued));
}

/** `git -C /srv/app rev-list --count HEAD..@{u}`. */
export function countsCommits(args: Args): boolean {
  const [verb, option, ...more] = args[0] === "-C" ? args.slice(2) : args;
  return verb === "rev-list" && option === "--count" && more.every((arg) => ANY.test(arg));
}

const UNIT_OPTIONS = { "-P": UNIT, "-p": UNIT, "--property": UNIT };

/** `systemctl show -P MainPID billing`. */
export const showsNumbers = ([verb, ...args]: Args): boolean =>
  verb === "show" &&
  (args.includes("--value") || args.includes("-P")) &&
  fits(args, { flags: /^--value$/, valued: UNIT_OPTIONS, operands: ANY }, Object.keys(UNIT_OPTIONS));

const WORKLOAD = /^(deploy(ments?)?|sts|statefulsets?|rs|replicasets?)(\/|$)/;

/** `kubectl get deploy web -o jsonpath={.status.readyReplicas}`. */
export const getsReplicas = ([verb, kind = "", ...args]: Args): boolean =>
  verb === "get" &&
  WORKLOAD.test(kind) &&
  fits(args, { valued: { "-o": REPLICAS, "-n": ANY, "--namespace": ANY }, operands: ANY }, ["-o"]);

/** `ps -o etimes= -p 12`. */
export const listsNumbers = (args: Args): boolean =>
  fits(args, { flags: /^-[eA]$/, valued: { "-o": COLUMNS, "-p": ANY, "-C": ANY, "-q": ANY }, operands: /^$/ }, ["-o"]);

/** `pgrep -x sshd`. */
export const findsProcesses = (args: Args): boolean =>
  fits(args, { flags: /^(-[cfinoxv]+|--count)$/, valued: { "-u": ANY, "-P": ANY }, operands: ANY });

/** `tr -dc 0-9`. */
export const keepsDigits = ([how = "", set = "", ...more]: Args): boolean =>
  /^-(cd|dc|Cd|dC)$/.test(how) && DIGITS.test(set) && more.length === 0;
