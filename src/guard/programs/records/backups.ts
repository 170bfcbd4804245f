// Holds the records of programs that keep backups, snapshots and objects of a store.
import type { Consequences, ProgramRecord } from "../record.ts";
import { COMPLETIONS, options, unlessDry, verbs, WRITES, WRITING } from "../rules/effects.ts";

const mcLooks =
  "ls, tree, stat, du, cat, head, find, diff, ready, ping, version info, admin info, admin user list|info, admin policy list|info, admin config get, admin trace, admin group list|info, ilm rule ls|list, event ls|list, tag list, quota info, encrypt info, anonymous list|get, retention info, legalhold info, replicate ls|status, alias ls|list, license info";

const FORGETS = /^(?:(?:snapshot|group)\s+)?(?:forget|prune)(?:\s|$)/;

const BORG_CONSEQUENCES: Consequences = { deletes_data: /^(?:delete|prune|compact)(?:\s|$)/ };

const SNAPPER_CONSEQUENCES: Consequences = { deletes_data: /(?:^|\s)(?:delete|rm|remove|--delete(?:-all)?)(?=\s|$)/ };

const MC_CONSEQUENCES: Consequences = { deletes_data: /^(?:rm|rb|del|undo)\s|^mirror\s.*--remove/ };

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "rclone",
    valued: "config transfers checkers bwlimit log-file log-level exclude include filter",
    printsSetup: COMPLETIONS,
    effect: unlessDry(
      "n dry-run",
      verbs(
        WRITES,
        "ls lsd lsl lsf lsjson size check cryptcheck about version listremotes tree cat md5sum sha1sum hashsum",
        "copy copyto move moveto sync bisync delete deletefile purge rmdir rmdirs mkdir touch cleanup dedupe settier rcat link backend",
        {
          valued: "config",
          rules: [
            [
              "config",
              verbs(
                WRITES,
                "file show paths dump redacted providers",
                "create update delete reconnect password edit touch disconnect",
              ),
            ],
          ],
        },
      ),
      "config",
    ),
    sideEffects: [
      { long: "password-command", effect: "unknown" },
      {
        long: "log-file output-file combined differ match missing-on-src missing-on-dst error dest-after cpuprofile memprofile",
        effect: WRITING,
      },
    ],
    commands: {
      options: "password-command sftp-ssh metadata-mapper",
      variables: "RCLONE_PASSWORD_COMMAND RCLONE_SFTP_SSH RCLONE_METADATA_MAPPER",
    },
    consequences: {
      deletes_data: /^(?:delete|deletefile|purge|rmdirs?|sync|bisync|cleanup|dedupe|move|moveto)(?:\s|$)/,
    },
    deletes: [
      {
        when: /\b(?:purge|delete|rmdirs)\b/,
        unless: /(?:^|\s)(?:-n|--dry-run)/,
        valued: "config",
        skip: 1,
        operands: "all",
      },
      { when: /\b(?:sync|move)\b/, unless: /(?:^|\s)(?:-n|--dry-run)/, valued: "config", operands: "last", skip: 1 },
    ],
    applies: "files-from files-from-raw files-from-verbatim exclude-file config include-from filter-from",
  },
  {
    names: "restic",
    valued: "r repo p password-file cache-dir o repository-file password-command",
    printsSetup: COMPLETIONS,
    effect: unlessDry(
      "n dry-run",
      verbs(
        "changes a backup",
        "snapshots stats check ls find diff list cat version dump",
        "backup forget prune init restore tag unlock rewrite repair migrate copy",
        {
          valued: "r repo p password-file cache-dir o",
          rules: [["key", verbs("changes a backup", "list", "add remove passwd")]],
        },
      ),
      "r p o repo password-file cache-dir",
    ),
    sideEffects: [
      { long: "password-command", effect: "unknown" },
      { long: "target", effect: WRITING },
    ],
    consequences: { deletes_data: FORGETS },
    commands: {
      options: "password-command stdin-from-command",
      valued: "r repo p o",
      words: /^sftp\.command=(.+)$/,
      variables: "RESTIC_PASSWORD_COMMAND RESTIC_FROM_PASSWORD_COMMAND",
    },
    applies: "files-from files-from-raw files-from-verbatim exclude-file config include-from filter-from",
  },
  {
    names: "borg",
    valued: "remote-path rsh lock-wait umask",
    effect: unlessDry(
      "n dry-run",
      verbs(
        "changes a backup",
        "list info diff check version",
        "create delete prune compact init extract rename mount umount recreate upgrade",
      ),
    ),
    sideEffects: { long: "repair", effect: { changes: "changes a backup" } },
    commands: {
      options: "rsh content-from-command paths-from-command",
      variables: "BORG_RSH BORG_PASSCOMMAND BORG_NEW_PASSCOMMAND",
    },
    consequences: BORG_CONSEQUENCES,
    applies: "patterns-from exclude-from",
  },
  {
    names: "velero",
    valued: "n namespace kubeconfig kubecontext",
    looks: `backup get|describe|logs, restore get|describe|logs, schedule get|describe, backup-location get, snapshot-location get,
    repo get, plugin get`,
    printsSetup: COMPLETIONS,
    consequences: { deletes_data: /^(?:backup|restore|schedule)\s+delete(?:\s|$)/ },
  },
  {
    names: "proxmox-backup-client",
    valued: "repository ns",
    looks:
      "list, snapshot list|files, snapshot notes show, status, task list|log, namespace list, catalog dump, key show",
    consequences: { deletes_data: FORGETS },
  },
  {
    names: "proxmox-backup-manager",
    looks: `datastore|disk|network|user|acl|remote|sync-job|verify-job|prune-job|traffic-control list|show, task list|log,
    garbage-collection status, cert info, subscription get, versions, report`,
  },
  { names: "etckeeper", looks: "vcs status|log|diff|show, unclean, list-installed" },
  { names: "wal-g", looks: "backup-list|backup-show, wal-show, wal-verify, st ls|cat, backup-mark --help" },
  {
    names: "snapper",
    valued: "c config r root t type",
    looks: "list|ls, status, diff, list-configs, get-config, xadiff",
    unless: "o",
    consequences: SNAPPER_CONSEQUENCES,
  },
  {
    names: "kopia",
    looks:
      "snapshot list|ls, repository status, policy show|list|ls, content stats|list|ls, blob stats|list|ls, manifest list|ls, index inspect, cache info, list|ls, show, diff, maintenance info, user list|info, server status",
    consequences: { deletes_data: /^(?:snapshot|snap|manifest|blob)\s+(?:delete|expire|rm)(?:\s|$)/ },
  },
  {
    names: "duplicity",
    looks: "collection-status, list-current-files, verify",
    consequences: { deletes_data: /(?:^|\s)(?:remove-\S+|cleanup)(?=\s|$)/ },
    applies: "c config",
  },
  {
    names: "borgmatic",
    looks: "list, info, rinfo, rlist, repo-list, repo-info, config validate, -n, --dry-run",
    unless: "log-file",
    consequences: BORG_CONSEQUENCES,
    applies: "c config",
  },
  { names: "rsnapshot", valued: "c", looks: "configtest, du" },
  {
    names: "rdiff-backup",
    looks:
      "-l, --list-increments, --list-increment-sizes, --list-changed-since, --list-at-time, --compare, list, compare, info",
  },
  { names: "bup", looks: "ls, margin, version" },
  {
    names: "mc",
    looks: mcLooks,
    unless: "exec watch",
    consequences: MC_CONSEQUENCES,
  },
  { names: "mcli", looks: mcLooks, unless: "exec watch", consequences: MC_CONSEQUENCES },
  {
    names: "s3cmd",
    valued: "c",
    looks: "ls, la, du, info, multipart, listmp",
    consequences: MC_CONSEQUENCES,
  },
  { names: "s5cmd", valued: "endpoint-url profile", looks: "ls, du, head, cat, version" },
  {
    names: "b2",
    looks: "list-buckets, ls, get-bucket, get-file-info, account get, bucket list|get, list-keys, key list, file info",
  },
  {
    names: "pgbackrest",
    looks: "info, verify, repo-ls, server-ping",
    consequences: { deletes_data: /(?:^|\s)(?:expire|stanza-delete|repo-rm)(?=\s|$)/ },
  },
  {
    names: "barman",
    valued: "c",
    looks:
      "list-server|list-servers, check, list-backup|list-backups, show-server|show-servers, show-backup, status, list-files, diagnose, replication-status, check-backup, check-wal-archive",
  },
  {
    names: "sanoid",
    effect: options({
      dry: "readonly",
      unsure: "cron take-snapshots prune-snapshots force-update force-prune",
      reads: "monitor-snapshots monitor-health monitor-capacity",
      otherwise: "unknown",
    }),
    consequences: { deletes_data: /(?:^|\s)--(?:force-)?prune/ },
  },
  { names: "timeshift", consequences: SNAPPER_CONSEQUENCES },
  {
    names: "rustic",
    valued: "r repository p password-file P use-profile",
    looks: "snapshots, ls, diff, repoinfo, check, show-config, list, find, cat",
    consequences: { deletes_data: /^(?!.*(?:\s)(?:-n|--dry-run)(?=\s|$))(?:forget|prune)(?:\s|$)/ },
  },
  {
    names: "tarsnap",
    looks: "--list-archives, --print-stats, --version",
    consequences: { deletes_data: /^(?!.*--dry-run)(?:.*\s)?(?:-d\w*|--nuke)(?=\s|$)/ },
  },
  {
    names: "btrbk",
    valued: "c config l loglevel",
    looks: "list, stats, config print|list, usage, dryrun, origin, ls",
    consequences: { deletes_data: /^(?!.*(?:\s)(?:-n|--dry-run)(?=\s|$))(?:clean|prune)(?:\s|$)/ },
  },
];
