// What the HTTP server answers to a request to /mcp that it does not pass on: an error of JSON-RPC without an id, under the same
// HTTP status. Its data is the problem document. A refused token stays a problem document: its answer is in the header.
import type { ProblemDocument } from "../schema/problem-document.ts";
import type { MessageFault } from "./message.ts";

type Problem = Omit<ProblemDocument, "request_id">;

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

const UNAUTHORIZED = 401;
const FIRST_OF_SERVER = 500;
const NOT_READY = 503;

/** Null where the problem document is the answer. */
export function refusedRequest(found: Problem, request_id: string): MessageFault | null {
  const { status, code, detail, issues = [] } = found;
  if (status === UNAUTHORIZED) return null;
  const isBug = status >= FIRST_OF_SERVER && status !== NOT_READY;
  const fields = issues.map(({ path, message }) => ` ${path} ${message}.`).join("");
  const error = { code: isBug ? INTERNAL : (CODES.get(code) ?? REFUSED), message: `${detail}${fields}` };
  return { jsonrpc: "2.0", id: null, error: { ...error, data: { ...found, request_id } } };
}
