// A real PostgreSQL server for one test file: in a temporary folder, on a free port, as an ordinary user (PostgreSQL
// refuses to run as root). Where PostgreSQL is not installed, one line says so.
import { execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";

export type Postgres = {
  /** The URL of a new database, empty or a copy of `template`, to which no client may be connected. */
  readonly createDatabase: (template?: string) => Promise<string>;
  /** Removes it, also while clients are connected. */
  readonly removeDatabase: (url: string) => Promise<void>;
  /** Ends it at once, as a crash does, and starts it again on its port. Call it with a database. */
  readonly restart: (down_ms?: number) => Promise<void>;
  /** Another database starts it anew: files of tests in one process may share it. */
  readonly stop: () => Promise<void>;
  /** The process that all of its processes are below. Call it with a database. */
  readonly pid: () => Promise<number>;
};

function findPostgres(): string | null {
  const packaged = "/usr/lib/postgresql";
  const versions = existsSync(packaged) ? readdirSync(packaged).map((version) => join(packaged, version, "bin")) : [];
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...versions.sort().reverse()];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl"))) ?? null;
}

// Ends the server when the pipe to it closes, so also when the process that runs the tests is killed.
const GUARD = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server';

/** With `fsync`, what is committed is on the disk, as on a server that somebody relies on. */
type Settings = {
  readonly fsync?: boolean;
  /** Whether it keeps when each row was committed, which is the order that its readers see. */
  readonly commit_times?: boolean;
};

/** Starts with the first database, so a run that needs none starts nothing. Null where PostgreSQL is not installed. */
export function postgres(settings: Settings = {}): Postgres | null {
  const bin = findPostgres();
  if (bin === null) {
    process.stdout.write("PostgreSQL is not installed here (no initdb): what needs it is skipped\n");
    return null;
  }
  let server: Promise<Server> | undefined;
  let made = 0;
  return {
    async createDatabase(template) {
      server ??= start(bin, settings);
      const { urlOf } = await server;
      const name = `orch_${++made}`;
      const copy = template === undefined ? "" : ` TEMPLATE ${new URL(template).pathname.slice(1)}`;
      await execute(urlOf("postgres"), `CREATE DATABASE ${name}${copy}`);
      return urlOf(name);
    },
    removeDatabase: async (url) => {
      const { urlOf } = await (server ?? start(bin, settings));
      await execute(urlOf("postgres"), `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    },
    restart: async (down_ms) => (await server)?.restart(down_ms),
    pid: async () => (await server)?.pid() ?? 0,
    stop: async () => {
      const stopped = server;
      server = undefined;
      await (await stopped)?.stop();
    },
  };
}

/** The settings of a new database on each kind that is here, by the name of the kind. */
export function databases(server: Postgres | null) {
  const create = { "a SQLite file": async () => ({}) };
  if (server === null) return Object.entries(create);
  return Object.entries({ ...create, PostgreSQL: async () => ({ DATABASE_URL: await server.createDatabase() }) });
}

/** Both every night. For a change SQLite alone, where the suites of the store say of PostgreSQL what matters here. */
export const databasesOfEachChange = (server: Postgres | null) =>
  process.env["ORCH_TESTS"] === "all" ? databases(server) : databases(null);

type Server = Pick<Postgres, "restart" | "stop"> & {
  readonly urlOf: (database: string) => string;
  readonly pid: () => number;
};

async function start(bin: string, { fsync = false, commit_times = false }: Settings): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "orch-postgres-"));
  const user = ordinaryUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = join(folder, "data");
  const own = { cwd: folder, ...user };
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "orch", "-A", "trust", "-E", "UTF8", "--no-sync"], {
    stdio: "ignore",
    ...own,
  });
  const port = await freePort();
  const settings = [
    `fsync=${fsync ? "on" : "off"}`,
    `track_commit_timestamp=${commit_times ? "on" : "off"}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "max_connections=300",
  ];
  const flags = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const urlOf = (database: string) => `postgresql://orch@127.0.0.1:${port}/${database}`;
  let pid = 0;
  const begin = async () => {
    const guard = spawn("sh", ["-c", GUARD, "sh", join(bin, "postgres"), ...flags], {
      stdio: ["pipe", "ignore", "ignore"],
      ...own,
    });
    pid = guard.pid ?? 0;
    const ended = once(guard, "exit");
    await untilReady(urlOf("postgres"));
    return async () => {
      guard.stdin.end();
      await ended;
    };
  };
  let end = await begin();
  return {
    urlOf,
    pid: () => pid,
    async restart(down_ms = 0) {
      await end();
      await sleep(down_ms);
      end = await begin();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing when this is one already, else the account that packages of PostgreSQL make, or `nobody`. */
function ordinaryUser(): Pick<SpawnOptions, "uid" | "gid"> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (user: string, what: string) => Number(execFileSync("id", [what, user], { encoding: "utf8" }));
  try {
    return { uid: idOf("postgres", "-u"), gid: idOf("postgres", "-g") };
  } catch {
    return { uid: idOf("nobody", "-u"), gid: idOf("nobody", "-g") };
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const adapter = await new PrismaPg({ connectionString, max: 1 }).connect();
  try {
    await adapter.executeScript(sql);
  } finally {
    await adapter.dispose();
  }
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await execute(url, "SELECT 1");
    } catch (error) {
      if (attempt === 300) throw error;
      await sleep(50);
    }
  }
}
