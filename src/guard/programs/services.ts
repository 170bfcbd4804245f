// Service managers and the journal.
import { changes, type EffectRule, options, READS, reads, UNSURE, verbs } from "./effect-rules.ts";
import { printsAnything } from "./outputs.ts";
import type { ProgramRecord } from "./record.ts";

const SERVICES = "changes services";

/** `service web status`, `service --status-all`. */
const service: EffectRule = ([, first = "", ...rest]) => {
  if (/^--(status-all|help|version)$/.test(first)) return READS;
  const [verb] = rest;
  if (verb === undefined) return UNSURE;
  return /^(status|configtest|check)$/.test(verb) ? READS : changes(SERVICES);
};

export const SERVICE_MANAGERS: readonly ProgramRecord[] = [
  {
    names: "systemctl",
    runs: printsAnything,
    effect: verbs({
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
  },
  {
    names: "journalctl",
    runs: printsAnything,
    effect: options({
      why: "changes the journal",
      changes: `vacuum-size vacuum-time vacuum-files rotate flush sync relinquish-var smart-relinquish-var setup-keys
        update-catalog`,
      valued: "u n p o S U b t D M g F c unit lines priority output since until",
    }),
  },
  {
    names: "loginctl",
    effect: verbs({
      why: "changes sessions",
      valued: "-p --property -n --lines -o --output -H --host",
      reads:
        "list-sessions session-status show-session list-users user-status show-user list-seats seat-status show-seat",
      changes: `activate lock-session unlock-session lock-sessions unlock-sessions terminate-session kill-session
        enable-linger disable-linger terminate-user kill-user attach flush-devices terminate-seat`,
    }),
  },
  {
    names: "systemd-analyze",
    effect: verbs({
      why: SERVICES,
      valued: "-H --host -M --machine",
      reads: `time blame critical-chain plot dump dot unit-paths unit-files exit-status capability condition syscall-filter
        verify calendar timestamp timespan security cat-config inspect-elf`,
      changes: "log-level log-target service-watchdogs",
    }),
  },
  { names: "systemd-cgls systemd-cgtop systemd-path systemd-escape systemd-delta rc-status", effect: reads },
  { names: "coredumpctl", effect: verbs({ why: "writes files", reads: "list info", changes: "dump debug" }) },
  {
    names: "busctl",
    effect: verbs({
      why: SERVICES,
      reads: "list status monitor tree introspect get-property",
      changes: "set-property emit",
    }),
  },
  {
    names: "udevadm",
    effect: verbs({ why: SERVICES, reads: "info monitor verify", changes: "trigger control settle" }),
  },
  { names: "service rc-service invoke-rc.d", effect: service },
  {
    names: "initctl",
    effect: verbs({ why: SERVICES, reads: "status list version", changes: "start stop restart reload" }),
  },
  {
    names: "sv",
    effect: verbs({
      why: SERVICES,
      valued: "-w",
      reads: "status check",
      changes: "up down once start stop restart reload",
    }),
  },
  {
    names: "launchctl",
    effect: verbs({ why: SERVICES, reads: "list print", changes: "load unload start stop kickstart bootout" }),
  },
  {
    names: "supervisorctl",
    effect: verbs({
      why: SERVICES,
      valued: "-c -s -u -p",
      reads: "status tail avail pid version",
      changes: "start stop restart signal remove update reload reread add clear shutdown",
      bare: UNSURE,
    }),
  },
  {
    names: "pm2",
    effect: verbs({
      why: SERVICES,
      reads: "list ls l status ps show describe info logs prettylist jlist env id pid ping report monit",
      changes: "start stop restart reload delete del kill save resurrect scale reset flush startup unstartup update",
    }),
  },
];
