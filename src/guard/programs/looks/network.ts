// How the tools of networks, name servers, routers and tunnels look.
import { optionTable, optionValues, parseOptions } from "../../words/options.ts";
import type { EffectRule, ProgramRecord } from "../record.ts";
import { type LookRow, lookRecords } from "./rule.ts";

const ROWS: readonly LookRow[] = [
  [
    "cscli",
    "decisions|alerts|bouncers|machines|collections|parsers|scenarios|postoverflows|hub|notifications|appsec-rules|appsec-configs|contexts list|inspect, metrics, lapi|capi status, config show|show-yaml, explain, allowlists list|inspect",
    { valued: "c config" },
  ],
  ["mii-tool sipcalc unbound-host kdig khost doggo", "*", { unless: "r F A" }],
  [
    "wpa_cli hostapd_cli",
    "status, scan_results, list_networks, all_sta, sta, get_config, ping, bss, signal_poll, interface $, list_sta, p2p_peers, driver_flags",
    { valued: "i p g G a", unless: "a B" },
  ],
  ["rfkill", "list, $"],
  ["lldpcli", "show", { unless: "c" }],
  ["masscan", "*", { unless: "o oX oJ oG oL oB oU" }],
  ["arp-scan", "*", { unless: "W pcapsavefile" }],
  ["iperf3 iperf nuttcp", "*", { unless: "s server D daemon logfile F file" }],
  ["ngrep", "*", { unless: "O D" }],
  [
    "headscale",
    "nodes|node list|ls|list-routes, users|user list|ls, routes|route list|ls, preauthkeys|apikeys list|ls, policy get|check, configtest, health",
    { valued: "c config o output" },
  ],
  ["netbird", "status, routes list|ls, networks list|ls, profile list"],
  ["zerotier-cli", "info, status, listnetworks, peers, listpeers, get, listmoons, bond list|show", { valued: "D T p" }],
  ["nebula-cert", "print, verify"],
  ["swanctl", "--list-*, --stats, --log", { unless: "i t d a u" }],
  ["ipsec strongswan", "status, statusall, listall|listcerts|listcacerts|listcrls|listalgs|listpubkeys|listplugins"],
  [
    "cloudflared",
    "tunnel list|info, tunnel route ip show|get, tunnel ingress validate|rule, tunnel ready",
    { valued: "config" },
  ],
  [
    "rndc",
    "status, zonestatus, showzone, managed-keys status, validation status, null, serve-stale status",
    { valued: "s c k p y b" },
  ],
  [
    "unbound-control",
    "status, stats_noreset, list_*, lookup, get_option, dump_cache, dump_requestlist, dump_infra, view_list_*",
    { valued: "c s" },
  ],
  ["unbound-checkconf", "*"],
  [
    "pdnsutil",
    "list-all-zones, list-zone, check-zone, check-all-zones, show-zone, list-keys, list-tsigkeys, get-meta, list-member-zones, list-algorithms, hash-zone-record, export-zone-dnskey, zone list|list-all|show|check, metadata get",
    { unless: "i" },
  ],
  ["pdns_control", "rping, ping, list, show, uptime, version, list-zones, current-config, ccounts, qtypes, xfr-queue"],
  ["rec_control", "get-all, get, ping, current-queries, get-*, top-*, uptime, version"],
  [
    "knotc",
    "status, stats, zone-status, zone-read, zone-stats, conf-check, conf-list, conf-read, conf-get, zone-check, zone-diff, zone-get",
    { valued: "c C s t" },
  ],
  ["dnsmasq", "--test, --version"],
  ["coredns", "-plugins, -version, --version"],
  ["AdGuardHome", "--check-config, --version"],
  ["pihole-FTL", "--config * $, --config $, version, -v, -vv, dnsmasq-test, --read-x509, regex-test"],
  ["pihole", "status, -v, version, -q, query, -t, tail, -c, chronometer, api, help"],
  ["birdc birdcl birdc6 bird6c", "show, configure check", { valued: "s" }],
  [
    "gobgp",
    "neighbor $, neighbor * $, neighbor * adj-in|adj-out|local|accepted|policy $, global $, global rib $, global rib summary, rpki server|table $, vrf $, monitor, policy $",
    { valued: "u host p port a" },
  ],
  ["keepalived", "-t, --config-test, -t -f, -v"],
  [
    "varnishadm",
    "status, backend.list, ban.list, vcl.list, vcl.show, param.show, panic.show, storage.list, ping, pid, banner, debug.health",
    { valued: "T S n t" },
  ],
  ["varnishstat varnishtop varnishhist", "*", { unless: "w D" }],
  ["varnishlog varnishncsa", "*", { unless: "w D a" }],
  ["squid squid3", "-k check|parse, -v", { valued: "f" }],
  [
    "squidclient",
    "mgr:info|mgr:counters|mgr:utilization|mgr:io|mgr:mem|mgr:storedir|mgr:client_list|mgr:5min|mgr:60min|mgr:menu|mgr:active_requests|mgr:idns|mgr:ipcache|mgr:fqdncache",
    { valued: "h p U W u w" },
  ],
  ["relayd", "-n"],
  ["smbtree findsmb", "*"],
  ["snmptable snmpstatus snmptranslate snmpbulkget snmpgetnext snmpdf snmpnetstat", "*"],
  ["upower", "-d, -e, -i, --dump, --enumerate, --show-info, -w, -b"],
  [
    "mmcli",
    "-L, -m * $, -i * $, -b * $, -s * $, -m * --signal-get|--location-status|--location-get|--messaging-list-sms|--list-bearers|--3gpp-scan|--messaging-status",
  ],
  ["swconfig", "list, dev * show|help|get, dev * port * show|get, dev * vlan * show|get"],
  ["ubus", "list, call * status|info|board|dump|getStatus|get_clients|get_status|list|leases, monitor"],
  ["uci", "show, get, changes, export, -q get|show"],
  ["wifi", "status"],
  ["logread", "*", { unless: "F p r P" }],
  [
    "opkg",
    "list, list-installed, list-upgradable, list-changed-conffiles, info, status, files, search, find, depends, whatdepends, print-architecture, compare-versions",
  ],
  ["ubnt-device-info", "*"],
  [
    "grpcurl",
    "* list|describe, list, describe",
    { valued: "H d import-path proto cacert cert key", unless: "d proto-out-dir protoset-out" },
  ],
  ["hey ab", "*", { unless: "m D d T p u g e" }],
];

/** Every command that it is given shows, and it is given one. */
const routerShell: EffectRule = ([, ...args]) => {
  const parsed = parseOptions(args, optionTable("c d N P vty_socket command daemon"));
  const texts = optionValues(parsed, "c", "command");
  const shows =
    texts.length > 0 &&
    texts.every((text) => /^(?:show|list|find|ping|traceroute|exit)(?:\s[^\n|>]*)?$/.test(text ?? ""));
  return shows && parsed.options.every(({ name }) => /^(?:[cdNP]|command|daemon|vty_socket)$/.test(name))
    ? "reads"
    : "unknown";
};

export const NETWORK_LOOKS: readonly ProgramRecord[] = [...lookRecords(ROWS), { names: "vtysh", effect: routerShell }];
