// The network: interfaces, routes, firewalls, probes and what crosses to other machines.
import { has, parseOptions } from "../shell/options.ts";
import {
  behindOptions,
  changes,
  changing,
  type Family,
  isFile,
  mayBeOption,
  options,
  READS,
  type Rule,
  reads,
  UNSURE,
  verbs,
  words,
} from "./effect.ts";

const NETWORK = "changes the network";
const FIREWALL = "changes the firewall";

const IP_VALUED = new Set(words("-f -family -l -loops -n -netns -rc -rcvbuf"));
const IP_LOOKS = new Set(words("show list lst ls sh s get monitor help identify pids showdump stats"));
const IP_CHANGES = new Set(
  words(
    "add a del delete d set change chg c replace append prepend flush f save restore up down attach detach rename exec",
  ),
);

/** `ip -br a`, `ip route get 1.1.1.1`; without a command the objects are listed. */
const ip: Rule = ([, ...args]) => {
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
const interfaces: Rule = ([, ...args]) => {
  const { operands } = parseOptions(args);
  return operands.some(mayBeOption) ? UNSURE : operands.length > 1 ? changes(NETWORK) : READS;
};

const route: Rule = ([, ...args]) => {
  const [verb] = parseOptions(args, { short: "A", long: [] }).operands;
  if (verb === undefined || verb === "get" || verb === "show") return READS;
  return mayBeOption(verb) ? UNSURE : changes(NETWORK);
};

const nft: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "fIDs", long: ["file", "includepath"] });
  if (has(parsed, "c", "check")) return READS;
  const [verb = ""] = parsed.operands;
  if (has(parsed, "f", "file")) return changes(FIREWALL);
  if (/^(list|describe|monitor|get)$/.test(verb)) return READS;
  return /^(add|create|delete|destroy|flush|insert|replace|rename|reset|import)$/.test(verb)
    ? changes(FIREWALL)
    : UNSURE;
};

const firewalld: Rule = ([, ...args]) => {
  if (args.some((arg) => /^--(add|remove|set|new|delete|reload|complete|runtime|panic-o|change|load|direct)/.test(arg)))
    return changes(FIREWALL);
  return args.length > 0 &&
    args.every((arg) => /^--(list|get|query|info|state|zone|permanent|version|help|policy)/.test(arg))
    ? READS
    : UNSURE;
};

/** `nc -z` only knocks; a call that sends nothing is a knock as well. */
const netcat: Rule = ([, ...args], state) => {
  const parsed = parseOptions(args, { short: "wpsqixXIOTPVeckmD", long: ["exec", "sh-exec", "wait"] });
  if (has(parsed, "e", "c", "exec", "sh-exec", "l", "listen", "k")) return UNSURE;
  if (parsed.operands.some(mayBeOption)) return UNSURE;
  return has(parsed, "z") || (state.stdin ?? [""]).every((text) => text.trim() === "") ? READS : UNSURE;
};

const telnet: Rule = (_argv, state) => ((state.stdin ?? [""]).every((text) => text.trim() === "") ? READS : UNSURE);

const nmap: Rule = ([, ...args]) => {
  const saves = args.some((arg, at) => /^-o[NXGSA]/.test(arg) && args[at + 1] !== "-");
  if (saves) return changes("writes files");
  return args.some((arg) => arg.startsWith("--script") || mayBeOption(arg)) ? UNSURE : READS;
};

const OPENSSL_LOOKS =
  /^(version|s_client|x509|verify|ciphers|crl|asn1parse|req|rsa|ec|pkey|pkcs7|pkcs12|dgst|md5|sha\d+|enc|base64|rand|list|errstr|speed|ocsp|dhparam|genrsa|passwd|s_time|crl2pkcs7|-?v)$/;

const openssl: Rule = ([, verb = "help", ...args]) => {
  const written = args.some((arg, at) => /^-(key|CAserial)?out$|^-writerand$/.test(arg) && isFile(args[at + 1]));
  if (written) return changes("writes files");
  if (verb === "req" && args.some((arg) => /^-(newkey|new|x509)$/.test(arg))) return UNSURE;
  return verb === "help" || OPENSSL_LOOKS.test(verb) ? READS : UNSURE;
};

/** Options that make ssh run a program of its own on this machine. */
const ssh: Rule = ([, ...args]) => {
  const runs = args.some((arg, at) =>
    /^(-o)?(Proxy|Local)Command\b/i.test(arg.startsWith("-o") ? arg : `${args[at - 1]}${arg}`),
  );
  return runs ? UNSURE : READS;
};

const sshKeygen: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "fFtbCENPRmiI", long: [] });
  if (has(parsed, "R")) return changes("writes files");
  return has(parsed, "l", "F", "y", "B") ? READS : changes("writes files");
};

const CAPTURE = options({ why: "writes files", changes: "w", unsure: "z", valued: "w i c r s C G W z B F" });

const ethtool: Rule = ([, ...args]) => {
  const sets =
    /^-[sKACGLXNUWrEftp]$|^--(set|change|config|features|offload|coalesce|pause|reset|flash|negotiate|identify|test|rxfh|cable)/;
  return args.some((arg) => sets.test(arg)) ? changes(NETWORK) : READS;
};

