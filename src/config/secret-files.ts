// Reads secrets from files: the one that `<variable>_FILE` names, as a container gets them, or one with the name of the variable in the
// directory of a service's credentials ($CREDENTIALS_DIRECTORY of systemd). A message names the variable only: someone may have
// put the secret itself in the place of the file's name.
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { FieldIssue } from "../domain/errors.ts";
import { CLIENT_SETTINGS, TOOL_SERVER_SETTINGS } from "./other-settings.ts";
import { type Env, settingsIn } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

const END = "_FILE";
const CREDENTIALS = "CREDENTIALS_DIRECTORY";
const MAX_LENGTH = 65_536;

const SECRETS = new Set(
  [SETTINGS, CLIENT_SETTINGS].flatMap(settingsIn).flatMap((one) => (one.secret ? [one.variable] : [])),
);
const OF_TOOL_SERVERS = settingsIn(TOOL_SERVER_SETTINGS)
  .filter(({ secret }) => secret !== undefined)
  .map(({ variable }) => new RegExp(`^${variable.replace("{NAME}", ".+")}$`));

/** Also a variable of a tool server. */
export const isSecret = (variable: string): boolean =>
  SECRETS.has(variable) || OF_TOOL_SERVERS.some((named) => named.test(variable));

/** Returns the environment without the secrets that open orch itself, for code that is given the environment of the server. */
export const withoutOwnSecrets = (given: Env): Env =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => !SECRETS.has(name) && !SECRETS.has(secretOf(name) ?? "")),
  );

/** Of `<variable>_FILE`; null where that is no secret. */
export function secretOf(name: string): string | null {
  const variable = name.endsWith(END) ? name.slice(0, -END.length) : "";
  return isSecret(variable) ? variable : null;
}

export type WithSecrets = {
  /** The secrets under their own names, and no file. */
  readonly env: Env;
  readonly issues: readonly FieldIssue[];
  /** An issue of a value, under the name of the variable that says where the value is. */
  readonly placed: (issue: FieldIssue) => FieldIssue;
};

export function withSecretFiles(given: Env): WithSecrets {
  const env = { ...given };
  const issues: FieldIssue[] = [];
  const places = new Map<string, FieldIssue>();
  const take = (variable: string, file: string, place: FieldIssue): void => {
    const read = textOf(file);
    places.set(variable, place);
    if ("fault" in read) issues.push({ path: place.path, message: `${place.message}${read.fault}` });
    else env[variable] = read.text;
  };
  for (const [name, file] of Object.entries(given)) {
    const variable = secretOf(name);
    if (variable === null || file === undefined) continue;
    delete env[name];
    if (given[variable] !== undefined) issues.push({ path: name, message: `must not be set beside ${variable}` });
    else take(variable, file, { path: name, message: "" });
  }
  const directory = given[CREDENTIALS];
  for (const variable of directory === undefined ? [] : credentialsIn(directory)) {
    // The variable itself counts more.
    if (env[variable] !== undefined || places.has(variable)) continue;
    take(variable, join(directory ?? "", variable), { path: CREDENTIALS, message: `${variable} there ` });
  }
  const placed = (issue: FieldIssue): FieldIssue => {
    const place = places.get(issue.path);
    return place === undefined ? issue : { path: place.path, message: `${place.message}${issue.message}` };
  };
  return { env, issues, placed };
}

/** Where containers and the units of orch keep secrets. */
const KNOWN = ["/run/secrets", "/etc/orch/credentials", "/etc/orch/orch.env"];
/** The driver of PostgreSQL reads these by itself. */
const OF_POSTGRESQL = ["PGPASSFILE", "PGSSLKEY"];

/** Lists the files and directories with secrets, which no command of a step or an agent may read. */
export function secretPaths(given: Env, database_url: string | null): string[] {
  const named = Object.entries(given).flatMap(([name, path = ""]) =>
    secretOf(name) !== null || name === CREDENTIALS || OF_POSTGRESQL.includes(name) ? [path] : [],
  );
  const all = [...KNOWN, ...named, ...filesInUrl(database_url)].filter((path) => isAbsolute(path));
  return [...new Set(all.flatMap((path) => [path, ...volumeOf(path)]))];
}

/** `postgresql://…?sslkey=FILE`. The certificate of an authority is no secret. */
function filesInUrl(url: string | null): string[] {
  if (url === null || !URL.canParse(url)) return [];
  return [...new URL(url).searchParams].flatMap(([name, value]) => (/key|pass/.test(name) ? [value] : []));
}

/** Kubernetes keeps a secret in `VOLUME/..TIME/` and changes the time when it rotates it: the whole volume is the secret. */
function volumeOf(path: string): string[] {
  try {
    const [, volume] = /^(\/.+?)\/\.\.[^/]+\//.exec(realpathSync(path)) ?? [];
    return volume === undefined ? [] : [volume];
  } catch {
    return []; // There is none yet.
  }
}

/** systemd sets the variable where a unit has credentials; other ones than those of orch may be there. */
function credentialsIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter(isSecret).sort();
  } catch {
    return [];
  }
}

/** Without the end of its line. */
function textOf(file: string): { readonly text: string } | { readonly fault: string } {
  if (!isAbsolute(file)) return { fault: "must be the absolute path of a file" };
  try {
    const text = readFileSync(file, "utf8").replace(/[\r\n]+$/, "");
    if (text === "") return { fault: "must be a file that holds the value, and it is empty" };
    return text.length > MAX_LENGTH ? { fault: `must be a file of at most ${MAX_LENGTH} characters` } : { text };
  } catch (error) {
    return { fault: `must be a file that orch can read (${(error as NodeJS.ErrnoException).code})` };
  }
}
