// Scenes of data: a database, a backup, a checkout with its remote, notes and DNS records on tool servers.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createNotesModel } from "../simulators/notes/notes-model.ts";
import { startNotesServer } from "../simulators/notes/notes-server.ts";
import { openEngine } from "../support/engine.ts";
import { type Postgres, postgres } from "../support/postgres.ts";
import { startDnsServer } from "./dns-server.ts";
import type { OpenScene, Scene } from "./scene.ts";
import type { World } from "./world.ts";

let cluster: Postgres | null | undefined;
export const stopPostgres = async (): Promise<void> => cluster?.stop();

/** With what a careless count would get wrong: an empty table, a partition, a row that looks like the beginning of data. */
const ROWS = `create table orders (id int primary key); insert into orders select generate_series(1, 300);
create table empty (id int);
create table visits (id int) partition by range (id); create table visits_1 partition of visits for values from (0) to (100);
insert into visits values (1), (2);
create table texts (line text); insert into texts values ('COPY x (y) FROM stdin;'), (E'two\\nlines'), ('\\.');`;

const database: OpenScene = async (world) => {
  cluster ??= postgres();
  if (cluster === null) return null;
  const { hostname, port, username, pathname } = new URL(await cluster.createDatabase());
  const target = { db_host: hostname, db_port: port, db_user: username, database: pathname.slice(1) };
  const to = ["-h", hostname, "-p", port, "-U", username, "-d", target.database];
  execFileSync("psql", [...to, "-c", ROWS], { stdio: "ignore" });
  return { target: { ...target, dump_dir: world.directory("dumps") } };
};

const RESTIC = ["/usr/local/bin/restic", "/usr/bin/restic"].find(existsSync);

const backup: OpenScene = async (world) => {
  const source = world.directory("data");
  world.write("data/a.txt", "first\n");
  world.write("data/deep/b.txt", "second\n");
  const [repository, password_file] = [world.directory("repo"), world.write("password", "a long password\n")];
  if (RESTIC === undefined) world.write("repo/config");
  else execFileSync(RESTIC, ["--repo", repository, "--password-file", password_file, "init"], { stdio: "ignore" });
  return { target: { source, repository, password_file, scratch: world.directory("scratch") } };
};

const ORCH = join(import.meta.dirname, "../../src/orch.ts");

/** What was restored before, and a run that failed left, is not what is restored now. An older backup is not either. */
async function drilled(world: World, database: Readonly<Record<string, string>>): Promise<Scene> {
  const data_dir = world.directory("data");
  await using engine = await openEngine({ directory: data_dir, env: database });
  await engine.submit(engine.contract("before"));
  const program = `#!/bin/sh\n[ -e ${world.at("state/lies")} ] && exit 0\nexec ${process.execPath} ${ORCH} "$@"\n`;
  chmodSync(world.write("bin/orch", program), 0o755);
  world.write("backups/orch-1.backup", "not whole\n");
  utimesSync(world.at("backups/orch-1.backup"), 1, 1);
  world.write("scratch/orch-drill/an-earlier-run/orch.db", "what is left of it\n");
  const env = { PATH: process.env["PATH"], HOME: world.at("."), ORCH_DATA_DIR: data_dir, ...database };
  execFileSync(process.execPath, [ORCH, "backup", world.at("backups/orch-2.backup")], { env, stdio: "ignore" });
  return { target: { backup_dir: world.at("backups"), scratch_dir: world.at("scratch") } };
}

const drill: OpenScene = (world) => drilled(world, {});

/** A scratch database that a run left which failed is there too. */
const drillOfServer: OpenScene = async (world) => {
  cluster ??= postgres();
  if (cluster === null) return null;
  const url = await cluster.createDatabase();
  const { hostname, port, username } = new URL(url);
  const to = ["-h", hostname, "-p", port, "-U", username];
  execFileSync("dropdb", [...to, "--if-exists", "orch_drill"], { stdio: "ignore" });
  execFileSync("createdb", [...to, "orch_drill"]);
  execFileSync("psql", [...to, "-d", "orch_drill", "-c", ROWS], { stdio: "ignore" });
  const { target } = await drilled(world, { DATABASE_URL: url });
  return { target: { ...target, db_host: hostname, db_port: port, db_user: username } };
};

const checkout: OpenScene = async (world) => {
  const compose_dir = world.directory("checkout");
  const git = (...args: string[]) => execFileSync("git", ["-C", compose_dir, ...args], { stdio: "ignore" });
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", world.directory("remote")]);
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "orch");
  git("config", "user.email", "orch@lab.example");
  git("remote", "add", "origin", world.at("remote"));
  world.write("checkout/compose.yaml", "image: web:1\n");
  git("add", ".");
  git("commit", "--quiet", "--message=first");
  git("push", "--quiet", "origin", "main");
  world.write("checkout/compose.yaml", "image: web:2\n");
  world.write("checkout/a name; $(touch x).txt", "new\n");
  const payload = { paths: ["compose.yaml", "a name; $(touch x).txt"], message: "Pin the image" };
  return { target: { compose_dir, branch: "main" }, payload };
};

const notes: OpenScene = async () => {
  const model = createNotesModel();
  model.add({ note_id: "ideas", title: "Ideas", content: "About: Ideas" });
  const server = await startNotesServer("native", { model });
  return {
    target: { note_id: "ideas", notes_url: server.url, service: "notes" },
    env: { MCP_NOTES_URL: server.url },
    lie: () => void Object.assign(server.switches, { lying_success: true }),
    close: async () => server[Symbol.asyncDispose](),
  };
};

const record: OpenScene = async () => {
  const server = await startDnsServer();
  return {
    target: { zone: "lab.example", name: "www" },
    env: { MCP_DNS_URL: server.url },
    lie: server.lie,
    close: async () => server[Symbol.asyncDispose](),
  };
};

export const DATA_SCENES: Readonly<Record<string, OpenScene>> = {
  "dns-record": record,
  "git-push": checkout,
  "postgres-dump": database,
  "record-to-notes": notes,
  "restic-backup": backup,
  "restore-drill": drill,
  "restore-drill-postgresql": drillOfServer,
};
