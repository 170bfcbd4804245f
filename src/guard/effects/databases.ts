// Database clients: only a statement that plainly asks counts as looking; one that plainly writes changes the data.
import { has, optionValue, parseOptions } from "../shell/options.ts";
import type { State } from "../shell/state.ts";
import {
  changes,
  changing,
  type Effect,
  type Family,
  isFile,
  isLegible,
  options,
  optionTable,
  READS,
  type Rule,
  reads,
  UNSURE,
  unsure,
  verbs,
  words,
} from "./effect.ts";

const DATABASE = "changes the database";

const ASKS = /^(select|show|explain|describe|desc|values|table|with)\b/i;
const WRITES =
  /^(insert|update|delete|drop|alter|create|truncate|grant|revoke|merge|replace|vacuum|reindex|rename|load)\b/i;
/** Words and functions that change something even where a statement begins as a question. */
const ACTS =
  /\b(insert|update|delete|drop|alter|create|truncate|grant|revoke|into|merge|replace|call|copy|lock|setval|nextval|set_config|load_file|load_extension|writefile|edit|dblink\w*|lo_\w+|pg_(terminate|cancel|reload|rotate|switch|promote|create|drop|start|stop|backup|advisory|read|ls|notify|logical|replication_(slot_adv|origin))\w*|sleep|kill)\b/i;
const PRAGMA =
  /^pragma\s+(integrity_check|quick_check|table_info|table_list|database_list|index_list|index_info|foreign_key_list|foreign_key_check)(\s*\([^()]*\))?$|^pragma\s+(user_version|journal_mode|page_count|page_size|freelist_count|encoding|compile_options)$/i;
const META =
  /^\\(l|dt?|d\w*|z|conninfo|x|timing|sf|sv|encoding|q|pset|a|t)\+?(\s|$)|^\.(tables|schema|databases|indexes|indices|dbinfo|headers?|mode|width|timeout|quit|show|version)\b/;

