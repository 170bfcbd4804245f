// Holds the records of what shows and sets the machine: processes, the kernel, the clock and other settings.
import type { Program } from "../../interpreter/machine.ts";
import { has, parseOptions } from "../../words/options.ts";
import { SOME, UNKNOWN } from "../../words/symbols.ts";
import type { EffectRule, ProgramRecord } from "../record.ts";
import {
  byOptions,
  MACHINE,
  mayBeOption,
  onThisMachine,
  options,
  STOPS,
  unlessDry,
  verbs,
  WRITING,
} from "../rules/effects.ts";
import { type Args, fits, OPERAND } from "../rules/select.ts";

const COLUMNS = /^(p?pid|etimes|rss|vsz|nlwp|uid)=(,(p?pid|etimes|rss|vsz|nlwp|uid)=)*$/;

/** `ps -o etimes= -p 12`. */
const listsNumbers = (args: Args): boolean =>
  fits(
    args,
    { flags: /^-[eA]$/, valued: { "-o": COLUMNS, "-p": OPERAND, "-C": OPERAND, "-q": OPERAND }, operands: /^$/ },
    ["-o"],
  );

/** `pgrep -x sshd`. */
const findsProcesses = (args: Args): boolean =>
  fits(args, { flags: /^(-[cfinoxv]+|--count)$/, valued: { "-u": OPERAND, "-P": OPERAND }, operands: OPERAND });

const SIGNALS = "sends signals to processes";

/** `pkill -0 x` asks whether there is one. */
const signal: EffectRule = ([, ...args]) =>
  /^(?:-0|-l|-L|--list)(?:\s|$)|(?:^|\s)(?:-s|--signal)[ =]?0(?=\s|$)/.test(args.join(" "))
    ? "reads"
    : { changes: SIGNALS };

const printVariable: Program = ([, name], state) =>
  name === undefined ? [UNKNOWN] : (state.bindings.vars.get(name) ?? [UNKNOWN]);

const KERNEL = "changes kernel settings";

/** `date +%s` prints; another operand sets the clock. */
const dateEffect = byOptions("d f r s I date file reference set", (parsed) => {
  const sets = has(parsed, "s", "set") || parsed.operands.some((word) => !word.startsWith("+"));
  if (parsed.operands.some(mayBeOption)) return "unknown";
  return sets ? { changes: MACHINE } : "reads";
});

const sysctl = byOptions("r pattern", (parsed) => {
  if (has(parsed, "w", "p", "f", "write", "load", "system")) return { changes: KERNEL };
  if (parsed.operands.some(mayBeOption)) return "unknown";
  return parsed.operands.some((word) => word.includes("=")) ? { changes: KERNEL } : "reads";
});

