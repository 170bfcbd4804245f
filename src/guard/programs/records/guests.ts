// Follows what runs in system containers, virtual machines and other hosts, and which directories of the host they are given.
import type { Machine, Output, Program } from "../../interpreter/machine.ts";
import type { Mount, State } from "../../interpreter/state.ts";
import { optionTable, optionValue, optionValues, parseOptions } from "../../words/options.ts";
import { quoted, UNKNOWN } from "../../words/symbols.ts";
import type { Consequences, EffectRule, ProgramRecord, WordsRule } from "../record.ts";
import { ACTING, CLUSTER, options, verbs } from "../rules/effects.ts";
import { bound, containerState, mountsIn, onMachine, remember, runThere } from "../rules/elsewhere.ts";
import { looks } from "../rules/looks.ts";

const COLIMA = onMachine("p profile", "ssh");

const looksAtColima = looks("status, list|ls, version, ssh-config", { valued: "p profile" });

const colima: EffectRule = (argv, state) =>
  argv.includes("ssh") ? COLIMA.effect(argv, state) : looksAtColima(argv, state);

const instanceNamed: WordsRule = ([, verb = "", ...rest]) =>
  /^(?:stop|restart|start|delete|exec)$/.test(verb) ? rest.slice(0, 1) : [];

function runInside(name: string, command: readonly string[], state: State, machine: Machine): Output {
  const mounts = [...mountsIn(name, state), ...mountsIn(PROFILES, state)];
  return command.length === 0 ? [UNKNOWN] : machine.runArgv(command, containerState(state, mounts, null, name));
}

/** What every container may be given. */
const PROFILES = "profiles";

const EXEC = optionTable("user group cwd env mode T");

const fieldOf = (fields: readonly string[], ...names: readonly string[]): string | undefined =>
  fields.map((field) => field.split("=")).find(([name = ""]) => names.includes(name))?.[1];

/** `source=/srv path=/mnt`, in the words of a device or in the value of `--device`. */
function diskOf(fields: readonly string[], state: State): readonly Mount[] {
  const [source, path] = [fieldOf(fields, "source"), fieldOf(fields, "path")];
  return source === undefined || path === undefined ? [] : bound(source, path, state);
}

const INSTANCE = optionTable("device d config c profile p network n storage s type t vm-type target project");

/** `lxc exec web -- COMMAND`, `lxc config device add web d disk source=/srv path=/mnt`. */
const runInstance: Program = ([, ...args], state, machine) => {
  const [verb = "", ...rest] = args;
  if (verb === "exec") {
    const [name = "", ...command] = parseOptions(rest, EXEC, false).operands;
    return runInside(name, command[0] === "--" ? command.slice(1) : command, state, machine);
  }
  const { operands } = parseOptions(args, INSTANCE);
  const [, noun = "", action = "", name = ""] = operands;
  if (noun === "device" && action === "add") {
    const to = verb === "profile" ? PROFILES : name;
    remember(to, [...mountsIn(to, state), ...diskOf(operands.slice(4), state)], state);
  }
  if (verb === "launch" || verb === "init" || verb === "create") {
    const devices = optionValues(parseOptions(rest, INSTANCE), "d", "device");
    const disks = devices.flatMap((device) => diskOf((device ?? "").split(","), state));
    remember(parseOptions(rest, INSTANCE).operands[1] ?? null, disks, state);
  }
  if (verb === "copy" || verb === "cp" || verb === "move" || verb === "mv" || verb === "rename")
    remember(operands[2] ?? null, mountsIn(noun, state), state);
  return [UNKNOWN];
};

/** `pct set 101 -mp0 /srv,mp=/mnt`, `pct exec 101 -- COMMAND`, `qm guest exec 100 -- COMMAND`. */
const runInGuest: Program = ([, ...args], state, machine) => {
  const [verb = "", name = ""] = args;
  const points = args
    .flatMap((arg, at) => (/^--?mp\d+$/.test(args[at - 1] ?? "") ? [arg] : []))
    .concat(args.flatMap((arg) => /^--?mp\d+=(.+)$/.exec(arg)?.slice(1) ?? []));
  const mounts = points.flatMap((point) => {
    const [host = "", ...fields] = point.split(",");
    const inside = fieldOf(fields, "mp");
    return inside === undefined ? [] : bound(host.replace(/^volume=/, ""), inside, state);
  });
  if (mounts.length > 0) remember(name, [...mountsIn(name, state), ...mounts], state);
  const dashes = args.indexOf("--");
  const guest = verb === "guest" ? (args[2] ?? "") : name;
  return dashes < 0 ? [UNKNOWN] : runInside(guest, args.slice(dashes + 1), state, machine);
};

