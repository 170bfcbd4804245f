// Holds the records of databases. A statement that plainly asks looks, one that plainly writes changes the data.
import type { State } from "../../interpreter/state.ts";
import { has, optionTable, optionValue, optionValues, parseOptions, words } from "../../words/options.ts";
import type { Consequences, Effect, EffectRule, ProgramRecord } from "../record.ts";
import {
  byOptions,
  isFile,
  isLegible,
  mayBeOption,
  onThisMachine,
  options,
  strongest,
  verbs,
} from "../rules/effects.ts";
import { looks } from "../rules/looks.ts";
import { ANY } from "../rules/select.ts";
import { behindMark, runsTexts } from "../rules/texts.ts";

const READ_BY_STATEMENTS = /(?:^|\s|;)(?:\.read|\\ir?|source|\\\.)\s+["']?([^\s;"']+)/g;

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
  // MySQL runs the text of a comment of this kind.
  if (!isLegible(sql) || sql.includes("/*!")) return "unknown";
  const bare = sql.replace(/--(?=\s|$).*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|`[^`]*`/g, (text) =>
    /^[-/]/.test(text) ? " " : "''",
  );
  const parts = bare.split(/;|\\[gG]\s*$|\n(?=\s*[\\.])/).map((part) => part.trim());
  const effects = parts.filter((part) => part !== "").map(statement);
  return strongest(effects);
}

function statement(text: string): Effect {
  if (META.test(text) || PRAGMA.test(text)) return "reads";
  if (WRITES.test(text)) return { changes: DATABASE };
  return ASKS.test(text) && !ACTS.test(text) ? "reads" : "unknown";
}

/** What is typed at a client: its options, else its input. Nothing at all is nothing known. */
function effectOfStatements(given: readonly (string | null)[], state: State): Effect {
  const texts = given.length > 0 ? given : (state.io.stdin ?? []);
  if (texts.length === 0) return "unknown";
  const effects = texts.map((text) => statements(text ?? ""));
  return strongest(effects);
}

const psql = byOptions(
  "c f o L h p U d v P F R T command file output log-file host port username dbname set variable",
  (parsed, state) => {
    if (isFile(optionValue(parsed, "o", "output", "L", "log-file"))) return { changes: "writes files" };
    if (has(parsed, "f", "file")) return "unknown";
    const commands = optionValues(parsed, "c", "command");
    return commands.length === 0 && has(parsed, "l", "list", "V", "version")
      ? "reads"
      : effectOfStatements(commands, state);
  },
);

const MYSQL = optionTable("e h u P D S execute host user port database socket defaults-file defaults-extra-file");

/** `-psecret` holds a password and no further options. */
const mysql: EffectRule = ([, ...args], state) => {
  const parsed = parseOptions(
    args.map((arg) => (/^-p./.test(arg) ? "-p" : arg)),
    MYSQL,
  );
  if (has(parsed, "tee", "init-command")) return "unknown";
  const texts = optionValues(parsed, "e", "execute");
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

const clickhouse = byOptions("q h u d query host user password port database format", (parsed, state) =>
  effectOfStatements(optionValues(parsed, "q", "query"), state),
);

const MONGO_READS = new Set(
  words(`find findOne count countDocuments estimatedDocumentCount distinct stats serverStatus status version hello isMaster
    currentOp getCollectionNames getCollectionInfos getSiblingDB getCollection getIndexes explain sort limit pretty toArray
    forEach map length printReplicationInfo printSecondaryReplicationInfo conf printjson print stringify dataSize
    storageSize totalSize listCommands serverBuildInfo hostInfo getProfilingStatus`),
);

const MONGO_COMMAND =
  /\b(adminCommand|runCommand)\(\s*(\{\s*["']?(ping|serverStatus|hello|isMaster|dbStats|listDatabases|buildInfo|connectionStatus|replSetGetStatus)["']?\s*:\s*1\s*\}|["'](ping|serverStatus|hello|isMaster)["'])\s*\)/g;

const mongo = byOptions("u p eval host port username password", (parsed) => {
  if (has(parsed, "version")) return "reads";
  const code = optionValue(parsed, "eval");
  if (code === null || !isLegible(code) || parsed.operands.length > 1) return "unknown";
  const bare = code.replace(MONGO_COMMAND, "").replace(/"[^"]*"|'[^']*'/g, '""');
  const calls = [...bare.matchAll(/(\w+)\s*\(/g)].map(([, name = ""]) => name);
  return calls.every((name) => MONGO_READS.has(name)) && !/[^=!<>]=[^=>]|=>|[\])]\s*\(|`|\bfunction\b/.test(bare)
    ? "reads"
    : "unknown";
});

