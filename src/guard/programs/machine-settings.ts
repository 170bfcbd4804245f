// The machine: processes and what is known of it, users, the kernel, the clock and other settings.
import type { Program } from "../interpreter/machine.ts";
import { has, parseOptions } from "../words/options.ts";
import { SOME, UNKNOWN } from "../words/symbols.ts";
import { findsProcesses, listsNumbers } from "./prints-numbers.ts";
import {
  byOptions,
  type EffectRule,
  mayBeOption,
  options,
  type ProgramRecord,
  STOPS,
  USERS,
  unlessDry,
  verbs,
} from "./record.ts";

const SIGNALS = "sends signals to processes";

/** `pkill -0 x` asks whether there is one. */
const signal: EffectRule = ([, first = ""]) => (/^(-0|-l|--list)$/.test(first) ? "reads" : { changes: SIGNALS });

const printVariable: Program = ([, name], state) =>
  name === undefined ? [UNKNOWN] : (state.bindings.vars.get(name) ?? [UNKNOWN]);

const KERNEL = "changes kernel settings";
const MACHINE = "changes settings of the machine";

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

/** Its options are words after one dash. */
const nvidia: EffectRule = ([, ...args]) => {
  const sets =
    /^-(r|pm|pl|e|c|ac|rac|lgc|rgc|lmc|rmc|am|caa|mig|dm|fdm|p)$|^--(gpu-reset|persist|power-limit|compute|lock|reset)/;
  if (args.some((arg) => sets.test(arg))) return { changes: MACHINE };
  return args[0]?.startsWith("-") === false ? "unknown" : "reads";
};

const ipmi: EffectRule = ([, ...args]) => {
  const text = parseOptions(args, { short: "IHUPfEpLCkyKNRtTe", long: [] }).operands.join(" ");
  const looks =
    /^(sdr|fru|fru print|sensor|sel|user list|user summary|lan print|lan stats get|mc info|mc getenables|mc guid|mc selftest|chassis status|chassis power status|power status|chassis bootparam get|chassis poh|chassis restart_cause|dcmi power reading|dcmi sensors|dcmi discover|dcmi asset_tag|sol info|channel info|session info|pef (?:info|status|list)|event)( |$)/;
  return looks.test(text) &&
    !/ (clear|thresh|set|delete|writeraw|write|edit|dump|fill|read|upgEkey|save|add|\d+ (?:assert|deassert))( |$)|^event ./.test(
      text,
    )
    ? "reads"
    : "unknown";
};

/** The text of a format is kept; each directive becomes a plain word. */
const runDate: Program = ([, ...args]) => {
  const format = parseOptions(args, { short: "dfrs", long: ["date", "file", "reference", "set"] }).operands[0];
  return [format === undefined ? SOME : format.slice(1).replace(/%[-_0^#]?\d*:*[A-Za-z]/g, SOME)];
};

export const MACHINE_SETTINGS: readonly ProgramRecord[] = [
  {
    names: `top htop btop atop pstree pidof pwdx pmap uptime free vmstat iostat mpstat pidstat numastat iotop
    slabtop lscpu lsmem lsusb lspci lsmod modinfo lshw dmidecode lsns lsipc ipcs getconf who w last lastb
    lastlog groups users logname getent lid finger hostid sestatus getenforce getsebool ausearch aureport
    vcgencmd upsc apcaccess systemd-detect-virt ntpq hwinfo neofetch fastfetch lsb_release dnsdomainname
    lslogins lslocks lsscsi stty numactl smem procinfo pveversion pveperf`,
    effect: "reads",
  },
  { names: "ntpdate", effect: options({ why: MACHINE, reads: "q d", otherwise: { changes: MACHINE } }) },
  { names: "ps", numbers: listsNumbers, effect: "reads" },
  { names: "pgrep", prints: "anything", numbers: findsProcesses, effect: "reads" },
  { names: "nproc uname arch tty id whoami", prints: "a word", effect: "reads" },
  { names: "printenv", runs: printVariable, effect: "reads" },
  { names: "pkill killall skill xkill snice killall5", effect: signal },
  { names: "renice reptyr", effect: { changes: "changes the priority of processes" } },
  { names: "fuser", effect: options({ why: SIGNALS, changes: "k kill", valued: "n namespace" }) },
  { names: "sar", effect: options({ why: "writes files", changes: "o", valued: "o f s e i n P" }) },
  { names: "dstat glances", effect: options({ why: "writes files", changes: "output export" }) },
  { names: "wall write", prints: "anything", effect: { changes: "sends messages" } },
  { names: "mesg", effect: { changes: "sends messages" } },
  { names: "mail mailx", prints: "anything", effect: { changes: "sends mail" } },
  { names: "sendmail mutt", effect: { changes: "sends mail" } },
  { names: "mailq", effect: "reads" },
  { names: "postqueue", effect: options({ reads: "p j", otherwise: "unknown" }) },
  { names: "logger", prints: "anything", takesData: true, effect: { changes: "writes to the log" } },
  { names: "systemd-cat", effect: { changes: "writes to the log" } },
  { names: "perf bpftrace", effect: "unknown" },
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
  { names: "sensors", effect: options({ why: MACHINE, changes: "s set" }) },
  { names: "nvidia-smi", effect: nvidia },
  { names: "sysctl", effect: sysctl },
  { names: "ipmitool", effect: ipmi },
  {
    names: "modprobe",
    effect: unlessDry("n dry-run show-depends c showconfig", { changes: "changes kernel modules" }),
  },
  { names: "depmod", effect: unlessDry("n dry-run show", { changes: "changes kernel modules" }) },
  { names: "rmmod insmod", effect: { changes: "changes kernel modules" } },
  {
    names: `useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup chpasswd gpasswd
    chsh chfn vipw vigr newusers`,
    effect: { changes: USERS },
  },
  { names: "passwd", effect: options({ why: USERS, reads: "S status", otherwise: { changes: USERS } }) },
  { names: "chage", effect: options({ why: USERS, reads: "l list", otherwise: { changes: USERS } }) },
  { names: "visudo", effect: options({ why: USERS, reads: "c check", otherwise: { changes: USERS } }) },
  { names: "faillock", effect: options({ why: USERS, changes: "reset", valued: "user" }) },
  { names: "pwck grpck", effect: options({ why: USERS, reads: "r read-only q", otherwise: { changes: USERS } }) },
  { names: "reboot halt poweroff init telinit kexec", effect: { changes: STOPS } },
  { names: "shutdown", effect: options({ reads: "show", otherwise: { changes: STOPS } }) },
  { names: "setenforce setsebool", effect: { changes: MACHINE } },
  { names: "auditctl", effect: options({ reads: "l s", otherwise: { changes: MACHINE } }) },
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
      { valued: "-h -p", bare: "unknown" },
    ),
  },
  {
    names: "timedatectl",
    effect: verbs(
      MACHINE,
      "status show list-timezones timesync-status show-timesync",
      "set-time set-timezone set-local-rtc set-ntp ntp-servers revert",
    ),
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
  },
];
