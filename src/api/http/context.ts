// The state that one request carries from handler to handler.
import type { IncomingHttpHeaders } from "node:http";
import type { RequestHandler, Response } from "express";
import type { ProblemFacts } from "../../schema/problem-document.ts";
import type { Scope } from "../operations/operation.ts";

export type Token = {
  /** Identifies the token in the journal and in logs. */
  readonly token_id: string;
  readonly digest: Buffer;
  readonly scopes: ReadonlySet<Scope>;
};

/** Who calls: a token, or a session of the console that was opened with one. */
export type Identity = Pick<Token, "token_id" | "scopes"> & {
  /** Of a session: the name that its human gave. */
  readonly name?: string | null;
  /** Of a session: whose turns its requests take, in the place of the token's. */
  readonly turns_of?: string;
  /** Of a session: aborted when it ends. */
  readonly ended?: AbortSignal;
  /** Of a session with the right to approve for some minutes: the token that gave it. */
  readonly approves_as?: string;
};

export type Context = {
  request_id: string;
  /** The template, as in /v1/tasks/{task_id}; null until one has matched. */
  route: string | null;
  token: Identity | null;
  /** Null for the problem document. */
  ownProblem: OwnProblem | null;
  /** The status of the problem that was answered, where the answer has another. */
  refused: number | null;
  /** What an endpoint has read of the body. */
  readonly chunks: Buffer[];
};

type RefusedRequest = {
  readonly found: ProblemFacts;
  readonly request_id: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty where the caller has shown no token. */
  readonly body: AsyncIterable<Uint8Array>;
};

/** How the endpoint that is called answers a problem, where it has a form of its own. Never rejects. */
type OwnProblem = (refused: RefusedRequest) => Promise<{ readonly status: number; readonly body: object | null }>;

export type Reply = Response<unknown, Context>;
export type Handler = RequestHandler<Record<string, string | string[]>, unknown, unknown, unknown, Context>;
export type Call = Parameters<Handler>[0];