const INFLUX_LOOKS = looks(
  `ping, version, bucket|org|user|task|auth|v1|secret|telegrafs|dashboards|scripts|stacks|remote list|ls, task run list, task log list,
  config $, config list|ls, v1 dbrp|auth list, server-config`,
  { unless: "f file" },
);

/** The first version takes statements. */
const influx: EffectRule = (argv, state) => {
  const at = argv.findIndex((word) => /^--?execute(=|$)/.test(word));
  if (at < 0) return INFLUX_LOOKS(argv, state);
  const text = (argv[at] ?? "").split("=").slice(1).join("=") || (argv[at + 1] ?? "");
  return argv.some((word) => /^--?import/.test(word)) ? "unknown" : effectOfStatements([text], state);
};

const cqlsh = byOptions("e f u p k execute file username password keyspace", (parsed, state) =>
  has(parsed, "f", "file") ? "unknown" : effectOfStatements(optionValues(parsed, "e", "execute"), state),
);

const KAFKA = options({
  why: "changes the broker",
  changes: "create delete alter add remove reset-offsets delete-offsets",
  reads: "list describe version",
  otherwise: "unknown",
});

/** Each of its words is a command. */
const mysqlAdmin = byOptions("h u P S i c w host user port socket sleep count wait", ({ operands }) => {
  const looksOnly = /^(?:status|processlist|extended-status|ping|version|variables|proc\w*|ext\w*|stat|ver|var)$/;
  if (operands.length > 0 && operands.every((word) => looksOnly.test(word))) return "reads";
  return operands.some(mayBeOption) || operands.length === 0 ? "unknown" : { changes: DATABASE };
});

const dump = (valued: string, file: string): EffectRule => options({ why: "writes files", valued, changes: file });

const runsMarked = runsTexts((args, state) => [
  ...behindMark(/\\!/, /^(?:-f|--file)(?:=|$)/)(args, state),
  ...behindMark(/^(?:-e|--execute=)?\s*system\s+/)(args, state),
  ...programsIn([...args, ...(state.io.stdin ?? [])]),
]);

/** The server itself runs it: `copy t to program 'x'`. */
const programsIn = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) =>
    [...text.matchAll(/\b(?:from|to)\s+program\s+'((?:[^']|'')*)'/gi)].map(([, found = ""]) =>
      found.replaceAll("''", "'"),
    ),
  );

const REDIS = verbs(
  DATABASE,
  `get mget strlen getrange exists ttl pttl type keys scan dbsize randomkey info ping echo role time lastsave monitor llen
    lrange lindex hget hgetall hkeys hvals hlen hmget hexists hscan smembers sismember scard sscan zrange zrevrange
    zrangebyscore zscore zrank zcard zcount zscan xlen xrange xrevrange xinfo pfcount bitcount getbit object
    command lolwut`,
  `set setex setnx mset del unlink expire expireat pexpire persist rename flushall flushdb append incr decr incrby
    decrby lpush rpush lpop rpop lrem ltrim lset hset hmset hdel sadd srem spop zadd zrem xadd xdel xtrim restore migrate
    move swapdb save bgsave bgrewriteaof shutdown replicaof slaveof failover publish getset getdel copy`,
  {
    valued: "h p a n u s i r user pass",
    bare: "unknown",
    rules: [
      ["config", verbs(DATABASE, "get", "set rewrite resetstat")],
      ["client", verbs(DATABASE, "list info id getname", "kill pause unpause setname no-evict")],
      ["slowlog", verbs(DATABASE, "get len", "reset")],
      ["memory", verbs(DATABASE, "usage stats doctor malloc-stats", "purge")],
      ["latency", verbs(DATABASE, "latest doctor history graph histogram", "reset")],
      [
        "cluster",
        verbs(
          DATABASE,
          "info nodes slots shards myid keyslot countkeysinslot",
          "failover forget meet reset addslots delslots setslot replicate",
        ),
      ],
      ["acl", verbs(DATABASE, "list whoami users cat getuser", "setuser deluser load save")],
    ],
  },
);

