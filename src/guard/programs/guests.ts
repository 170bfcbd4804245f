// Follows what runs in system containers, virtual machines and other hosts, and which directories of the host they are given.
import type { Machine, Output, Program } from "../interpreter/machine.ts";
import type { Mount, State } from "../interpreter/state.ts";
import { optionTable, optionValue, optionValues, parseOptions } from "../words/options.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { bound, containerState } from "./containers.ts";
import { mountsIn, remember } from "./docker.ts";
import { looks } from "./looks/rule.ts";
import { adHoc, COLIMA, colima, minions, onMachine, runAdHoc, runOnMinions } from "./many-machines.ts";
import type { EffectRule, ProgramRecord } from "./record.ts";

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
export const runInGuest: Program = ([, ...args], state, machine) => {
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

export const GUESTS: readonly ProgramRecord[] = [
  { names: "lxc incus", runs: runInstance, effect: instanceEffect },
  { names: "lxc-attach lxc-execute", runs: runAttached, effect: "unknown" },
  { names: "systemd-nspawn", runs: runSpawned, effect: "unknown" },
  {
    names: "machinectl",
    runs: runMachine,
    effect: looks("list, status, show, list-images, image-status, show-image, list-transfers", { valued: "M n o p" }),
  },
  { names: "ansible", runs: runAdHoc, effect: adHoc },
  { names: "salt salt-ssh salt-call", runs: runOnMinions, effect: minions },
  {
    names: "pssh parallel-ssh",
    ...onMachine("h H l p o e t O x X A hosts host user par outdir errdir timeout options"),
  },
  { names: "pdsh", ...onMachine("w x g X l t u f R c n d") },
  { names: "clush", ...onMachine("w x g X l t u f o O m") },
  { names: "dsh", ...onMachine("m g f r n o") },
  { names: "colima", runs: COLIMA.runs, effect: colima },
];
