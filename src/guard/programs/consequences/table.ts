// Which uses of a program have a consequence that its effect does not name, as data. A use that only looks has none. What is
// in doubt is left out: without a consequence, the routing model is asked.
import type { Consequence } from "../../codes.ts";

/** Base names, separated by blanks. `when` is matched with the words from the verb on, joined by blanks; without it every use counts. */
type UseRow = readonly [of: string, when?: RegExp];

/** Options with a value that may come before the verb. */
export const BEFORE_VERB: readonly (readonly [of: string, valued: string])[] = [
  [
    "systemctl loginctl",
    `-H --host -M --machine -t --type -n --lines -o --output -p -P --property -s --signal --state --root --job-mode
      --what --timestamp -u --unit`,
  ],
  [
    "kubectl oc",
    `-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --request-timeout -v
      --v --certificate-authority --client-key --client-certificate --cache-dir --tls-server-name`,
  ],
  ["helm", "-n --namespace --kube-context --kubeconfig"],
  ["supervisorctl", "-c -s -u -p"],
  ["sv", "-w"],
  ["pg_ctl", "-D -l -o -t"],
  ["redis-cli valkey-cli keydb-cli", "-h -p -a -n -u -s -i -r --user --pass"],
  ["mysqladmin mariadb-admin", "-h -u -P -S"],
  ["restic", "-r --repo -p --password-file --cache-dir -o --repository-file --password-command"],
  ["borg", "--remote-path --rsh"],
  ["rclone", "--config --transfers --checkers --bwlimit --log-file --log-level --exclude --include --filter"],
  ["aws", "--profile --region --output --endpoint-url --query --ca-bundle --color"],
  ["gcloud az doctl hcloud", "--project --account --configuration --format --subscription --output -o --context"],
  ["virsh", "-c --connect"],
  ["talosctl", "-n --nodes -e --endpoints --talosconfig --context"],
  ["ipmitool", "-I -H -U -P -f -E -p -L -e -k -y -K -N -R -t -T"],
  ["etcdctl", "--endpoints --cacert --cert --key --user -w --write-out"],
  ["rabbitmqctl", "-n --node -t --timeout -p"],
];

const NETWORK_UNITS =
  "networking|network|NetworkManager|systemd-networkd|systemd-resolved|ufw|firewalld|nftables|iptables|netfilter-persistent|wg-quick@|openvpn|dhcpcd|wpa_supplicant|tailscaled";