/** The text of a format is kept; each directive becomes a plain word. */
const runDate: Program = ([, ...args]) => {
  const format = parseOptions(args, { short: "dfrs", long: ["date", "file", "reference", "set"] }).operands[0];
  return [format === undefined ? SOME : format.slice(1).replace(/%[-_0^#]?\d*:*[A-Za-z]/g, SOME)];
};

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "atop", effect: "reads", sideEffects: { words: /^-\w*w/, effect: WRITING } },
    { names: "ntpdate", effect: options({ why: MACHINE, reads: "q d", otherwise: { changes: MACHINE } }) },
    { names: "pkill killall skill xkill killall5", effect: signal, consequences: { restarts_service: true } },
    { names: "snice", effect: signal },
    { names: "renice reptyr", effect: { changes: "changes the priority of processes" } },
    {
      names: "fuser",
      effect: options({ why: SIGNALS, changes: "k kill", valued: "n namespace" }),
      consequences: { restarts_service: /(?:^|\s)(?:-\w{0,8}k\w{0,8}|--kill)(?=\s|$)/ },
    },
    { names: "sar", effect: options({ why: "writes files", changes: "o", valued: "o f s e i n P" }) },
    { names: "dstat glances", effect: options({ why: "writes files", changes: "output export" }) },
    { names: "wall", prints: "anything", effect: { changes: "sends messages" }, speaks: true },
    { names: "write", prints: "anything", effect: { changes: "sends messages" } },
    { names: "mesg", effect: { changes: "sends messages" } },
    { names: "logger", prints: "anything", takesData: true, effect: { changes: "writes to the log" }, speaks: true },
    { names: "systemd-cat", effect: { changes: "writes to the log" } },
    { names: "perf", effect: "unknown" },
    {
      names: "dmesg",
      effect: options({
        why: KERNEL,
        changes: "c C clear read-clear D E n console-off console-on console-level",
        valued: "n l f",
      }),
    },
    { names: "date", runs: runDate, effect: dateEffect },
    { names: "hostname", prints: "a word", effect: options({ why: MACHINE, changes: "F b file boot", operands: 0 }) },
    { names: "domainname", effect: options({ why: MACHINE, changes: "F b file boot", operands: 0 }) },
    {
      names: "hwclock",
      effect: options({ why: MACHINE, changes: "w s a systohc hctosys set adjust systz param-set", valued: "date" }),
    },
    {
      names: "sysctl",
      effect: sysctl,
      consequences: { changes_network: /(?:^|\s)net[./]\S+=/ },
      applies: { options: "p load", operands: /^[^=]*\/[^=]*$/ },
    },
    {
      names: "modprobe",
      effect: unlessDry("n dry-run show-depends c showconfig", { changes: "changes kernel modules" }),
      applies: "C config initrd",
    },
    { names: "depmod", effect: unlessDry("n dry-run show", { changes: "changes kernel modules" }) },
    { names: "rmmod insmod", effect: { changes: "changes kernel modules" } },
    { names: "reboot halt poweroff", effect: { changes: STOPS } },
    {
      names: "openrc-shutdown",
      effect: { changes: STOPS },
      cancels: /(?:^|\s)(?:-\w*[cD]|--cancel|--dry-run)(?=\s|$)/,
    },
    { names: "init telinit", effect: { changes: STOPS }, cancels: /^[qQu]$/ },
    { names: "kexec", effect: { changes: STOPS }, applies: "C config initrd" },
    {
      names: "shutdown",
      effect: options({ reads: "show", otherwise: { changes: STOPS } }),
      cancels: /(?:^|\s)-\w*c(?:\s|$)/,
    },
    { names: "setenforce setsebool", effect: { changes: MACHINE } },
    {
      names: "update-alternatives alternatives",
      effect: options({ reads: "display list query get-selections", otherwise: { changes: MACHINE } }),
    },
    {
      names: "chronyc",
      effect: verbs(
        MACHINE,
        "tracking sources sourcestats activity ntpdata serverstats clients rtcdata smoothing sourcename",
        "makestep burst online offline add delete settime",
        { valued: "h p", bare: "unknown" },
      ),
    },
    {
      names: "timedatectl",
      effect: verbs(
        MACHINE,
        "status show list-timezones timesync-status show-timesync",
        "set-time set-timezone set-local-rtc set-ntp ntp-servers revert",
      ),
      hosts: "H host",
    },
    {
      names: "localectl",
      effect: verbs(MACHINE, "status list-locales list-keymaps", "set-locale set-keymap set-x11-keymap"),
    },
    {
      names: "hostnamectl",
      effect: verbs(MACHINE, "status", "set-hostname set-icon-name set-chassis set-deployment set-location", {
        rules: [["hostname chassis icon-name deployment location", options({ why: MACHINE, operands: 0 })]],
      }),
      consequences: { changes_network: /^(?:set-hostname|hostname)\s+[^\s-]/ },
      hosts: "H host",
    },
    { names: "pm-suspend pm-hibernate pm-suspend-hybrid", effect: { changes: STOPS } },
  ]),
  {
    names:
      "top htop btop pstree pwdx pmap uptime free vmstat iostat mpstat pidstat numastat iotop slabtop lscpu lsmem lsusb lspci lsmod modinfo lshw lsns lsipc ipcs getconf who w last lastb lastlog groups users logname getent lid finger hostid sestatus getenforce getsebool aureport upsc apcaccess systemd-detect-virt ntpq neofetch fastfetch lsb_release dnsdomainname lslogins lslocks lsscsi stty numactl smem procinfo pveversion pveperf",
    effect: "reads",
  },
  { names: "pidof", effect: "reads", otherOutput: true },
  { names: "ps", numbers: listsNumbers, effect: "reads", otherOutput: true },
  { names: "pgrep", prints: "anything", numbers: findsProcesses, effect: "reads", otherOutput: true },
  { names: "nproc uname arch tty id whoami", prints: "a word", effect: "reads" },
  { names: "printenv", runs: printVariable, effect: "reads" },
];
