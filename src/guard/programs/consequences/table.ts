// Which uses of a program have a consequence that its effect does not name, as data. A use that only looks has none. What is
// in doubt is left out: without a consequence, the routing model is asked.
import type { Consequence } from "../../codes.ts";

/** `when` is matched with the words from the verb on, joined by blanks; every use counts without it. */
export type ConsequenceRow = {
  /** Base names, separated by blanks. */
  readonly of: string;
  readonly has: Consequence;
  readonly when?: RegExp;
};

/** Options with a value that may come before the verb. */
export const BEFORE_VERB: readonly { readonly of: string; readonly valued: string }[] = [
  {
    of: "systemctl loginctl",
    valued: `-H --host -M --machine -t --type -n --lines -o --output -p -P --property -s --signal --state --root --job-mode
      --what --timestamp -u --unit`,
  },
  {
    of: "kubectl oc",
    valued: `-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --request-timeout -v
      --v --certificate-authority --client-key --client-certificate --cache-dir --tls-server-name`,
  },
  { of: "helm", valued: "-n --namespace --kube-context --kubeconfig" },
  { of: "supervisorctl", valued: "-c -s -u -p" },
  { of: "sv", valued: "-w" },
  { of: "pg_ctl", valued: "-D -l -o -t" },
  { of: "redis-cli valkey-cli keydb-cli", valued: "-h -p -a -n -u -s -i -r --user --pass" },
  { of: "mysqladmin mariadb-admin", valued: "-h -u -P -S" },
  { of: "restic", valued: "-r --repo -p --password-file --cache-dir -o --repository-file --password-command" },
  { of: "borg", valued: "--remote-path --rsh" },
  {
    of: "rclone",
    valued: "--config --transfers --checkers --bwlimit --log-file --log-level --exclude --include --filter",
  },
  { of: "aws", valued: "--profile --region --output --endpoint-url --query --ca-bundle --color" },
  {
    of: "gcloud az doctl hcloud",
    valued: "--project --account --configuration --format --subscription --output -o --context",
  },
  { of: "virsh", valued: "-c --connect" },
  { of: "talosctl", valued: "-n --nodes -e --endpoints --talosconfig --context" },
  { of: "ipmitool", valued: "-I -H -U -P -f -E -p -L -e -k -y -K -N -R -t -T" },
  { of: "etcdctl", valued: "--endpoints --cacert --cert --key --user -w --write-out" },
  { of: "rabbitmqctl", valued: "-n --node -t --timeout -p" },
];

const NETWORK_UNITS =
  "networking|network|NetworkManager|systemd-networkd|systemd-resolved|ufw|firewalld|nftables|iptables|netfilter-persistent|wg-quick@|openvpn|dhcpcd|wpa_supplicant|tailscaled";

