// Sends one GET for a short JSON answer, limited in time and size.
import { parseJson } from "../domain/json-values.ts";
import { sendRequest } from "../http-client/request.ts";

type JsonAnswer = { readonly status: number; readonly body: unknown };
type NoJsonAnswer = { readonly fault: string; readonly refused: boolean };

const LIMIT_MS = 3_000;
const MAX_BYTES = 1_048_576;

/** `body` is undefined when it is not JSON. `refused` means that nothing listens at the address. */
export async function getJson(url: string, headers: Record<string, string> = {}): Promise<JsonAnswer | NoJsonAnswer> {
  const answer = await sendRequest({ method: "GET", url, headers, limit_ms: LIMIT_MS, max_bytes: MAX_BYTES });
  if (answer.ok) return { status: answer.status, body: parseJson(answer.text) };
  const { system_code, message } = answer.fault;
  return { fault: system_code || message, refused: system_code === "ECONNREFUSED" };
}
