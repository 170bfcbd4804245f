// Processes and what is known of the machine; programs that send messages.
import type { Program } from "../interpreter/machine.ts";
import { SOME, UNKNOWN } from "../words/symbols.ts";
import { type EffectRule, options, type ProgramRecord } from "./record.ts";

const SIGNALS = "sends signals to processes";

/** `pkill -0 x` asks whether there is one. */
const signal: EffectRule = ([, first = ""]) => (/^(-0|-l|--list)$/.test(first) ? "reads" : { changes: SIGNALS });

const printVariable: Program = ([, name], state) =>
  name === undefined ? [UNKNOWN] : (state.bindings.vars.get(name) ?? [UNKNOWN]);

const counted: Program = ([, ...args]) => [args.some((arg) => /^(-\w*c\w*|--count)$/.test(arg)) ? SOME : UNKNOWN];

export const PROCESSES: readonly ProgramRecord[] = [
  {
    names: `ps top htop btop atop pstree pidof pwdx pmap uptime free vmstat iostat mpstat pidstat numastat iotop
    slabtop lscpu lsmem lsusb lspci lsmod modinfo lshw dmidecode lsns lsipc ipcs getconf who w last lastb
    lastlog groups users logname getent lid finger hostid sestatus getenforce getsebool ausearch aureport
    vcgencmd upsc apcaccess systemd-detect-virt ntpq hwinfo neofetch fastfetch lsb_release dnsdomainname
    lslogins lslocks lsscsi stty numactl smem procinfo pveversion pveperf`,
    effect: "reads",
  },
  { names: "pgrep", runs: counted, effect: "reads" },
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
];