const SERVICES: readonly ConsequenceRow[] = [
  {
    of: "systemctl",
    has: "restarts_service",
    when: /^(?:stop|restart|try-restart|condrestart|reload-or-restart|try-reload-or-restart|force-reload|kill|isolate)\s|^(?:disable|mask)\s(?:.*\s)?--now(?:\s|$)/,
  },
  {
    of: "systemctl",
    has: "changes_network",
    when: new RegExp(
      `^(?:start|stop|restart|try-restart|reload|reload-or-restart|disable|mask)\\s(?:.*\\s)?(?:${NETWORK_UNITS})`,
    ),
  },
  {
    of: "service rc-service invoke-rc.d",
    has: "restarts_service",
    when: /^\S+\s+(?:stop|restart|force-reload|force-restart|condrestart|try-restart|zap)(?:\s|$)/,
  },
  {
    of: "service rc-service invoke-rc.d",
    has: "changes_network",
    when: new RegExp(`^(?:${NETWORK_UNITS})\\S*\\s+(?:start|stop|restart|reload|force-reload)`),
  },
  { of: "synosystemctl synoservicectl", has: "restarts_service", when: /(?:^|\s)-{0,2}(?:stop|restart)(?=\s|$)/ },
  { of: "synopkg", has: "restarts_service", when: /^(?:stop|restart|uninstall)\s/ },
  {
    of: "midclt",
    has: "restarts_service",
    when: /(?:^|\s)(?:service\.(?:restart|stop|reload)|app\.(?:stop|redeploy|delete))(?=\s|$)/,
  },
  { of: "pihole", has: "restarts_service", when: /^(?:restartdns|reloaddns)(?:\s|$)/ },
  { of: "initctl", has: "restarts_service", when: /^(?:stop|restart)\s/ },
  { of: "sv", has: "restarts_service", when: /^(?:down|stop|restart|term|kill|exit|shutdown|try-restart|force-\w+)\s/ },
  { of: "launchctl", has: "restarts_service", when: /^(?:unload|stop|bootout|kill|remove)\s|^kickstart\s.*-\w*k/ },
  { of: "supervisorctl", has: "restarts_service", when: /^(?:stop|restart|shutdown|reload|remove)(?:\s|$)/ },
  { of: "pm2", has: "restarts_service", when: /^(?:stop|restart|reload|delete|del|kill)(?:\s|$)/ },
  { of: "monit", has: "restarts_service", when: /^(?:stop|restart)\s/ },
  { of: "snap", has: "restarts_service", when: /^(?:stop|restart)\s/ },
  { of: "nginx openresty", has: "restarts_service", when: /(?:^|\s)-s\s*(?:stop|quit)(?:\s|$)/ },
  {
    of: "apachectl apache2ctl httpd apache2",
    has: "restarts_service",
    when: /(?:^|\s)(?:stop|restart|graceful|graceful-stop)(?:\s|$)/,
  },
  { of: "caddy postfix fail2ban-client", has: "restarts_service", when: /^(?:stop|restart|abort)(?:\s|$)/ },
  { of: "pg_ctl", has: "restarts_service", when: /^(?:stop|restart)(?:\s|$)/ },
  { of: "pg_ctlcluster", has: "restarts_service", when: /\s(?:stop|restart)(?:\s|$)/ },
  { of: "mysqladmin mariadb-admin", has: "restarts_service", when: /(?:^|\s)shutdown(?:\s|$)/ },
  { of: "redis-cli valkey-cli keydb-cli", has: "restarts_service", when: /^shutdown(?:\s|$)/i },
  { of: "rabbitmqctl", has: "restarts_service", when: /^(?:stop|stop_app|shutdown|reset|force_reset)(?:\s|$)/ },
  { of: "nomad", has: "restarts_service", when: /^(?:job |alloc )?(?:stop|restart)\s/ },
  {
    of: "ha",
    has: "restarts_service",
    when: /^(?:core|supervisor|addons|apps|dns|audio|multicast|cli)\s+(?:stop|restart)(?:\s|$)/,
  },
  { of: "talosctl", has: "restarts_service", when: /^service\s+\S+\s+(?:stop|restart)|^restart\s/ },
  { of: "lxc incus", has: "restarts_service", when: /^(?:stop|restart|pause)\s/ },
  {
    of: "busctl dbus-send gdbus",
    has: "restarts_service",
    when: /\b(?:StopUnit|RestartUnit|TryRestartUnit|ReloadOrRestartUnit|KillUnit)\b/,
  },
  {
    of: "ansible",
    has: "restarts_service",
    when: /(?:^|\s)-m\s*(?:ansible\.builtin\.)?(?:service|systemd|systemd_service|sysvinit)(?=\s).*\bstate=(?:restarted|stopped)\b/,
  },
];

const CONTAINERS: readonly ConsequenceRow[] = [
  {
    of: "docker podman nerdctl docker-compose podman-compose",
    has: "restarts_service",
    when: /^(?:restart|stop|kill|pause|compose (?:restart|stop|kill|down|pause)|pod (?:restart|stop|kill|pause|rm)|service (?:rollback|rm|remove)|stack (?:rm|remove|down)|swarm leave|machine (?:stop|rm))(?:\s|$)/,
  },
  {
    of: "docker podman nerdctl docker-compose podman-compose",
    has: "restarts_service",
    when: /^(?:rm|remove)\s(?:.*\s)?(?:-[a-z]*f[a-z]*|--force)(?:\s|$)|^compose rm\s(?:.*\s)?(?:-[a-z]*s[a-z]*|--stop)(?:\s|$)|^compose up\s(?:.*\s)?--(?:force-recreate|always-recreate-deps)(?:\s|$)|^service update\s(?:.*\s)?--force(?:\s|$)|^(?:service|compose) scale\s.*=0(?:\s|$)/,
  },
  {
    of: "docker podman nerdctl docker-compose podman-compose",
    has: "deletes_data",
    when: /^(?:volume (?:rm|remove|prune)|(?:secret|config) (?:rm|remove)|system reset|machine (?:rm|reset))(?:\s|$)|^system prune\s(?:.*\s)?--volumes(?:=true)?(?:\s|$)|^(?:rm|remove)\s(?:.*\s)?(?:-[a-z]*v[a-z]*|--volumes)(?:\s|$)|^compose (?:down|rm)\s(?:.*\s)?(?:-[a-z]*v[a-z]*|--volumes)(?:\s|$)/,
  },
  {
    of: "docker podman nerdctl",
    has: "changes_network",
    when: /^network (?:create|rm|remove|prune|connect|disconnect|update|reload)(?:\s|$)/,
  },
  { of: "crictl", has: "restarts_service", when: /^(?:stop|stopp|rm|rmp)(?:\s|$)/ },
  {
    of: "kubectl oc",
    has: "restarts_service",
    when: /^rollout (?:restart|undo)(?:\s|$)|^drain\s|^scale\s.*--replicas[= ]0(?:\s|$)|^delete\s(?:.*\s)?(?:po|pods?|deploy(?:ments?)?|sts|statefulsets?|ds|daemonsets?|rs|replicasets?|all)(?:\.apps)?(?:[\s/,]|$)/,
  },
  {
    of: "kubectl oc",
    has: "deletes_data",
    when: /^delete\s(?!(?:-\S+\s+(?:\S+\s+)?)*(?:po|pods?|events?|jobs?)(?:[\s/]|$))/,
  },
  {
    of: "kubectl oc",
    has: "changes_accounts",
    when: /^(?:create|delete|edit|patch)\s+(?:serviceaccounts?|sa|(?:cluster)?roles?|(?:cluster)?rolebindings?)(?:[\s/]|$)|^adm policy\s|^auth reconcile/,
  },
  {
    of: "kubectl oc",
    has: "changes_network",
    when: /^(?:create|delete|edit|patch|expose)\s+(?:networkpolic\w+|netpol|ing|ingress(?:es)?|services?|svc)(?:[\s/]|$)/,
  },
  { of: "helm", has: "deletes_data", when: /^(?:uninstall|delete|del)\s/ },
  { of: "helm", has: "restarts_service", when: /^(?:uninstall|delete|del|rollback)\s/ },
  { of: "lxc incus", has: "deletes_data", when: /^(?:delete|rm|(?:storage volume|snapshot|storage) delete)\s/ },
  { of: "minikube kind k3d", has: "deletes_data", when: /^(?:delete|cluster delete)(?:\s|$)/ },
  { of: "etcdctl", has: "deletes_data", when: /^del\s/ },
  { of: "consul", has: "deletes_data", when: /^kv delete(?:\s|$)/ },
];

