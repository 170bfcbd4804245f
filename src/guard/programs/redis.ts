// `redis-cli` and its relatives.
import { type EffectRule, type ProgramRecord, verbs } from "./record.ts";
import { DATABASE } from "./statements.ts";

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
    valued: "-h -p -a -n -u -s -i -r --user --pass",
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

export const REDIS_CLIENTS: readonly ProgramRecord[] = [{ names: "redis-cli valkey-cli keydb-cli", effect: redis }];
