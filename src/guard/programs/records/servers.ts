// Holds the records of servers and of what controls, measures and checks them: names, mail, pages, monitoring.
import { optionTable, optionValues, parseOptions } from "../../words/options.ts";
import type { Consequences, EffectRule, ProgramRecord } from "../record.ts";
import { onThisMachine, options, SERVICES, verbs } from "../rules/effects.ts";
import { looks } from "../rules/looks.ts";
import { ANY } from "../rules/select.ts";
import { asksAboutSettings } from "../rules/unread-code.ts";

const rabbit: EffectRule = ([, ...args]) => {
  const verb = args.find((arg) => !arg.startsWith("-")) ?? "help";
  const looks =
    /^(list_\w+|status|cluster_status|environment|report|ping|version|help|check_\w+|node_health_check|memory_breakdown)$/;
  if (looks.test(verb)) return "reads";
  return /^(add|delete|set|clear|stop|start|reset|force|join|forget|purge|change|rotate|close)_?/.test(verb)
    ? { changes: SERVICES }
    : "unknown";
};

/** `postconf name=value` sets. */
const looksAtMail = looks("*", { unless: "e # M F P X edit", valued: "c C" });

const postconf: EffectRule = (argv, state) =>
  argv.some((word) => !word.startsWith("-") && word.includes("="))
    ? { changes: "changes mail" }
    : looksAtMail(argv, state);

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

const nginxEffect = options({
  why: SERVICES,
  reads: "t T v V h",
  changes: "s",
  otherwise: { changes: SERVICES },
  valued: "s c p g",
});

const apachectlEffect: EffectRule = ([, first = ""]) =>
  /^(-[tvVlLMS]|configtest|status|fullstatus)$/.test(first) ? "reads" : { changes: SERVICES };

const NGINX_CONSEQUENCES: Consequences = { restarts_service: /(?:^|\s)-s\s*(?:stop|quit|reload)(?:\s|$)/ };

const APACHECTL_CONSEQUENCES: Consequences = {
  restarts_service: /(?:^|\s)(?:stop|restart|graceful|graceful-stop)(?:\s|$)/,
};

const CADDY_CONSEQUENCES: Consequences = { restarts_service: /^(?:stop|restart|reload|abort)(?:\s|$)/ };

const GRAFANA_CLI_CONSEQUENCES: Consequences = {
  changes_accounts: /(?:^|\s)admin\s+(?:.*\s)?reset-admin-password(?=\s|$)/,
};

