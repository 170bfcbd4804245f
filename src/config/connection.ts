// The address of the running server and the token for it, as the command line and the stdio bridge find them. Only the
// variables for that are parsed: a fault in another one stops the server, not its client.
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { readUrlFile, urlPath } from "./address-file.ts";
import { isLoopback } from "./clear-text.ts";
import { defaultDataDir, type Env, invalidConfig, setVariables, variableIssues } from "./config.ts";
import { CLIENT_SETTINGS } from "./other-settings.ts";
import { secretOf, withSecretFiles } from "./secret-files.ts";
import { SETTINGS } from "./settings.ts";
import { readTokenFile, tokenPath } from "./token-file.ts";

const { host, port, data_dir, token, approver_token } = SETTINGS;
const Variables = z.object({
  ORCH_HOST: host.schema,
  ORCH_PORT: port.schema,
  ORCH_DATA_DIR: data_dir.schema,
  ORCH_TOKEN: token.schema,
  ORCH_APPROVER_TOKEN: approver_token.schema,
  ORCH_URL: CLIENT_SETTINGS.url.schema,
});

/** A fault in the file of another secret stops the server, not its client. */
const READ = new Set(Object.keys(Variables.shape));

/** `value` is null when there is none; `from` says where it is from, or why there is none. */
export type Credential = { readonly value: string | null; readonly from: string };

export type Connection = {
  /** Without a slash at its end. */
  readonly url: string;
  /** What decided on the address, null for the default. */
  readonly url_from: string | null;
  readonly token: Credential;
  /** For decisions on approvals. */
  readonly approver: Credential;
  readonly is_loopback: boolean;
};

/** Rejects with `config_invalid` when a variable it needs is wrong or the token file may not be used. */
export async function findConnection(environment: Env, url?: string): Promise<Connection> {
  const { env, issues: of_files, placed } = withSecretFiles(setVariables(environment));
  const asked = CLIENT_SETTINGS.url.schema.safeParse(url);
  const parsed = Variables.safeParse(env);
  const issues = [
    ...variableIssues(asked.error).map(({ message }) => ({ path: "--url", message })),
    ...variableIssues(parsed.error).map(placed),
    ...of_files.filter(({ path }) => READ.has(secretOf(path) ?? path)),
  ];
  if (!parsed.success || issues.length > 0) throw invalidConfig(issues);
  const data_dir = parsed.data.ORCH_DATA_DIR ?? defaultDataDir(env);
  const isSet = url !== undefined || [env["ORCH_URL"], env["ORCH_HOST"], fixedPort(parsed.data, env)].some(Boolean);
  const location = (isSet ? null : await filedLocation(data_dir)) ?? locationOf(parsed.data, url);
  const token = await tokenOf(parsed.data, location, data_dir);
  const approver = parsed.data.ORCH_APPROVER_TOKEN;
  return {
    ...location,
    token,
    approver: approver === null ? token : { value: approver, from: "ORCH_APPROVER_TOKEN" },
  };
}

/** The address at which a server of this data directory listens; null where none is known to. */
export async function announcedUrl(environment: Env): Promise<string | null> {
  const env = setVariables(environment);
  return readUrlFile(data_dir.schema.parse(env[data_dir.variable]) ?? defaultDataDir(env));
}

/** A warning when the token would cross a network unencrypted; null when it does not. */
export const clearTextWarning = ({ url, is_loopback, token }: Connection): string | null =>
  is_loopback || token.value === null || url.startsWith("https:")
    ? null
    : `the token travels to ${new URL(url).host} in clear text; use an https address or an ssh tunnel`;

type Variables = z.infer<typeof Variables>;
type ServerLocation = Pick<Connection, "url" | "url_from" | "is_loopback">;

/** 0 is any free port, so it names none. */
const fixedPort = ({ ORCH_PORT }: Variables, env: Env): string | undefined =>
  ORCH_PORT === 0 ? undefined : env["ORCH_PORT"];

async function filedLocation(data_dir: string): Promise<ServerLocation | null> {
  const url = await readUrlFile(data_dir);
  if (url === null || url === DEFAULT_URL) return null;
  return locationAt(url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, "//127.0.0.1"), urlPath(data_dir));
}

function locationOf({ ORCH_URL, ORCH_HOST, ORCH_PORT }: Variables, asked: string | undefined): ServerLocation {
  if (asked !== undefined) return locationAt(asked, "--url");
  if (ORCH_URL !== null) return locationAt(ORCH_URL, "ORCH_URL");
  if (ORCH_PORT === 0) {
    throw invalidConfig([{ path: "ORCH_PORT", message: "is 0, any free port: set ORCH_URL to the address it took" }]);
  }
  const host = ORCH_HOST === "0.0.0.0" || ORCH_HOST === "::" ? "127.0.0.1" : ORCH_HOST;
  const found = locationAt(`http://${host.includes(":") ? `[${host}]` : host}:${ORCH_PORT}`, "ORCH_HOST and ORCH_PORT");
  return found.url === DEFAULT_URL ? { ...found, url_from: null } : found;
}

const DEFAULT_URL = "http://127.0.0.1:3400";

/** Scheme, host and path; other parts of an address do not identify the server. */
function locationAt(address: string, url_from: string): ServerLocation {
  const { origin, pathname, hostname } = new URL(address);
  const is_loopback = isLoopback(hostname.replace(/^\[|\]$/g, ""));
  return { url: `${origin}${pathname}`.replace(/\/+$/, ""), url_from, is_loopback };
}

/** The file holds the token of the server on this machine: it is not sent to another one. */
async function tokenOf({ ORCH_TOKEN }: Variables, location: ServerLocation, data_dir: string): Promise<Credential> {
  if (ORCH_TOKEN !== null) return { value: ORCH_TOKEN, from: "ORCH_TOKEN" };
  const elsewhere = !location.is_loopback && (location.url_from === "--url" || location.url_from === "ORCH_URL");
  if (elsewhere) return { value: null, from: "no token was found: set ORCH_TOKEN to one of that server" };
  const path = tokenPath(data_dir);
  try {
    const value = await readTokenFile(data_dir);
    return { value, from: value === null ? `no token was found: ${path} does not exist` : path };
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    // Reported when a server asks for a token: that no server runs is more important.
    return { value: null, from: ["no token can be used:", error.message, error.fix ?? []].flat().join(" ") };
  }
}
