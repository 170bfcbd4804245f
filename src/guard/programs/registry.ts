// All programs that the guard knows, by name. To teach it a program, add a record to the file that the program belongs to.
import { type Program, SILENT } from "../interpreter/machine.ts";
import { matches } from "../words/glob.ts";
import { words } from "../words/options.ts";
import { SOME, UNKNOWN } from "../words/symbols.ts";
import { ACCOUNTS, SUDOERS } from "./accounts.ts";
import { AWK } from "./awk.ts";
import { BUILTINS, EVALUATING_BUILTINS } from "./builtins.ts";
import { CLUSTERS } from "./clusters.ts";
import { ARCHIVERS, COPY, DD } from "./copy.ts";
import { DATABASES } from "./databases.ts";
import { DISK_TOOLS, FILE_SYSTEMS, PARTITIONS } from "./disks.ts";
import { DOCKER } from "./docker.ts";
import { FILES, TEE } from "./files.ts";
import { ENCODERS, FILTERS } from "./filters.ts";
import { FIND } from "./find/find.ts";
import { FORGES } from "./forges.ts";
import { DASHED_GIT, GIT } from "./git.ts";
import { GUESTS } from "./guests.ts";
import { INFRASTRUCTURE_TOOLS } from "./infrastructure.ts";
import { LANGUAGE_PACKAGES } from "./language-packages.ts";
import { LANGUAGES } from "./languages.ts";
import { LAUNCHERS } from "./launchers.ts";
import { CLUSTER_LOOKS } from "./looks/clusters.ts";
import { SERVICE_LOOKS } from "./looks/services.ts";
import { STORAGE_LOOKS } from "./looks/storage.ts";
import { MACHINE_SETTINGS } from "./machine-settings.ts";
import { NETWORK_TOOLS } from "./network.ts";
import { PACKAGE_MANAGERS } from "./packages.ts";
import type { ProgramRecord } from "./record.ts";
import { PERMISSIONS, RM, SHRED } from "./rm.ts";
import { EDITORS } from "./runs-texts.ts";
import { SED_RECORDS } from "./sed.ts";
import { SERVICE_MANAGERS } from "./services.ts";
import { SHELLS } from "./shells.ts";
import { TASK_RUNNERS } from "./task-runners.ts";
import { TEXT_TOOLS } from "./text.ts";
import { WEB } from "./web.ts";
import { XARGS } from "./xargs.ts";

/** Where the text has only a pattern of a name, the suspected programs are tried in this order. */
export const RECORDS: readonly ProgramRecord[] = [
  ...RM,
  ...GIT,
  ...DOCKER,
  ...DD,
  ...FILE_SYSTEMS,
  ...SHRED,
  ...FIND,
  ...PERMISSIONS,
  ...COPY,
  ...TEE,
  ...ARCHIVERS,
  ...PARTITIONS,
  ...DASHED_GIT,
  ...SHELLS,
  ...SUDOERS,
  ...XARGS,
  ...ACCOUNTS,
  ...LAUNCHERS,
  ...EVALUATING_BUILTINS,
  ...BUILTINS,
  ...FILES,
  ...FILTERS,
  ...SED_RECORDS,
  ...AWK,
  ...ENCODERS,
  ...TEXT_TOOLS,
  ...WEB,
  ...EDITORS,
  ...TASK_RUNNERS,
  ...LANGUAGES,
  ...LANGUAGE_PACKAGES,
  ...PACKAGE_MANAGERS,
  ...FORGES,
  ...CLUSTERS,
  ...INFRASTRUCTURE_TOOLS,
  ...GUESTS,
  ...DATABASES,
  ...DISK_TOOLS,
  ...NETWORK_TOOLS,
  ...MACHINE_SETTINGS,
  ...SERVICE_MANAGERS,
  ...CLUSTER_LOOKS,
  ...STORAGE_LOOKS,
  ...SERVICE_LOOKS,
];

const namesOf = ({ names }: ProgramRecord): readonly string[] => words(names);

const BY_NAME: ReadonlyMap<string, ProgramRecord> = new Map(
  RECORDS.flatMap((record) => namesOf(record).map((name) => [name, record] as const)),
);

export const recordOf = (name: string): ProgramRecord | undefined => BY_NAME.get(name);

const NAMES: readonly string[] = [...BY_NAME.keys()];

/** Whether a name that is not wholly known may be that of a program in the table. */
export const mayBeKnown = (name: string): boolean => NAMES.some((known) => matches(name, known));

const PRINTS = { anything: () => [UNKNOWN], nothing: () => SILENT, "a word": () => [SOME] } as const;

const programOf = (record: ProgramRecord | undefined): Program | undefined =>
  record?.runs ?? (record?.prints === undefined ? undefined : PRINTS[record.prints]);

/** `python3.11` runs as python does. */
export function runsOf(name: string): Program | undefined {
  if (!/[\d.]$/.test(name)) return programOf(recordOf(name));
  const [, base = ""] = /^(.+?)-?\d[\d.]*$/.exec(name) ?? [];
  const general = recordOf(base);
  return programOf(general?.versions === true ? general : recordOf(name));
}

/** `mkfs.ext4` has the effect of mkfs. */
export function effectRuleOf(name: string): ProgramRecord["effect"] {
  const own = recordOf(name)?.effect;
  if (own !== undefined) return own;
  const [, base = ""] = /^([^.]+)\.[\w.]+$/.exec(name) ?? [];
  const general = recordOf(base);
  return general?.kinds === true ? general.effect : undefined;
}

const suspects = RECORDS.filter(({ suspected }) => suspected !== undefined);

export const SUSPECTS: readonly string[] = suspects.flatMap(namesOf);

export const isSuspectedAnywhere = (name: string): boolean => recordOf(name)?.suspected === "anywhere";

function codeOptionOf(name: string): RegExp | undefined {
  const [, base = name] = /^(.+?)-?\d[\d.]*$/.exec(name) ?? [];
  return (recordOf(name) ?? recordOf(base))?.code;
}

/** Where the words name a program to which one of the words after it gives code: `python3 -c`, `bash -c`; else -1. */
export const placeOfCode = (args: readonly string[]): number =>
  args.findIndex((word, at) => {
    const code = codeOptionOf(word.slice(word.lastIndexOf("/") + 1));
    return code !== undefined && args.slice(at + 1).some((arg) => code.test(arg));
  });

export const printsNumbers = ([name = "", ...args]: readonly string[]): boolean =>
  recordOf(name)?.numbers?.(args) === true;

/** Whether what the command line prints is made for `eval`. */
export function printsSetup([name = "", ...args]: readonly string[]): boolean {
  const setup = recordOf(name)?.printsSetup;
  if (setup === undefined || setup === true) return setup === true;
  return words(setup).includes(args.join(" ").split(/\s/, 1)[0] ?? "");
}