const RESTARTS: readonly UseRow[] = [
  [
    "systemctl",
    /^(?:stop|restart|try-restart|condrestart|reload-or-restart|try-reload-or-restart|force-reload|kill|isolate)\s|^(?:disable|mask)\s(?:.*\s)?--now(?:\s|$)/,
  ],
  [
    "service rc-service invoke-rc.d",
    /^\S+\s+(?:stop|restart|force-reload|force-restart|condrestart|try-restart|zap)(?:\s|$)/,
  ],
  ["synosystemctl synoservicectl", /(?:^|\s)-{0,2}(?:stop|restart)(?=\s|$)/],
  ["synopkg", /^(?:stop|restart|uninstall)\s/],
  ["midclt", /(?:^|\s)(?:service\.(?:restart|stop|reload)|app\.(?:stop|redeploy|delete))(?=\s|$)/],
  ["pihole", /^(?:restartdns|reloaddns)(?:\s|$)/],
  ["initctl", /^(?:stop|restart)\s/],
  ["sv", /^(?:down|stop|restart|term|kill|exit|shutdown|try-restart|force-\w+)\s/],
  ["launchctl", /^(?:unload|stop|bootout|kill|remove)\s|^kickstart\s.*-\w*k/],
  ["supervisorctl", /^(?:stop|restart|shutdown|reload|remove)(?:\s|$)/],
  ["pm2", /^(?:stop|restart|reload|delete|del|kill)(?:\s|$)/],
  ["monit", /^(?:stop|restart)\s/],
  ["snap", /^(?:stop|restart)\s/],
  ["nginx openresty", /(?:^|\s)-s\s*(?:stop|quit)(?:\s|$)/],
  ["apachectl apache2ctl httpd apache2", /(?:^|\s)(?:stop|restart|graceful|graceful-stop)(?:\s|$)/],
  ["caddy postfix fail2ban-client", /^(?:stop|restart|abort)(?:\s|$)/],
  ["pg_ctl", /^(?:stop|restart)(?:\s|$)/],
  ["pg_ctlcluster", /\s(?:stop|restart)(?:\s|$)/],
  ["mysqladmin mariadb-admin", /(?:^|\s)shutdown(?:\s|$)/],
  ["redis-cli valkey-cli keydb-cli", /^shutdown(?:\s|$)/i],
  ["rabbitmqctl", /^(?:stop|stop_app|shutdown|reset|force_reset)(?:\s|$)/],
  ["nomad", /^(?:job |alloc )?(?:stop|restart)\s/],
  ["ha", /^(?:core|supervisor|addons|apps|dns|audio|multicast|cli)\s+(?:stop|restart)(?:\s|$)/],
  ["talosctl", /^service\s+\S+\s+(?:stop|restart)|^restart\s/],
  ["lxc incus", /^(?:stop|restart|pause)\s/],
  ["busctl dbus-send gdbus", /\b(?:StopUnit|RestartUnit|TryRestartUnit|ReloadOrRestartUnit|KillUnit)\b/],
  [
    "ansible",
    /(?:^|\s)-m\s*(?:ansible\.builtin\.)?(?:service|systemd|systemd_service|sysvinit)(?=\s).*\bstate=(?:restarted|stopped)\b/,
  ],
  [
    "docker podman nerdctl docker-compose podman-compose",
    /^(?:restart|stop|kill|pause|compose (?:restart|stop|kill|down|pause)|pod (?:restart|stop|kill|pause|rm)|service (?:rollback|rm|remove)|stack (?:rm|remove|down)|swarm leave|machine (?:stop|rm))(?:\s|$)/,
  ],
  [
    "docker podman nerdctl docker-compose podman-compose",
    /^(?:rm|remove)\s(?:.*\s)?(?:-[a-z]*f[a-z]*|--force)(?:\s|$)|^compose rm\s(?:.*\s)?(?:-[a-z]*s[a-z]*|--stop)(?:\s|$)|^compose up\s(?:.*\s)?--(?:force-recreate|always-recreate-deps)(?:\s|$)|^service update\s(?:.*\s)?--force(?:\s|$)|^(?:service|compose) scale\s.*=0(?:\s|$)/,
  ],
  ["crictl", /^(?:stop|stopp|rm|rmp)(?:\s|$)/],
  [
    "kubectl oc",
    /^rollout (?:restart|undo)(?:\s|$)|^drain\s|^scale\s.*--replicas[= ]0(?:\s|$)|^delete\s(?:.*\s)?(?:po|pods?|deploy(?:ments?)?|sts|statefulsets?|ds|daemonsets?|rs|replicasets?|all)(?:\.apps)?(?:[\s/,]|$)/,
  ],
];

