// Holds the records of frameworks and of what migrates, fills and empties the databases of programs.
import type { Consequences, ProgramRecord } from "../record.ts";

/** They load a schema anew, or take rows or tables away. */
export const RAILS_CONSEQUENCES: Consequences = {
  deletes_data:
    /(?:^|\s)(?:db:(?:drop|reset|purge|rollback|setup|truncate_all|seed:replant|(?:schema|structure):load|migrate:(?:reset|down|redo))(?::\w+)?|(?:[\w-]+:)+(?:drop|delete|destroy|purge|clobber)(?:_all)?)(?=[\s[]|$)|^destroy\s/,
};

const DJANGO_LOOKS =
  "check, showmigrations, diffsettings, inspectdb, sqlmigrate, sqlflush, version, help, findstatic, show_urls, list_model_info";

/** The words after the name are a command of the project, in a container or with another PHP. */
const WRAPPED: Pick<ProgramRecord, "runsAs"> = {
  runsAs: ([name = "", ...args]) => {
    const rest = /^(?:exec|run)$/.test(args[0] ?? "") ? args.slice(1) : args;
    const at = rest.findIndex((word) => !word.startsWith("-"));
    return at < 0 ? [name, ...args] : rest.slice(at);
  },
};

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "prisma",
    looks: "validate, format --check, version, migrate status|diff",
    consequences: {
      deletes_data: /^migrate reset(?:\s|$)|^db push\s(?:.*\s)?--(?:force-reset|accept-data-loss)(?=\s|$)/,
    },
    applies: { names: "prisma" },
  },
  {
    names: "manage.py django-admin",
    valued: "settings pythonpath",
    looks: DJANGO_LOOKS,
    consequences: {
      deletes_data:
        /^(?:flush|reset_db|reset_schema|document_purge|remove_stale_contenttypes|clearsessions|(?:delete|drop|purge|wipe|truncate)_\w+|migrate\s+\S+\s+zero)(?:\s|$)/,
      changes_accounts: /^(?:createsuperuser|changepassword|create_?user|drf_create_token)(?:\s|$)/,
    },
  },
  {
    names: "console",
    looks: "about, list, debug:*, lint:*, doctrine:migrations:status|list, doctrine:schema:validate, router:match",
    consequences: {
      deletes_data:
        /^(?!.*--(?:dry-run|dump-sql))(?:doctrine:(?:database:drop|schema:drop|mongodb:schema:drop)|doctrine:fixtures:load(?!.*--append)|doctrine:migrations:migrate\s+(?:first|0|prev)|(?:\w+:)+(?:purge|drop|delete|remove|clear-all))(?:\s|$)/,
    },
  },
  {
    names: "mix",
    obeys: { names: "mix.exs config/*.exs lib/*.ex lib/*/*.ex" },
    looks: "help, ecto.migrations, hex.info, hex.outdated, deps, xref, phx.routes",
    consequences: { deletes_data: /^(?:ecto\.(?:drop|reset|rollback)|do\s.*ecto\.(?:drop|reset))(?:[\s,]|$)/ },
  },
  {
    names: "sequelize sequelize-cli",
    looks: "db:migrate:status",
    consequences: { deletes_data: /^(?:db:drop|db:(?:migrate|seed):undo\S*)(?:\s|$)/ },
  },
  {
    names: "typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm",
    looks: "migration:show, version",
    consequences: { deletes_data: /^(?:schema:drop|migration:revert)(?:\s|$)/ },
  },
  {
    names: "knex",
    looks: "migrate:status, migrate:list, migrate:currentVersion",
    consequences: { deletes_data: /^(?:migrate:(?:rollback|down|unlock)|db:drop)(?:\s|$)/ },
  },
  {
    names: "drizzle-kit",
    looks: "check, studio --help",
    consequences: { deletes_data: /^(?:drop(?:\s|$)|push\s(?:.*\s)?--force(?=\s|$))/ },
  },
  {
    names: "hasura",
    looks: "version, migrate status, metadata diff, metadata inconsistency list|status",
    consequences: {
      deletes_data: /^migrate apply\s(?:.*\s)?--(?:down|goto)(?=[\s=]|$)|^migrate delete|^metadata clear/,
    },
  },
  {
    names: "goose dbmate migrate sqlx diesel atlas sqitch",
    looks: "status, version, migrate status|info, schema inspect, migration list, log",
    consequences: {
      deletes_data:
        /^(?!.*--dry-run)(?:.*\s)?(?:down|down-to|drop|reset|rollback|revert|redo|clean|destroy|delete)(?=\s|$)/,
    },
  },
  {
    names: "railway",
    consequences: { deletes_data: /^(?:down|delete|(?:volume|service|environment) (?:delete|down))(?:\s|$)/ },
  },
  { names: "ddev lando sail symfony warden docksal", ...WRAPPED },
  {
    names: "alembic aerich",
    valued: "c n x",
    looks: "current, history, heads, branches, check, show",
    unless: "sql",
    consequences: { deletes_data: /^downgrade(?:\s|$)(?!.*--sql)/ },
    applies: { options: "c config", names: "alembic.ini alembic migrations" },
  },
  {
    names: "flyway",
    looks: "info, validate",
    unless: "outputFile",
    consequences: { deletes_data: /(?:^|\s)(?:clean|undo)(?=\s|$)/ },
    applies: { options: "configFiles", names: "flyway.conf sql" },
  },
  {
    names: "liquibase",
    looks: "status, history, validate, diff",
    consequences: { deletes_data: /(?:^|\s)(?:drop-?all|rollback(?!-?\w*-?sql)[\w-]*)(?=\s|$)/i },
    applies: "changelog-file changeLogFile defaults-file",
  },
];
