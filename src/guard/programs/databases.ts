// Database clients.
import { has, optionValue, parseOptions } from "../words/options.ts";
import {
  changes,
  changing,
  type EffectRule,
  isFile,
  isLegible,
  options,
  optionTable,
  READS,
  reads,
  UNSURE,
  unsure,
  verbs,
  words,
} from "./effect-rules.ts";
import type { ProgramRecord } from "./record.ts";
import { behindMark, runsTexts } from "./runs-texts.ts";
import { DATABASE, effectOfStatements } from "./statements.ts";

const PSQL = optionTable(
  "c f o L h p U d v P F R T command file output log-file host port username dbname set variable",
);

const psql: EffectRule = ([, ...args], state) => {
  const parsed = parseOptions(args, PSQL);
  if (isFile(optionValue(parsed, "o", "output", "L", "log-file"))) return changes("writes files");
  if (has(parsed, "f", "file")) return UNSURE;
  const commands = parsed.options.filter(({ name }) => name === "c" || name === "command").map(({ value }) => value);
  return commands.length === 0 && has(parsed, "l", "list", "V", "version")
    ? READS
    : effectOfStatements(commands, state);
};

const MYSQL = optionTable("e h u P D S execute host user port database socket defaults-file defaults-extra-file");

/** `-psecret` holds a password and no further options. */
const mysql: EffectRule = ([, ...args], state) => {
  const parsed = parseOptions(
    args.map((arg) => (/^-p./.test(arg) ? "-p" : arg)),
    MYSQL,
  );
  if (has(parsed, "tee", "init-command")) return UNSURE;
  const texts = parsed.options.filter(({ name }) => name === "e" || name === "execute").map(({ value }) => value);
  return texts.length === 0 && has(parsed, "V", "version") ? READS : effectOfStatements(texts, state);
};

const SQLITE_VALUED = new Set(
  words("-cmd -init -separator -newline -nullvalue -mmap -maxsize -vfs -lookaside -pagecache"),
);

const sqlite: EffectRule = ([, ...args], state) => {
  if (args.includes("-init") || args.includes("-A")) return UNSURE;
  const first = args.filter((arg, at) => args[at - 1] === "-cmd" && arg !== "");
  const [, ...texts] = args.filter((arg, at) => !arg.startsWith("-") && !SQLITE_VALUED.has(args[at - 1] ?? ""));
  return args.length === 1 && /^--?version$/.test(args[0] ?? "")
    ? READS
    : effectOfStatements([...first, ...texts], state);
};

const clickhouse: EffectRule = ([, ...args], state) => {
  const parsed = parseOptions(args, optionTable("q h u d query host user password port database format"));
  return effectOfStatements(
    parsed.options.filter(({ name }) => name === "q" || name === "query").map(({ value }) => value),
    state,
  );
};

const MONGO_READS = new Set(
  words(`find findOne count countDocuments estimatedDocumentCount distinct stats serverStatus status version hello isMaster
    currentOp getCollectionNames getCollectionInfos getSiblingDB getCollection getIndexes explain sort limit pretty toArray
    forEach map length printReplicationInfo printSecondaryReplicationInfo conf printjson print stringify dataSize
    storageSize totalSize listCommands serverBuildInfo hostInfo getProfilingStatus`),
);

const MONGO_COMMAND =
  /\b(adminCommand|runCommand)\(\s*(\{\s*["']?(ping|serverStatus|hello|isMaster|dbStats|listDatabases|buildInfo|connectionStatus|replSetGetStatus)["']?\s*:\s*1\s*\}|["'](ping|serverStatus|hello|isMaster)["'])\s*\)/g;

const mongo: EffectRule = ([, ...args]) => {
  const parsed = parseOptions(args, optionTable("u p eval host port username password"));
  if (has(parsed, "version")) return READS;
  const code = optionValue(parsed, "eval");
  if (code === null || !isLegible(code) || parsed.operands.length > 1) return UNSURE;
  const bare = code.replace(MONGO_COMMAND, "").replace(/"[^"]*"|'[^']*'/g, '""');
  const calls = [...bare.matchAll(/(\w+)\s*\(/g)].map(([, name = ""]) => name);
  return calls.every((name) => MONGO_READS.has(name)) && !/[^=!<>]=[^=>]|=>|[\])]\s*\(|`|\bfunction\b/.test(bare)
    ? READS
    : UNSURE;
};

const dump = (valued: string, file: string): EffectRule => options({ why: "writes files", valued, changes: file });

const runsMarked = runsTexts(behindMark(/\\!/));

export const DATABASES: readonly ProgramRecord[] = [
  { names: "psql", runs: runsMarked, effect: psql },
  { names: "mysql mariadb", runs: runsMarked, effect: mysql },
  { names: "sqlite3", runs: runsTexts(behindMark(/^\.(shell|system)\s/)), effect: sqlite },
  { names: "clickhouse-client", effect: clickhouse },
  { names: "mongosh mongo", effect: mongo },
  { names: "pg_isready mysqlshow mongostat mongotop pg_controldata pg_lsclusters", effect: reads },
  { names: "pg_dump pg_dumpall", effect: dump("f h p U d t n file host port username dbname", "f file") },
  { names: "mysqldump mariadb-dump", effect: dump("h u P r T result-file tab", "r T result-file tab") },
  { names: "pg_restore", effect: options({ reads: "l list", otherwise: changes(DATABASE) }) },
  {
    names: "createdb dropdb createuser dropuser vacuumdb reindexdb initdb mongorestore mysqlimport",
    effect: changing(DATABASE),
  },
  {
    names: "pg_ctl pg_ctlcluster",
    effect: verbs({
      why: "changes services",
      valued: "-D -l -o -t",
      reads: "status",
      changes: "start stop restart reload promote kill init",
    }),
  },
  {
    names: "mysqladmin mariadb-admin",
    effect: verbs({
      why: DATABASE,
      valued: "-h -u -P -S",
      reads: "status processlist extended-status ping version variables",
      changes:
        "shutdown create drop kill password reload refresh flush-hosts flush-logs flush-tables flush-privileges start-replica stop-replica",
    }),
  },
  { names: "influx", effect: unsure },
];
