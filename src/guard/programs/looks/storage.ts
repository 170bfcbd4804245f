// How the tools of disks, storage, backups and databases look.
import { options, type ProgramRecord } from "../record.ts";
import { type LookRow, lookRecords } from "./rule.ts";

const ROWS: readonly LookRow[] = [
  ["wal-g", "backup-list|backup-show, wal-show, wal-verify, st ls|cat, backup-mark --help"],
  [
    "garage",
    "status, stats, layout show|history, bucket list|info, key list|info, worker list|get, block list-errors|info",
  ],
  [
    "ceph",
    `status, health, versions, features, -s, -v, -w, df, fsid, quorum_status, time-sync-status, report, log last, node ls,
    osd tree|df|dump|ls|stat|perf|status|find|metadata|blocked-by|utilization|safe-to-destroy|ok-to-stop|versions,
    osd pool ls|get|stats|autoscale-status, osd pool application get, osd crush tree|dump, osd crush rule ls|dump,
    osd crush class ls, osd erasure-code-profile ls|get, osd blocklist|blacklist ls, mon stat|dump|metadata|versions,
    mgr stat|dump|metadata|services|versions, mgr module ls, mds stat|metadata|versions,
    pg stat|dump|ls|ls-by-pool|ls-by-osd|dump_stuck|map, pg * query, fs ls|status|dump|get, auth ls|list|get|get-key,
    config dump|get|show|ls|log|help, config-key ls|dump|get, crash ls|ls-new|info|stat,
    orch ps|ls|status, orch host ls, orch device ls, orch upgrade status|check|ls, device ls|info|get-health-metrics,
    telemetry status|show|preview, balancer status|eval, service status|dump, tell * version, tell * perf dump`,
    { valued: "n c m id name conf cluster", unless: "i o" },
  ],
  [
    "cephadm",
    "ls, list-networks, gather-facts, check-host, inspect-image, ceph-volume inventory, ceph-volume lvm list",
  ],
  [
    "rbd",
    `ls|list, info, du|disk-usage, showmapped, status, children, diff, snap|lock|device|trash|namespace ls|list,
    mirror pool status|info, mirror image status, pool stats, watch, perf image iostat|iotop`,
    { valued: "p pool m id n c" },
  ],
  ["rados", "df, lspools, ls, stat, listxattr, getxattr, lssnap, listwatchers", { valued: "p pool n m c" }],
  [
    "gluster",
    `volume info|status|list|get, volume heal * info|statistics, volume quota * list, volume rebalance * status,
    snapshot list|info|status, peer status, pool list`,
  ],
  ["drbdadm", "status, dump, cstate, dstate, role, sh-resources, sh-dev, sh-minor"],
  [
    "linstor",
    `node|n list|l|info, resource|r list|l|list-volumes|lv, volume|v list|l, storage-pool|sp list|l, controller|c version|v,
    resource-definition|rd list|l, volume-definition|vd list|l, error-reports|err list|l|show, snapshot|s list|l, space-reporting query`,
  ],
  [
    "snapraid",
    "status, diff, smart, list, dup, devices, probe, check",
    { valued: "c d f l", unless: "l log gen-conf" },
  ],
  [
    "nodetool",
    `status, info, ring, describecluster, netstats, tpstats, compactionstats, tablestats, cfstats, tablehistograms, proxyhistograms,
    gossipinfo, getcompactionthroughput, getstreamthroughput, listsnapshots, statusbinary, statusgossip, gcstats, describering,
    getendpoints, getlogginglevels`,
    { valued: "h p u pw" },
  ],
  ["arc_summary arcstat zilstat cifsiostat compsize bcache-super-show filefrag", "*", { unless: "o s-file" }],
  ["duf dust dutree", "*"],
  ["gdu gdu-go", "*", { unless: "o D db read-from-storage" }],
  [
    "snapper",
    "list|ls, status, diff, list-configs, get-config, xadiff",
    { valued: "c config r root t type", unless: "o" },
  ],
  ["portablectl homectl", "list, inspect, is-attached", { valued: "H M" }],
  [
    "iscsiadm",
    "-m session|node|iface|host|fw, --mode session|node|iface|host|fw",
    { unless: "o op l u login logout R U L C rescan" },
  ],
  ["targetcli", "ls, pwd, get, sessions list|detail, status"],
  ["sdparm", "*", { unless: "s S c C command defaults D" }],
  ["sg_inq sg_vpd sg_readcap sg_modes sg_luns sg_map sg_scan sg_turs", "*"],
  ["sg_ses", "*", { unless: "c control C clear S set b byte1 d data n nickname seid" }],
  ["sg_logs", "*", { unless: "r R select S" }],
  ["hdsentinel", "*"],
  ["veracrypt", "--text --list, --list, -t -l"],
  ["nbd-client", "-l, --list, -c, -check"],
  ["pdbedit", "-L*, --list", { unless: "x a r m" }],
  [
    "wbinfo",
    "*",
    { unless: "set-uid-mapping set-gid-mapping allocate-uid allocate-gid change-user-password change-secret" },
  ],
  [
    "net",
    "ads info|status|lookup|testjoin, ads user|group $, rpc testjoin|info, conf list|showshare|listshares, usershare list|info, time $, getlocalsid, status, cache list",
  ],
  ["e4defrag", "-c"],
  ["mergerfs.ctl", "-m * info, info"],
  [
    "kopia",
    "snapshot list|ls, repository status, policy show|list|ls, content stats|list|ls, blob stats|list|ls, manifest list|ls, index inspect, cache info, list|ls, show, diff, maintenance info, user list|info, server status",
  ],
  ["duplicity", "collection-status, list-current-files, verify"],
  [
    "borgmatic",
    "list, info, rinfo, rlist, repo-list, repo-info, config validate, -n, --dry-run",
    { unless: "log-file" },
  ],
  ["rsnapshot", "configtest, du", { valued: "c" }],
  [
    "rdiff-backup",
    "-l, --list-increments, --list-increment-sizes, --list-changed-since, --list-at-time, --compare, list, compare, info",
  ],
  ["bup", "ls, margin, version"],
  [
    "mc mcli",
    "ls, tree, stat, du, cat, head, find, diff, ready, ping, version info, admin info, admin user list|info, admin policy list|info, admin config get, admin trace, admin group list|info, ilm rule ls|list, event ls|list, tag list, quota info, encrypt info, anonymous list|get, retention info, legalhold info, replicate ls|status, alias ls|list, license info",
    { unless: "exec watch" },
  ],
  ["s3cmd", "ls, la, du, info, multipart, listmp", { valued: "c" }],
  ["s5cmd", "ls, du, head, cat, version", { valued: "endpoint-url profile" }],
  ["b2", "list-buckets, ls, get-bucket, get-file-info, account get, bucket list|get, list-keys, key list, file info"],
  ["patronictl", "list, history, topology, show-config, dsn", { valued: "c d" }],
  ["pgbackrest", "info, verify, repo-ls, server-ping"],
  [
    "barman",
    "list-server|list-servers, check, list-backup|list-backups, show-server|show-servers, show-backup, status, list-files, diagnose, replication-status, check-backup, check-wal-archive",
    { valued: "c" },
  ],
  ["repmgr", "cluster show|matrix|crosscheck|event, node status|check, service status, daemon status", { valued: "f" }],
  [
    "pg_waldump pg_amcheck pg_verifybackup pg_config pg_top pg_activity pg_test_timing",
    "*",
    { unless: "save-fullpage install-missing" },
  ],
  ["pg_archivecleanup", "-n, --dry-run"],
  [
    "mysqlcheck mariadb-check",
    "*",
    { unless: "r o a auto-repair optimize analyze repair fix-db-names fix-table-names" },
  ],
  ["cockroach", "node status|ls, version"],
  ["etcdutl", "snapshot status, version"],
  ["rabbitmqadmin", "list, show", { valued: "H P u p N V c f" }],
  [
    "nats",
    "server check|list|ls|info|ping|report, stream ls|list|info|report|state|view|get, consumer ls|list|info|report, kv ls|list|info|status|get, account info, rtt, object ls|info, context ls|info|show",
    { valued: "s server context user password creds" },
  ],
  ["memcached-tool", "* stats|display|settings|sizes, * $"],
  ["immich", "server-info"],
];

export const STORAGE_LOOKS: readonly ProgramRecord[] = [
  ...lookRecords(ROWS),
  {
    names: "sanoid",
    effect: options({
      dry: "readonly",
      unsure: "cron take-snapshots prune-snapshots force-update force-prune",
      reads: "monitor-snapshots monitor-health monitor-capacity",
      otherwise: "unknown",
    }),
  },
  {
    names: "smbclient",
    effect: options({
      unsure: "c D T command tar directory",
      reads: "L list",
      valued: "U W p I s A m n",
      otherwise: "unknown",
    }),
  },
];
