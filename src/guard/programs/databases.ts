// Database clients.
import { has, optionTable, optionValue, parseOptions, words } from "../words/options.ts";
import { type EffectRule, isFile, isLegible, options, type ProgramRecord, verbs } from "./record.ts";
import { behindMark, runsTexts } from "./runs-texts.ts";
import { DATABASE, effectOfStatements } from "./statements.ts";

const PSQL = optionTable(
  "c f o L h p U d v P F R T command file output log-file host port username dbname set variable",
);

const psql: EffectRule = ([, ...args], state) => {
  const parsed = parseOptions(args, PSQL);
  if (isFile(optionValue(parsed, "o", "output", "L", "log-file"))) return { changes: "writes files" };
  if (has(parsed, "f", "file")) return "unknown";
  const commands = parsed.options.filter(({ name }) => name === "c" || name === "command").map(({ value }) => value);
  return commands.length === 0 && has(parsed, "l", "list", "V", "version")
    ? "reads"
    : effectOfStatements(commands, state);
};

const MYSQL = optionTable("e h u P D S execute host user port database socket defaults-file defaults-extra-file");

/** `-psecret` holds a password and no further options. */
const mysql: EffectRule = ([, ...args], state) => {
  const parsed = parseOptions(
    args.map((arg) => (/^-p./.test(arg) ? "-p" : arg)),
    MYSQL,
  );
  if (has(parsed, "tee", "init-command")) return "unknown";
  const texts = parsed.options.filter(({ name }) => name === "e" || name === "execute").map(({ value }) => value);
  return texts.length === 0 && has(parsed, "V", "version") ? "reads" : effectOfStatements(texts, state);
};

const SQLITE_VALUED = new Set(
  words("-cmd -init -separator -newline -nullvalue -mmap -maxsize -vfs -lookaside -pagecache"),
);

const sqlite: EffectRule = ([, ...args], state) => {
  if (args.includes("-init") || args.includes("-A")) return "unknown";
  const first = args.filter((arg, at) => args[at - 1] === "-cmd" && arg !== "");
  const [, ...texts] = args.filter((arg, at) => !arg.startsWith("-") && !SQLITE_VALUED.has(args[at - 1] ?? ""));
  return args.length === 1 && /^--?version$/.test(args[0] ?? "")
    ? "reads"
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
  if (has(parsed, "version")) return "reads";
  const code = optionValue(parsed, "eval");
  if (code === null || !isLegible(code) || parsed.operands.length > 1) return "unknown";
  const bare = code.replace(MONGO_COMMAND, "").replace(/"[^"]*"|'[^']*'/g, '""');
  const calls = [...bare.matchAll(/(\w+)\s*\(/g)].map(([, name = ""]) => name);
  return calls.every((name) => MONGO_READS.has(name)) && !/[^=!<>]=[^=>]|=>|[\])]\s*\(|`|\bfunction\b/.test(bare)
    ? "reads"
    : "unknown";
};

const dump = (valued: string, file: string): EffectRule => options({ why: "writes files", valued, changes: file });

const runsMarked = runsTexts(behindMark(/\\!/));

export const DATABASES: readonly ProgramRecord[] = [
  { names: "psql", runs: runsMarked, effect: psql },
  { names: "mysql mariadb", runs: runsMarked, effect: mysql },
  { names: "sqlite3", runs: runsTexts(behindMark(/^\.(shell|system)\s/)), effect: sqlite },
  { names: "clickhouse-client", effect: clickhouse },
  { names: "mongosh mongo", effect: mongo },
  { names: "pg_isready mysqlshow mongostat mongotop pg_controldata pg_lsclusters", effect: "reads" },
  { names: "pg_dump pg_dumpall", effect: dump("f h p U d t n file host port username dbname", "f file") },
  { names: "mysqldump mariadb-dump", effect: dump("h u P r T result-file tab", "r T result-file tab") },
  { names: "pg_restore", effect: options({ reads: "l list", otherwise: { changes: DATABASE } }) },
  {
    names: "createdb dropdb createuser dropuser vacuumdb reindexdb initdb mongorestore mysqlimport",
    effect: { changes: DATABASE },
  },
  {
    names: "pg_ctl pg_ctlcluster",
    effect: verbs("changes services", "status", "start stop restart reload promote kill init", {
      valued: "-D -l -o -t",
    }),
  },
  {
    names: "mysqladmin mariadb-admin",
    effect: verbs(
      DATABASE,
      "status processlist extended-status ping version variables",
      "shutdown create drop kill password reload refresh flush-hosts flush-logs flush-tables flush-privileges start-replica stop-replica",
      { valued: "-h -u -P -S" },
    ),
  },
  { names: "influx", effect: "unknown" },
];
