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
