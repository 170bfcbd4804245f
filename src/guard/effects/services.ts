// Service managers and the journal; web, mail and queue servers that tell their own state.
import { changes, changing, type Family, options, READS, type Rule, reads, UNSURE, verbs } from "./effect.ts";

const SERVICES = "changes services";

/** `service web status`, `service --status-all`. */
const service: Rule = ([, first = "", ...rest]) => {
  if (/^--(status-all|help|version)$/.test(first)) return READS;
  const [verb] = rest;
  if (verb === undefined) return UNSURE;
  return /^(status|configtest|check)$/.test(verb) ? READS : changes(SERVICES);
};

const rabbit: Rule = ([, ...args]) => {
  const verb = args.find((arg) => !arg.startsWith("-")) ?? "help";
  const looks =
    /^(list_\w+|status|cluster_status|environment|report|ping|version|help|check_\w+|node_health_check|memory_breakdown)$/;
  if (looks.test(verb)) return READS;
  return /^(add|delete|set|clear|stop|start|reset|force|join|forget|purge|change|rotate|close)_?/.test(verb)
    ? changes(SERVICES)
    : UNSURE;
};

export const SERVICE_MANAGERS: Family = [
  [
    "systemctl",
    verbs({
      why: SERVICES,
      valued: `-H --host -M --machine -t --type -n --lines -o --output -p -P --property -s --signal --state --root
        --job-mode --what --timestamp`,
      reads: `status show cat is-active is-enabled is-failed is-system-running list-units list-unit-files list-timers
        list-sockets list-jobs list-dependencies list-machines list-automounts list-paths get-default show-environment
        whoami`,
      changes: `start stop restart reload try-restart reload-or-restart try-reload-or-restart enable disable reenable mask
        unmask kill clean freeze thaw daemon-reload daemon-reexec edit set-property isolate reset-failed reboot poweroff
        halt kexec suspend hibernate hybrid-sleep rescue emergency exit switch-root revert link preset preset-all
        add-wants add-requires set-default set-environment unset-environment import-environment cancel bind mount-image
        log-level log-target soft-reboot`,
    }),
  ],
  [
    "journalctl",
    options({
      why: "changes the journal",
      changes: `vacuum-size vacuum-time vacuum-files rotate flush sync relinquish-var smart-relinquish-var setup-keys
        update-catalog`,
      valued: "u n p o S U b t D M g F c unit lines priority output since until",
    }),
  ],
  [
    "loginctl",
    verbs({
      why: "changes sessions",
      valued: "-p --property -n --lines -o --output -H --host",
      reads:
        "list-sessions session-status show-session list-users user-status show-user list-seats seat-status show-seat",
      changes: `activate lock-session unlock-session lock-sessions unlock-sessions terminate-session kill-session
        enable-linger disable-linger terminate-user kill-user attach flush-devices terminate-seat`,
    }),
  ],
  [
    "systemd-analyze",
    verbs({
      why: SERVICES,
      valued: "-H --host -M --machine",
      reads: `time blame critical-chain plot dump dot unit-paths unit-files exit-status capability condition syscall-filter
        verify calendar timestamp timespan security cat-config inspect-elf`,
      changes: "log-level log-target service-watchdogs",
    }),
  ],
  ["systemd-cgls systemd-cgtop systemd-path systemd-escape systemd-delta rc-status", reads],
  ["coredumpctl", verbs({ why: "writes files", reads: "list info", changes: "dump debug" })],
  [
    "busctl",
    verbs({
      why: SERVICES,
      reads: "list status monitor tree introspect get-property",
      changes: "set-property emit",
    }),
  ],
  ["udevadm", verbs({ why: SERVICES, reads: "info monitor verify", changes: "trigger control settle" })],
  ["service rc-service invoke-rc.d", service],
  ["initctl", verbs({ why: SERVICES, reads: "status list version", changes: "start stop restart reload" })],
  [
    "sv",
    verbs({ why: SERVICES, valued: "-w", reads: "status check", changes: "up down once start stop restart reload" }),
  ],
  ["launchctl", verbs({ why: SERVICES, reads: "list print", changes: "load unload start stop kickstart bootout" })],
  [
    "supervisorctl",
    verbs({
      why: SERVICES,
      valued: "-c -s -u -p",
      reads: "status tail avail pid version",
      changes: "start stop restart signal remove update reload reread add clear shutdown",
      bare: UNSURE,
    }),
  ],
  [
    "pm2",
    verbs({
      why: SERVICES,
      reads: "list ls l status ps show describe info logs prettylist jlist env id pid ping report monit",
      changes: "start stop restart reload delete del kill save resurrect scale reset flush startup unstartup update",
    }),
  ],
  [
    "nginx openresty",
    options({ why: SERVICES, reads: "t T v V h", changes: "s", otherwise: changes(SERVICES), valued: "s c p g" }),
  ],
  [
    "apachectl apache2ctl httpd apache2",
    ([, first = ""]) => (/^(-[tvVlLMS]|configtest|status|fullstatus)$/.test(first) ? READS : changes(SERVICES)),
  ],
  ["haproxy", options({ reads: "c v", otherwise: changes(SERVICES), valued: "f" })],
  [
    "caddy",
    verbs({ why: SERVICES, reads: "validate version list-modules adapt environ", changes: "start stop reload run" }),
  ],
  ["sshd", options({ reads: "t T", otherwise: changes(SERVICES), valued: "f C" })],
  ["named-checkconf named-checkzone testparm", reads],
  ["promtool", verbs({ why: "writes files", reads: "check query", changes: "tsdb push" })],
  ["postfix", verbs({ why: SERVICES, reads: "status check", changes: "start stop reload abort flush", valued: "-c" })],
  [
    "certbot",
    verbs({ why: "changes certificates", reads: "certificates", changes: "renew certonly run delete revoke" }),
  ],
  [
    "fail2ban-client",
    verbs({ why: SERVICES, reads: "status ping version get", changes: "set start stop reload unban" }),
  ],
  ["rabbitmqctl rabbitmq-diagnostics", rabbit],
  ["mosquitto_pub", changing("sends messages")],
];
