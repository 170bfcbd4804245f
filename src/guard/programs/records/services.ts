// Holds the records of service managers and the journal.
import type { Program } from "../../interpreter/machine.ts";
import { scriptTexts } from "../../interpreter/redirects.ts";
import { deeper, homesOf, type State } from "../../interpreter/state.ts";
import { UNKNOWN } from "../../words/symbols.ts";
import type { Consequences, EffectRule, ProgramRecord, StartedBy } from "../record.ts";
import { onThisMachine, options, SERVICES, verbs, WRITING } from "../rules/effects.ts";
import { type Args, fits, OPERAND } from "../rules/select.ts";
import { each, unitCommands } from "../rules/texts.ts";

const UNIT =
  /^(MainPID|ExecMainPID|ControlPID|NRestarts|ExecMainStatus|ExecMainCode|TasksCurrent|\w+TimestampMonotonic)$/;

const UNIT_OPTIONS = { "-P": UNIT, "-p": UNIT, "--property": UNIT };

/** `systemctl show -P MainPID billing`. */
const showsNumbers = ([verb, ...args]: Args): boolean =>
  verb === "show" &&
  (args.includes("--value") || args.includes("-P")) &&
  fits(args, { flags: /^--value$/, valued: UNIT_OPTIONS, operands: OPERAND }, Object.keys(UNIT_OPTIONS));

const NETWORK_UNITS =
  "networking|network|NetworkManager|systemd-networkd|systemd-resolved|ufw|firewalld|nftables|iptables|netfilter-persistent|wg-quick@|openvpn|dhcpcd|wpa_supplicant|tailscaled";

const DEVICE_RULES: readonly StartedBy[] = [
  { files: /\/udev\/rules\.d\//, commands: each(/\bRUN(?:\{program\})?\+?=\s*"([^"]*)"/g) },
];

const SUPERVISED: readonly StartedBy[] = [
  { files: /^\/etc\/supervis\S*\.(?:conf|ini)$/, commands: each(/^\s*command\s*=\s*(.+)$/gm) },
];

/** `service web status`, `service --status-all`. */
const service: EffectRule = ([, first = "", ...rest]) => {
  if (/^--(status-all|help|version)$/.test(first)) return "reads";
  const [verb] = rest;
  if (verb === undefined) return "unknown";
  return /^(status|configtest|check)$/.test(verb) ? "reads" : { changes: SERVICES };
};

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

const BUSCTL_CONSEQUENCES: Consequences = {
  restarts_service: /\b(?:StopUnit|RestartUnit|TryRestartUnit|ReloadOrRestartUnit|KillUnit)\b/,
  reboots:
    /\b(?:Manager\.?\s?(?:Reboot|PowerOff|Halt|Suspend|Hibernate)|login1.*\s(?:Reboot|PowerOff|Halt|Suspend|Hibernate))/,
};

/** The commands of services that a plan writes for itself are its own scripts and servers; others are a question. */
const COMMAND_OF_SERVICE =
  /^\s*command\s*=\s*(?:\S*\/)?(?:rm|dd|mkfs\S*|find|shred|(?:ba|da|z|k)?sh|env|eval|git|docker|sudo|python\S*|perl|ruby|node)\s/m;

/** What of a script or of a configuration of programs starts another program or deletes. */
const DOES_MORE =
  /child_process|\b(?:rm|dd|unlink|rmdir|rimraf|rmtree|mkfs|subprocess|eval|system)\b|\b(?:exec|spawn)(?:File)?Sync|script["']?\s*:\s*["'](?![\w./-]+\.[cm]?[jt]s["'])/m;

