// Web, mail and queue servers that tell their own state.
import { changes, changing, type EffectRule, options, READS, reads, UNSURE, verbs } from "./effect-rules.ts";
import type { ProgramRecord } from "./record.ts";

const SERVICES = "changes services";

const rabbit: EffectRule = ([, ...args]) => {
  const verb = args.find((arg) => !arg.startsWith("-")) ?? "help";
  const looks =
    /^(list_\w+|status|cluster_status|environment|report|ping|version|help|check_\w+|node_health_check|memory_breakdown)$/;
  if (looks.test(verb)) return READS;
  return /^(add|delete|set|clear|stop|start|reset|force|join|forget|purge|change|rotate|close)_?/.test(verb)
    ? changes(SERVICES)
    : UNSURE;
};

export const SERVERS: readonly ProgramRecord[] = [
  {
    names: "nginx openresty",
    effect: options({
      why: SERVICES,
      reads: "t T v V h",
      changes: "s",
      otherwise: changes(SERVICES),
      valued: "s c p g",
    }),
  },
  {
    names: "apachectl apache2ctl httpd apache2",
    effect: ([, first = ""]) => (/^(-[tvVlLMS]|configtest|status|fullstatus)$/.test(first) ? READS : changes(SERVICES)),
  },
  { names: "haproxy", effect: options({ reads: "c v", otherwise: changes(SERVICES), valued: "f" }) },
  {
    names: "caddy",
    effect: verbs({
      why: SERVICES,
      reads: "validate version list-modules adapt environ",
      changes: "start stop reload run",
    }),
  },
  { names: "sshd", effect: options({ reads: "t T", otherwise: changes(SERVICES), valued: "f C" }) },
  { names: "named-checkconf named-checkzone testparm", effect: reads },
  { names: "promtool", effect: verbs({ why: "writes files", reads: "check query", changes: "tsdb push" }) },
  {
    names: "postfix",
    effect: verbs({ why: SERVICES, reads: "status check", changes: "start stop reload abort flush", valued: "-c" }),
  },
  {
    names: "certbot",
    effect: verbs({ why: "changes certificates", reads: "certificates", changes: "renew certonly run delete revoke" }),
  },
  {
    names: "fail2ban-client",
    effect: verbs({ why: SERVICES, reads: "status ping version get", changes: "set start stop reload unban" }),
  },
  { names: "rabbitmqctl rabbitmq-diagnostics", effect: rabbit },
  { names: "mosquitto_pub", effect: changing("sends messages") },
];
