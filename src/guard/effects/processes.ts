// Processes, users, the kernel and the machine.
import { has, parseOptions } from "../shell/options.ts";
import {
  changes,
  changing,
  type Family,
  mayBeOption,
  options,
  READS,
  type Rule,
  reads,
  UNSURE,
  unlessDry,
  unsure,
  verbs,
} from "./effect.ts";

const SIGNALS = "sends signals to processes";
const USERS = "changes users";
const KERNEL = "changes kernel settings";
const MACHINE = "changes settings of the machine";

/** `date +%s` prints; another operand sets the clock. */
const date: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "dfrsI", long: ["date", "file", "reference", "set"] });
  const sets = has(parsed, "s", "set") || parsed.operands.some((word) => !word.startsWith("+"));
  if (parsed.operands.some(mayBeOption)) return UNSURE;
  return sets ? changes(MACHINE) : READS;
};

const sysctl: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "r", long: ["pattern"] });
  if (has(parsed, "w", "p", "f", "write", "load", "system")) return changes(KERNEL);
  if (parsed.operands.some(mayBeOption)) return UNSURE;
  return parsed.operands.some((word) => word.includes("=")) ? changes(KERNEL) : READS;
};

const scheduled: Rule = options({
  why: "changes scheduled work",
  reads: "l V",
  valued: "u f q t",
  otherwise: changes("changes scheduled work"),
});

/** `pkill -0 x` asks whether there is one. */
const signal: Rule = ([, first = ""]) => (/^(-0|-l|--list)$/.test(first) ? READS : changes(SIGNALS));

/** Its options are words behind one dash. */
const nvidia: Rule = ([, ...args]) => {
  const sets =
    /^-(r|pm|pl|e|c|ac|rac|lgc|rgc|lmc|rmc|am|caa|mig|dm|fdm|p)$|^--(gpu-reset|persist|power-limit|compute|lock|reset)/;
  if (args.some((arg) => sets.test(arg))) return changes(MACHINE);
  return args[0]?.startsWith("-") === false ? UNSURE : READS;
};

/** With `-p` it looks at a process, with a class as well it changes one. */
const ionice: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "cnpPu", long: ["class", "classdata", "pid"] }, false);
  const sets = has(parsed, "p", "P", "u", "pid") && has(parsed, "c", "n", "class", "classdata");
  return sets ? changes("changes the priority of processes") : READS;
};

const ipmi: Rule = ([, ...args]) => {
  const text = parseOptions(args, { short: "IHUPfEpLCkyKNRtTe", long: [] }).operands.join(" ");
  const looks =
    /^(sdr|fru|sensor|sel|user list|lan print|mc info|chassis status|chassis power status|power status)( |$)/;
  return looks.test(text) && !/ (clear|thresh|set|delete|writeraw|save|add)( |$)/.test(text) ? READS : UNSURE;
};

export const PROCESSES: Family = [
  [
    `ps top htop btop atop pstree pgrep pidof pwdx pmap uptime free vmstat iostat mpstat pidstat numastat iotop slabtop
    nproc lscpu lsmem lsusb lspci lsmod modinfo lshw dmidecode lsns lsipc ipcs getconf uname arch tty who w last lastb
    lastlog id whoami groups users logname getent lid finger printenv hostid sestatus getenforce getsebool ausearch
    aureport vcgencmd upsc apcaccess systemd-detect-virt ntpq hwinfo neofetch fastfetch lsb_release dnsdomainname lslogins
    lslocks lsscsi stty numactl smem procinfo pveversion pveperf`,
    reads,
  ],
  ["pkill killall skill xkill snice killall5", signal],
  ["renice reptyr", changing("changes the priority of processes")],
  ["ionice", ionice],
  ["fuser", options({ why: SIGNALS, changes: "k kill", valued: "n namespace" })],
  ["sar", options({ why: "writes files", changes: "o", valued: "o f s e i n P" })],
  ["dstat glances", options({ why: "writes files", changes: "output export" })],
  [
    "dmesg",
    options({
      why: KERNEL,
      changes: "c C clear read-clear D E n console-off console-on console-level",
      valued: "n l f",
    }),
  ],
  ["date", date],
  ["hostname domainname", options({ why: MACHINE, changes: "F b file boot", operands: 0 })],
  ["hwclock", options({ why: MACHINE, changes: "w s a systohc hctosys set adjust systz param-set", valued: "date" })],
  ["sensors", options({ why: MACHINE, changes: "s set" })],
  ["nvidia-smi", nvidia],
  ["sysctl", sysctl],
  ["ipmitool", ipmi],
  ["modprobe", unlessDry("n dry-run show-depends c showconfig", changing("changes kernel modules"))],
  ["depmod", unlessDry("n dry-run show", changing("changes kernel modules"))],
  ["rmmod insmod", changing("changes kernel modules")],
  ["crontab at batch atrm", scheduled],
  ["atq", reads],
  [
    `useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup chpasswd gpasswd chsh chfn vipw
    vigr newusers`,
    changing(USERS),
  ],
  ["passwd", options({ why: USERS, reads: "S status", otherwise: changes(USERS) })],
  ["chage", options({ why: USERS, reads: "l list", otherwise: changes(USERS) })],
  ["visudo", options({ why: USERS, reads: "c check", otherwise: changes(USERS) })],
  ["faillock", options({ why: USERS, changes: "reset", valued: "user" })],
  ["pwck grpck", options({ why: USERS, reads: "r read-only q", otherwise: changes(USERS) })],
  ["reboot halt poweroff init telinit kexec", changing("restarts or stops the machine")],
  ["shutdown", options({ reads: "show", otherwise: changes("restarts or stops the machine") })],
  ["setenforce setsebool", changing(MACHINE)],
  ["auditctl", options({ reads: "l s", otherwise: changes(MACHINE) })],
  [
    "update-alternatives alternatives",
    options({ reads: "display list query get-selections", otherwise: changes(MACHINE) }),
  ],
  ["wall write mesg", changing("sends messages")],
  ["mail mailx sendmail mutt", changing("sends mail")],
  ["mailq", reads],
  ["postqueue", options({ reads: "p j", otherwise: UNSURE })],
  ["logger systemd-cat", changing("writes to the log")],
  [
    "chronyc",
    verbs({
      why: MACHINE,
      valued: "-h -p",
      bare: UNSURE,
      reads: "tracking sources sourcestats activity ntpdata serverstats clients rtcdata smoothing sourcename",
      changes: "makestep burst online offline add delete settime",
    }),
  ],
  [
    "timedatectl",
    verbs({
      why: MACHINE,
      reads: "status show list-timezones timesync-status show-timesync",
      changes: "set-time set-timezone set-local-rtc set-ntp ntp-servers revert",
    }),
  ],
  [
    "localectl",
    verbs({ why: MACHINE, reads: "status list-locales list-keymaps", changes: "set-locale set-keymap set-x11-keymap" }),
  ],
  [
    "hostnamectl",
    verbs({
      why: MACHINE,
      reads: "status",
      changes: "set-hostname set-icon-name set-chassis set-deployment set-location",
      rules: [["hostname chassis icon-name deployment location", options({ why: MACHINE, operands: 0 })]],
    }),
  ],
  ["perf bpftrace vim vi nano emacs ed", unsure],
];
