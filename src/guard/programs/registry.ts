// Finds the record of a program by its name. To teach the guard a program, write its record in a file of records/; `npm run docs`
// lists these files in all-records.ts.
import { type Program, SILENT } from "../interpreter/machine.ts";
import { matches } from "../words/glob.ts";
import { words } from "../words/options.ts";
import { SOME, UNKNOWN } from "../words/symbols.ts";
import * as files from "./all-records.ts";
import type { CommandsRow, ProgramRecord, StartedBy, Written } from "./record.ts";
import { looks } from "./rules/looks.ts";
import { onlyOptions, rowsIn } from "./rules/select.ts";

export const RECORDS: readonly ProgramRecord[] = Object.values(files).flat();

const namesOf = ({ names }: ProgramRecord): readonly string[] => words(names);

const BY_NAME: ReadonlyMap<string, ProgramRecord> = new Map(
  RECORDS.flatMap((record) => namesOf(record).map((name) => [name, record] as const)),
);

export const recordOf = (name: string): ProgramRecord | undefined => BY_NAME.get(name);

/** Of more than files and devices that it takes, so that a name which is not wholly known may mean it. */
const isFollowed = ({
  runs,
  prints,
  effect,
  looks,
  alwaysBlocked,
  printsSetup,
  takesData,
  files,
}: ProgramRecord): boolean =>
  (runs ?? prints ?? effect ?? looks ?? alwaysBlocked ?? printsSetup ?? takesData ?? files) !== undefined;

const OF_MODULES: ReadonlyMap<string, string> = new Map(
  RECORDS.flatMap((record) =>
    words(record.modules ?? "").map((module) => {
      const [first = ""] = namesOf(record);
      return [module, namesOf(record).includes(module) ? module : first] as const;
    }),
  ),
);

/** The program that a module of Python is as well. */
export const programOfModule = (module: string): string | undefined => OF_MODULES.get(module);

const FOLLOWED = RECORDS.filter(isFollowed).flatMap(namesOf);

/** Whether a name that is not wholly known may be that of a program that is followed. */
export const mayBeKnown = (name: string): boolean => FOLLOWED.some((known) => matches(name, known));

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

/** Of an interpreter also where a version comes after its name. */
export function interpreterOf(name: string): ProgramRecord | undefined {
  const own = recordOf(name);
  if (own !== undefined) return own;
  const general = recordOf(name.replace(/[\d.]+$/, ""));
  return general?.script === true || general?.readsCode === true ? general : undefined;
}

/** The record of a name, or of the kind of which it is: `mkfs.ext4` is a mkfs. */
export function kindOf(name: string): ProgramRecord | undefined {
  const [, base = ""] = /^([^.]+)\.[\w.]+$/.exec(name) ?? [];
  const general = recordOf(base);
  return general?.kinds === true ? general : recordOf(name);
}

const LOOKS = new Map(
  RECORDS.flatMap((record) => (record.looks === undefined ? [] : [[record, looks(record.looks, record)] as const])),
);

const ruleOf = (record: ProgramRecord | undefined): ProgramRecord["effect"] =>
  record?.effect ?? (record === undefined ? undefined : LOOKS.get(record));

/** `mkfs.ext4` has the effect of mkfs. */
export const effectRuleOf = (name: string): ProgramRecord["effect"] => ruleOf(recordOf(name)) ?? ruleOf(kindOf(name));

/** What a program writes to; `mkfs.*` is a name of its own. */
export const writesOf = (name: string): readonly Written[] => [
  ...rowsIn(recordOf(name)?.writes, onlyOptions),
  ...(name.includes(".") ? rowsIn(recordOf(name.replace(/\..*/, ".*"))?.writes, onlyOptions) : []),
];

const suspects = RECORDS.filter(({ suspected }) => suspected !== undefined).toSorted(
  (one, other) => (one.suspected ?? 0) - (other.suspected ?? 0),
);

export const SUSPECTS: readonly string[] = suspects.flatMap(namesOf);

export const isSuspectedAnywhere = (name: string): boolean => recordOf(name)?.suspectedInWords === true;

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

const STARTED: readonly StartedBy[] = RECORDS.flatMap(({ startedBy }) => startedBy ?? []);

/** Most paths are none of them, and are looked at once. */
const IS_STARTED = new RegExp(STARTED.map(({ files }) => files.source).join("|"));

/** The commands in a file that something runs later without being named; `file` is absolute. */
export const startedIn = (file: string, text: string): readonly string[] =>
  IS_STARTED.test(file) ? STARTED.flatMap(({ files, commands }) => (files.test(file) ? commands(text) : [])) : [];

/** Whether something runs the commands of the file, an absolute path, without another command. */
export const startsAtOnce = (file: string): boolean =>
  IS_STARTED.test(file) && STARTED.some(({ files, at_once }) => at_once === true && files.test(file));

const COMMAND_VARIABLES = new Map<string, readonly CommandsRow[]>();

for (const row of RECORDS.flatMap(({ commands }) => rowsIn<CommandsRow>(commands, onlyOptions)))
  for (const name of words(row.variables ?? ""))
    COMMAND_VARIABLES.set(name, [...(COMMAND_VARIABLES.get(name) ?? []), row]);

/** The rows for a variable in which a program finds commands. */
export const commandVariable = (name: string): readonly CommandsRow[] | undefined => COMMAND_VARIABLES.get(name);

const LEARNING = RECORDS.flatMap(({ learns }) => learns ?? []);

/** What a file that was written sets for later uses of programs. */
export const learnsFrom: NonNullable<ProgramRecord["learns"]> = (...written) => {
  for (const learns of LEARNING) learns(...written);
};