const REBOOTS: readonly UseRow[] = [
  [
    "systemctl",
    /^(?:reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|sleep|rescue|emergency|exit)(?:\s|$)|^(?:start|isolate)\s.*(?:reboot|poweroff|halt|kexec|rescue|emergency)\.target/,
  ],
  ["loginctl", /^(?:reboot|poweroff|halt|suspend|hibernate)(?:\s|$)/],
  ["ipmitool", /^(?:chassis )?power (?:off|cycle|reset|soft|diag)(?:\s|$)|^mc reset/],
  ["qm pct", /^(?:stop|shutdown|reboot|reset|suspend|destroy)\s/],
  ["virsh", /^(?:shutdown|destroy|reboot|reset|suspend|managedsave)\s/],
  ["vagrant", /^(?:halt|reload|destroy|suspend)(?:\s|$)/],
  ["multipass", /^(?:stop|restart|suspend|delete)(?:\s|$)/],
  ["VBoxManage", /^controlvm\s+\S+\s+(?:poweroff|reset|acpipowerbutton|savestate|pause)/],
  ["talosctl", /^(?:reboot|shutdown|reset|upgrade)(?:\s|$)/],
  ["ha", /^(?:host|ho)\s+(?:reboot|shutdown)(?:\s|$)/],
  ["aws", /^(?:ec2|rds|lightsail)\s+(?:reboot|stop|terminate)-/],
  ["hcloud", /^server\s+(?:reboot|reset|shutdown|poweroff|delete)(?:\s|$)/],
  [
    "gcloud az doctl",
    /\b(?:instances?|vm|vmss|droplet-action)\s+(?:reset|stop|restart|suspend|deallocate|reboot|power-off|power-cycle|shutdown|delete)(?:\s|$)/,
  ],
  ["ansible", /(?:^|\s)-m\s*(?:ansible\.builtin\.reboot|reboot|community\.general\.shutdown)(?:\s|$)/],
  [
    "busctl dbus-send gdbus",
    /\b(?:Manager\.?\s?(?:Reboot|PowerOff|Halt|Suspend|Hibernate)|login1.*\s(?:Reboot|PowerOff|Halt|Suspend|Hibernate))/,
  ],
  ["midclt", /(?:^|\s)system\.(?:reboot|shutdown)(?=\s|$)/],
  ["rtcwake", /^(?!.*(?:^|\s)(?:-\w*m\s*|--mode[=\s])(?:no|show|disable|on)(?:\s|$))(?!.*(?:-n|--dry-run)(?:\s|$))/],
  ["upsmon", /(?:^|\s)-c\s*fsd/],
  ["upsdrvctl", /^shutdown/],
  ["upscmd", /\b(?:load\.off|shutdown\.\w+)\b/],
  ["pvesh", /^create\s+\S*\/status.*\b(?:reboot|shutdown|stop|reset)\b/],
];

const HELM: readonly UseRow[] = [["helm", /^(?:uninstall|delete|del|rollback)\s/]];

