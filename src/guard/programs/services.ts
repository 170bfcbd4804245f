// Holds the records of service managers, the journal, and servers that tell their own state.
import type { Program } from "../interpreter/machine.ts";
import { scriptTexts } from "../interpreter/redirects.ts";
import { deeper, homesOf, type State } from "../interpreter/state.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { unitCommands } from "./armed-files.ts";
import { looks } from "./looks/rule.ts";
import { showsNumbers } from "./prints-numbers.ts";
import { type EffectRule, options, type ProgramRecord, unlessDry, verbs } from "./record.ts";

const SERVICES = "changes services";

/** `service web status`, `service --status-all`. */
const service: EffectRule = ([, first = "", ...rest]) => {
  if (/^--(status-all|help|version)$/.test(first)) return "reads";
  const [verb] = rest;
  if (verb === undefined) return "unknown";
  return /^(status|configtest|check)$/.test(verb) ? "reads" : { changes: SERVICES };
};

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

const UNITS = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system", "/run/systemd/system"];

/** Where the units lie that the command starts. */
function unitFiles(args: readonly string[], state: State): readonly string[] {
  if (!args.some((arg) => /^(start|restart|reload-or-restart|try-restart|enable|reenable|isolate)$/.test(arg)))
    return [];
  const units = args.filter((arg) => !arg.startsWith("-") && !/^(start|restart|enable|reenable|isolate)$/.test(arg));
  const homes = homesOf(state).map((home) => `${home}/.config/systemd/user`);
  const services = units.map((unit) =>
    unit.replace(/\.(timer|socket|path)$/, "").replace(/(?<!\.service)$/, ".service"),
  );
  // `web@1` is made of `web@`.
  const named = [...new Set([...services, ...services.map((unit) => unit.replace(/@[^@]+\.service$/, "@.service"))])];
  const files = [...UNITS, ...homes].flatMap((directory) => named.map((unit) => `${directory}/${unit}`));
  const added = [...state.io.files.keys()].filter((path) => files.some((file) => path.startsWith(`${file}.d/`)));
  return [...files, ...added];
}

/** Runs what the units say that it starts, where their text is known. */
const startUnits: Program = ([, ...args], state, machine) => {
  for (const path of unitFiles(args, state))
    for (const text of scriptTexts(path, state))
      for (const command of unitCommands(text))
        machine.provedOnly().runText(command, deeper(state, { io: { stdin: null } }));
  return [UNKNOWN];
};

export const SERVICE_MANAGERS: readonly ProgramRecord[] = [
  {
    names: "systemctl",
    runs: startUnits,
    armed: unitFiles,
    numbers: showsNumbers,
    effect: verbs(
      SERVICES,
      `status show cat is-active is-enabled is-failed is-system-running list-units list-unit-files list-timers
        list-sockets list-jobs list-dependencies list-machines list-automounts list-paths get-default show-environment
        whoami`,
      `start stop restart reload try-restart reload-or-restart try-reload-or-restart enable disable reenable mask
        unmask kill clean freeze thaw daemon-reload daemon-reexec edit set-property isolate reset-failed reboot poweroff
        halt kexec suspend hibernate hybrid-sleep rescue emergency exit switch-root revert link preset preset-all
        add-wants add-requires set-default set-environment unset-environment import-environment cancel bind mount-image
        log-level log-target soft-reboot`,
      {
        valued: `-H --host -M --machine -t --type -n --lines -o --output -p -P --property -s --signal --state --root
        --job-mode --what --timestamp`,
      },
    ),
  },
  {
    names: "journalctl",
    prints: "anything",
    effect: options({
      why: "changes the journal",
      changes: `vacuum-size vacuum-time vacuum-files rotate flush sync relinquish-var smart-relinquish-var setup-keys
        update-catalog`,
      valued: "u n p o S U b t D M g F c unit lines priority output since until",
    }),
  },
  {
    names: "loginctl",
    effect: verbs(
      "changes sessions",
      "list-sessions session-status show-session list-users user-status show-user list-seats seat-status show-seat",
      `activate lock-session unlock-session lock-sessions unlock-sessions terminate-session kill-session
        enable-linger disable-linger terminate-user kill-user attach flush-devices terminate-seat`,
      { valued: "-p --property -n --lines -o --output -H --host" },
    ),
  },
  {
    names: "systemd-analyze",
    effect: verbs(
      SERVICES,
      `time blame critical-chain plot dump dot unit-paths unit-files exit-status capability condition syscall-filter
        verify calendar timestamp timespan security cat-config inspect-elf`,
      "log-level log-target service-watchdogs",
      { valued: "-H --host -M --machine" },
    ),
  },
  { names: "systemd-cgls systemd-cgtop systemd-path systemd-escape systemd-delta rc-status", effect: "reads" },
  { names: "coredumpctl", effect: verbs("writes files", "list info", "dump debug") },
  { names: "busctl", effect: verbs(SERVICES, "list status monitor tree introspect get-property", "set-property emit") },
  {
    names: "udevadm",
    effect: verbs(SERVICES, "info monitor verify", "trigger control", {
      rules: [
        ["settle", "reads"],
        ["test test-builtin", "unknown"],
      ],
    }),
  },
  { names: "service rc-service invoke-rc.d", effect: service },
  { names: "initctl", effect: verbs(SERVICES, "status list version", "start stop restart reload") },
  { names: "sv", effect: verbs(SERVICES, "status check", "up down once start stop restart reload", { valued: "-w" }) },
  { names: "launchctl", effect: verbs(SERVICES, "list print", "load unload start stop kickstart bootout") },
  {
    names: "supervisorctl",
    effect: verbs(
      SERVICES,
      "status tail avail pid version",
      "start stop restart signal remove update reload reread add clear shutdown",
      { valued: "-c -s -u -p", bare: "unknown" },
    ),
  },
  {
    names: "pm2",
    effect: verbs(
      SERVICES,
      "list ls l status ps show describe info logs prettylist jlist env id pid ping report monit",
      "start stop restart reload delete del kill save resurrect scale reset flush startup unstartup update",
    ),
  },
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
    effect: verbs(SERVICES, "validate version list-modules adapt environ build-info", "start stop reload run", {
      rules: [["fmt", options({ why: "writes files", changes: "w overwrite" })]],
    }),
  },
  { names: "sshd", effect: options({ reads: "t T", otherwise: { changes: SERVICES }, valued: "f C" }) },
  { names: "named-checkconf named-checkzone testparm", effect: "reads" },
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
  { names: "postfix", effect: verbs(SERVICES, "status check", "start stop reload abort flush", { valued: "-c" }) },
  {
    names: "certbot",
    effect: unlessDry(
      "dry-run",
      verbs("changes certificates", "certificates plugins show_account", "renew certonly run delete revoke"),
    ),
  },
  {
    names: "fail2ban-client",
    effect: verbs(SERVICES, "status ping version get banned", "set start stop reload unban"),
  },
  { names: "rabbitmqctl rabbitmq-diagnostics", effect: rabbit },
  { names: "mosquitto_pub", effect: { changes: "sends messages" } },
];
