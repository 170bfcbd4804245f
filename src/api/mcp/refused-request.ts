// Answers a request to /mcp that the HTTP server does not pass on: with an error of JSON-RPC under the status of the refusal. Some
// clients end their session at every such status, so a request too many or too large is answered under 200.
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { parseJson } from "../../domain/json-values.ts";
import type { ProblemFacts } from "../../schema/problem-document.ts";
import { shown } from "./calls.ts";
import { type MessageFault, revisionOf } from "./message.ts";
import { resultOf } from "./tools.ts";

type RefusedRequest = {
  readonly found: ProblemFacts;
  readonly request_id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
};

type RefusedAnswer = { readonly status: number; readonly body: object | null };

const NOT_JSON = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL = -32603;
/** The first that servers may use. The message itself may be right. */
const REFUSED = -32000;

const CODES: ReadonlyMap<string, number> = new Map([
  ["body_invalid", NOT_JSON],
  ["body_too_large", INVALID_REQUEST],
  ["input_invalid", INVALID_REQUEST],
  ["media_type_unsupported", INVALID_REQUEST],
]);

const OK = 200;
const ACCEPTED = 202;
const FIRST_OF_SERVER = 500;
const NOT_READY = 503;

/** Refusals of requests that are right in themselves. */
const OF_RIGHT_REQUESTS: ReadonlySet<string> = new Set(["rate_limited", "body_too_large"]);

const MIB = 1024 * 1024;
/** How much is read for the id, which official clients put last. No right request is longer than the first limit. */
const readable = (code: string): number => (code === "rate_limited" ? MIB : 16 * MIB);

export const createRefusals =
  (isTool: (name: string) => boolean) =>
  async ({ found, request_id, headers, body }: RefusedRequest): Promise<RefusedAnswer> => {
    const message = await readOutline(body, readable(found.code));
    const id = message?.id ?? null;
    const error = { jsonrpc: "2.0" as const, id, error: errorOf(found, request_id) } satisfies MessageFault;
    if (message === null || !OF_RIGHT_REQUESTS.has(found.code)) return { status: found.status, body: error };
    // A notification changes nothing, and has no answer.
    if (id === null) return { status: ACCEPTED, body: null };
    const result = isCallOf(isTool, message) ? resultIn(found, headers) : null;
    return { status: OK, body: result === null ? error : { jsonrpc: "2.0", id, result } };
  };

const isCallOf = (isTool: (name: string) => boolean, { method, params }: Outline): boolean =>
  method === "tools/call" && params !== undefined && isTool(params.name);

function resultIn(found: ProblemFacts, headers: IncomingHttpHeaders): object {
  const revision = revisionOf(String(headers["mcp-protocol-version"] ?? ""), null);
  return { ...resultOf({ ok: false, fault: shown(found) }), ...(revision === "2026" && { resultType: "complete" }) };
}

function errorOf(found: ProblemFacts, request_id: string): MessageFault["error"] {
  const { status, code, detail, issues = [] } = found;
  const isBug = status >= FIRST_OF_SERVER && status !== NOT_READY;
  const fields = issues.map(({ path, message }) => ` ${path} ${message}.`).join("");
  return {
    code: isBug ? INTERNAL : (CODES.get(code) ?? REFUSED),
    message: `${detail}${fields}`,
    data: { ...found, request_id },
  };
}

const MAX_KEPT_BYTES = 4 * 1024;
/** The message and its params. */
const DEPTH = 2;

const Outline = z.object({
  /** Absent in a notification. */
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.object({ name: z.string() }).optional().catch(undefined),
});
type Outline = z.infer<typeof Outline>;

/**
 * Reads which message a body holds that is refused, without its arguments: a body of any size costs no memory, wherever the id
 * is. Null where the body holds no message, ends early or has more than `max_bytes`: it is not read to its end then.
 */
async function readOutline(body: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Outline | null> {
  const text = await outerLevels(body, max_bytes).catch(() => null);
  return text === null ? null : (Outline.safeParse(parseJson(text)).data ?? null);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** The JSON text, in which objects and arrays further inside are empty. */
async function outerLevels(body: AsyncIterable<Uint8Array>, max_bytes: number): Promise<string | null> {
  const kept: number[] = [];
  let [size, depth, isText, isEscaped] = [0, 0, false, false];
  for await (const chunk of body) {
    size += chunk.length;
    if (size > max_bytes) return null;
    for (const byte of chunk) {
      if (isText) {
        isText = isEscaped || byte !== QUOTE;
        isEscaped = !isEscaped && byte === BACKSLASH;
      } else {
        isText = byte === QUOTE;
        if (CLOSING.has(byte)) depth -= 1;
      }
      if (depth <= DEPTH) kept.push(byte);
      if (!isText && OPENING.has(byte)) depth += 1;
    }
    if (kept.length > MAX_KEPT_BYTES) return null;
  }
  return Buffer.from(kept).toString("utf8");
}