const redis: EffectRule = ([, ...args], state) => {
  if (args.some((arg) => /^--(rdb|functions-rdb)$/.test(arg))) return { changes: "writes files" };
  if (args.some((arg) => /^--(eval|pipe)$|^-x$/.test(arg))) return "unknown";
  if (args.some((arg) => /^--(stat|latency|latency-history|bigkeys|memkeys|hotkeys|scan|version)$|^-v$/.test(arg)))
    return "reads";
  return REDIS(["redis-cli", ...args.map((arg) => (arg.startsWith("-") ? arg : arg.toLowerCase()))], state);
};

const mysqldumpEffect = dump("h u P r T result-file tab", "r T result-file tab");

const DELETES_ROWS =
  /\bdrop\s+(?:table|database|schema|view|materialized|tablespace|collection|keyspace)\b|\btruncate\s+(?:table\s+)?["`\w]|\bdelete\s+from\b/i;

const CHANGES_ROLES = /\b(?:create|alter|drop)\s+(?:user|role|group)\b|\b(?:grant|revoke)\s+\w|\bset\s+password\b/i;

const PSQL_CONSEQUENCES: Consequences = {
  deletes_data: DELETES_ROWS,
  changes_accounts: CHANGES_ROLES,
  restarts_service: /\bpg_terminate_backend\s*\(/i,
};

const MYSQLADMIN_CONSEQUENCES: Consequences = {
  restarts_service: /(?:^|\s)shutdown(?:\s|$)/,
  deletes_data: /(?:^|\s)drop(?=\s|$)/,
  changes_accounts: /(?:^|\s)password(?=\s|$)/,
};

/** Settings of the server that it gives to a shell. */
const SERVER_COMMANDS =
  /\b(?:archive_command|restore_command|archive_cleanup_command|recovery_end_command|ssl_passphrase_command)\s*(?:=|\s+to\s)\s*(?:E?'((?:[^']|'')*)'|"([^"]*)"|(\S+))/gi;

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "sqlite3",
      runs: runsTexts(behindMark(/^\.(shell|system)\s/, /^-init$/)),
      effect: sqlite,
      consequences: {
        deletes_data: DELETES_ROWS,
      },
      applies: [
        { options: "init", input: "all", includes: /^\s*\.read\s+["']?([^\s"']+)/gm },
        { within: READ_BY_STATEMENTS },
      ],
      statements: true,
    },
  ]),
  {
    names: "psql",
    commands: { options: "c command", valued: "d h p U v o F R T P f", input: true, within: SERVER_COMMANDS },
    runs: runsMarked,
    effect: psql,
    consequences: PSQL_CONSEQUENCES,
    hosts: "h host",
    applies: [
      {
        options: "f file",
        valued: "c d h p U v o F R T P command dbname host port username set",
        input: "all",
        includes: /^\s*\\ir?\s+["']?([^\s"';]+)/gm,
      },
      { within: READ_BY_STATEMENTS },
    ],
    statements: true,
  },
  {
    names: "mysql mariadb",
    commands: { options: "pager", valued: "h u P S e D" },
    runs: runsMarked,
    effect: mysql,
    consequences: PSQL_CONSEQUENCES,
    hosts: "h host",
    applies: [
      {
        options: "init-file defaults-file defaults-extra-file",
        input: "all",
        includes: /^\s*(?:source|\\\.)\s+([^\s;]+)/gim,
      },
      { within: READ_BY_STATEMENTS },
    ],
    statements: true,
  },
  {
    names: "clickhouse-client",
    effect: clickhouse,
    consequences: PSQL_CONSEQUENCES,
    applies: { options: "queries-file init", input: "all" },
    statements: true,
  },
  {
    names: "mongosh mongo",
    effect: mongo,
    consequences: {
      deletes_data: /\b(?:dropDatabase|drop|deleteMany|deleteOne|remove|findOneAndDelete|bulkWrite)\s*\(/,
    },
    hosts: "host",
    applies: { options: "f file", operands: /\.m?js$/, input: "all" },
    statements: true,
  },
  { names: "pg_isready mysqlshow mongostat mongotop pg_controldata pg_lsclusters", effect: "reads" },
  {
    names: "pg_dump pg_dumpall",
    effect: dump("f h p U d t n file host port username dbname", "f file"),
    hosts: "h host",
    writes: "f file",
  },
  { names: "mysqldump", effect: mysqldumpEffect, hosts: "h host" },
  { names: "mariadb-dump", effect: mysqldumpEffect },
  {
    names: "pg_restore",
    effect: options({ reads: "l list", otherwise: { changes: DATABASE } }),
    consequences: { deletes_data: /(?:^|\s)(?:-\w*c\w*|--clean)(?=\s|$)/ },
    hosts: "h host",
    applies: {
      operands: ANY,
      valued: "d h p U j F n t T I P dbname host port username jobs format schema table",
      input: "redirected",
    },
  },
  { names: "createdb", effect: { changes: DATABASE }, hosts: "h host" },
  { names: "dropdb", effect: { changes: DATABASE }, consequences: { deletes_data: true }, hosts: "h host" },
  {
    names: "createuser dropuser",
    effect: { changes: DATABASE },
    consequences: { changes_accounts: true },
    hosts: "h host",
  },
  { names: "vacuumdb reindexdb initdb mysqlimport", effect: { changes: DATABASE } },
  { names: "mongorestore", effect: { changes: DATABASE }, consequences: { deletes_data: /(?:^|\s)--drop(?=\s|$)/ } },
  {
    names: "pg_ctlcluster",
    looks: "* * status",
    consequences: { restarts_service: /\s(?:stop|restart|reload)(?:\s|$)/ },
  },
  { names: "cypher-shell", consequences: { deletes_data: /\b(?:delete|drop)\s/i }, statements: true },
  { names: "zkCli.sh zookeeper-shell.sh", consequences: { deletes_data: /(?:^|\s)(?:delete|deleteall|rmr)\s/ } },
  { names: "hdfs hadoop", consequences: { deletes_data: /^(?:dfs|fs)\s(?:.*\s)?-(?:rm|rmr|rmdir|expunge)(?=\s|$)/ } },
  { names: "pg_dropcluster", consequences: { deletes_data: true } },
  {
    names: "pg_ctl",
    valued: "D l o t",
    commands: { options: "o options", valued: "D l t", within: SERVER_COMMANDS },
    effect: verbs("changes services", "status", "start stop restart reload promote kill init", {
      valued: "D l o t",
    }),
    consequences: { restarts_service: /^(?:stop|restart|reload)(?:\s|$)/ },
  },
  {
    names: "mysqladmin",
    valued: "h u P S",
    effect: mysqlAdmin,
    consequences: MYSQLADMIN_CONSEQUENCES,
    hosts: "h host",
  },
  {
    names: "mariadb-admin",
    valued: "h u P S",
    effect: mysqlAdmin,
    consequences: MYSQLADMIN_CONSEQUENCES,
  },
  {
    names: "influx",
    effect: influx,
    consequences: { deletes_data: /^(?:bucket\s+)?delete(?:\s|$)/ },
    applies: { options: "f file i input-file", input: "all" },
  },
  {
    names: "cqlsh",
    effect: cqlsh,
    consequences: PSQL_CONSEQUENCES,
    applies: { options: "f file i input-file", input: "all" },
    statements: true,
  },
  {
    names:
      "kafka-topics.sh kafka-topics kafka-consumer-groups.sh kafka-consumer-groups kafka-acls.sh kafka-acls kafka-configs.sh kafka-configs",
    effect: KAFKA,
    consequences: { deletes_data: /(?:^|\s)--delete(?:-offsets)?(?=\s|$)/ },
  },
  { names: "kafka-delete-records.sh kafka-delete-records", consequences: { deletes_data: true } },
  {
    names: "kcat kafkacat",
    effect: options({ unsure: "P G C F E", reads: "L Q V", valued: "b t p o X D K c f d", otherwise: "unknown" }),
  },
  {
    names: "redis-cli valkey-cli keydb-cli",
    valued: "h p a n u s i r user pass",
    effect: redis,
    consequences: {
      restarts_service: /^shutdown(?:\s|$)/i,
      deletes_data: /^(?:flushall|flushdb|del|unlink|hdel|lrem|ltrim|srem|spop|zrem\w*|xdel|xtrim|getdel)(?:\s|$)/i,
      changes_accounts: /^acl\s+(?:setuser|deluser)(?:\s|$)/i,
    },
    hosts: "h",
    applies: { options: "eval", input: "all" },
    statements: true,
  },
  {
    names: "nodetool",
    valued: "h p u pw",
    looks: `status, info, ring, describecluster, netstats, tpstats, compactionstats, tablestats, cfstats, tablehistograms, proxyhistograms,
    gossipinfo, getcompactionthroughput, getstreamthroughput, listsnapshots, statusbinary, statusgossip, gcstats, describering,
    getendpoints, getlogginglevels`,
    consequences: { deletes_data: /^(?:clearsnapshot|removenode|assassinate|truncatehints|decommission)(?:\s|$)/ },
  },
  { names: "patronictl", valued: "c d", looks: "list, history, topology, show-config, dsn" },
  {
    names: "repmgr",
    valued: "f",
    looks: "cluster show|matrix|crosscheck|event, node status|check, service status, daemon status",
  },
  {
    names: "pg_waldump pg_amcheck pg_verifybackup pg_config pg_top pg_activity pg_test_timing",
    looks: "*",
    unless: "save-fullpage install-missing",
  },
  { names: "pg_archivecleanup", looks: "-n, --dry-run" },
  {
    names: "mysqlcheck mariadb-check",
    looks: "*",
    unless: "r o a auto-repair optimize analyze repair fix-db-names fix-table-names",
  },
  {
    names: "cockroach",
    looks: "node status|ls, version",
    consequences: PSQL_CONSEQUENCES,
    applies: { options: "f file i input-file", input: "all" },
    statements: true,
  },
  { names: "etcdutl", looks: "snapshot status, version" },
  { names: "rabbitmqadmin", valued: "H P u p N V c f", looks: "list, show" },
  {
    names: "nats",
    valued: "s server context user password creds",
    looks:
      "server check|list|ls|info|ping|report, stream ls|list|info|report|state|view|get, consumer ls|list|info|report, kv ls|list|info|status|get, account info, rtt, object ls|info, context ls|info|show",
  },
  { names: "memcached-tool", looks: "* stats|display|settings|sizes, * $" },
  { names: "sqlite litecli", applies: { options: "init", input: "all", includes: /^\s*\.read\s+["']?([^\s"']+)/gm } },
  {
    names: "clickhouse clickhouse-local",
    consequences: PSQL_CONSEQUENCES,
    applies: { options: "queries-file init", input: "all" },
    statements: true,
  },
  {
    names: "duckdb",
    consequences: PSQL_CONSEQUENCES,
    applies: [{ options: "queries-file init", input: "all" }, { within: READ_BY_STATEMENTS }],
    statements: true,
    here: true,
  },
  {
    names:
      "mssql-cli sqlcmd osql usql pgcli mycli mysqlsh sqlplus spark-sql hive beeline snowsql trino presto impala-shell vsql",
    consequences: PSQL_CONSEQUENCES,
    applies: { options: "f file i input-file", input: "all" },
    statements: true,
  },
  { names: "nats-server", applies: { options: "c config", operands: /\.json$/ } },
];
