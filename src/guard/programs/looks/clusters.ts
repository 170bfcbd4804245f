// How the tools around clusters, containers, virtual machines and networks look.
import { optionTable, optionValues, parseOptions } from "../../words/options.ts";
import type { EffectRule, ProgramRecord } from "../record.ts";
import { type LookRow, lookRecords } from "./rule.ts";

const ROWS: readonly LookRow[] = [
  [
    "talosctl",
    `health, service|services $, service|services * $, service|services * status, dmesg, logs, get, containers, memory,
    processes, mounts, netstat, disks, stats, usage|du, time, list|ls, read, events, inspect dependencies,
    config info|contexts, etcd members|status, etcd alarm list, validate, image list|ls|default, cgroups, dashboard`,
    { valued: "n e nodes endpoints context talosconfig", unless: "run-e2e" },
  ],
  [
    "kubeadm",
    "token list, certs check-expiration, config images list, config print|validate, upgrade plan|diff",
    { valued: "kubeconfig config" },
  ],
  [
    "velero",
    `backup get|describe|logs, restore get|describe|logs, schedule get|describe, backup-location get, snapshot-location get,
    repo get, plugin get`,
    { valued: "n namespace kubeconfig kubecontext", completes: true },
  ],
  ["cilium", "status, config view, clustermesh status, encryption status, bgp peers|routes", { completes: true }],
  ["hubble", "observe, status, list, config view|get"],
  [
    "istioctl",
    "proxy-status|ps, proxy-config|pc, analyze, validate, x describe|precheck, experimental describe|precheck",
    { valued: "n namespace c context", completes: true },
  ],
  ["linkerd", "check, viz stat|top|edges|routes|check|tap, identity, multicluster check|gateways"],
  ["calicoctl", "get, node status|checksystem, ipam show|check"],
  ["longhornctl", "check, get"],
  ["helmfile", "diff, list, lint, status, template, build", { valued: "f file e environment l selector" }],
  ["crane", "digest, ls, manifest, config, catalog, validate", { valued: "platform" }],
  ["regctl", "image digest|manifest|inspect|config|ratelimit, tag ls, repo ls, manifest get|head|diff"],
  [
    "ctr",
    `containers|container|c ls|list|info, images|image|i ls|list|check, tasks|task|t ls|list|ps|metrics,
    namespaces|namespace|ns ls|list, snapshots|snapshot ls|list|tree|usage|info, content ls, plugins ls|list, events, info`,
    { valued: "n namespace a address" },
  ],
  ["buildah", "images, containers, ps, ls, inspect, info, manifest inspect|exists"],
  ["lxc-ls lxc-info lxc-checkconfig lxc-top", "*"],
  ["ha-manager", "status, config, rules list, groupconfig"],
  ["pvenode", "config get, task list|log|status, cert info, acme account list|info, acme plugin list"],
  [
    "pveum",
    `user list|permissions, user token list|permissions, group list, role list, acl list, pool list, realm list`,
  ],
  ["pvesr", "status, list"],
  ["pveceph", "status, pool ls|get, lspools"],
  ["pve-firewall", "status, compile, localnet"],
  ["pvesubscription", "get"],
  ["pvereport", "*"],
  ["pveam", "list, available"],
  [
    "proxmox-backup-client",
    "list, snapshot list|files, snapshot notes show, status, task list|log, namespace list, catalog dump, key show",
    { valued: "repository ns" },
  ],
  [
    "proxmox-backup-manager",
    `datastore|disk|network|user|acl|remote|sync-job|verify-job|prune-job|traffic-control list|show, task list|log,
    garbage-collection status, cert info, subscription get, versions, report`,
  ],
  ["pmgconfig", "dump"],
  ["corosync-cfgtool", "-s, -n, -b"],
  ["corosync-quorumtool", "-s, -l, -i"],
  ["crm_mon", "*", { unless: "d daemonize h as-html", valued: "i" }],
  ["crm", "status, configure show|verify, resource status|list|show, node show|status|list, corosync status|show|get"],
  [
    "pcs",
    `status, config $, config show, resource config|status|list|describe, constraint config|list, cluster status|corosync,
    property config|list, stonith config|status, quorum status|config`,
  ],
  [
    "VBoxManage vboxmanage",
    "list, showvminfo, showmediuminfo, showhdinfo, guestproperty get|enumerate, metrics list|query, getextradata",
  ],
  ["multipass", "list|ls, info, find, get, networks, aliases"],
  [
    "midclt",
    "ping, call core.ping|system.ready|system.version|system.state|pool.dataset.details, call *.query|*.info|*.config",
  ],
  ["esxcli", "* * list|get, * * * list|get, * * * * list|get, * * * * * list|get"],
  ["vim-cmd", "vmsvc/getallvms, vmsvc/get.*, vmsvc/power.getstate, hostsvc/hostsummary, hostsvc/hosthardware"],
  [
    "govc",
    `about, ls, find, events, tasks, env, vm.info|vm.ip, host.info, datastore.ls|datastore.info, cluster.usage, snapshot.tree,
    device.info|device.ls, pool.info, object.collect, metric.ls|metric.sample, library.ls|library.info, datacenter.info,
    license.ls, session.ls, tags.ls, folder.info`,
    { valued: "u dc k" },
  ],
  ["xe", "*-list, *-param-get, *-param-list, host-cpu-info"],
  ["rook-ceph", "status, health, ceph status"],
  ["virt-top virt-what virt-df virt-filesystems virt-ls virt-cat virt-host-validate", "*"],
  ["nbdinfo", "*"],
  ["salt-run", "manage.up|manage.down|manage.status|manage.versions|jobs.list_jobs|jobs.active|jobs.lookup_jid"],
  ["salt-key", "-L, --list, --list-all, -f, --finger"],
  ["ansible-lint", "*", { unless: "w" }],
  ["ansible-galaxy", "collection list|verify, role list|info|search, list, search, info"],
  ["ansible-config", "dump, list, view, validate"],
  ["ansible-vault", "view", { unless: "output" }],
  ["packer", "validate, inspect, plugins installed|required"],
  ["tflint checkov tfsec kube-linter", "*"],
  ["boundary", "scopes|targets|hosts|sessions|users list|read"],
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

export const CLUSTER_LOOKS: readonly ProgramRecord[] = [...lookRecords(ROWS), { names: "vtysh", effect: routerShell }];
