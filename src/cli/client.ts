// Calls an operation of the running server over HTTP. The operation's input schema checks the input before it is sent;
// its output schema checks the answer before a command uses it.
import type { z } from "zod";
import {
  fieldsOf,
  inputCode,
  invalidInput,
  isSubmit,
  joinedIssues,
  type OperationShape,
} from "../api/operations/operation.ts";
import { type Connection, type Credential, clearTextWarning } from "../config/connection.ts";
import type { FieldIssue } from "../domain/errors.ts";
import { parseJson } from "../domain/json-values.ts";
import { misplacedFields } from "../domain/unknown-fields.ts";
import { type HttpFault, sendRequest, type TextResponse } from "../http-client/request.ts";
import { parseInput } from "../schema/parse-input.ts";
import { ProblemDocument } from "../schema/problem-document.ts";
import { EXIT, type ExitCode, type Failure, failed } from "./failure.ts";

/** Values by field. An undefined field is not sent. */
type Input = Readonly<Record<string, unknown>>;

export type CallOperation = <I extends z.ZodType, O extends z.ZodType>(
  operation: OperationShape<I, O>,
  input: Input,
  as?: "supervisor" | "approver",
) => Promise<z.output<O>>;

/** The time limit of a call, in addition to the `wait_seconds` of its input. */
const ANSWER_MS = 30_000;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

export type ClientDeps = {
  readonly connect: () => Promise<Connection>;
  readonly warn: (text: string) => void;
  /** Of the trace in which the command runs. */
  readonly traceparent?: string | null;
};

export function createClient({ connect, warn, traceparent = null }: ClientDeps): CallOperation {
  let connection: Promise<Connection> | null = null;
  const connected = () => {
    connection ??= connect().then((target) => {
      const warning = clearTextWarning(target);
      if (warning !== null) warn(`orch: ${warning}`);
      return target;
    });
    return connection;
  };
  return async (operation, input, as = "supervisor") => {
    const parsed = parseInput(operation.input, fieldsOf(operation, input));
    if (!parsed.ok) {
      const { message, issues } = invalidInput(operation, joinedIssues(parsed.issues, misplacedIn(operation, input)));
      return failed({ exit: EXIT.usage, code: inputCode(operation), detail: message, issues });
    }
    const target = await connected();
    const credential = as === "approver" ? target.approver : target.token;
    const answer = await send(target, credential, { ...requestOf(operation, input), traceparent });
    const read = operation.output.safeParse(answer);
    return read.success ? read.data : failed(versionDiffers(target, operation.name, read.error));
  };
}

/** The server would name them too, but an input that lacks a field is not sent. */
const misplacedIn = (operation: Pick<OperationShape, "name">, input: Input): FieldIssue[] =>
  isSubmit(operation)
    ? misplacedFields(input)
    : misplacedFields(input["contract"]).map(({ path, message }) => ({ path: `contract.${path}`, message }));

type Wire = {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body: string | null;
  readonly wait_ms: number;
};
type Traced = Wire & { readonly traceparent: string | null };

/** A field named in the path goes into the path. The other fields are the query of a GET, or the body of a POST. */
function requestOf({ method, path }: OperationShape, input: Input): Wire {
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const wait_ms = Number(fields.get("wait_seconds") ?? 0) * 1000;
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = String(fields.get(name));
    fields.delete(name);
    return encodeURIComponent(value);
  });
  if (method === "POST") return { method, target: filled, body: JSON.stringify(Object.fromEntries(fields)), wait_ms };
  const query = new URLSearchParams([...fields].map(([name, value]): [string, string] => [name, String(value)]));
  return { method, target: query.size === 0 ? filled : `${filled}?${query}`, body: null, wait_ms };
}

async function send(connection: Connection, credential: Credential, wire: Traced): Promise<unknown> {
  const { method, target, body, wait_ms, traceparent } = wire;
  const headers = {
    accept: "application/json",
    ...(credential.value !== null && { authorization: `Bearer ${credential.value}` }),
    ...(body !== null && { "content-type": "application/json" }),
    ...(traceparent !== null && { traceparent }),
  };
  const url = `${connection.url}${target}`;
  const limits = { limit_ms: ANSWER_MS + wait_ms, max_bytes: MAX_ANSWER_BYTES };
  const response = await sendRequest({ method, url, headers, body: body ?? undefined, ...limits });
  if (!response.ok) return failed(unreachable(connection, response.fault));
  const isSuccess = response.status >= 200 && response.status <= 299;
  return isSuccess ? read(connection, response) : failed(refusal(connection, credential, response));
}

function read(connection: Connection, response: TextResponse): unknown {
  const value = parseJson(response.text);
  const isJson = /^application\/json\b/.test(response.headers["content-type"] ?? "");
  return value === undefined || !isJson ? failed(strangeServer(connection, response)) : value;
}

/** Requires only the fields that this file reads, so that the problem of another version of orch parses. */
const Problem = ProblemDocument.partial({ title: true, status: true, request_id: true });

/** Why the server has refused a request. */
export function refusal(connection: Connection, credential: Credential, response: TextResponse): Failure {
  const problem = Problem.safeParse(parseJson(response.text));
  if (!problem.success) return strangeServer(connection, response);
  const { code, detail, fix, issues, current, request_id = "none" } = problem.data;
  if (code === "unauthorized") return refusedToken(connection, credential);
  return {
    exit: exitOf(response.status, code),
    code,
    detail: response.status < 500 ? detail : `${detail} request_id: ${request_id}`,
    fix: FIXES.get(code) ?? fix,
    issues,
    current,
  };
}

const INPUT_CODES = new Set([
  "contract_invalid",
  "input_invalid",
  "sop_steps_invalid",
  "body_invalid",
  "body_too_large",
]);

function exitOf(status: number, code: string): ExitCode {
  if (code === "quarantined") return EXIT.quarantined;
  if (status >= 500 && code !== "busy") return EXIT.fault;
  return INPUT_CODES.has(code) ? EXIT.usage : EXIT.refused;
}

/** The remedy by code, as a command of this program. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ["task_not_found", "See: orch tasks"],
  ["approval_not_found", "See: orch approvals"],
  ["approval_ambiguous", "See: orch approvals"],
  ["sop_not_found", "See: orch sops"],
  ["server_not_found", "See: orch servers --all"],
  ["server_ambiguous", "See: orch servers, and name one by its process"],
  ["task_exists", "See it with: orch task ID"],
  [
    "forbidden",
    "Approve, reject, freeze and thaw need the approver's token in ORCH_APPROVER_TOKEN. All other commands need the token in ORCH_TOKEN.",
  ],
  ["host_refused", "Call it by a name that it serves: a loopback address, or its ORCH_PUBLIC_HOST."],
  ["digest_mismatch", "Read it again: orch approvals ID"],
]);

// The failures without an answer of orch: no server, another program, another version, a token that orch refuses.

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