const SQUID_CONSEQUENCES: NonNullable<ProgramRecord["consequences"]> = {
  restarts_service: /^(?:.*-k\s*)?(?:reconfigure|restart|shutdown|interrupt|kill)(?=\s|$)/,
};

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "mail mailx", prints: "anything", effect: { changes: "sends mail" } },
    { names: "sendmail", effect: { changes: "sends mail" } },
    { names: "mutt neomutt", effect: { changes: "sends mail" }, alwaysBlocked: asksAboutSettings },
    { names: "postqueue", effect: options({ reads: "p j", otherwise: "unknown" }) },
    {
      names: "nginx",
      effect: nginxEffect,
      sideEffects: { words: /^-g/, effect: "unknown" },
      consequences: NGINX_CONSEQUENCES,
      applies: { options: "c", names: "/etc/nginx/nginx.conf", includes: /^\s*include\s+["']?([^\s"';]+)/gm },
    },
    {
      names: "openresty",
      effect: nginxEffect,
      consequences: NGINX_CONSEQUENCES,
    },
    {
      names: "apachectl apache2ctl httpd",
      effect: apachectlEffect,
      consequences: APACHECTL_CONSEQUENCES,
      applies: "f",
    },
    {
      names: "apache2",
      effect: apachectlEffect,
      consequences: APACHECTL_CONSEQUENCES,
    },
    {
      names: "haproxy",
      effect: options({ reads: "c v", otherwise: { changes: SERVICES }, valued: "f" }),
      consequences: { restarts_service: /(?:^|\s)-(?:sf|st)(?=\s|$)/ },
      applies: "f c C config configfile configuration config.file conf-file",
    },
    {
      names: "caddy",
      effect: verbs(SERVICES, "validate version list-modules adapt environ build-info", "start stop reload run", {
        rules: [["fmt", options({ why: "writes files", changes: "w overwrite" })]],
      }),
      consequences: CADDY_CONSEQUENCES,
      applies: "f c C config configfile configuration config.file conf-file",
    },
    {
      names: "promtool",
      effect: verbs("writes files", "check query", "push", {
        rules: [
          ["tsdb", verbs("writes files", "analyze list dump", "create-blocks-from")],
          ["test", "reads"],
        ],
      }),
    },
    { names: "postconf", effect: postconf },
    {
      names: "postmap postalias",
      effect: options({
        reads: "q s",
        otherwise: { changes: "writes files" },
        changes: "i d N r o p",
        why: "writes files",
      }),
    },
    {
      names: "postfix",
      effect: verbs(SERVICES, "status check", "start stop reload abort flush", { valued: "c" }),
      consequences: CADDY_CONSEQUENCES,
    },
    {
      names: "rabbitmqctl",
      valued: "n node t timeout p",
      effect: rabbit,
      consequences: {
        restarts_service: /^(?:stop|stop_app|shutdown|reset|force_reset)(?:\s|$)/,
        deletes_data: /^(?:purge_queue|delete_queue|delete_vhost|reset|force_reset)(?:\s|$)/,
        changes_accounts:
          /^(?:add_user|delete_user|change_password|clear_password|set_permissions|clear_permissions|set_user_tags)(?:\s|$)/,
      },
      applies: { options: "c config", operands: /\.json$/ },
    },
    { names: "rabbitmq-diagnostics", effect: rabbit },
    { names: "mosquitto_pub", effect: { changes: "sends messages" }, hosts: "h" },
  ]),
  { names: "mailq", effect: "reads" },
  { names: "named-checkconf named-checkzone testparm", effect: "reads" },
  { names: "corosync-cfgtool", looks: "-s, -n, -b" },
  { names: "corosync-quorumtool", looks: "-s, -l, -i" },
  { names: "crm_mon", valued: "i", looks: "*", unless: "d daemonize h as-html" },
  {
    names: "crm",
    looks: "status, configure show|verify, resource status|list|show, node show|status|list, corosync status|show|get",
  },
  {
    names: "pcs",
    looks: `status, config $, config show, resource config|status|list|describe, constraint config|list, cluster status|corosync,
    property config|list, stonith config|status, quorum status|config`,
  },
  {
    names: "rndc",
    valued: "s c k p y b",
    looks: "status, zonestatus, showzone, managed-keys status, validation status, null, serve-stale status",
  },
  {
    names: "unbound-control",
    valued: "c s",
    looks: "status, stats_noreset, list_*, lookup, get_option, dump_cache, dump_requestlist, dump_infra, view_list_*",
  },
  { names: "unbound-checkconf", looks: "*" },
  {
    names: "pdnsutil",
    looks:
      "list-all-zones, list-zone, check-zone, check-all-zones, show-zone, list-keys, list-tsigkeys, get-meta, list-member-zones, list-algorithms, hash-zone-record, export-zone-dnskey, zone list|list-all|show|check, metadata get",
    unless: "i",
  },
  {
    names: "pdns_control",
    looks: "rping, ping, list, show, uptime, version, list-zones, current-config, ccounts, qtypes, xfr-queue",
  },
  { names: "rec_control", looks: "get-all, get, ping, current-queries, get-*, top-*, uptime, version" },
  {
    names: "knotc",
    valued: "c C s t",
    looks:
      "status, stats, zone-status, zone-read, zone-stats, conf-check, conf-list, conf-read, conf-get, zone-check, zone-diff, zone-get",
  },
  {
    names: "dnsmasq",
    looks: "--test, --version",
    applies: "f c C config configfile configuration config.file conf-file",
  },
  { names: "coredns", looks: "-plugins, -version, --version" },
  { names: "AdGuardHome", looks: "--check-config, --version" },
  { names: "pihole-FTL", looks: "--config * $, --config $, version, -v, -vv, dnsmasq-test, --read-x509, regex-test" },
  {
    names: "pihole",
    looks: "status, -v, version, -q, query, -t, tail, -c, chronometer, api, help",
    consequences: { restarts_service: /^(?:restartdns|reloaddns)(?:\s|$)/, deletes_data: /^(?:-f|flush)(?:\s|$)/ },
  },
  { names: "birdc birdcl birdc6 bird6c", valued: "s", looks: "show, configure check" },
  {
    names: "gobgp",
    valued: "u host p port a",
    looks:
      "neighbor $, neighbor * $, neighbor * adj-in|adj-out|local|accepted|policy $, global $, global rib $, global rib summary, rpki server|table $, vrf $, monitor, policy $",
  },
  { names: "keepalived", looks: "-t, --config-test, -t -f, -v" },
  {
    names: "varnishadm",
    valued: "T S n t",
    looks:
      "status, backend.list, ban.list, vcl.list, vcl.show, param.show, panic.show, storage.list, ping, pid, banner, debug.health",
  },
  { names: "varnishstat varnishtop varnishhist", looks: "*", unless: "w D" },
  { names: "varnishlog varnishncsa", looks: "*", unless: "w D a" },
  {
    names: "squid",
    valued: "f",
    looks: "-k check|parse, -v",
    consequences: SQUID_CONSEQUENCES,
    applies: "f c C config configfile configuration config.file conf-file",
  },
  { names: "squid3", valued: "f", looks: "-k check|parse, -v", consequences: SQUID_CONSEQUENCES },
  { names: "uwsgi", consequences: { restarts_service: /(?:^|\s)--(?:reload|stop)(?=[\s=]|$)/ } },
  { names: "lprm cancel", consequences: { deletes_data: true } },
  {
    names: "squidclient",
    valued: "h p U W u w",
    looks:
      "mgr:info|mgr:counters|mgr:utilization|mgr:io|mgr:mem|mgr:storedir|mgr:client_list|mgr:5min|mgr:60min|mgr:menu|mgr:active_requests|mgr:idns|mgr:ipcache|mgr:fqdncache",
  },
  { names: "vtysh", effect: routerShell },
  {
    names: "monit",
    valued: "c g",
    looks: "status, summary, report, procmatch, -t, -V",
    consequences: { restarts_service: /^(?:stop|restart)\s/ },
    applies: "f c C config configfile configuration config.file conf-file",
    obeys: {
      options: "c",
      names: "/etc/monit/conf.d/* /etc/monit/monitrc /etc/monitrc /etc/monit.d/* /etc/monit/conf-enabled/*",
      holds: /\bexec\b|\bprogram\b/,
    },
  },
  { names: "lighttpd", looks: "-t, -tt, -v, -V, -p" },
  { names: "a2query", looks: "*" },
  { names: "php-fpm", looks: "-t, -tt, -v, -i, -m" },
  {
    names: "traefik",
    looks: "version, healthcheck",
    applies: "f c C config configfile configuration config.file conf-file",
  },
  {
    names: "amtool",
    valued: "alertmanager.url",
    looks:
      "alert query, alert $, config show, config routes show|test, check-config, silence query, silence $, cluster show, template render",
  },
  {
    names: "logcli",
    looks: "query, labels, series, instant-query, stats, volume, volume_range, detected-fields, fmt",
    unless: "part-path-prefix merge-parts parallel-max-workers",
  },
  { names: "loki", looks: "-verify-config, --verify-config, -version, --version" },
  {
    names: "grafana-cli",
    looks: "plugins ls|list-remote|list-versions",
    consequences: GRAFANA_CLI_CONSEQUENCES,
  },
  {
    names: "grafana-server",
    looks: "-v, -version, --version",
    applies: "f c C config configfile configuration config.file conf-file",
  },
  {
    names: "telegraf",
    looks: "--test, -test, --version, config check",
    applies: "f c C config configfile configuration config.file conf-file",
  },
  { names: "vector", looks: "validate, list, graph, --version" },
  { names: "otelcol otelcol-contrib", looks: "validate, components" },
  { names: "netdata", looks: "-W buildinfo, -V, -v" },
  { names: "zabbix_get", looks: "*" },
  { names: "zabbix_agentd zabbix_agent2", looks: "-p, --print, -t, --test, -V, --version" },
  {
    names: "cmk",
    looks: "-l, --list-hosts, -d, -D, --list-checks, --list-plugins, --check-discovery, -X, --version, -L",
  },
  {
    names: "icinga2",
    looks: "node list, daemon -C, feature list, object list, pki verify, --version, variable list|get",
  },
  { names: "nagios nagios4", looks: "-v, -s, -V" },
  { names: "naemon", looks: "-v" },
  {
    names:
      "check_disk check_ping check_load check_procs check_swap check_tcp check_udp check_ssh check_dns check_dig check_users check_uptime check_ntp_time check_ntp_peer check_icmp check_snmp check_ups check_sensors check_mysql check_pgsql check_file_age",
    looks: "*",
  },
  { names: "check_http check_curl", looks: "*", unless: "P j post method" },
  {
    names: "asterisk",
    looks:
      "core|pjsip|sip|dialplan|queue|module|database|iax2|manager|http|voicemail|channel|bridge|rtp|cdr|cel|logger show",
    consequences: { restarts_service: /\b(?:core|module)\s+(?:restart|stop|reload|unload)\b/ },
  },
  { names: "freeswitch", looks: "-version" },
  { names: "fs_cli", looks: "status, show, sofia status" },
  {
    names: "doveadm",
    valued: "c o u A F S",
    looks:
      "who, quota get, mailbox list|status|path|metadata, log errors|find, stats dump, user, config, search, fetch, director status, instance list, penalty, service status, process status, replicator status, acl get|rights|debug, fs stat|iter, dict get|iter, proxy list, help, auth lookup",
  },
  { names: "doveconf", looks: "*" },
  { names: "dovecot", looks: "-n, -a, --version, --build-options, --hostdomain" },
  {
    names: "exim exim4",
    looks: "-bp, -bpc, -bpr, -bpa, -bpu, -bP, -bV, -bt, -bv, -Mvb, -Mvh, -Mvl, -Mvc",
    consequences: { deletes_data: /(?:^|\s)-Mrm(?=\s|$)/ },
  },
  { names: "postsuper", consequences: { deletes_data: /(?:^|\s)-d(?=\s|$)/ } },
  { names: "exiqgrep exiqsumm eximstats exiwhat", looks: "*" },
  { names: "rspamadm", looks: "configtest, configdump, confighelp, dns_tool,  pw check" },
  { names: "rspamc", valued: "h P", looks: "stat, uptime, symbols, errors, counters, ping" },
  { names: "opendkim-testkey", looks: "*" },
  { names: "spamassassin", looks: "--lint, -V, -D --lint" },
  { names: "amavisd-new amavisd", looks: "showkeys, testkeys" },
  { names: "tuned-adm", looks: "active, list, profile_info, recommend, verify" },
  { names: "lnav", looks: "-n", unless: "c f i W I" },
  { names: "prometheus", applies: "f c C config configfile configuration config.file conf-file" },
  { names: "unbound", applies: "f c C config configfile configuration config.file conf-file" },
  {
    names: "nsupdate",
    consequences: { changes_network: true },
    applies: { operands: ANY, valued: "k y t u r", input: "all" },
  },
  { names: "mosquitto", applies: { options: "c config", operands: /\.json$/ } },
  { names: "mosquitto_passwd", consequences: { changes_accounts: true } },
  { names: "grafana", consequences: GRAFANA_CLI_CONSEQUENCES },
];