const DELETING_USES: readonly UseRow[] = [
  [
    "docker podman nerdctl docker-compose podman-compose",
    /^(?:volume (?:rm|remove|prune)|(?:secret|config) (?:rm|remove)|system reset|machine (?:rm|reset))(?:\s|$)|^system prune\s(?:.*\s)?--volumes(?:=true)?(?:\s|$)|^(?:rm|remove)\s(?:.*\s)?(?:-[a-z]*v[a-z]*|--volumes)(?:\s|$)|^compose (?:down|rm)\s(?:.*\s)?(?:-[a-z]*v[a-z]*|--volumes)(?:\s|$)/,
  ],
  ["kubectl oc", /^delete\s(?!(?:-\S+\s+(?:\S+\s+)?)*(?:po|pods?|events?|jobs?)(?:[\s/]|$))/],
  ["helm", /^(?:uninstall|delete|del)\s/],
  ["lxc incus", /^(?:delete|rm|(?:storage volume|snapshot|storage) delete)\s/],
  ["minikube kind k3d", /^(?:delete|cluster delete)(?:\s|$)/],
  ["etcdctl", /^del\s/],
  ["consul", /^kv delete(?:\s|$)/],
  ["grm truncate tmpreaper tmpwatch trash-empty dropdb"],
  ["lvremove vgremove pvremove"],
  ["rsync", /(?:^|\s)--(?:del|delete\S*|remove-source-files|remove-sent-files)(?=\s|$)/],
  ["tar gtar bsdtar", /(?:^|\s)--(?:remove-files|delete)(?=\s|$)/],
  ["zip", /(?:^|\s)(?:-\w*m\w*|--move|-d|--delete)(?=\s|$)/],
  ["crontab", /(?:^|\s)-\w*r/],
  ["journalctl", /(?:^|\s)--vacuum-/],
  ["userdel", /(?:^|\s)(?:-\w*r\w*|--remove)(?=\s|$)/],
  ["deluser", /(?:^|\s)--remove-(?:home|all-files)(?=\s|$)/],
  ["zfs", /^(?:destroy|rollback)\s/],
  ["zpool", /^(?:destroy|labelclear)\s/],
  ["btrfs", /^(?:subvolume|sub|su)\s+del\w*\s/],
  ["snapper timeshift", /(?:^|\s)(?:delete|rm|remove|--delete(?:-all)?)(?=\s|$)/],
  ["restic", /^(?:forget|prune)(?:\s|$)/],
  ["borg borgmatic", /^(?:delete|prune|compact)(?:\s|$)/],
  ["kopia", /^(?:snapshot|snap|manifest|blob)\s+(?:delete|expire|rm)(?:\s|$)/],
  ["duplicity", /(?:^|\s)(?:remove-\S+|cleanup)(?=\s|$)/],
  ["rclone", /^(?:delete|deletefile|purge|rmdirs?|sync|bisync|cleanup|dedupe|move|moveto)(?:\s|$)/],
  ["aws", /^s3\s+(?:rm|rb)\s|^s3\s+sync\s.*--delete|^\S+\s+(?:delete|terminate)-/],
  ["gcloud az doctl hcloud gsutil", /(?:^|\s)(?:delete|delete-batch|purge|rm|rb)(?=\s|$)/],
  ["mc s3cmd", /^(?:rm|rb|del|undo)\s|^mirror\s.*--remove/],
  ["terraform tofu", /^destroy(?:\s|$)|^apply\s(?:.*\s)?--?destroy(?=\s|$)/],
  ["pulumi terragrunt vagrant", /^destroy(?:\s|$)/],
  [
    "virsh",
    /^undefine\s.*--(?:remove-all-storage|storage|wipe-storage)|^(?:vol-delete|vol-wipe|pool-delete|snapshot-delete|snapshot-revert)\s/,
  ],
  ["qm pct", /^(?:destroy|delsnapshot|rollback)\s/],
  ["pvesm", /^free\s/],
  ["multipass", /^(?:delete|purge)(?:\s|$)/],
  ["vault", /^(?:delete|kv (?:delete|destroy|metadata delete))\s/],
  ["mysqladmin mariadb-admin", /(?:^|\s)drop(?=\s|$)/],
  ["pg_restore", /(?:^|\s)(?:-\w*c\w*|--clean)(?=\s|$)/],
  ["mongorestore", /(?:^|\s)--drop(?=\s|$)/],
  [
    "psql mysql mariadb sqlite3 clickhouse-client",
    /\bdrop\s+(?:table|database|schema|view|materialized|tablespace|collection)\b|\btruncate\s+(?:table\s+)?["`\w]|\bdelete\s+from\b/i,
  ],
  ["mongosh mongo", /\b(?:dropDatabase|drop|deleteMany|deleteOne|remove|findOneAndDelete|bulkWrite)\s*\(/],
  [
    "redis-cli valkey-cli keydb-cli",
    /^(?:flushall|flushdb|del|unlink|hdel|lrem|ltrim|srem|spop|zrem\w*|xdel|xtrim|getdel)(?:\s|$)/i,
  ],
  ["velero", /^(?:backup|restore|schedule)\s+delete(?:\s|$)/],
  ["pihole", /^(?:-f|flush)(?:\s|$)/],
  ["curl", /(?:^|\s)(?:-\w*X\s*|--request[=\s])delete(?=\s|$)/i],
  ["wget", /(?:^|\s)--method[=\s]delete(?=\s|$)/i],
  ["http https xh xhs", /^(?:\S+\s+)*DELETE\s/],
  ["apt apt-get aptitude", /(?:^|\s)(?:purge|--purge)(?=\s|$)/],
  ["dpkg", /(?:^|\s)(?:-P|--purge)(?=\s|$)/],
  ["pvesh", /^delete\s/],
  ["talosctl", /^reset(?:\s|$)/],
  ["influx", /^(?:bucket\s+)?delete(?:\s|$)/],
  ["rabbitmqctl", /^(?:purge_queue|delete_queue|delete_vhost|reset|force_reset)(?:\s|$)/],
  [
    "gh glab",
    /^(?:repo|release|secret|variable|gist|project|cache|run|issue)\s+delete(?:\s|$)|^api\s(?:.*\s)?(?:-X\s*|--method[=\s])delete(?=\s|$)/i,
  ],
  ["occ nextcloud.occ nextcloud-occ", /^(?:user:delete|trashbin:cleanup|versions:cleanup|files:cleanup)(?:\s|$)/],
  [
    "git",
    /^clean\s(?:.*\s)?(?:-\w*f\w*|--force)(?=\s|$)|^stash (?:drop|clear)(?:\s|$)|^branch\s(?:.*\s)?-\w*D|^checkout\s(?:.*\s)?(?:-f|--force|--|\.)(?=\s|$)|^restore\s(?!(?:.*\s)?(?:-S|--staged)(?:\s|$)(?!.*(?:-W|--worktree)))|^reflog (?:expire|delete)\s/,
  ],
];

const ACCOUNTS: readonly UseRow[] = [
  [
    "kubectl oc",
    /^(?:create|delete|edit|patch)\s+(?:serviceaccounts?|sa|(?:cluster)?roles?|(?:cluster)?rolebindings?)(?:[\s/]|$)|^adm policy\s|^auth reconcile/,
  ],
  ["ssh-copy-id smbpasswd pdbedit htpasswd mosquitto_passwd createuser dropuser"],
  ["ldapadd ldapmodify ldapdelete ldappasswd ldapmodrdn"],
  ["samba-tool", /^(?:user|group)\s+(?!list|show)\w/],
  ["ipa", /^(?:user|group|passwd|sudorule|hbacrule)(?:-(?!find|show)\w|\s|$)/],
  ["pveum", /^(?:passwd|\S+\s+(?:add|modify|delete|remove))(?:\s|$)|^\w+(?:add|mod|del)\s/],
  ["aws", /^iam\s+(?!get|list|simulate|generate)\w/],
  ["homectl", /^(?:create|remove|update|passwd|resize)(?:\s|$)/],
  [
    "occ nextcloud.occ nextcloud-occ",
    /^(?:user:(?:add|delete|resetpassword|disable|enable)|group:(?:add|delete|adduser|removeuser))(?:\s|$)/,
  ],
  ["mysqladmin mariadb-admin", /(?:^|\s)password(?=\s|$)/],
  [
    "rabbitmqctl",
    /^(?:add_user|delete_user|change_password|clear_password|set_permissions|clear_permissions|set_user_tags)(?:\s|$)/,
  ],
  ["redis-cli valkey-cli keydb-cli", /^acl\s+(?:setuser|deluser)(?:\s|$)/i],
  [
    "gitea forgejo",
    /(?:^|\s)admin\s+(?:.*\s)?(?:user\s+(?:create|delete|change-password|generate-access-token|must-change-password)|auth\s+(?:add|update|delete))/,
  ],
  ["kcadm.sh kcadm", /^(?:create|update|delete|add-roles|remove-roles|set-password)(?:\s|$)/],
  [
    "vault bao",
    /^(?:write|delete)\s(?:.*\s)?\/?(?:auth|identity)\/|^policy (?:write|delete)\s|^auth (?:enable|disable)\s/,
  ],
  ["grafana-cli grafana", /(?:^|\s)admin\s+(?:.*\s)?reset-admin-password(?=\s|$)/],
  [
    "psql mysql mariadb clickhouse-client",
    /\b(?:create|alter|drop)\s+(?:user|role|group)\b|\b(?:grant|revoke)\s+\w|\bset\s+password\b/i,
  ],
];

const NETWORK_SERVICES: readonly UseRow[] = [
  [
    "systemctl",
    new RegExp(
      `^(?:start|stop|restart|try-restart|reload|reload-or-restart|disable|mask)\\s(?:.*\\s)?(?:${NETWORK_UNITS})`,
    ),
  ],
  [
    "service rc-service invoke-rc.d",
    new RegExp(`^(?:${NETWORK_UNITS})\\S*\\s+(?:start|stop|restart|reload|force-reload)`),
  ],
];

const NETWORK: readonly UseRow[] = [
  ["docker podman nerdctl", /^network (?:create|rm|remove|prune|connect|disconnect|update|reload)(?:\s|$)/],
  [
    "kubectl oc",
    /^(?:create|delete|edit|patch|expose)\s+(?:networkpolic\w+|netpol|ing|ingress(?:es)?|services?|svc)(?:[\s/]|$)/,
  ],
  ["sysctl", /(?:^|\s)net[./]\S+=/],
  ["rfkill", /^(?:block|unblock|toggle)(?:\s|$)/],
  [
    "uci",
    /^(?:-\S+\s+)*(?:set|delete|add|add_list|del_list|rename|reorder|commit|import|revert)\s+(?:network|firewall|wireless|dhcp)(?:[.\s=]|$)/,
  ],
  ["ifreload"],
  ["wifi", /^(?:up|down|reload)?$/],
  ["pvesh", /^(?:create|set|delete)\s+\S*\/(?:network|firewall|dns|sdn)(?:[/\s]|$)/],
  ["zerotier-cli", /^(?:join|leave|set)\s/],
  ["ovs-vsctl", /^(?:--\S+\s+)*(?:add|del|set|clear)-?/],
  ["pfctl", /(?:^|\s)-\w*[deFf]/],
  ["virsh", /^net-(?:start|destroy|define|undefine|create|edit|update)\s/],
  ["lxc incus", /^network\s+(?:create|delete|set|unset|attach|detach|edit)\s/],
  ["fail2ban-client", /\b(?:un)?ban(?:ip)?(?=\s|$)/],
];

const PUSHES: readonly UseRow[] = [
  [
    "git hub",
    /^(?:push|send-pack)\s(?:.*\s)?(?:-[a-zA-Z]*[fd][a-zA-Z]*|--force(?:-w\S*)?|--mi\w*|--de\w*|--pru\w*|\+\S+|:[^\s:/]\S*)(?=\s|$)/,
  ],
  ["gh glab", /^api\s(?=.*(?:-X\s*|--method[=\s])(?:delete|patch)(?:\s|$)).*\/git\/refs\//i],
  ["gh", /^repo sync\s(?:.*\s)?--force(?=\s|$)/],
  ["hg", /^push\s(?:.*\s)?(?:-f|--force)(?=\s|$)/],
];

/** What is no file system on a disk: firmware, boot loaders, microcontrollers. */
const DEVICES: readonly UseRow[] = [
  ["flashrom", /(?:^|\s)(?:-\w*[wE]|--(?:write|erase))(?=\s|$|=)/],
  ["esptool esptool.py", /(?:^|\s)(?:write|erase)[-_](?:flash|region|mem)(?=\s|$)/],
  ["grub-install grub2-install extlinux syslinux"],
  ["avrdude", /(?:^|\s)(?:-e|-U\s*\w+:w:)/],
  ["dfu-util", /(?:^|\s)(?:-\w*D|--download)/],
  ["fwupdmgr fwupdtool", /^(?:update|upgrade|install|reinstall|downgrade)(?:\s|$)/],
];

/** In the order in which people read them. */
export const USES: readonly (readonly [Consequence, readonly UseRow[]])[] = [
  ["restarts_service", RESTARTS],
  ["changes_network", NETWORK_SERVICES],
  ["reboots", REBOOTS],
  ["deletes_data", DELETING_USES],
  ["restarts_service", HELM],
  ["changes_accounts", ACCOUNTS],
  ["changes_network", NETWORK],
  ["force_push", PUSHES],
  ["writes_device", DEVICES],
];
