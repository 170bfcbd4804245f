// The network: interfaces, routes and probes.
import { parseOptions, words } from "../words/options.ts";
import { afterOptions, type EffectRule, mayBeOption, options, type ProgramRecord, verbs } from "./record.ts";

const NETWORK = "changes the network";

const IP_VALUED = new Set(words("-f -family -l -loops -n -netns -rc -rcvbuf"));

const IP_LOOKS = new Set(words("show list lst ls sh s get monitor help identify pids showdump stats"));

const IP_CHANGES = new Set(
  words(
    "add a del delete d set change chg c replace append prepend flush f save restore up down attach detach rename exec",
  ),
);

/** `ip -br a`, `ip route get 1.1.1.1`; without a command the objects are listed. */
const ip: EffectRule = ([, ...args]) => {
  if (args.some((arg) => /^-(b|batch|force)$/.test(arg))) return "unknown";
  const [object, command] = afterOptions(args, IP_VALUED);
  if (object === undefined || command === undefined) return "reads";
  // For a link alone `s` is short for set.
  if (command === "s" && object.startsWith("l")) return "unknown";
  if (IP_LOOKS.has(command)) return "reads";
  if (object === "netns" && command === "exec") return "unknown";
  return IP_CHANGES.has(command) ? { changes: NETWORK } : "unknown";
};

/** `ifconfig eth0` shows, `ifconfig eth0 down` changes. */
const interfaces: EffectRule = ([, ...args]) => {
  const { operands } = parseOptions(args);
  return operands.some(mayBeOption) ? "unknown" : operands.length > 1 ? { changes: NETWORK } : "reads";
};

const route: EffectRule = ([, ...args]) => {
  const [verb] = parseOptions(args, { short: "A", long: [] }).operands;
  if (verb === undefined || verb === "get" || verb === "show") return "reads";
  return mayBeOption(verb) ? "unknown" : { changes: NETWORK };
};

const ethtool: EffectRule = ([, ...args]) => {
  const sets =
    /^-[sKACGLXNUWrEftp]$|^--(set|change|config|features|offload|coalesce|pause|reset|flash|negotiate|identify|test|rxfh|cable)/;
  return args.some((arg) => sets.test(arg)) ? { changes: NETWORK } : "reads";
};

export const NETWORK_TOOLS: readonly ProgramRecord[] = [
  {
    names: `netstat ping ping6 arping fping traceroute tracepath traceroute6 mtr dig host nslookup drill delv
    whois ifstat iftop nethogs nload bmon vnstat nfsstat showmount rpcinfo smbstatus avahi-browse
    avahi-resolve lldpctl ipcalc iwlist iwgetid nmblookup mosquitto_sub snmpget snmpwalk snmpbulkwalk
    speedtest speedtest-cli whatweb sslscan`,
    effect: "reads",
  },
  { names: "ss", effect: options({ why: NETWORK, changes: "K kill D diag", valued: "f A F N D family query filter" }) },
  { names: "ip", effect: ip },
  { names: "bridge tc", effect: ip },
  { names: "ifconfig iwconfig", effect: interfaces },
  { names: "route", effect: route },
  { names: "arp", effect: options({ why: NETWORK, changes: "d s f delete set file", valued: "i H" }) },
  { names: "ifup ifdown dhclient dhcpcd udhcpc wpa_cli wg-quick vconfig", effect: { changes: NETWORK } },
  { names: "netplan", effect: verbs(NETWORK, "get status info ip", "apply try set generate") },
  {
    names: "brctl",
    effect: verbs(NETWORK, "show showmacs showstp", "addbr delbr addif delif stp setfd"),
  },
  { names: "ethtool", effect: ethtool },
];