/** Types of lines that delete, or that change all below a directory. */
const REMOVES = /^\s*["']?[rRDZ][!+=~^$-]*["']?\s+["']?\//m;

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "systemctl",
      valued:
        "H host M machine t type n lines o output p P property s signal state root job-mode what timestamp u unit",
      runs: startUnits,
      commands: { variables: "SYSTEMD_EDITOR SYSTEMD_PAGER" },
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
          valued: `H host M machine t type n lines o output p P property s signal state root
        job-mode what timestamp`,
        },
      ),
      consequences: {
        restarts_service:
          /^(?:stop|restart|reload|try-restart|condrestart|reload-or-restart|try-reload-or-restart|force-reload|kill|isolate)\s|^(?:disable|mask)\s(?:.*\s)?--now(?:\s|$)/,
        changes_network: new RegExp(
          `^(?:start|stop|restart|try-restart|reload|reload-or-restart|disable|mask)\\s(?:.*\\s)?(?:${NETWORK_UNITS})`,
        ),
        reboots:
          /^(?:reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|sleep|rescue|emergency|exit)(?:\s|$)|^(?:start|isolate)\s.*(?:reboot|poweroff|halt|kexec|rescue|emergency)\.target/,
      },
      hosts: "H host",
      applies: { when: /(?:^|\s)(?:link|enable|reenable|preset)\s/, skip: 1, operands: /\// },
      writesKnown: true,
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
      sideEffects: { long: "cursor-file", effect: WRITING },
      consequences: { deletes_data: /(?:^|\s)--vacuum-/ },
      hosts: "H host",
    },
    {
      names: "systemd-analyze",
      effect: verbs(
        SERVICES,
        `time blame critical-chain plot dump dot unit-paths unit-files exit-status capability condition syscall-filter
        verify calendar timestamp timespan security cat-config inspect-elf`,
        "log-level log-target service-watchdogs",
        { valued: "H host M machine" },
      ),
    },
    { names: "coredumpctl", effect: verbs("writes files", "list info", "dump debug") },
    {
      names: "busctl",
      effect: verbs(SERVICES, "list status monitor tree introspect get-property", "set-property emit"),
      consequences: BUSCTL_CONSEQUENCES,
    },
    {
      names: "udevadm",
      effect: verbs(SERVICES, "info monitor verify", "trigger control", {
        rules: [
          ["settle", "reads"],
          ["test test-builtin", "unknown"],
        ],
      }),
      applies: "C config initrd",
      startedBy: DEVICE_RULES,
    },
    {
      names: "service rc-service invoke-rc.d",
      effect: service,
      consequences: {
        restarts_service:
          /^\S+\s+(?:stop|restart|reload|force-reload|force-restart|condrestart|try-restart|graceful|zap)(?:\s|$)/,
        changes_network: new RegExp(`^(?:${NETWORK_UNITS})\\S*\\s+(?:start|stop|restart|reload|force-reload)`),
      },
    },
    {
      names: "initctl",
      effect: verbs(SERVICES, "status list version", "start stop restart reload"),
      consequences: { restarts_service: /^(?:stop|restart|reload)\s/ },
    },
    {
      names: "sv",
      valued: "w",
      effect: verbs(SERVICES, "status check", "up down once start stop restart reload", { valued: "w" }),
      consequences: {
        restarts_service: /^(?:down|stop|restart|reload|hup|term|kill|exit|shutdown|try-restart|force-\w+)\s/,
      },
    },
    {
      names: "launchctl",
      effect: verbs(SERVICES, "list print", "load unload start stop kickstart bootout"),
      consequences: { restarts_service: /^(?:unload|stop|bootout|kill|remove)\s|^kickstart\s.*-\w*k/ },
    },
    {
      names: "supervisorctl",
      valued: "c s u p",
      effect: verbs(
        SERVICES,
        "status tail avail pid version",
        "start stop restart signal remove update reload reread add clear shutdown",
        { valued: "c s u p", bare: "unknown" },
      ),
      consequences: { restarts_service: /^(?:stop|restart|shutdown|reload|remove)(?:\s|$)/ },
    },
    {
      names: "pm2",
      effect: verbs(
        SERVICES,
        "list ls l status ps show describe info logs prettylist jlist env id pid ping report monit",
        "start stop restart reload delete del kill save resurrect scale reset flush startup unstartup update",
      ),
      consequences: { restarts_service: /^(?:stop|restart|reload|delete|del|kill)(?:\s|$)/ },
      obeys: {
        when: /^(?:start|restart|reload|startOrRestart|startOrReload)\s/,
        valued: "n name i instances interpreter l log cwd env max-memory-restart",
        skip: 1,
        operands: /\.(?:[cm]?[jt]s|json|ya?ml|sh|bash|py|rb|pl)$/,
        holds: DOES_MORE,
      },
    },
    { names: "sshd", effect: options({ reads: "t T", otherwise: { changes: SERVICES }, valued: "f C" }) },
  ]),
  { names: "systemd-cgls systemd-cgtop systemd-path systemd-escape systemd-delta rc-status", effect: "reads" },
  { names: "varlinkctl", looks: "info, list-interfaces, introspect, validate-idl" },
  { names: "oomctl", looks: "dump, $" },
  { names: "systemd-id128", looks: "machine-id, boot-id, show, var-partition-uuid, invocation-id" },
  {
    names: "systemd-tmpfiles systemd-sysusers",
    looks: "--cat-config, --tldr, --dry-run, --version",
    applies: { options: "EnvironmentFile", operands: /\.conf$/ },
    obeys: { operands: /\.conf$/, names: "/etc/tmpfiles.d/*.conf /run/tmpfiles.d/*.conf", holds: REMOVES },
  },
  { names: "rc-update", looks: "show, -v show, $" },
  { names: "s6-svstat s6-svdt", looks: "*" },
  { names: "s6-svc", consequences: { restarts_service: /(?:^|\s)-(?!w)[a-zA-Z0-9]*[rtdkxhqi]/ } },
  {
    names: "s6-rc",
    valued: "l n t v",
    looks: "list, listall, diff",
    consequences: { restarts_service: /^stop\s|^change\s/ },
  },
  { names: "svstat", looks: "*" },
  { names: "prlimit", looks: "--pid|-p * $, --pid $" },
  { names: "anacron", looks: "-T, -V", obeys: { options: "t", valued: "S", holds: /^\s*[@\d].*\S/m } },
  {
    names: "cloud-init",
    looks: "status, query, schema, analyze show|blame|boot|dump",
    applies: { when: /(?:^|\s)(?:init|modules|single|clean)/, options: "f file" },
  },
  { names: "snap-store mokutil-state", looks: "*" },
  {
    names: "supervisord",
    applies: "f c C config configfile configuration config.file conf-file",
    obeys: { options: "c configuration", holds: COMMAND_OF_SERVICE },
    startedBy: SUPERVISED,
  },
  { names: "synoservicectl", consequences: { restarts_service: /(?:^|\s)-{0,2}(?:stop|restart)(?=\s|$)/ } },
  {
    names: "dbus-send gdbus",
    consequences: BUSCTL_CONSEQUENCES,
  },
];
