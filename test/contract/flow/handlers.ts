// What a tool server may answer, and the list of steps that calls it.
import { cmd, mcpCall } from "../../support/builders.ts";
import { afterHandshake, sendJson, startRawServer } from "../../support/tool-server.ts";
import { type Case, expectSame } from "./differential.ts";

export type Handler = Parameters<typeof startRawServer>[0];
type Response = Parameters<Handler>[1];

export const TOKEN = "token-of-the-notes-server";
export const DONE = { content: [{ type: "text", text: "done" }] };

export const call = (tool: string, args: object = {}) => mcpCall({ tool, arguments: { ...args } });

/** One call, and a command that runs only when it passes. */
export const expectSameCall = (handler: Handler, more: Partial<Case> = {}) =>
  expectSame({ steps: [call("create"), cmd("true")], notes: () => startRawServer(handler), token: TOKEN, ...more });

export const answering = (result: unknown): Handler =>
  afterHandshake(({ body }, response) => sendJson(response, { jsonrpc: "2.0", id: body.id, result }));

/** After the handshake. */
export const after = (status: number, text = "", headers = {}): Handler =>
  afterHandshake((_received, response) => response.writeHead(status, headers).end(text));

export const events = (
  text: (id: unknown) => string,
  close: (response: Response) => unknown = (response) => response.end(),
): Handler =>
  afterHandshake(({ body }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" }).write(text(body.id));
    close(response);
  });

export const data = (message: unknown) => `data: ${JSON.stringify(message)}\n\n`;
export const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: "text", text: one })) });
