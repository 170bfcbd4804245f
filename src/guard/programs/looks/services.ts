// How servers, their control programs, applications and the tools of projects look.
import type { EffectRule } from "../record.ts";
import { type LookRow, lookRecords, looks } from "./rule.ts";

const OCC = `status, check, setupchecks, app:list, app:getpath, config:list, config:system:get, config:app:get, user:list,
  user:info, user:lastseen, user:report, user:setting * $, user:setting * * $, user:auth-tokens:list, group:list, group:info, files_external:list,
  files_external:verify, files_external:backends, background-job:list, background:queue:status,
  integrity:check-core, integrity:check-app, log:tail, log:watch, log:file $, log:manage $, maintenance:mode $, encryption:status, encryption:list-modules,
  encryption:show-key-storage-root, db:schema:export, info:file, info:file:space, info:storages, ldap:show-config, ldap:search, ldap:test-config,
  security:certificates, security:bruteforce:attempts, list, circles:manage:list, trashbin:size $, 
  twofactorauth:state, twofactorauth:enforce $, workflows:list, theming:config $, config:preset $, serverinfo:*, support:report,
  update:check, app_api:daemon:list, app_api:app:list, share:list, dav:list-calendars, dav:list-addressbooks, dav:list-subscriptions, taskprocessing:task:list, taskprocessing:task:get, tag:list, versions:list`;

const OCC_OPTIONS = { unless: "on off value", valued: "u user" } as const;

const ARTISAN =
  "list, about, route:list, migrate:status, config:show, env, schedule:list, queue:failed, event:list, model:show, db:show, db:table, channel:list, --version, inspire";

