// The failures without an answer of orch: no server, another program, another version, a token that orch refuses.
import type { z } from "zod";
import type { Connection, Credential } from "../config/connection.ts";
import type { HttpFault, TextResponse } from "../http-client/request.ts";
import { EXIT } from "./exit-codes.ts";
import type { Failure } from "./failure.ts";

/** By the error code of the operating system or of TLS. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing listens there"],
  ["ENOTFOUND", "that name has no address"],
  ["EAI_AGAIN", "that name cannot be looked up now"],
  ["EHOSTUNREACH", "there is no way to that machine"],
  ["ENETUNREACH", "there is no way to that network"],
  ["ECONNRESET", "the connection was cut"],
  ["ETIMEDOUT", "the connection took too long"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "it does not speak TLS; write http:// where it is safe"],
]);

export function unreachable({ url, url_from, is_loopback }: Connection, fault: HttpFault): Failure {
  const set = url_from === null ? "" : ` (from ${url_from})`;
  const start = is_loopback ? "Start it with: orch serve" : "Start it there with: orch serve";
  const address = url_from === null ? "Or name another one with --url or ORCH_URL." : "Or correct the address.";
  const detail = `orch does not answer at ${url}${set}: ${reasonOf(fault)}.`;
  return { exit: EXIT.unreachable, code: "unreachable", detail, fix: `${start}\n${address}` };
}

function reasonOf({ code, system_code, message }: HttpFault): string {
  if (code === "timed_out") return "it took too long";
  return REASONS.get(system_code) ?? (system_code || message);
}

/** Says where the token came from; never the token itself. */
export function refusedToken({ url, is_loopback }: Connection, { value, from }: Credential): Failure {
  const used = value === null ? from : `orch refuses the token from ${from}`;
  const own = "Set ORCH_TOKEN to the token of that server.";
  const way = is_loopback
    ? `If that server has another data directory, as by serve --data-dir, set ORCH_DATA_DIR to that directory.\nOr: ${own}`
    : own;
  const detail = `orch at ${url} requires a token; ${used}.`;
  return { exit: EXIT.unreachable, code: "unauthorized", detail, fix: way };
}

export function strangeServer({ url, url_from }: Connection, response: TextResponse): Failure {
  const type = response.headers["content-type"] ?? "no content type";
  const set = url_from === null ? "" : ` (from ${url_from})`;
  const what = `HTTP ${response.status}, ${type}`;
  const detail = `What answers at ${url}${set} is not orch: ${what}.`;
  return { exit: EXIT.unreachable, code: "not_orch", detail, fix: "Correct the address with --url or ORCH_URL." };
}

export function versionDiffers({ url }: Connection, operation: string, error: z.ZodError): Failure {
  const [first] = error.issues;
  const where = first === undefined ? "" : ` (${first.path.join(".")}: ${first.message})`;
  const detail = `What ${url} answers to ${operation} is not what this version of orch answers${where}.`;
  const fix = "Use the same version on both sides, and restart the server after an update.";
  return { exit: EXIT.unreachable, code: "version_differs", detail, fix };
}
