// Answers a client whose request is not valid HTTP. The request never reaches the app; it gets a problem document like any
// other, or no answer.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { NewId } from "../ports.ts";
import { PROBLEM_TYPE, type Problem, type ProblemCode, problem, problemText } from "./problem.ts";

const REASONS: ReadonlyMap<string | undefined, readonly [ProblemCode, string]> = new Map([
  ["HPE_HEADER_OVERFLOW", ["headers_too_large", "All headers together may have 16 KiB."]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["request_timeout", "The request took too long to arrive."]],
]);

/** Answers what the parser refuses. */
export function answerBadRequests(server: Server, new_id: NewId): void {
  const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  server.on("request", (request, response) => latest.set(request.socket, { request, response }));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const last = latest.get(socket);
    // Anywhere else the client would read these bytes as the answer to an earlier request, or as a second answer.
    const expected = last?.request.complete ? last.response.writableFinished : !last?.response.headersSent;
    if (!socket.writable || !expected || error.code === "ECONNRESET") return void socket.destroy();
    const [code, detail] = REASONS.get(error.code) ?? ["request_invalid", "The bytes are not a valid HTTP request."];
    socket.end(rawAnswer(problem(code, detail), new_id()), () => socket.destroy());
  });
}

function rawAnswer(found: Problem, request_id: string): string {
  const body = problemText(found, request_id);
  const lines = Object.entries(headersOf(body, request_id)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${found.status} ${STATUS_CODES[found.status]}`, ...lines, "", body].join("\r\n");
}

const headersOf = (body: string, request_id: string) => ({
  "Content-Type": `${PROBLEM_TYPE}; charset=utf-8`,
  "Content-Length": Buffer.byteLength(body),
  "X-Request-Id": request_id,
  "Cache-Control": "no-store",
  Connection: "close",
});

/**
 * Whether the target is a path; if not, the request has been answered. Express would take the path out of
 * `http://any.host/path` for any host, and send a page of HTML when it finds no route.
 */
export function hasPath(request: IncomingMessage, response: ServerResponse, new_id: NewId): boolean {
  if (request.url?.startsWith("/")) return true;
  const request_id = new_id();
  const found = problem("request_invalid", "The target of a request must be a path, as in GET /v1/tasks.");
  const body = problemText(found, request_id);
  response.writeHead(found.status, headersOf(body, request_id)).end(body);
  return false;
}