const NSPAWN = optionTable(
  `D directory M machine u user bind bind-ro overlay template i image E setenv chdir p port tmpfs network-bridge slice property
  hostname uuid root-hash capability drop-capability network-interface network-veth-extra network-zone`,
);

/** `systemd-nspawn -D ROOT --bind=/srv:/mnt COMMAND`: its root is a directory of the host. */
const runSpawned: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, NSPAWN, false);
  const root = optionValue(parsed, "D", "directory");
  const binds = optionValues(parsed, "bind").flatMap((value) => {
    const [host = "", inside = host] = (value ?? "").split(":");
    return bound(host, inside === "" ? host : inside, state);
  });
  const mounts = [...binds, ...(root === null ? [] : bound(root, "/", state))];
  const name = optionValue(parsed, "M", "machine");
  remember(name, mounts, state);
  const directory = optionValue(parsed, "chdir");
  return parsed.operands.length === 0
    ? [UNKNOWN]
    : machine.runArgv(parsed.operands, containerState(state, mounts, directory, name ?? ""));
};

/** `machinectl bind web /srv /mnt`, `machinectl shell op@web /bin/sh -c ...`. */
const runMachine: Program = ([, ...args], state, machine) => {
  const [verb = "", given = "", ...rest] = parseOptions(args, optionTable("M H n o p E setenv uid"), false).operands;
  const name = given.replace(/^.*@/, "");
  if (verb === "bind") {
    const [host = "", inside = host] = rest.filter((word) => !word.startsWith("-"));
    remember(name, [...mountsIn(name, state), ...bound(host, inside, state)], state);
  }
  return verb === "shell" ? runInside(name, rest, state, machine) : [UNKNOWN];
};

/** `lxc-attach -n web -- COMMAND`. */
const runAttached: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, optionTable("n name P lxcpath s namespaces f rcfile define"), false);
  return runInside(optionValue(parsed, "n", "name") ?? "", parsed.operands, state, machine);
};

const INSTANCES = `list|ls, info, config show|get, config trust|device list|show, config device get, network list|ls|show|get|info,
  network list-leases|list-allocations, storage list|ls|show|info|get, storage volume list|ls|show|info|get, profile list|ls|show|get,
  image list|ls|info|show, image alias list, snapshot list|show, warning list|ls|show, cluster list|show|info, cluster group list,
  remote list|ls|get-default, operation list|show, project list|ls|show|info|get, monitor, top, admin os show, file pull * -`;

const looksAtInstances = looks(INSTANCES, { valued: "project f format c columns", unless: "d" });

const instanceEffect: EffectRule = (argv, state) =>
  argv[1] === "exec" && argv.length > 3 ? "reads" : looksAtInstances(argv, state);

const VBoxManageLooks =
  "list, showvminfo, showmediuminfo, showhdinfo, guestproperty get|enumerate, metrics list|query, getextradata";

const VBOXMANAGE_CONSEQUENCES: Consequences = {
  reboots: /^controlvm\s+\S+\s+(?:poweroff|reset|acpipowerbutton|savestate|pause)/,
  deletes_data: /^(?:unregistervm|closemedium)\s.*--delete|^snapshot\s+\S+\s+delete/,
};

const VBOXMANAGE_WRITES: NonNullable<ProgramRecord["writes"]> = {
  verb: /^(?:convertfromraw|clonemedium|clonehd|convertdd)$/,
  operands: "last",
};

