// The network: interfaces, routes and probes.
import { parseOptions } from "../words/options.ts";
import {
  behindOptions,
  changes,
  changing,
  type EffectRule,
  mayBeOption,
  options,
  READS,
  reads,
  UNSURE,
  verbs,
  words,
} from "./effect-rules.ts";
import type { ProgramRecord } from "./record.ts";

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
  if (args.some((arg) => /^-(b|batch|force)$/.test(arg))) return UNSURE;
  const [object, command] = behindOptions(args, IP_VALUED);
  if (object === undefined || command === undefined) return READS;
  // For a link alone `s` is short for set.
  if (command === "s" && object.startsWith("l")) return UNSURE;
  if (IP_LOOKS.has(command)) return READS;
  if (object === "netns" && command === "exec") return UNSURE;
  return IP_CHANGES.has(command) ? changes(NETWORK) : UNSURE;
};

/** `ifconfig eth0` shows, `ifconfig eth0 down` changes. */
const interfaces: EffectRule = ([, ...args]) => {
  const { operands } = parseOptions(args);
  return operands.some(mayBeOption) ? UNSURE : operands.length > 1 ? changes(NETWORK) : READS;
};

const route: EffectRule = ([, ...args]) => {
  const [verb] = parseOptions(args, { short: "A", long: [] }).operands;
  if (verb === undefined || verb === "get" || verb === "show") return READS;
  return mayBeOption(verb) ? UNSURE : changes(NETWORK);
};

const ethtool: EffectRule = ([, ...args]) => {
  const sets =
    /^-[sKACGLXNUWrEftp]$|^--(set|change|config|features|offload|coalesce|pause|reset|flash|negotiate|identify|test|rxfh|cable)/;
  return args.some((arg) => sets.test(arg)) ? changes(NETWORK) : READS;
};

export const NETWORK_TOOLS: readonly ProgramRecord[] = [
  {
    names: `netstat ping ping6 arping fping traceroute tracepath traceroute6 mtr dig host nslookup drill delv
    whois ifstat iftop nethogs nload bmon vnstat nfsstat showmount rpcinfo smbstatus avahi-browse
    avahi-resolve lldpctl ipcalc iwlist iwgetid nmblookup mosquitto_sub snmpget snmpwalk snmpbulkwalk
    speedtest speedtest-cli whatweb sslscan`,
    effect: reads,
  },
  { names: "ss", effect: options({ why: NETWORK, changes: "K kill D diag", valued: "f A F N D family query filter" }) },
  { names: "ip", effect: ip },
  { names: "bridge tc", effect: ip },
  { names: "ifconfig iwconfig", effect: interfaces },
  { names: "route", effect: route },
  { names: "arp", effect: options({ why: NETWORK, changes: "d s f delete set file", valued: "i H" }) },
  { names: "ifup ifdown dhclient dhcpcd udhcpc wpa_cli wg-quick vconfig", effect: changing(NETWORK) },
  { names: "netplan", effect: verbs({ why: NETWORK, reads: "get status info ip", changes: "apply try set generate" }) },
  {
    names: "brctl",
    effect: verbs({ why: NETWORK, reads: "show showmacs showstp", changes: "addbr delbr addif delif stp setfd" }),
  },
  { names: "ethtool", effect: ethtool },
];
