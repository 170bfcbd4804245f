// Holds the records of the network: interfaces, routes and probes, firewalls, and what opens, captures or manages connections.
import type { Program } from "../../interpreter/machine.ts";
import { has, parseOptions, words } from "../../words/options.ts";
import { UNKNOWN } from "../../words/symbols.ts";
import type { EffectRule, ProgramRecord, StartedBy } from "../record.ts";
import {
  ACTING,
  afterOptions,
  byOptions,
  FIREWALL,
  mayBeOption,
  NETWORK,
  options,
  SENDING,
  unlessDry,
  type VerbRules,
  verbs,
} from "../rules/effects.ts";
import { launched } from "../rules/launch.ts";
import { looks } from "../rules/looks.ts";
import { ANY } from "../rules/select.ts";
import { each, runsTexts, valuesBehind } from "../rules/texts.ts";

const INTERFACES: readonly StartedBy[] = [
  { files: /^\/etc\/network\/interfaces(?:$|\.d\/)/, commands: each(/^\s*(?:pre-|post-)?(?:up|down)\s+(.+)$/gm) },
];

const TUNNELS: readonly StartedBy[] = [
  { files: /^\/etc\/wireguard\/\S+\.conf$/, commands: each(/^\s*(?:Pre|Post)(?:Up|Down)\s*=\s*(.+)$/gim) },
];

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
  const [object, command, second] = afterOptions(args, IP_VALUED);
  if (object === undefined || command === undefined) return "reads";
  // For a link alone `s` is short for set.
  if (command === "s" && object.startsWith("l")) return "unknown";
  if (IP_LOOKS.has(command)) return "reads";
  if (object === "netns" && command === "exec") return "reads";
  if (/^x/.test(object) && /^(?:s|p|m)/.test(command))
    return /^(?:list|ls|lst|sh|show|get|count|)$/.test(second ?? "") ? "reads" : "unknown";
  return IP_CHANGES.has(command) ? { changes: NETWORK } : "unknown";
};

