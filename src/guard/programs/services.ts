// Service managers and the journal.
import { type EffectRule, options, type ProgramRecord, verbs } from "./record.ts";

const SERVICES = "changes services";

/** `service web status`, `service --status-all`. */
const service: EffectRule = ([, first = "", ...rest]) => {
  if (/^--(status-all|help|version)$/.test(first)) return "reads";
  const [verb] = rest;
  if (verb === undefined) return "unknown";
  return /^(status|configtest|check)$/.test(verb) ? "reads" : { changes: SERVICES };
};

export const SERVICE_MANAGERS: readonly ProgramRecord[] = [
  {
    names: "systemctl",
    prints: "anything",
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
  {
    names: "busctl",
    effect: verbs(SERVICES, "list status monitor tree introspect get-property", "set-property emit"),
  },
  {
    names: "udevadm",
    effect: verbs(SERVICES, "info monitor verify", "trigger control settle"),
  },
  { names: "service rc-service invoke-rc.d", effect: service },
  {
    names: "initctl",
    effect: verbs(SERVICES, "status list version", "start stop restart reload"),
  },
  {
    names: "sv",
    effect: verbs(SERVICES, "status check", "up down once start stop restart reload", { valued: "-w" }),
  },
  {
    names: "launchctl",
    effect: verbs(SERVICES, "list print", "load unload start stop kickstart bootout"),
  },
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
];
