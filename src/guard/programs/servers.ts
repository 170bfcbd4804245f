// Web, mail and queue servers that tell their own state.
import { type EffectRule, options, type ProgramRecord, verbs } from "./record.ts";

const SERVICES = "changes services";

const rabbit: EffectRule = ([, ...args]) => {
  const verb = args.find((arg) => !arg.startsWith("-")) ?? "help";
  const looks =
    /^(list_\w+|status|cluster_status|environment|report|ping|version|help|check_\w+|node_health_check|memory_breakdown)$/;
  if (looks.test(verb)) return "reads";
  return /^(add|delete|set|clear|stop|start|reset|force|join|forget|purge|change|rotate|close)_?/.test(verb)
    ? { changes: SERVICES }
    : "unknown";
};

export const SERVERS: readonly ProgramRecord[] = [
  {
    names: "nginx openresty",
    effect: options({
      why: SERVICES,
      reads: "t T v V h",
      changes: "s",
      otherwise: { changes: SERVICES },
      valued: "s c p g",
    }),
  },
  {
    names: "apachectl apache2ctl httpd apache2",
    effect: ([, first = ""]) =>
      /^(-[tvVlLMS]|configtest|status|fullstatus)$/.test(first) ? "reads" : { changes: SERVICES },
  },
  { names: "haproxy", effect: options({ reads: "c v", otherwise: { changes: SERVICES }, valued: "f" }) },
  {
    names: "caddy",
    effect: verbs(SERVICES, "validate version list-modules adapt environ", "start stop reload run"),
  },
  { names: "sshd", effect: options({ reads: "t T", otherwise: { changes: SERVICES }, valued: "f C" }) },
  { names: "named-checkconf named-checkzone testparm", effect: "reads" },
  { names: "promtool", effect: verbs("writes files", "check query", "tsdb push") },
  {
    names: "postfix",
    effect: verbs(SERVICES, "status check", "start stop reload abort flush", { valued: "-c" }),
  },
  {
    names: "certbot",
    effect: verbs("changes certificates", "certificates", "renew certonly run delete revoke"),
  },
  {
    names: "fail2ban-client",
    effect: verbs(SERVICES, "status ping version get", "set start stop reload unban"),
  },
  { names: "rabbitmqctl rabbitmq-diagnostics", effect: rabbit },
  { names: "mosquitto_pub", effect: { changes: "sends messages" } },
];
