// The state that one request carries from handler to handler.
import type { RequestHandler, Response } from "express";
import type { Token } from "./token.ts";

export type Context = {
  request_id: string;
  /** The template, as in /v1/tasks/{task_id}; null until one has matched. */
  route: string | null;
  token: Token | null;
};

export type Reply = Response<unknown, Context>;
export type Handler = RequestHandler<Record<string, string | string[]>, unknown, unknown, unknown, Context>;
export type Call = Parameters<Handler>[0];
