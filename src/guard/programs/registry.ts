// All programs that the guard knows, by name. To teach it a program, add a record to the file that the program belongs to.
import { type Program, SILENT } from "../interpreter/machine.ts";
import { words } from "../words/options.ts";
import { SOME, UNKNOWN } from "../words/symbols.ts";
import { ACCOUNTS, SUDOERS } from "./accounts.ts";
import { AWK } from "./awk.ts";
import { BUILD } from "./build.ts";
import { BUILTINS } from "./builtins.ts";
import { CLUSTERS } from "./clusters.ts";
import { CONNECTIONS } from "./connections.ts";
import { CONTAINER_TOOLS } from "./container-tools.ts";
import { COPY, TRUNCATE } from "./copy.ts";
import { DATABASES } from "./databases.ts";
import { DD } from "./dd.ts";
import { DISK_TOOLS } from "./disks.ts";
import { DOCKER } from "./docker.ts";
import { DOCUMENTATION } from "./documentation.ts";
import { ECHO } from "./echo.ts";
import { EDITORS } from "./editors.ts";
import { ENCODERS } from "./encoders.ts";
import { ENV } from "./env.ts";
import { EVAL, EVALUATING_BUILTINS } from "./evaluating-builtins.ts";
import { BLKDISCARD, FILE_SYSTEMS } from "./file-systems.ts";
import { FILE_TEXT, TEE } from "./file-text.ts";
import { FILES } from "./files.ts";
import { FIND } from "./find.ts";
import { FIREWALLS } from "./firewall.ts";
import { FORGES } from "./forges.ts";
import { DASHED_GIT, GIT } from "./git.ts";
import { GREP } from "./grep.ts";
import { INFRASTRUCTURE_TOOLS } from "./infrastructure.ts";
import { LANGUAGE_PACKAGES } from "./language-packages.ts";
import { LANGUAGES } from "./languages.ts";
import { LAUNCHERS } from "./launchers.ts";
import { LINE_FILTERS } from "./line-filters.ts";
import { MACHINE_SETTINGS } from "./machine-settings.ts";
import { NETWORK_TOOLS } from "./network.ts";
import { NODE_PACKAGES } from "./node-packages.ts";
import { OPENSSL } from "./openssl.ts";
import { PACKAGE_MANAGERS } from "./packages.ts";
import { PARTITIONS } from "./partitions.ts";
import { PERMISSIONS } from "./permissions.ts";
import { PROCESSES } from "./processes.ts";
import { READERS } from "./read.ts";
import type { ProgramRecord } from "./record.ts";
import { REDIS_CLIENTS } from "./redis.ts";
import { RM, SHRED } from "./rm.ts";
import { RSYNC } from "./rsync.ts";
import { SED_PROGRAMS } from "./sed.ts";
import { SERVERS } from "./servers.ts";
import { SERVICE_MANAGERS } from "./services.ts";
import { SHELL_SETUP } from "./shell-setup.ts";
import { SHELLS } from "./shells.ts";
import { SSH } from "./ssh.ts";
import { TAR } from "./tar.ts";
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
  ...RSYNC,
  ...TRUNCATE,
  ...BLKDISCARD,
  ...PARTITIONS,
  ...DASHED_GIT,
  ...SHELLS,
  ...SUDOERS,
  ...ENV,
  ...XARGS,
  ...SSH,
  ...ACCOUNTS,
  ...LAUNCHERS,
  ...EVAL,
  ...EVALUATING_BUILTINS,
  ...BUILTINS,
  ...READERS,
  ...ECHO,
  ...FILE_TEXT,
  ...FILES,
  ...TAR,
  ...LINE_FILTERS,
  ...GREP,
  ...SED_PROGRAMS,
  ...AWK,
  ...ENCODERS,
  ...OPENSSL,
  ...TEXT_TOOLS,
  ...WEB,
  ...DOCUMENTATION,
  ...EDITORS,
  ...BUILD,
  ...LANGUAGES,
  ...NODE_PACKAGES,
  ...LANGUAGE_PACKAGES,
  ...PACKAGE_MANAGERS,
  ...FORGES,
  ...CONTAINER_TOOLS,
  ...CLUSTERS,
  ...INFRASTRUCTURE_TOOLS,
  ...DATABASES,
  ...REDIS_CLIENTS,
  ...DISK_TOOLS,
  ...NETWORK_TOOLS,
  ...FIREWALLS,
  ...CONNECTIONS,
  ...PROCESSES,
  ...MACHINE_SETTINGS,
  ...SERVICE_MANAGERS,
  ...SERVERS,
  ...SHELL_SETUP,
];

const namesOf = ({ names }: ProgramRecord): readonly string[] => words(names);

const BY_NAME: ReadonlyMap<string, ProgramRecord> = new Map(
  RECORDS.flatMap((record) => namesOf(record).map((name) => [name, record] as const)),
);

export const recordOf = (name: string): ProgramRecord | undefined => BY_NAME.get(name);

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

/** Whether what the command line prints is made for `eval`. */
export function printsSetup([name = "", ...args]: readonly string[]): boolean {
  const setup = recordOf(name)?.printsSetup;
  if (setup === undefined || setup === true) return setup === true;
  return words(setup).includes(args.join(" ").split(/\s/, 1)[0] ?? "");
}
