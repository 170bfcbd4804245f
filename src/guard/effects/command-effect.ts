// The table of programs. To teach it a program, add a row to the family beside this file that the program belongs to.
import type { State } from "../shell/state.ts";
import { CLUSTERS } from "./clusters.ts";
import { CONTAINER_TOOLS } from "./containers.ts";
import { DATABASES } from "./databases.ts";
import { DISKS_AND_MOUNTS } from "./disks.ts";
import { type Effect, type Family, READS, tableOf } from "./effect.ts";
import { FILES } from "./files.ts";
import { REPOSITORIES } from "./git.ts";
import { LANGUAGES } from "./languages.ts";
import { NETWORKING } from "./network.ts";
import { PACKAGE_MANAGERS } from "./packages.ts";
import { PROCESSES } from "./processes.ts";
import { SERVICE_MANAGERS } from "./services.ts";
import { SHELL } from "./shell.ts";
import { TEXT } from "./text.ts";
import { WEB } from "./web.ts";

export const PROGRAM_FAMILIES: readonly Family[] = [
  SHELL,
  FILES,
  TEXT,
  PROCESSES,
  SERVICE_MANAGERS,
  NETWORKING,
  WEB,
  DISKS_AND_MOUNTS,
  CONTAINER_TOOLS,
  CLUSTERS,
  REPOSITORIES,
  PACKAGE_MANAGERS,
  LANGUAGES,
  DATABASES,
];

const PROGRAMS = tableOf(PROGRAM_FAMILIES.flat());

/** `mkfs.ext4` is a kind of mkfs, `python3.12` a python3. */
const KIND = /^(mkfs|fsck|mount|umount|python\d|pip\d)\.[\w.]+$/;

/** `argv[0]` is a base name; what a launcher starts is judged by itself. */
export function commandEffect(argv: readonly string[], state: State): Effect {
  const [name = ""] = argv;
  const rule = PROGRAMS.get(name) ?? PROGRAMS.get(KIND.exec(name)?.[1] ?? "");
  if (rule === undefined) return { is: "unknown", why: `program ${name} is not known to only look` };
  if (argv.length === 2 && /^--(help|version)$/.test(argv[1] ?? "")) return READS;
  const effect = rule(argv, state);
  return effect.is === "unknown" ? { is: "unknown", why: `this use of ${name} is not known to only look` } : effect;
}
