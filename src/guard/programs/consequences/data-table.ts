// Which uses delete data, change accounts or the network, or rewrite what others have pulled. See table.ts.
import type { ConsequenceRow } from "./table.ts";

const DELETES: readonly ConsequenceRow[] = [
  { of: "grm truncate tmpreaper tmpwatch trash-empty dropdb", has: "deletes_data" },
  { of: "lvremove vgremove pvremove", has: "deletes_data" },
  {
    of: "rsync",
    has: "deletes_data",
    when: /(?:^|\s)--(?:del|delete\S*|remove-source-files|remove-sent-files)(?=\s|$)/,
  },
  { of: "tar gtar bsdtar", has: "deletes_data", when: /(?:^|\s)--(?:remove-files|delete)(?=\s|$)/ },
  { of: "zip", has: "deletes_data", when: /(?:^|\s)(?:-\w*m\w*|--move|-d|--delete)(?=\s|$)/ },
  { of: "crontab", has: "deletes_data", when: /(?:^|\s)-\w*r/ },
  { of: "journalctl", has: "deletes_data", when: /(?:^|\s)--vacuum-/ },
  { of: "userdel", has: "deletes_data", when: /(?:^|\s)(?:-\w*r\w*|--remove)(?=\s|$)/ },
  { of: "deluser", has: "deletes_data", when: /(?:^|\s)--remove-(?:home|all-files)(?=\s|$)/ },
  { of: "zfs", has: "deletes_data", when: /^(?:destroy|rollback)\s/ },
  { of: "zpool", has: "deletes_data", when: /^(?:destroy|labelclear)\s/ },
  { of: "btrfs", has: "deletes_data", when: /^(?:subvolume|sub|su)\s+del\w*\s/ },
  { of: "snapper timeshift", has: "deletes_data", when: /(?:^|\s)(?:delete|rm|remove|--delete(?:-all)?)(?=\s|$)/ },
  { of: "restic", has: "deletes_data", when: /^(?:forget|prune)(?:\s|$)/ },
  { of: "borg borgmatic", has: "deletes_data", when: /^(?:delete|prune|compact)(?:\s|$)/ },
  { of: "kopia", has: "deletes_data", when: /^(?:snapshot|snap|manifest|blob)\s+(?:delete|expire|rm)(?:\s|$)/ },
  { of: "duplicity", has: "deletes_data", when: /(?:^|\s)(?:remove-\S+|cleanup)(?=\s|$)/ },
  {
    of: "rclone",
    has: "deletes_data",
    when: /^(?:delete|deletefile|purge|rmdirs?|sync|bisync|cleanup|dedupe|move|moveto)(?:\s|$)/,
  },
  { of: "aws", has: "deletes_data", when: /^s3\s+(?:rm|rb)\s|^s3\s+sync\s.*--delete|^\S+\s+(?:delete|terminate)-/ },
  {
    of: "gcloud az doctl hcloud gsutil",
    has: "deletes_data",
    when: /(?:^|\s)(?:delete|delete-batch|purge|rm|rb)(?=\s|$)/,
  },
  { of: "mc s3cmd", has: "deletes_data", when: /^(?:rm|rb|del|undo)\s|^mirror\s.*--remove/ },
  { of: "terraform tofu", has: "deletes_data", when: /^destroy(?:\s|$)|^apply\s(?:.*\s)?--?destroy(?=\s|$)/ },
  { of: "pulumi terragrunt vagrant", has: "deletes_data", when: /^destroy(?:\s|$)/ },
  {
    of: "virsh",
    has: "deletes_data",
    when: /^undefine\s.*--(?:remove-all-storage|storage|wipe-storage)|^(?:vol-delete|vol-wipe|pool-delete|snapshot-delete|snapshot-revert)\s/,
  },
  { of: "qm pct", has: "deletes_data", when: /^(?:destroy|delsnapshot|rollback)\s/ },
  { of: "pvesm", has: "deletes_data", when: /^free\s/ },
  { of: "multipass", has: "deletes_data", when: /^(?:delete|purge)(?:\s|$)/ },
  { of: "vault", has: "deletes_data", when: /^(?:delete|kv (?:delete|destroy|metadata delete))\s/ },
  { of: "mysqladmin mariadb-admin", has: "deletes_data", when: /(?:^|\s)drop(?=\s|$)/ },
  { of: "pg_restore", has: "deletes_data", when: /(?:^|\s)(?:-\w*c\w*|--clean)(?=\s|$)/ },
  { of: "mongorestore", has: "deletes_data", when: /(?:^|\s)--drop(?=\s|$)/ },
  {
    of: "psql mysql mariadb sqlite3 clickhouse-client",
    has: "deletes_data",
    when: /\bdrop\s+(?:table|database|schema|view|materialized|tablespace|collection)\b|\btruncate\s+(?:table\s+)?["`\w]|\bdelete\s+from\b/i,
  },
  {
    of: "mongosh mongo",
    has: "deletes_data",
    when: /\b(?:dropDatabase|drop|deleteMany|deleteOne|remove|findOneAndDelete|bulkWrite)\s*\(/,
  },
  {
    of: "redis-cli valkey-cli keydb-cli",
    has: "deletes_data",
    when: /^(?:flushall|flushdb|del|unlink|hdel|lrem|ltrim|srem|spop|zrem\w*|xdel|xtrim|getdel)(?:\s|$)/i,
  },
  { of: "velero", has: "deletes_data", when: /^(?:backup|restore|schedule)\s+delete(?:\s|$)/ },
  { of: "pihole", has: "deletes_data", when: /^(?:-f|flush)(?:\s|$)/ },
  { of: "curl", has: "deletes_data", when: /(?:^|\s)(?:-\w*X\s*|--request[=\s])delete(?=\s|$)/i },
  { of: "wget", has: "deletes_data", when: /(?:^|\s)--method[=\s]delete(?=\s|$)/i },
  { of: "http https xh xhs", has: "deletes_data", when: /^(?:\S+\s+)*DELETE\s/ },
  { of: "apt apt-get aptitude", has: "deletes_data", when: /(?:^|\s)(?:purge|--purge)(?=\s|$)/ },
  { of: "dpkg", has: "deletes_data", when: /(?:^|\s)(?:-P|--purge)(?=\s|$)/ },
  { of: "pvesh", has: "deletes_data", when: /^delete\s/ },
  { of: "talosctl", has: "deletes_data", when: /^reset(?:\s|$)/ },
  { of: "influx", has: "deletes_data", when: /^(?:bucket\s+)?delete(?:\s|$)/ },
  {
    of: "rabbitmqctl",
    has: "deletes_data",
    when: /^(?:purge_queue|delete_queue|delete_vhost|reset|force_reset)(?:\s|$)/,
  },
  {
    of: "gh glab",
    has: "deletes_data",
    when: /^(?:repo|release|secret|variable|gist|project|cache|run|issue)\s+delete(?:\s|$)|^api\s(?:.*\s)?(?:-X\s*|--method[=\s])delete(?=\s|$)/i,
  },
  {
    of: "occ nextcloud.occ nextcloud-occ",
    has: "deletes_data",
    when: /^(?:user:delete|trashbin:cleanup|versions:cleanup|files:cleanup)(?:\s|$)/,
  },
  {
    of: "git",
    has: "deletes_data",
    when: /^clean\s(?:.*\s)?(?:-\w*f\w*|--force)(?=\s|$)|^stash (?:drop|clear)(?:\s|$)|^branch\s(?:.*\s)?-\w*D|^checkout\s(?:.*\s)?(?:-f|--force|--|\.)(?=\s|$)|^restore\s(?!(?:.*\s)?(?:-S|--staged)(?:\s|$)(?!.*(?:-W|--worktree)))|^reflog (?:expire|delete)\s/,
  },
];

const ACCOUNTS: readonly ConsequenceRow[] = [
  { of: "ssh-copy-id smbpasswd pdbedit htpasswd mosquitto_passwd createuser dropuser", has: "changes_accounts" },
  { of: "ldapadd ldapmodify ldapdelete ldappasswd ldapmodrdn", has: "changes_accounts" },
  { of: "samba-tool", has: "changes_accounts", when: /^(?:user|group)\s+(?!list|show)\w/ },
  { of: "ipa", has: "changes_accounts", when: /^(?:user|group|passwd|sudorule|hbacrule)(?:-(?!find|show)\w|\s|$)/ },
  {
    of: "pveum",
    has: "changes_accounts",
    when: /^(?:passwd|\S+\s+(?:add|modify|delete|remove))(?:\s|$)|^\w+(?:add|mod|del)\s/,
  },
  { of: "aws", has: "changes_accounts", when: /^iam\s+(?!get|list|simulate|generate)\w/ },
  { of: "homectl", has: "changes_accounts", when: /^(?:create|remove|update|passwd|resize)(?:\s|$)/ },
  {
    of: "occ nextcloud.occ nextcloud-occ",
    has: "changes_accounts",
    when: /^(?:user:(?:add|delete|resetpassword|disable|enable)|group:(?:add|delete|adduser|removeuser))(?:\s|$)/,
  },
  { of: "mysqladmin mariadb-admin", has: "changes_accounts", when: /(?:^|\s)password(?=\s|$)/ },
  {
    of: "rabbitmqctl",
    has: "changes_accounts",
    when: /^(?:add_user|delete_user|change_password|clear_password|set_permissions|clear_permissions|set_user_tags)(?:\s|$)/,
  },
  { of: "redis-cli valkey-cli keydb-cli", has: "changes_accounts", when: /^acl\s+(?:setuser|deluser)(?:\s|$)/i },
  {
    of: "gitea forgejo",
    has: "changes_accounts",
    when: /(?:^|\s)admin\s+(?:.*\s)?(?:user\s+(?:create|delete|change-password|generate-access-token|must-change-password)|auth\s+(?:add|update|delete))/,
  },
  {
    of: "kcadm.sh kcadm",
    has: "changes_accounts",
    when: /^(?:create|update|delete|add-roles|remove-roles|set-password)(?:\s|$)/,
  },
  {
    of: "vault bao",
    has: "changes_accounts",
    when: /^(?:write|delete)\s(?:.*\s)?\/?(?:auth|identity)\/|^policy (?:write|delete)\s|^auth (?:enable|disable)\s/,
  },
  { of: "grafana-cli grafana", has: "changes_accounts", when: /(?:^|\s)admin\s+(?:.*\s)?reset-admin-password(?=\s|$)/ },
  {
    of: "psql mysql mariadb clickhouse-client",
    has: "changes_accounts",
    when: /\b(?:create|alter|drop)\s+(?:user|role|group)\b|\b(?:grant|revoke)\s+\w|\bset\s+password\b/i,
  },
];

const NETWORK: readonly ConsequenceRow[] = [
  { of: "sysctl", has: "changes_network", when: /(?:^|\s)net[./]\S+=/ },
  { of: "rfkill", has: "changes_network", when: /^(?:block|unblock|toggle)(?:\s|$)/ },
  {
    of: "uci",
    has: "changes_network",
    when: /^(?:-\S+\s+)*(?:set|delete|add|add_list|del_list|rename|reorder|commit|import|revert)\s+(?:network|firewall|wireless|dhcp)(?:[.\s=]|$)/,
  },
  { of: "ifreload", has: "changes_network" },
  { of: "wifi", has: "changes_network", when: /^(?:up|down|reload)?$/ },
  {
    of: "pvesh",
    has: "changes_network",
    when: /^(?:create|set|delete)\s+\S*\/(?:network|firewall|dns|sdn)(?:[/\s]|$)/,
  },
  { of: "zerotier-cli", has: "changes_network", when: /^(?:join|leave|set)\s/ },
  { of: "ovs-vsctl", has: "changes_network", when: /^(?:--\S+\s+)*(?:add|del|set|clear)-?/ },
  { of: "pfctl", has: "changes_network", when: /(?:^|\s)-\w*[deFf]/ },
  { of: "virsh", has: "changes_network", when: /^net-(?:start|destroy|define|undefine|create|edit|update)\s/ },
  { of: "lxc incus", has: "changes_network", when: /^network\s+(?:create|delete|set|unset|attach|detach|edit)\s/ },
  { of: "fail2ban-client", has: "changes_network", when: /\b(?:un)?ban(?:ip)?(?=\s|$)/ },
];

const PUSHES: readonly ConsequenceRow[] = [
  {
    of: "git hub",
    has: "force_push",
    when: /^(?:push|send-pack)\s(?:.*\s)?(?:-[a-zA-Z]*[fd][a-zA-Z]*|--force(?:-w\S*)?|--mi\w*|--de\w*|--pru\w*|\+\S+|:[^\s:/]\S*)(?=\s|$)/,
  },
  {
    of: "gh glab",
    has: "force_push",
    when: /^api\s(?=.*(?:-X\s*|--method[=\s])(?:delete|patch)(?:\s|$)).*\/git\/refs\//i,
  },
  { of: "gh", has: "force_push", when: /^repo sync\s(?:.*\s)?--force(?=\s|$)/ },
  { of: "hg", has: "force_push", when: /^push\s(?:.*\s)?(?:-f|--force)(?=\s|$)/ },
];

/** What is no file system on a disk: firmware, boot loaders, microcontrollers. */
const DEVICES: readonly ConsequenceRow[] = [
  { of: "flashrom", has: "writes_device", when: /(?:^|\s)(?:-\w*[wE]|--(?:write|erase))(?=\s|$|=)/ },
  { of: "esptool esptool.py", has: "writes_device", when: /(?:^|\s)(?:write|erase)[-_](?:flash|region|mem)(?=\s|$)/ },
  { of: "grub-install grub2-install extlinux syslinux", has: "writes_device" },
  { of: "avrdude", has: "writes_device", when: /(?:^|\s)(?:-e|-U\s*\w+:w:)/ },
  { of: "dfu-util", has: "writes_device", when: /(?:^|\s)(?:-\w*D|--download)/ },
  { of: "fwupdmgr fwupdtool", has: "writes_device", when: /^(?:update|upgrade|install|reinstall|downgrade)(?:\s|$)/ },
];

export const KEPT: readonly ConsequenceRow[] = [...DELETES, ...ACCOUNTS, ...NETWORK, ...PUSHES, ...DEVICES];