/** Strings, comments and quoted names away, then statement by statement. */
function statements(sql: string): Effect {
  // MySQL runs what stands in a comment of this kind.
  if (!isLegible(sql) || sql.includes("/*!")) return UNSURE;
  const bare = sql.replace(/--(?=\s|$).*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|`[^`]*`/g, (text) =>
    /^[-/]/.test(text) ? " " : "''",
  );
  const parts = bare.split(/;|\\[gG]\s*$|\n(?=\s*[\\.])/).map((part) => part.trim());
  const effects = parts.filter((part) => part !== "").map(statement);
  return effects.find(({ is }) => is === "changes") ?? effects.find(({ is }) => is === "unknown") ?? READS;
}

function statement(text: string): Effect {
  if (META.test(text) || PRAGMA.test(text)) return READS;
  if (WRITES.test(text)) return changes(DATABASE);
  return ASKS.test(text) && !ACTS.test(text) ? READS : UNSURE;
}

/** What is typed at a client: its options, else its input. Nothing at all is nothing known. */
function judged(given: readonly (string | null)[], state: State): Effect {
  const texts = given.length > 0 ? given : (state.stdin ?? []);
  if (texts.length === 0) return UNSURE;
  const effects = texts.map((text) => statements(text ?? ""));
  return effects.find(({ is }) => is === "changes") ?? effects.find(({ is }) => is === "unknown") ?? READS;
}

const PSQL = optionTable(
  "c f o L h p U d v P F R T command file output log-file host port username dbname set variable",
);

const psql: Rule = ([, ...args], state) => {
  const parsed = parseOptions(args, PSQL);
  if (isFile(optionValue(parsed, "o", "output", "L", "log-file"))) return changes("writes files");
  if (has(parsed, "f", "file")) return UNSURE;
  const commands = parsed.options.filter(({ name }) => name === "c" || name === "command").map(({ value }) => value);
  return commands.length === 0 && has(parsed, "l", "list", "V", "version") ? READS : judged(commands, state);
};

const MYSQL = optionTable("e h u P D S execute host user port database socket defaults-file defaults-extra-file");

/** `-psecret` holds a password and no further options. */
const mysql: Rule = ([, ...args], state) => {
  const parsed = parseOptions(
    args.map((arg) => (/^-p./.test(arg) ? "-p" : arg)),
    MYSQL,
  );
  if (has(parsed, "tee", "init-command")) return UNSURE;
  const texts = parsed.options.filter(({ name }) => name === "e" || name === "execute").map(({ value }) => value);
  return texts.length === 0 && has(parsed, "V", "version") ? READS : judged(texts, state);
};

const SQLITE_VALUED = new Set(
  words("-cmd -init -separator -newline -nullvalue -mmap -maxsize -vfs -lookaside -pagecache"),
);

const sqlite: Rule = ([, ...args], state) => {
  if (args.includes("-init") || args.includes("-A")) return UNSURE;
  const first = args.filter((arg, at) => args[at - 1] === "-cmd" && arg !== "");
  const [, ...texts] = args.filter((arg, at) => !arg.startsWith("-") && !SQLITE_VALUED.has(args[at - 1] ?? ""));
  return args.length === 1 && /^--?version$/.test(args[0] ?? "") ? READS : judged([...first, ...texts], state);
};

const clickhouse: Rule = ([, ...args], state) => {
  const parsed = parseOptions(args, optionTable("q h u d query host user password port database format"));
  return judged(
    parsed.options.filter(({ name }) => name === "q" || name === "query").map(({ value }) => value),
    state,
  );
};

const REDIS = verbs({
  why: DATABASE,
  valued: "-h -p -a -n -u -s -i -r --user --pass",
  bare: UNSURE,
  reads: `get mget strlen getrange exists ttl pttl type keys scan dbsize randomkey info ping echo role time lastsave monitor llen
    lrange lindex hget hgetall hkeys hvals hlen hmget hexists hscan smembers sismember scard sscan zrange zrevrange
    zrangebyscore zscore zrank zcard zcount zscan xlen xrange xrevrange xinfo pfcount bitcount getbit object
    command lolwut`,
  changes: `set setex setnx mset del unlink expire expireat pexpire persist rename flushall flushdb append incr decr incrby
    decrby lpush rpush lpop rpop lrem ltrim lset hset hmset hdel sadd srem spop zadd zrem xadd xdel xtrim restore migrate
    move swapdb save bgsave bgrewriteaof shutdown replicaof slaveof failover publish getset getdel copy`,
  rules: [
    ["config", verbs({ why: DATABASE, reads: "get", changes: "set rewrite resetstat" })],
    ["client", verbs({ why: DATABASE, reads: "list info id getname", changes: "kill pause unpause setname no-evict" })],
    ["slowlog", verbs({ why: DATABASE, reads: "get len", changes: "reset" })],
    ["memory", verbs({ why: DATABASE, reads: "usage stats doctor malloc-stats", changes: "purge" })],
    ["latency", verbs({ why: DATABASE, reads: "latest doctor history graph histogram", changes: "reset" })],
    [
      "cluster",
      verbs({
        why: DATABASE,
        reads: "info nodes slots shards myid keyslot countkeysinslot",
        changes: "failover forget meet reset addslots delslots setslot replicate",
      }),
    ],
    ["acl", verbs({ why: DATABASE, reads: "list whoami users cat getuser", changes: "setuser deluser load save" })],
  ],
});

const redis: Rule = ([, ...args], state) => {
  if (args.some((arg) => /^--(rdb|functions-rdb)$/.test(arg))) return changes("writes files");
  if (args.some((arg) => /^--(eval|pipe)$|^-x$/.test(arg))) return UNSURE;
  if (args.some((arg) => /^--(stat|latency|latency-history|bigkeys|memkeys|hotkeys|scan|version)$|^-v$/.test(arg)))
    return READS;
  return REDIS(["redis-cli", ...args.map((arg) => (arg.startsWith("-") ? arg : arg.toLowerCase()))], state);
};

const MONGO_READS = new Set(
  words(`find findOne count countDocuments estimatedDocumentCount distinct stats serverStatus status version hello isMaster
    currentOp getCollectionNames getCollectionInfos getSiblingDB getCollection getIndexes explain sort limit pretty toArray
    forEach map length printReplicationInfo printSecondaryReplicationInfo conf printjson print stringify dataSize
    storageSize totalSize listCommands serverBuildInfo hostInfo getProfilingStatus`),
);
const MONGO_COMMAND =
  /\b(adminCommand|runCommand)\(\s*(\{\s*["']?(ping|serverStatus|hello|isMaster|dbStats|listDatabases|buildInfo|connectionStatus|replSetGetStatus)["']?\s*:\s*1\s*\}|["'](ping|serverStatus|hello|isMaster)["'])\s*\)/g;

const mongo: Rule = ([, ...args]) => {
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

const dump = (valued: string, file: string): Rule => options({ why: "writes files", valued, changes: file });

export const DATABASES: Family = [
  ["psql", psql],
  ["mysql mariadb", mysql],
  ["sqlite3", sqlite],
  ["clickhouse-client", clickhouse],
  ["redis-cli valkey-cli keydb-cli", redis],
  ["mongosh mongo", mongo],
  ["pg_isready mysqlshow mongostat mongotop pg_controldata pg_lsclusters", reads],
  ["pg_dump pg_dumpall", dump("f h p U d t n file host port username dbname", "f file")],
  ["mysqldump mariadb-dump", dump("h u P r T result-file tab", "r T result-file tab")],
  ["pg_restore", options({ reads: "l list", otherwise: changes(DATABASE) })],
  ["createdb dropdb createuser dropuser vacuumdb reindexdb initdb mongorestore mysqlimport", changing(DATABASE)],
  [
    "pg_ctl pg_ctlcluster",
    verbs({
      why: "changes services",
      valued: "-D -l -o -t",
      reads: "status",
      changes: "start stop restart reload promote kill init",
    }),
  ],
  [
    "mysqladmin mariadb-admin",
    verbs({
      why: DATABASE,
      valued: "-h -u -P -S",
      reads: "status processlist extended-status ping version variables",
      changes:
        "shutdown create drop kill password reload refresh flush-hosts flush-logs flush-tables flush-privileges start-replica stop-replica",
    }),
  ],
  ["influx", unsure],
];
