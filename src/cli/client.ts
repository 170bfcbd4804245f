// Calls an operation of the running server over HTTP. The operation's input schema checks the input before it is sent;
// its output schema checks the answer before a command uses it.
import type { z } from "zod";
import { type Connection, type Credential, clearTextWarning } from "../config/connection.ts";
import type { FieldIssue } from "../domain/errors.ts";
import { parseJson } from "../domain/json-values.ts";
import { misplacedFields } from "../domain/unknown-fields.ts";
import { sendRequest, type TextResponse } from "../http-client/request.ts";
import {
  fieldsOf,
  inputCode,
  invalidInput,
  isSubmit,
  joinedIssues,
  type OperationShape,
} from "../operations/operation.ts";
import { parseInput } from "../schema/parse-input.ts";
import { ProblemDocument } from "../schema/problem-document.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { type Failure, failed } from "./failure.ts";
import { refusedToken, strangeServer, unreachable, versionDiffers } from "./no-answer.ts";

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
