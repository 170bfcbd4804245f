// Reads a JSON body: bounded in size and depth, UTF-8, and never anything a browser sends without asking first.
import express from "express";
import type { FieldIssue } from "../domain/errors.ts";
import { structuralIssue } from "../domain/json.ts";
import type { Call, Reply } from "./context.ts";
import { type Problem, type ProblemCode, problem } from "./problem.ts";

const MAX_BYTES = 1024 * 1024;
const readRaw = express.raw({ type: () => true, limit: MAX_BYTES, inflate: false });

export type Reading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

/** No body at all reads as `{}`. `code` is what a body of the wrong structure is called. */
export async function readBody(
  request: Call,
  response: Reply,
  { max_depth, code }: { readonly max_depth: number; readonly code: ProblemCode },
): Promise<Reading> {
  if (!hasBody(request)) return { ok: true, value: {} };
  const [mediaType = ""] = (request.headers["content-type"] ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== "application/json") {
    return { ok: false, problem: problem("media_type_unsupported", "Send Content-Type: application/json.") };
  }
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const parsed = parseJson(request.body);
  const issue = parsed.ok ? (structuralIssue(parsed.value, max_depth) ?? illFormedText(parsed.value)) : null;
  if (issue === null) return parsed;
  return { ok: false, problem: problem(code, "The structure of the body is not accepted.", { issues: [issue] }) };
}

const hasBody = ({ headers }: Call): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * An escape in JSON may name half of a surrogate pair. No encoding has it: in the database and in the environment of a
 * command it would become another character, the same for all halves. The depth is bounded already.
 */
function illFormedText(value: unknown, path = ""): FieldIssue | null {
  if (typeof value === "string" && !value.isWellFormed()) {
    return { path: path.toWellFormed(), message: "holds half of a surrogate pair; send whole characters" };
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, held] of Object.entries(value)) {
    const child = path === "" ? key : `${path}.${key}`;
    const issue = illFormedText(key, child) ?? illFormedText(held, child);
    if (issue !== null) return issue;
  }
  return null;
}

function parseJson(bytes: unknown): Reading {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes as Buffer);
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: problem("body_invalid", "The body is not JSON in UTF-8.") };
  }
}
