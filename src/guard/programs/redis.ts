// `redis-cli` and its relatives.
import { changes, type EffectRule, READS, UNSURE, verbs } from "./effect-rules.ts";
import type { ProgramRecord } from "./record.ts";
import { DATABASE } from "./statements.ts";

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

const redis: EffectRule = ([, ...args], state) => {
  if (args.some((arg) => /^--(rdb|functions-rdb)$/.test(arg))) return changes("writes files");
  if (args.some((arg) => /^--(eval|pipe)$|^-x$/.test(arg))) return UNSURE;
  if (args.some((arg) => /^--(stat|latency|latency-history|bigkeys|memkeys|hotkeys|scan|version)$|^-v$/.test(arg)))
    return READS;
  return REDIS(["redis-cli", ...args.map((arg) => (arg.startsWith("-") ? arg : arg.toLowerCase()))], state);
};

export const REDIS_CLIENTS: readonly ProgramRecord[] = [{ names: "redis-cli valkey-cli keydb-cli", effect: redis }];