const REBOOTS: readonly ConsequenceRow[] = [
  {
    of: "systemctl",
    has: "reboots",
    when: /^(?:reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|sleep|rescue|emergency|exit)(?:\s|$)|^(?:start|isolate)\s.*(?:reboot|poweroff|halt|kexec|rescue|emergency)\.target/,
  },
  { of: "loginctl", has: "reboots", when: /^(?:reboot|poweroff|halt|suspend|hibernate)(?:\s|$)/ },
  { of: "ipmitool", has: "reboots", when: /^(?:chassis )?power (?:off|cycle|reset|soft|diag)(?:\s|$)|^mc reset/ },
  { of: "qm pct", has: "reboots", when: /^(?:stop|shutdown|reboot|reset|suspend|destroy)\s/ },
  { of: "virsh", has: "reboots", when: /^(?:shutdown|destroy|reboot|reset|suspend|managedsave)\s/ },
  { of: "vagrant", has: "reboots", when: /^(?:halt|reload|destroy|suspend)(?:\s|$)/ },
  { of: "multipass", has: "reboots", when: /^(?:stop|restart|suspend|delete)(?:\s|$)/ },
  { of: "VBoxManage", has: "reboots", when: /^controlvm\s+\S+\s+(?:poweroff|reset|acpipowerbutton|savestate|pause)/ },
  { of: "talosctl", has: "reboots", when: /^(?:reboot|shutdown|reset|upgrade)(?:\s|$)/ },
  { of: "ha", has: "reboots", when: /^(?:host|ho)\s+(?:reboot|shutdown)(?:\s|$)/ },
  { of: "aws", has: "reboots", when: /^(?:ec2|rds|lightsail)\s+(?:reboot|stop|terminate)-/ },
  { of: "hcloud", has: "reboots", when: /^server\s+(?:reboot|reset|shutdown|poweroff|delete)(?:\s|$)/ },
  {
    of: "gcloud az doctl",
    has: "reboots",
    when: /\b(?:instances?|vm|vmss|droplet-action)\s+(?:reset|stop|restart|suspend|deallocate|reboot|power-off|power-cycle|shutdown|delete)(?:\s|$)/,
  },
  {
    of: "ansible",
    has: "reboots",
    when: /(?:^|\s)-m\s*(?:ansible\.builtin\.reboot|reboot|community\.general\.shutdown)(?:\s|$)/,
  },
  {
    of: "busctl dbus-send gdbus",
    has: "reboots",
    when: /\b(?:Manager\.?\s?(?:Reboot|PowerOff|Halt|Suspend|Hibernate)|login1.*\s(?:Reboot|PowerOff|Halt|Suspend|Hibernate))/,
  },
  { of: "midclt", has: "reboots", when: /(?:^|\s)system\.(?:reboot|shutdown)(?=\s|$)/ },
  {
    of: "rtcwake",
    has: "reboots",
    when: /^(?!.*(?:^|\s)(?:-\w*m\s*|--mode[=\s])(?:no|show|disable|on)(?:\s|$))(?!.*(?:-n|--dry-run)(?:\s|$))/,
  },
  { of: "upsmon", has: "reboots", when: /(?:^|\s)-c\s*fsd/ },
  { of: "upsdrvctl", has: "reboots", when: /^shutdown/ },
  { of: "upscmd", has: "reboots", when: /\b(?:load\.off|shutdown\.\w+)\b/ },
  { of: "pvesh", has: "reboots", when: /^create\s+\S*\/status.*\b(?:reboot|shutdown|stop|reset)\b/ },
];

export const RUNNING: readonly ConsequenceRow[] = [...SERVICES, ...CONTAINERS, ...REBOOTS];

// Which uses delete data, change accounts or the network, or rewrite what others have pulled. See table.ts.

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