const ROWS: readonly LookRow[] = [
  ["occ nextcloud.occ nextcloud-occ", OCC, OCC_OPTIONS],
  [
    "ha",
    `core|supervisor|host|os|dns|audio|cli|multicast|observer info|logs|stats, core check, host options $, addons|apps $, addons|apps info|logs|stats, network info, backups|backup $, backups info|list, resolution info, resolution suggestions|issues list,
    hardware info|audio, available-updates, jobs info, info, banner, docker info, docker registries $, services $, store $, store addons $, mounts info, banner, security info, discovery $, `,
  ],
  ["hass", "--script check_config, --version"],
  [
    "bootctl",
    "status, list, is-installed, systemd-efi-options $, reboot-to-firmware $",
    { valued: "esp-path boot-path root p" },
  ],
  ["varlinkctl", "info, list-interfaces, introspect, validate-idl"],
  ["userdbctl", "user, group, users-in-group, groups-of-user, services, ssh-authorized-keys"],
  ["oomctl", "dump, $"],
  ["systemd-id128", "machine-id, boot-id, show, var-partition-uuid, invocation-id"],
  ["systemd-tmpfiles systemd-sysusers", "--cat-config, --tldr, --dry-run, --version"],
  ["rc-update", "show, -v show, $"],
  ["s6-svstat s6-svdt", "*"],
  ["s6-rc", "list, listall, diff"],
  ["svstat", "*"],
  ["monit", "status, summary, report, procmatch, -t, -V", { valued: "c g" }],
  ["lighttpd", "-t, -tt, -v, -V, -p"],
  ["a2query", "*"],
  ["php-fpm", "-t, -tt, -v, -i, -m"],
  ["traefik", "version, healthcheck"],
  [
    "amtool",
    "alert query, alert $, config show, config routes show|test, check-config, silence query, silence $, cluster show, template render",
    { valued: "alertmanager.url" },
  ],
  [
    "logcli",
    "query, labels, series, instant-query, stats, volume, volume_range, detected-fields, fmt",
    { unless: "part-path-prefix merge-parts parallel-max-workers" },
  ],
  ["loki", "-verify-config, --verify-config, -version, --version"],
  ["grafana-cli", "plugins ls|list-remote|list-versions"],
  ["grafana-server", "-v, -version, --version"],
  ["telegraf", "--test, -test, --version, config check"],
  ["vector", "validate, list, graph, --version"],
  ["otelcol otelcol-contrib", "validate, components"],
  ["netdata", "-W buildinfo, -V, -v"],
  ["zabbix_get", "*"],
  ["zabbix_agentd zabbix_agent2", "-p, --print, -t, --test, -V, --version"],
  ["cmk", "-l, --list-hosts, -d, -D, --list-checks, --list-plugins, --check-discovery, -X, --version, -L"],
  ["icinga2", "node list, daemon -C, feature list, object list, pki verify, --version, variable list|get"],
  ["nagios nagios4", "-v, -s, -V"],
  ["naemon", "-v"],
  [
    `check_disk check_ping check_load check_procs check_swap check_tcp check_udp check_ssh check_dns check_dig check_users check_uptime
    check_ntp_time check_ntp_peer check_icmp check_snmp check_ups check_sensors check_mysql check_pgsql check_file_age`,
    "*",
  ],
  ["check_http check_curl", "*", { unless: "P j post method" }],
  [
    "asterisk",
    "core|pjsip|sip|dialplan|queue|module|database|iax2|manager|http|voicemail|channel|bridge|rtp|cdr|cel|logger show",
  ],
  ["freeswitch", "-version"],
  ["fs_cli", "status, show, sofia status"],
  [
    "doveadm",
    "who, quota get, mailbox list|status|path|metadata, log errors|find, stats dump, user, config, search, fetch, director status, instance list, penalty, service status, process status, replicator status, acl get|rights|debug, fs stat|iter, dict get|iter, proxy list, help, auth lookup",
    { valued: "c o u A F S" },
  ],
  ["doveconf", "*"],
  ["dovecot", "-n, -a, --version, --build-options, --hostdomain"],
  ["exim exim4", "-bp, -bpc, -bpr, -bpa, -bpu, -bP, -bV, -bt, -bv, -Mvb, -Mvh, -Mvl, -Mvc"],
  ["exiqgrep exiqsumm eximstats exiwhat", "*"],
  ["rspamadm", "configtest, configdump, confighelp, dns_tool,  pw check"],
  ["rspamc", "stat, uptime, symbols, errors, counters, ping", { valued: "h P" }],
  ["opendkim-testkey", "*"],
  ["spamassassin", "--lint, -V, -D --lint"],
  ["amavisd-new amavisd", "showkeys, testkeys"],
  ["acme.sh", "--list, --info, --version, --check-dns-config, --showcsr"],
  ["lego", "list"],
  [
    "step",
    "certificate inspect|verify|lint|fingerprint|needs-renewal, ca health, ca roots|federation $, ca provisioner list, crypto jwt inspect, version, ssh inspect|list|fingerprint",
    { unless: "f" },
  ],
  ["mkcert", "-CAROOT"],
  [
    "syncthing",
    "cli show, cli config devices|folders|gui|options $, cli config * list|get, cli config * * get, cli config * * * get, cli config dump-json, cli errors show,  --version, --paths, --device-id",
  ],
  [
    "gitea forgejo",
    "admin user list, admin auth list, doctor check, manager processes",
    { valued: "c config w work-path" },
  ],
  ["gitlab-ctl", "status, tail, service-list, show-config, check-config, get-redis-master, diff-config"],
  [
    "gitlab-rake",
    "gitlab:check|gitlab:env:info|gitlab:gitaly:check|gitlab:git:fsck|gitlab:doctor:secrets|gitlab:ldap:check|gitlab:incoming_email:check|gitlab:sidekiq:check|db:migrate:status",
  ],
  ["gitlab-runner", "list, verify, status, --version", { unless: "delete" }],
  [
    "wp",
    "core version|verify-checksums|check-update|is-installed, plugin|theme list|get|status|path|search|is-installed|is-active|verify-checksums, option list|get|pluck, user list|get, post list|get, config list|get|path|has|is-true, db check|size|tables|prefix, cron event|schedule list, transient get|list, cache type|get, site list, role list, cap list, menu list, term list, comment count|list, db columns, rewrite list, cli info|version, maintenance-mode status|is-active, doctor check|list",
    { unless: "require exec", valued: "path url user" },
  ],
  [
    "drush",
    "status, st, pm:list, pm-list, pml, core:status, core:requirements, rq, config:get, cget, config:status, cst, watchdog:show, ws, updatedb:status, updbst, user:information, uinf, state:get, views:list, version, pm:security",
  ],
  [
    "celery",
    "status, inspect active|ping|stats|registered|scheduled|reserved|revoked|report|conf|active_queues|query_task|memsample, report, events --dump",
    { valued: "A app b broker d destination t" },
  ],
  ["alembic", "current, history, heads, branches, check, show", { valued: "c n x", unless: "sql" }],
  ["flyway", "info, validate", { unless: "outputFile" }],
  ["liquibase", "status, history, validate, diff"],
  ["artisan", ARTISAN],
  ["bluetoothctl", "devices, show, list, info, paired-devices, --version"],
  ["esphome", "config, version, logs"],
  ["platformio pio", "device list, boards, system info, project config, pkg list|outdated|show|search"],
  [
    "arduino-cli",
    "board list|listall|details|search, core list|search, lib list|search|examples|deps, config dump|get, version",
  ],
  ["rtl_test", "*"],
  ["lpstat lpq lpinfo", "*"],
  ["cupsctl", "$, -h * $, -U * $"],
  ["pactl", "list, info, stat, get-*, subscribe", { valued: "s n server" }],
  ["aplay arecord", "-l, -L, --list-devices, --list-pcms, --version"],
  [
    "amixer",
    "$, scontrols, scontents, controls, contents, get, sget, cget, info, events",
    { valued: "c D card device" },
  ],
  ["wpctl", "status, get-volume, inspect"],
  ["ffprobe mediainfo mkvinfo identify", "*", { unless: "logfile write LogFile report" }],
  [
    "ffmpeg",
    "-version $, -hide_banner -formats|-encoders|-decoders|-codecs|-devices|-filters|-hwaccels|-protocols|-pix_fmts|-muxers|-demuxers|-bsfs|-buildconf|-version $, -formats|-encoders|-decoders|-codecs|-devices|-filters|-hwaccels|-protocols|-pix_fmts|-buildconf $",
  ],
  [
    "tea",
    "issues|pulls|releases|repos|labels|milestones|organizations|branches|notifications|actions|times|webhooks list|ls, issues|pulls|releases|repos|labels|milestones $, whoami, login list",
  ],
  [
    "authelia",
    "validate-config, config validate, access-control check-policy, build-info, version, storage schema-info, storage migrate history|list-up|list-down",
  ],
  ["klist", "*"],
  ["kadmin.local kadmin", "list*|get*", { valued: "p r s c w k" }],
  ["ldapsearch ldapwhoami ldapcompare ldapurl", "*", { unless: "T t" }],
  ["slapcat", "*", { unless: "l" }],
  ["slaptest", "-u, -v, -Q", { unless: "F" }],
  [
    "samba-tool",
    "domain level show, domain info|passwordsettings show, domain passwordsettings show, domain trust list|show, user list|show|getgroups, group list|listmembers|show, computer list|show, drs showrepl, dns query|zonelist|zoneinfo|serverinfo, fsmo show, gpo list|listall|show|listcontainers, ou list|listobjects, sites list|view, processes, testparm, time, dbcheck, ntacl get, spn list, forest directory_service show, delegation show, contact list|show",
    { valued: "H U k s", unless: "yes cross-ncs" },
  ],
  ["ipa", "*-find, *-show, ping, env, config-show, server-role-find"],
  [
    "sssctl",
    "domain-list, domain-status, user-checks, user-show, group-show, netgroup-show, config-check, cert-show, cache-index list, access-report",
  ],
  ["realm", "list, discover"],
  ["authselect", "current, list, list-features, check, show, test, requirements"],
  ["tuned-adm", "active, list, profile_info, recommend, verify"],
  ["etckeeper", "vcs status|log|diff|show, unclean, list-installed"],
  ["debconf-show debconf-get-selections", "*"],
  ["lnav", "-n", { unless: "c f i W I" }],
  // It prints; with `-i` or `--output` it writes.
  ["sops", "-d, --decrypt, decrypt, filestatus", { unless: "i in-place output e encrypt r rotate" }],
  ["bw", "status, list, get item|username|password|uri|totp|notes|folder|collection|fingerprint|template"],
  ["op", "item list|get, vault list|get, user list|get, account list|get, whoami, read, document list, group list"],
  ["pass gopass", "$, ls|list, show, find, grep, git log", { unless: "c clip q qrcode o" }],
  ["age-keygen", "-y", { unless: "o" }],
  ["kubeseal", "--fetch-cert, --validate, --version"],
  [
    "jj",
    "log, st|status, show, diff, evolog, obslog, op log, operation log, branch|bookmark list, config list|get|path, root",
  ],
  ["gitleaks", "detect, dir, git, stdin", { unless: "r report-path log-opts" }],
  ["act", "-l, --list, -n $, -n push|pull_request, --dryrun"],
  ["molecule", "list, matrix, drivers"],
  ["pre-commit", "validate-config, validate-manifest, sample-config"],
  ["woodpecker-cli", "repo ls, repo info, pipeline ls|info|last|logs|ps, info"],
  ["drone", "repo ls, repo info, build ls|info|last, info, server ls|info, queue, secret ls"],
  ["forgejo-runner act_runner", "list"],
];

/** Scripts of PHP, as `php occ status` runs them. */
export const PHP_LOOKS: Readonly<Record<string, EffectRule>> = {
  occ: looks(OCC, OCC_OPTIONS),
  artisan: looks(ARTISAN),
};

export const SERVICE_LOOKS = lookRecords(ROWS);
