// Holds the records of the command lines of applications.
import type { EffectRule, ProgramRecord } from "../record.ts";
import { looks } from "../rules/looks.ts";

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

/** Scripts of PHP, as `php occ status` runs them. */
export const PHP_LOOKS: Readonly<Record<string, EffectRule>> = {
  occ: looks(OCC, OCC_OPTIONS),
  artisan: looks(ARTISAN),
};

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "occ nextcloud.occ nextcloud-occ",
    effect: looks(OCC, OCC_OPTIONS),
    consequences: {
      deletes_data: /^(?:user:delete|trashbin:cleanup|versions:cleanup|files:cleanup)(?:\s|$)/,
      changes_accounts:
        /^(?:user:(?:add|delete|resetpassword|disable|enable)|group:(?:add|delete|adduser|removeuser))(?:\s|$)/,
    },
  },
  {
    names: "ha",
    looks: `core|supervisor|host|os|dns|audio|cli|multicast|observer info|logs|stats, core check, host options $, addons|apps $, addons|apps info|logs|stats, network info, backups|backup $, backups info|list, resolution info, resolution suggestions|issues list,
    hardware info|audio, available-updates, jobs info, info, banner, docker info, docker registries $, services $, store $, store addons $, mounts info, banner, security info, discovery $, `,
    consequences: {
      restarts_service: /^(?:core|supervisor|addons|apps|dns|audio|multicast|cli)\s+(?:stop|restart)(?:\s|$)/,
      reboots: /^(?:host|ho)\s+(?:reboot|shutdown)(?:\s|$)/,
    },
  },
  { names: "hass", looks: "--script check_config, --version" },
  {
    names: "syncthing",
    looks:
      "cli show, cli config devices|folders|gui|options $, cli config * list|get, cli config * * get, cli config * * * get, cli config dump-json, cli errors show,  --version, --paths, --device-id",
  },
  {
    names: "gitea forgejo",
    valued: "c config w work-path",
    looks: "admin user list, admin auth list, doctor check, manager processes",
    consequences: {
      changes_accounts:
        /(?:^|\s)admin\s+(?:.*\s)?(?:user\s+(?:create|delete|change-password|generate-access-token|must-change-password)|auth\s+(?:add|update|delete))/,
    },
  },
  {
    names: "gitlab-ctl",
    looks: "status, tail, service-list, show-config, check-config, get-redis-master, diff-config",
  },
  {
    names: "gitlab-rake",
    looks:
      "gitlab:check|gitlab:env:info|gitlab:gitaly:check|gitlab:git:fsck|gitlab:doctor:secrets|gitlab:ldap:check|gitlab:incoming_email:check|gitlab:sidekiq:check|db:migrate:status",
  },
  {
    names: "gitlab-runner",
    looks: "list, verify, status, --version",
    unless: "delete",
    obeys: { when: /^exec\s/, names: ".gitlab-ci.yml", holds: /script\s*:/ },
  },
  {
    names: "wp",
    valued: "path url user",
    looks:
      "core version|verify-checksums|check-update|is-installed, plugin|theme list|get|status|path|search|is-installed|is-active|verify-checksums, option list|get|pluck, user list|get, post list|get, config list|get|path|has|is-true, db check|size|tables|prefix, cron event|schedule list, transient get|list, cache type|get, site list, role list, cap list, menu list, term list, comment count|list, db columns, rewrite list, cli info|version, maintenance-mode status|is-active, doctor check|list",
    unless: "require exec",
    consequences: {
      deletes_data: /^(?:\w[\w-]*\s+){1,2}(?:delete|reset|empty|drop|clean|uninstall|destroy)(?=\s|$)(?!.*--dry-run)/,
      changes_accounts: /^(?:user|super-admin)\s+(?!list|get|meta\s+(?:list|get)|check)\w/,
    },
  },
  {
    names: "drush",
    looks:
      "status, st, pm:list, pm-list, pml, core:status, core:requirements, rq, config:get, cget, config:status, cst, watchdog:show, ws, updatedb:status, updbst, user:information, uinf, state:get, views:list, version, pm:security",
    consequences: {
      deletes_data:
        /^(?:-\S+\s+)*(?:@\S+\s+)?(?:sql[:-]drop|sql[:-]create|site[:-]install|si|entity[:-]delete|pm[:-]uninstall|pmu|watchdog[:-]delete)(?:\s|$)/,
    },
  },
  {
    names: "celery",
    valued: "A app b broker d destination t",
    looks:
      "status, inspect active|ping|stats|registered|scheduled|reserved|revoked|report|conf|active_queues|query_task|memsample, report, events --dump",
  },
  {
    names: "artisan",
    looks: ARTISAN,
    consequences: {
      deletes_data:
        /^(?!.*--pretend)(?:migrate:(?:fresh|refresh|reset|rollback)|db:wipe|queue:(?:clear|flush)|backup:clean|model:prune|telescope:(?:clear|prune))(?:\s|$)/,
      restarts_service: /^(?:horizon:terminate|queue:restart|octane:(?:reload|stop)|down)(?:\s|$)/,
    },
  },
  { names: "esphome", looks: "config, version, logs" },
  { names: "ffprobe mediainfo mkvinfo identify", looks: "*", unless: "logfile write LogFile report" },
  {
    names: "ffmpeg",
    looks:
      "-version $, -hide_banner -formats|-encoders|-decoders|-codecs|-devices|-filters|-hwaccels|-protocols|-pix_fmts|-muxers|-demuxers|-bsfs|-buildconf|-version $, -formats|-encoders|-decoders|-codecs|-devices|-filters|-hwaccels|-protocols|-pix_fmts|-buildconf $",
    writes: { operands: "last", valued: "m o g t S O f" },
    applies: "filter_script filter_complex_script",
  },
  { names: "immich", looks: "server-info" },
  { names: "synoshare synouser synogroup", looks: "--get, --enum, --getmap" },
];