/** `virsh qemu-agent-command vm '{"execute":"guest-exec",…}'` runs a program in the machine. */
const runsInGuest: Program = ([, ...args], state, machine) => {
  for (const text of args.filter((arg) => arg.includes("guest-exec"))) {
    const [, path] = /"path"\s*:\s*"([^"]*)"/.exec(text) ?? [];
    const [, list = ""] = /"arg"\s*:\s*\[(.*?)\]/s.exec(text) ?? [];
    const words = [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word.replace(/\\(["\\/])/g, "$1"));
    if (path !== undefined) runThere([path, ...words].map(quoted).join(" "), state, machine);
  }
  return [UNKNOWN];
};

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "lxc incus",
    runs: runInstance,
    effect: instanceEffect,
    consequences: {
      restarts_service: /^(?:stop|restart|pause)\s/,
      deletes_data: /^(?:delete|rm|(?:storage volume|snapshot|storage) delete)\s/,
      changes_network: /^network\s+(?:create|delete|set|unset|attach|detach|edit)\s/,
    },
    applies: { when: /^(?:init|launch|profile|config|network|storage)\s/, input: "redirected" },
    resources: instanceNamed,
  },
  { names: "lxc-attach lxc-execute", runs: runAttached, effect: "unknown" },
  { names: "systemd-nspawn", runs: runSpawned, effect: "unknown", applies: "settings" },
  {
    names: "machinectl",
    valued: "M n o p",
    looks: "list, status, show, list-images, image-status, show-image, list-transfers",
    runs: runMachine,
    applies: "settings",
  },
  { names: "colima", runs: COLIMA.runs, effect: colima, consequences: { deletes_data: /^(?:delete|prune)(?:\s|$)/ } },
  {
    names: "qm pct",
    runs: runInGuest,
    effect: verbs(
      "changes virtual machines",
      "list status config pending listsnapshot cpusets showcmd df",
      `start stop shutdown reboot reset
    create destroy set clone migrate snapshot rollback resize suspend resume delsnapshot restore template enter`,
      {
        rules: [
          ["exec", ([, ...args]) => (args.includes("--") ? "reads" : "unknown")],
          ["agent", looks("* ping|get-*|info|network-get-interfaces")],
          ["guest", looks("cmd * ping|get-*|info|network-get-interfaces, exec-status")],
          ["cloudinit", looks("dump, pending")],
        ],
      },
    ),
    consequences: {
      reboots: /^(?:stop|shutdown|reboot|reset|suspend|destroy)\s/,
      deletes_data: /^(?:destroy|delsnapshot|rollback)\s/,
    },
  },
  {
    names: "pvesm",
    effect: verbs("changes storage", "status list path scan", "add remove set alloc free"),
    consequences: { deletes_data: /^free\s/ },
  },
  { names: "pvecm", effect: verbs(CLUSTER, "status nodes", "add addnode delnode create expected updatecerts") },
  {
    names: "pvesh",
    effect: verbs("changes virtual machines", "get ls usage", "create set delete"),
    consequences: {
      reboots: /^create\s+\S*\/status.*\b(?:reboot|shutdown|stop|reset)\b/,
      deletes_data: /^delete\s/,
      changes_network: /^(?:create|set|delete)\s+\S*\/(?:network|firewall|dns|sdn)(?:[/\s]|$)/,
    },
  },
  {
    names: "virsh",
    valued: "c connect",
    runs: runsInGuest,
    effect: verbs(
      "changes virtual machines",
      `list dominfo domstate domblklist domblkstat domiflist domifaddr domstats dumpxml nodeinfo net-list net-info
        net-dumpxml pool-list pool-info vol-list vol-info snapshot-list capabilities version uri vcpuinfo sysinfo
        domid domuuid domname dommemstat domfsinfo domjobinfo domhostname domcontrol domblkinfo domifstat domif-getlink
        vcpucount vncdisplay domdisplay ttyconsole hostname freecell freepages nodememstats nodecpumap nodecpustats nodedev-list nodedev-info
        nodedev-dumpxml iface-list iface-dumpxml nwfilter-list nwfilter-dumpxml net-dhcp-leases net-uuid net-name pool-dumpxml pool-uuid vol-path
        vol-key vol-dumpxml vol-pool snapshot-info snapshot-current snapshot-dumpxml snapshot-parent checkpoint-list secret-list
        domcapabilities cpu-models maxvcpus iothreadinfo guestinfo perf schedinfo`,
      `start shutdown destroy reboot reset suspend resume define undefine create edit save restore migrate
        snapshot-create snapshot-revert snapshot-delete attach-disk detach-disk setmem setvcpus autostart net-start net-destroy`,
      {
        valued: "c connect",
        rules: [
          ["domtime", options({ why: "changes virtual machines", changes: "now sync time set" })],
          ["schedinfo", options({ why: "changes virtual machines", changes: "set" })],
          ["perf", options({ why: "changes virtual machines", changes: "enable disable" })],
          ["snapshot-current", options({ why: "changes virtual machines", reads: "name", otherwise: "unknown" })],
        ],
      },
    ),
    consequences: {
      reboots: /^(?:shutdown|destroy|reboot|reset|suspend|managedsave)\s/,
      deletes_data:
        /^undefine\s.*--(?:remove-all-storage|storage|wipe-storage)|^(?:vol-delete|vol-wipe|pool-delete|snapshot-delete|snapshot-revert)\s/,
      changes_network: /^net-(?:start|destroy|define|undefine|create|edit|update)\s/,
    },
    writes: { verb: /^(?:vol-download|save|dump|screenshot)$/, operands: "last" },
    applies: { when: /(?:^|\s)(?:\w+-)?(?:define|create)\S*\s/, operands: /\.xml$|\// },
  },
  {
    names: "vagrant",
    effect: verbs(
      "changes virtual machines",
      "status global-status version validate port ssh-config",
      "up halt destroy reload suspend resume provision",
      {
        rules: [
          ["box", verbs("changes virtual machines", "list outdated", "add remove update prune repackage")],
          ["plugin", verbs("changes virtual machines", "list", "install uninstall update repair")],
          ["snapshot", verbs("changes virtual machines", "list", "save restore delete push pop")],
        ],
      },
    ),
    sideEffects: { when: /^global-status\b.*--prune/, effect: ACTING },
    consequences: {
      reboots: /^(?:halt|reload|destroy|suspend)(?:\s|$)/,
      deletes_data: /^(?:destroy|box (?:remove|prune)|snapshot (?:delete|restore|pop))(?:\s|$)/,
    },
    obeys: { names: "Vagrantfile" },
  },
  { names: "lxc-ls lxc-info lxc-checkconfig lxc-top", looks: "*" },
  { names: "ha-manager", looks: "status, config, rules list, groupconfig" },
  { names: "pvenode", looks: "config get, task list|log|status, cert info, acme account list|info, acme plugin list" },
  { names: "pvesr", looks: "status, list" },
  { names: "pveceph", looks: "status, pool ls|get, lspools" },
  { names: "pve-firewall", looks: "status, compile, localnet" },
  { names: "pvesubscription", looks: "get" },
  { names: "pvereport", looks: "*" },
  { names: "pveam", looks: "list, available" },
  { names: "pmgconfig", looks: "dump" },
  {
    names: "VBoxManage",
    looks: VBoxManageLooks,
    consequences: VBOXMANAGE_CONSEQUENCES,
    writes: VBOXMANAGE_WRITES,
  },
  {
    names: "vboxmanage",
    looks: VBoxManageLooks,
    consequences: VBOXMANAGE_CONSEQUENCES,
    writes: VBOXMANAGE_WRITES,
  },
  {
    names: "multipass",
    looks: "list|ls, info, find, get, networks, aliases",
    consequences: { reboots: /^(?:stop|restart|suspend|delete)(?:\s|$)/, deletes_data: /^(?:delete|purge)(?:\s|$)/ },
  },
  {
    names: "midclt",
    looks:
      "ping, call core.ping|system.ready|system.version|system.state|pool.dataset.details, call *.query|*.info|*.config",
    consequences: {
      restarts_service: /(?:^|\s)(?:service\.(?:restart|stop|reload)|app\.(?:stop|redeploy|delete))(?=\s|$)/,
      reboots: /(?:^|\s)system\.(?:reboot|shutdown)(?=\s|$)/,
    },
  },
  { names: "esxcli", looks: "* * list|get, * * * list|get, * * * * list|get, * * * * * list|get" },
  {
    names: "vim-cmd",
    looks: "vmsvc/getallvms, vmsvc/get.*, vmsvc/power.getstate, hostsvc/hostsummary, hostsvc/hosthardware",
  },
  { names: "xe", looks: "*-list, *-param-get, *-param-list, host-cpu-info" },
  { names: "virt-top virt-what virt-df virt-filesystems virt-ls virt-cat virt-host-validate", looks: "*" },
  { names: "portablectl", valued: "H M", looks: "list, inspect, is-attached" },
  {
    names: "homectl",
    valued: "H M",
    looks: "list, inspect, is-attached",
    consequences: { changes_accounts: /^(?:create|remove|update|passwd|resize)(?:\s|$)/ },
  },
  { names: "freebsd-version jls", looks: "*" },
  { names: "iocage", looks: "list, get, df, snaplist, fetch --list" },
  { names: "bhyvectl", looks: "--get-*, --vm --get-*", unless: "destroy force-reset force-poweroff" },
  { names: "virt-format", writes: "a add" },
  { names: "virt-sparsify", writes: { when: /--in-place/, operands: "all" } },
];
