// Runs pg_dump and pg_restore: found by their version, and run without a password among their arguments, which every
// account could read.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { OrchError } from "../../domain/errors.ts";

const run = promisify(execFile);

/** Where packages of Debian put each version. */
const PACKAGED = "/usr/lib/postgresql";

/** The lowest version that fits, at least that of the server: an older tool refuses a newer server. */
export async function findTool(tool: "pg_dump" | "pg_restore", server_major: number): Promise<string> {
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""),
    ...(existsSync(PACKAGED) ? readdirSync(PACKAGED).map((version) => join(PACKAGED, version, "bin")) : []),
  ];
  const found: { readonly path: string; readonly major: number }[] = [];
  for (const path of new Set(folders.map((folder) => join(folder, tool)))) {
    const major = existsSync(path) ? await majorOf(path) : null;
    if (major !== null && major >= server_major) found.push({ path, major });
  }
  const [nearest] = found.sort((one, other) => one.major - other.major);
  if (nearest !== undefined) return nearest.path;
  throw new OrchError("database_unusable", `${tool} of PostgreSQL ${server_major} is not installed here`, {
    fix: `install the client programs of PostgreSQL ${server_major} (Debian: postgresql-client-${server_major})`,
  });
}

async function majorOf(path: string): Promise<number | null> {
  const said = await run(path, ["--version"]).catch(() => null);
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(said?.stdout ?? "") ?? [];
  return major === undefined ? null : Number(major);
}

/** What libpq knows of a URL; the rest is for the driver. */
const KNOWN = new Set(["host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout"]);

/** The tool as a process that has begun. `ended` rejects with what it has written to stderr. */
export function startTool(path: string, args: readonly string[], url: string) {
  const { name, env } = connectionOf(url);
  const child = spawn(path, [...args, "--no-password", `--dbname=${name}`], { env, stdio: ["pipe", "pipe", "pipe"] });
  return { child, ended: endOf(child, path) };
}

function connectionOf(url: string) {
  const parsed = new URL(url);
  const password = decodeURIComponent(parsed.password);
  parsed.password = "";
  for (const name of [...parsed.searchParams.keys()]) if (!KNOWN.has(name)) parsed.searchParams.delete(name);
  const { PATH = "", HOME = "" } = process.env;
  return { name: parsed.href, env: { PATH, HOME, LC_ALL: "C", ...(password !== "" && { PGPASSWORD: password }) } };
}

const MOST_SAID = 2_000;

async function endOf(child: ChildProcess, path: string): Promise<void> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(-MOST_SAID);
  });
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit, signal) => resolve(exit ?? signal));
  });
  if (code === 0) return;
  throw new OrchError("database_unusable", `${path} ended with ${code}: ${said.trim().replaceAll(/\s*\n\s*/g, "; ")}`);
}