/** `ip netns exec vpn COMMAND`. */
const runInSpace: Program = ([, ...args], state, machine) => {
  const [object = "", action, ...rest] = afterOptions(args, IP_VALUED);
  const command = rest.slice(args.some((arg) => /^-a(?:ll)?$/.test(arg)) ? 0 : 1);
  const within = /^netn/.test(object) && action !== undefined && "exec".startsWith(action) ? command : [];
  return within.length === 0 ? [UNKNOWN] : machine.runArgv(within, launched(state));
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

/** `nc -z` only knocks; a call that sends nothing is a knock as well. */
const netcat = byOptions("w p s q i x X I O T P V e c k m D exec sh-exec wait", (parsed, state) => {
  if (has(parsed, "e", "c", "exec", "sh-exec", "l", "listen", "k")) return "unknown";
  if (parsed.operands.some(mayBeOption)) return "unknown";
  return has(parsed, "z") || (state.io.stdin ?? [""]).every((text) => text.trim() === "") ? "reads" : "unknown";
});

const telnet: EffectRule = (_argv, state) =>
  (state.io.stdin ?? [""]).every((text) => text.trim() === "") ? "reads" : "unknown";

const nmap: EffectRule = ([, ...args]) => {
  const saves = args.some((arg, at) => /^-o[NXGSA]/.test(arg) && args[at + 1] !== "-");
  if (saves) return { changes: "writes files" };
  return args.some((arg) => arg.startsWith("--script") || mayBeOption(arg)) ? "unknown" : "reads";
};

const CAPTURE = options({ why: "writes files", changes: "w", unsure: "z", valued: "w i c r s C G W z B F" });

const iw: EffectRule = ([, ...args]) => {
  const text = args.filter((arg) => !arg.startsWith("-")).join(" ");
  if (/\b(set|add|del|connect|disconnect|join|leave|auth|switch|start|stop)\b/.test(text)) return { changes: NETWORK };
  return /^(dev|phy|list|reg get|event|wlan\S*|)$|\b(info|link|dump|list|scan|get|features)\b/.test(text)
    ? "reads"
    : "unknown";
};

const WIFI: VerbRules = [["wifi", verbs(NETWORK, "list", "connect hotspot rescan")]];

const nmPart = (change: string, reading = "", rules: VerbRules = []): EffectRule =>
  verbs(NETWORK, `show s sh status monitor ${reading}`, change, { valued: "f fields", rules });

/** Its words may be shortened. */
const nmcli = verbs(NETWORK, "monitor m", "", {
  valued: "f fields g get-values m mode c colors w wait e escape",
  rules: [
    ["general g gen", nmPart("hostname logging reload", "permissions")],
    ["device dev d", nmPart("connect disconnect up down set reapply modify delete", "list", WIFI)],
    ["connection con c", nmPart("up down add modify mod edit delete del clone load reload import migrate", "export")],
    ["networking n net", nmPart("on off", "connectivity")],
    ["radio r", options({ why: NETWORK, operands: 1 })],
  ],
});

const nft = byOptions("f I D s file includepath", (parsed) => {
  if (has(parsed, "c", "check")) return "reads";
  const [verb = ""] = parsed.operands;
  if (has(parsed, "f", "file")) return { changes: FIREWALL };
  if (/^(list|describe|monitor|get)$/.test(verb)) return "reads";
  return /^(add|create|delete|destroy|flush|insert|replace|rename|reset|import)$/.test(verb)
    ? { changes: FIREWALL }
    : "unknown";
});

const firewalld: EffectRule = ([, ...args]) => {
  if (args.some((arg) => /^--(add|remove|set|new|delete|reload|complete|runtime|panic-o|change|load|direct)/.test(arg)))
    return { changes: FIREWALL };
  return args.length > 0 &&
    args.every((arg) => /^--(list|get|query|info|state|zone|permanent|version|help|policy)/.test(arg))
    ? "reads"
    : "unknown";
};

const iptables = options({
  why: FIREWALL,
  changes: `A D I R F X P N Z E append delete insert replace flush zero delete-chain new-chain policy rename-chain`,
  reads: "L S C V list list-rules check version",
  valued: "t p s d j i o m table",
  otherwise: "unknown",
});

const WG_QUICK_APPLIES: NonNullable<ProgramRecord["applies"]> = {
  when: /^(?:up|setconf|addconf|syncconf)\s/,
  operands: /\.conf$|\//,
  input: "redirected",
};

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "csf",
    looks: "-l, --status, -g, -t, -v, -h",
    consequences: { changes_network: /^(?:-(?!l\b|g\b|v\b|h\b|t\s*$)\w|--(?!status|version|help)\w)/ },
  },
  {
    names: "openvpn",
    commands: `up down ipchange route-up route-pre-down client-connect client-disconnect learn-address tls-verify
      auth-user-pass-verify`,
    applies: { options: "config", operands: "first" },
  },
  {
    names:
      "netstat traceroute6 dig host nslookup drill delv whois ifstat iftop nethogs nload bmon vnstat nfsstat smbstatus avahi-browse avahi-resolve lldpctl ipcalc iwlist iwgetid nmblookup snmpget snmpwalk snmpbulkwalk whatweb sslscan",
    effect: "reads",
  },
  {
    names: "ping ping6 arping fping",
    effect: "reads",
    hosts: { operands: "all", valued: "c i I W w s t Q m M l p S T" },
  },
  {
    names: "traceroute tracepath mtr showmount",
    effect: "reads",
    hosts: { operands: "first", valued: "p m q w i s c f" },
  },
  { names: "rpcinfo", effect: "reads", sideEffects: { words: /^-d/, effect: ACTING } },
  { names: "mosquitto_sub", effect: "reads", sideEffects: { long: "remove-retained", effect: ACTING }, hosts: "h" },
  { names: "speedtest speedtest-cli", effect: "reads", sideEffects: { long: "share", effect: SENDING } },
  { names: "ss", effect: options({ why: NETWORK, changes: "K kill D diag", valued: "f A F N D family query filter" }) },
  { names: "ip", runs: runInSpace, effect: ip, applies: { options: "b batch force", input: "redirected" } },
  { names: "bridge tc", effect: ip, applies: { options: "b batch force", input: "redirected" } },
  { names: "ifconfig iwconfig", effect: interfaces },
  { names: "route", effect: route },
  { names: "arp", effect: options({ why: NETWORK, changes: "d s f delete set file", valued: "i H" }) },
  { names: "ifup", effect: { changes: NETWORK }, startedBy: INTERFACES },
  { names: "ifdown dhclient dhcpcd udhcpc vconfig", effect: { changes: NETWORK } },
  {
    names: "wg-quick",
    effect: { changes: NETWORK },
    applies: WG_QUICK_APPLIES,
    startedBy: TUNNELS,
  },
  {
    names: "netplan",
    effect: verbs(NETWORK, "get status info ip", "apply try set generate"),
    applies: { names: "/etc/netplan/*.yaml" },
  },
  { names: "brctl", effect: verbs(NETWORK, "show showmacs showstp", "addbr delbr addif delif stp setfd") },
  { names: "ethtool", effect: ethtool },
  { names: "iw", effect: iw },
  { names: "nmcli", effect: nmcli },
  { names: "tcpdump tshark dumpcap", effect: CAPTURE, writes: "w" },
  { names: "nmap", effect: nmap, hosts: { operands: "first", valued: "p m q w i s c f" } },
  {
    names: "nc ncat netcat",
    downloads: true,
    runs: runsTexts(valuesBehind(/^-([ec]|-(sh-)?exec=?)/)),
    effect: netcat,
    hosts: { operands: "first", valued: "w p s q i x X I O T P V" },
  },
  { names: "telnet", effect: telnet, hosts: { operands: "first", valued: "p m q w i s c f" } },
  {
    names: "resolvectl systemd-resolve",
    effect: verbs(
      NETWORK,
      "status query service openpgp tlsa statistics show-cache show-server-state monitor",
      "flush-caches reset-statistics reset-server-features revert log-level",
      {
        valued: "i interface p protocol t type c class",
        rules: [["dns domain default-route llmnr mdns dnssec dnsovertls nta", options({ why: NETWORK, operands: 1 })]],
      },
    ),
    sideEffects: {
      long: "flush-caches reset-statistics reset-server-features set-dns set-domain revert",
      effect: ACTING,
    },
  },
  {
    names: "networkctl",
    effect: verbs(NETWORK, "list status lldp label cat", "up down renew forcerenew reconfigure reload delete edit"),
  },
  {
    names: "wg",
    effect: verbs(NETWORK, "show showconf genkey pubkey genpsk", "set setconf addconf syncconf"),
    applies: WG_QUICK_APPLIES,
  },
  {
    names: "tailscale",
    effect: verbs(
      NETWORK,
      "status ip ping netcheck version whois bugreport",
      "up down set login logout switch update cert",
      {
        rules: [
          ["file", looks("$")],
          ["serve funnel", looks("status, get-config")],
          ["dns", looks("status, query")],
          ["exit-node", looks("list, suggest")],
          ["lock", looks("status, log, $")],
          [
            "debug",
            looks(
              "prefs, netmap, metrics, derp-map, daemon-goroutines, portmap, ts2021, hostinfo, local-creds, via, stat, env",
            ),
          ],
          ["switch", options({ why: NETWORK, reads: "list", otherwise: { changes: NETWORK } })],
        ],
      },
    ),
  },
  {
    names: "socat",
    downloads: true,
    runs: runsTexts((args) =>
      args.flatMap((arg) => [...arg.matchAll(/^(?:exec|system):([^,]*)/gi)].map(([, text = ""]) => text)),
    ),
    writes: {
      words: /(?:^|!!)(?:OPEN|FILE|CREATE|CREAT|GOPEN):(?![^,]*(?:,.*)?,(?:rdonly|o-rdonly))(\/dev\/[^,!]+)/i,
      unless: /^(?:-\S+\s+)*-u\s+(?:-\S+\s+)*(?:OPEN|FILE|GOPEN):\S+\s+(?!\S*:\/dev\/)/i,
    },
  },
  { names: "iptables ip6tables iptables-legacy iptables-nft ebtables arptables", effect: iptables },
  { names: "iptables-save ip6tables-save", effect: options({ why: "writes files", changes: "f file", valued: "f t" }) },
  {
    names: "iptables-restore ip6tables-restore",
    effect: options({ dry: "t test", otherwise: { changes: FIREWALL } }),
    applies: { operands: ANY, input: "all" },
  },
  {
    names: "nft",
    effect: nft,
    sideEffects: { when: /;/, effect: "unknown" },
    applies: { options: "f file", input: "all", includes: /^\s*include\s+"([^"]+)"/gm },
  },
  {
    names: "ipset",
    effect: verbs(FIREWALL, "list test version -L", "create add del flush destroy restore swap rename"),
    applies: { operands: ANY, input: "all" },
  },
  {
    names: "conntrack",
    effect: options({
      why: FIREWALL,
      changes: "D F I U delete flush create update",
      reads: "L G C S E dump get count stats event",
      otherwise: "unknown",
    }),
  },
  {
    names: "ufw",
    effect: unlessDry(
      "dry-run",
      verbs(
        FIREWALL,
        "status version show",
        "allow deny reject limit delete enable disable reset reload insert prepend route logging default",
        { rules: [["app", verbs(FIREWALL, "list info", "update default")]] },
      ),
    ),
  },
  { names: "firewall-cmd firewall-offline-cmd", effect: firewalld },
  { names: "mii-tool sipcalc unbound-host kdig khost doggo", looks: "*", unless: "r F A" },
  {
    names: "wpa_cli hostapd_cli",
    valued: "i p g G a",
    looks:
      "status, scan_results, list_networks, all_sta, sta, get_config, ping, bss, signal_poll, interface $, list_sta, p2p_peers, driver_flags",
    unless: "a B",
  },
  { names: "rfkill", looks: "list, $", consequences: { changes_network: /^(?:block|unblock|toggle)(?:\s|$)/ } },
  { names: "lldpcli", looks: "show", unless: "c" },
  { names: "masscan", looks: "*", unless: "o oX oJ oG oL oB oU" },
  { names: "arp-scan", looks: "*", unless: "W pcapsavefile" },
  { names: "iperf3 iperf nuttcp", looks: "*", unless: "s server D daemon logfile F file" },
  { names: "ngrep", looks: "*", unless: "O D" },
  {
    names: "headscale",
    valued: "c config o output",
    looks:
      "nodes|node list|ls|list-routes, users|user list|ls, routes|route list|ls, preauthkeys|apikeys list|ls, policy get|check, configtest, health",
  },
  { names: "netbird", looks: "status, routes list|ls, networks list|ls, profile list" },
  {
    names: "zerotier-cli",
    valued: "D T p",
    looks: "info, status, listnetworks, peers, listpeers, get, listmoons, bond list|show",
    consequences: { changes_network: /^(?:join|leave|set)\s/ },
  },
  { names: "swanctl", looks: "--list-*, --stats, --log", unless: "i t d a u" },
  {
    names: "ipsec strongswan",
    looks: "status, statusall, listall|listcerts|listcacerts|listcrls|listalgs|listpubkeys|listplugins",
  },
  {
    names: "cloudflared",
    valued: "config",
    looks: "tunnel list|info, tunnel route ip show|get, tunnel ingress validate|rule, tunnel ready",
  },
  { names: "relayd", looks: "-n" },
  { names: "snmptable snmpstatus snmptranslate snmpbulkget snmpgetnext snmpdf snmpnetstat", looks: "*" },
  { names: "swconfig", looks: "list, dev * show|help|get, dev * port * show|get, dev * vlan * show|get" },
  { names: "ubus", looks: "list, call * status|info|board|dump|getStatus|get_clients|get_status|list|leases, monitor" },
  {
    names: "uci",
    looks: "show, get, changes, export, -q get|show",
    consequences: {
      changes_network:
        /^(?:-\S+\s+)*(?:set|delete|add|add_list|del_list|rename|reorder|commit|import|revert)\s+(?:network|firewall|wireless|dhcp)(?:[.\s=]|$)/,
    },
  },
  { names: "wifi", looks: "status", consequences: { changes_network: /^(?:up|down|reload)?$/ } },
  { names: "logread", looks: "*", unless: "F p r P" },
  { names: "ubnt-device-info", looks: "*" },
  {
    names: "grpcurl",
    valued: "H d import-path proto cacert cert key",
    looks: "* list|describe, list, describe",
    unless: "d proto-out-dir protoset-out",
  },
  { names: "hey ab", looks: "*", unless: "m D d T p u g e" },
  { names: "ebtables-restore arptables-restore preseed", applies: { operands: ANY, input: "all" } },
  { names: "devlink", applies: { options: "b batch force", input: "redirected" } },
  { names: "nmstatectl", applies: { when: /^(?:apply|set)\s/, skip: 1, operands: ANY, input: "all" } },
  { names: "ifreload", consequences: { changes_network: true } },
  { names: "ovs-vsctl", consequences: { changes_network: /^(?:--\S+\s+)*(?:add|del|set|clear)-?/ } },
  { names: "pfctl", consequences: { changes_network: /(?:^|\s)-\w*[deFf]/ } },
];
