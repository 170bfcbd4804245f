// The state that one request carries from handler to handler.
import type { RequestHandler, Response } from "express";
import type { Scope } from "../operations/operation.ts";
import type { ProblemDocument } from "../schema/problem-document.ts";

export type Token = {
  /** Identifies the token in the journal and in logs. */
  readonly token_id: string;
  readonly digest: Buffer;
  readonly scopes: ReadonlySet<Scope>;
};

export type Context = {
  request_id: string;
  /** The template, as in /v1/tasks/{task_id}; null until one has matched. */
  route: string | null;
  token: Token | null;
  /** How the endpoint that is called writes a problem, where it has a form of its own; null for the document. */
  ownProblem: ((found: Omit<ProblemDocument, "request_id">, request_id: string) => object | null) | null;
};

export type Reply = Response<unknown, Context>;
export type Handler = RequestHandler<Record<string, string | string[]>, unknown, unknown, unknown, Context>;
export type Call = Parameters<Handler>[0];