const iw: Rule = ([, ...args]) => {
  const text = args.filter((arg) => !arg.startsWith("-")).join(" ");
  if (/\b(set|add|del|connect|disconnect|join|leave|auth|switch|start|stop)\b/.test(text)) return changes(NETWORK);
  return /^(dev|phy|list|reg get|event|wlan\S*|)$|\b(info|link|dump|list|scan|get|features)\b/.test(text)
    ? READS
    : UNSURE;
};

const iptables = options({
  why: FIREWALL,
  changes: `A D I R F X P N Z E append delete insert replace flush zero delete-chain new-chain policy rename-chain`,
  reads: "L S C V list list-rules check version",
  valued: "t p s d j i o m table",
  otherwise: UNSURE,
});

const WIFI: Family = [["wifi", verbs({ why: NETWORK, reads: "list", changes: "connect hotspot rescan" })]];

const nmPart = (change: string, reading = "", rules: Family = []): Rule =>
  verbs({ why: NETWORK, valued: "-f --fields", reads: `show s sh status monitor ${reading}`, changes: change, rules });

/** Its words may be shortened. */
const nmcli = verbs({
  why: NETWORK,
  valued: "-f --fields -g --get-values -m --mode -c --colors -w --wait -e --escape",
  reads: "monitor m",
  rules: [
    ["general g gen", nmPart("hostname logging reload", "permissions")],
    ["device dev d", nmPart("connect disconnect up down set reapply modify delete", "list", WIFI)],
    ["connection con c", nmPart("up down add modify mod edit delete del clone load reload import migrate", "export")],
    ["networking n net", nmPart("on off", "connectivity")],
    ["radio r", options({ why: NETWORK, operands: 1 })],
  ],
});

export const NETWORKING: Family = [
  [
    `netstat ping ping6 arping fping traceroute tracepath traceroute6 mtr dig host nslookup drill delv whois ifstat iftop
    nethogs nload bmon vnstat nfsstat showmount rpcinfo ssh-keyscan smbstatus avahi-browse avahi-resolve lldpctl ipcalc
    iwlist iwgetid nmblookup mosquitto_sub snmpget snmpwalk snmpbulkwalk speedtest speedtest-cli whatweb sslscan`,
    reads,
  ],
  ["ss", options({ why: NETWORK, changes: "K kill D diag", valued: "f A F N D family query filter" })],
  ["ip", ip],
  ["bridge tc", ip],
  ["ifconfig iwconfig", interfaces],
  ["route", route],
  ["arp", options({ why: NETWORK, changes: "d s f delete set file", valued: "i H" })],
  ["ifup ifdown dhclient dhcpcd udhcpc wpa_cli wg-quick vconfig", changing(NETWORK)],
  ["netplan", verbs({ why: NETWORK, reads: "get status info ip", changes: "apply try set generate" })],
  ["brctl", verbs({ why: NETWORK, reads: "show showmacs showstp", changes: "addbr delbr addif delif stp setfd" })],
  ["ethtool", ethtool],
  ["iw", iw],
  ["nmcli", nmcli],
  ["tcpdump tshark dumpcap", CAPTURE],
  ["nmap", nmap],
  ["nc ncat netcat", netcat],
  ["telnet", telnet],
  ["openssl", openssl],
  ["ssh", ssh],
  ["ssh-keygen", sshKeygen],
  ["ssh-add", options({ reads: "l L", otherwise: changes("changes keys") })],
  ["ssh-copy-id", changing("writes files")],
  ["iptables ip6tables iptables-legacy iptables-nft ebtables arptables", iptables],
  ["iptables-save ip6tables-save", options({ why: "writes files", changes: "f file", valued: "f t" })],
  ["iptables-restore ip6tables-restore", options({ dry: "t test", otherwise: changes(FIREWALL) })],
  ["nft", nft],
  [
    "ipset",
    verbs({
      why: FIREWALL,
      reads: "list test version -L",
      changes: "create add del flush destroy restore swap rename",
    }),
  ],
  [
    "conntrack",
    options({
      why: FIREWALL,
      changes: "D F I U delete flush create update",
      reads: "L G C S E dump get count stats event",
      otherwise: UNSURE,
    }),
  ],
  [
    "ufw",
    verbs({
      why: FIREWALL,
      reads: "status version show",
      changes: "allow deny reject limit delete enable disable reset reload insert prepend route logging default",
      rules: [["app", verbs({ why: FIREWALL, reads: "list info", changes: "update default" })]],
    }),
  ],
  ["firewall-cmd firewall-offline-cmd", firewalld],
  [
    "resolvectl systemd-resolve",
    verbs({
      why: NETWORK,
      valued: "-i --interface -p --protocol -t --type -c --class",
      reads: "status query service openpgp tlsa statistics show-cache show-server-state monitor",
      changes: "flush-caches reset-statistics reset-server-features revert log-level",
      rules: [["dns domain default-route llmnr mdns dnssec dnsovertls nta", options({ why: NETWORK, operands: 1 })]],
    }),
  ],
  [
    "networkctl",
    verbs({
      why: NETWORK,
      reads: "list status lldp label cat",
      changes: "up down renew forcerenew reconfigure reload delete edit",
    }),
  ],
  ["wg", verbs({ why: NETWORK, reads: "show showconf genkey pubkey genpsk", changes: "set setconf addconf syncconf" })],
  [
    "tailscale",
    verbs({
      why: NETWORK,
      reads: "status ip ping netcheck version whois bugreport",
      changes: "up down set login logout switch file serve funnel",
    }),
  ],
];
