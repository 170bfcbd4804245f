// A little Ollama on loopback: POST /api/chat answered as newline-delimited JSON, the way the real one streams, or in
// any broken way that a test asks for. Keeps the bytes of every question, and the state of one loaded model.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createSimulatedModel, limitIn, type ModelOptions, type SimulatedModel } from "./model.ts";

/** `raw` is everything the client sent on its connection; `body` the text of the request's body. */
type Asked = { readonly raw: string; readonly body: string };

/** Answers the request with this body. May leave it unanswered; the client, or disposing of the server, ends it then. */
export type Behaviour = (response: ServerResponse, body: string) => Promise<void> | void;

export type OllamaServer = AsyncDisposable & {
  readonly base_url: string;
  /** The questions: requests to any route but those about the model. */
  readonly asked: readonly Asked[];
  /** What is loaded, and what was asked about it. */
  readonly model: SimulatedModel;
  /** Replaces the behaviour for the requests to come. */
  readonly behave: (behaviour: Behaviour) => void;
  readonly openSockets: () => Promise<number>;
};

export async function startOllama(first: Behaviour, port = 0, options: ModelOptions = {}): Promise<OllamaServer> {
  let behaviour = first;
  const asked: Asked[] = [];
  const model = createSimulatedModel(options);
  const received = new WeakMap<Socket, Buffer[]>();
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      if (await model.answers(request.url ?? "", response, body)) return;
      asked.push({ raw: Buffer.concat(received.get(request.socket) ?? []).toString("utf8"), body });
      if (await model.refuses(response, body)) return;
      await behaviour(response, body);
    });
  });
  server.on("connection", (socket) => {
    const parts: Buffer[] = [];
    received.set(socket, parts);
    socket.on("data", (part) => parts.push(part));
    // A client that goes away in the middle is part of the tests.
    socket.on("error", () => socket.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    base_url: `http://127.0.0.1:${address.port}`,
    asked,
    model,
    behave: (next) => {
      behaviour = next;
    },
    openSockets: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

const chunk = (fields: object): string =>
  `${JSON.stringify({ model: "fake:1b", created_at: "2026-03-06T09:00:00.123456Z", ...fields })}\n`;

const token = (content: string): string => chunk({ message: { role: "assistant", content }, done: false });

const lastChunk = (done_reason: string): string =>
  chunk({
    message: { role: "assistant", content: "" },
    done: true,
    done_reason,
    total_duration: 210_000_000,
    load_duration: 20_000_000,
    prompt_eval_count: 300,
    prompt_eval_duration: 90_000_000,
    eval_count: 9,
    eval_duration: 100_000_000,
  });

/** As the model would write it, a few characters to the chunk. */
export const tokensOf = (text: string): string[] => text.match(/.{1,4}/gsu) ?? [];

const beginStream = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.flushHeaders();
};

/** A chunk for each of these messages, and the last one. A chunk counts as one token towards the limit of the answer. */
export const streamsMessages =
  (messages: readonly object[], done_reason = "stop"): Behaviour =>
  (response, body) => {
    const limit = limitIn(body);
    beginStream(response);
    for (const message of messages.slice(0, limit))
      response.write(chunk({ message: { role: "assistant", content: "", ...message }, done: false }));
    response.end(lastChunk(messages.length > limit ? "length" : done_reason));
  };

/** The answer, and then blanks until the limit of the answer, as small models write them under a grammar for JSON. */
export const writesBlanks =
  (content: object, every_ms: number): Behaviour =>
  async (response, body) => {
    const limit = limitIn(body);
    const parts = tokensOf(JSON.stringify(content));
    beginStream(response);
    for (let written = 0; written < limit && !response.destroyed; written += 1) {
      response.write(token(parts[written] ?? " "));
      await sleep(every_ms);
    }
    response.end(lastChunk("length"));
  };

/** The whole answer, a few characters to the chunk. */
export const answers = (content: string | object, done_reason = "stop"): Behaviour => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return streamsMessages(
    tokensOf(text).map((part) => ({ content: part })),
    done_reason,
  );
};

export const answersAfter =
  (delay_ms: number, content: object): Behaviour =>
  async (response, body) => {
    await sleep(delay_ms);
    await answers(content)(response, body);
  };

/** An answer that is complete, on a connection that the server then keeps open. */
export const answersAndHangs =
  (content: object): Behaviour =>
  (response) => {
    beginStream(response);
    response.write(token(JSON.stringify(content)));
    response.write(lastChunk("stop"));
  };

/** An answer without its last chunk, on a connection that then says nothing. */
export const answersAndStalls =
  (content: object): Behaviour =>
  (response) => {
    beginStream(response);
    response.write(token(JSON.stringify(content)));
  };

export const saysNothing: Behaviour = () => undefined;

export const stopsMidStream: Behaviour = (response) => {
  beginStream(response);
  response.write(token('{"error_'));
};

/** One token after the other for ever, each well within any idle limit. */
export const drips =
  (every_ms: number): Behaviour =>
  async (response) => {
    beginStream(response);
    while (!response.destroyed) {
      response.write(token(" "));
      await sleep(every_ms);
    }
  };

/** A stream that ends without its last chunk. */
export const endsEarly: Behaviour = (response) => {
  beginStream(response);
  response.end(token('{"error_type":"transient"}'));
};

export const resetsMidStream: Behaviour = async (response, body) => {
  await stopsMidStream(response, body);
  await sleep(20);
  response.socket?.resetAndDestroy();
};

export const resetsAtOnce: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};

/** Text in place of the chunks; the stream then ends, or stays open. */
export const streams =
  (text: string, then: "end" | "hang" = "end"): Behaviour =>
  (response) => {
    beginStream(response);
    response.write(text);
    if (then === "end") response.end();
  };

export const refuses =
  (status: number, body: string, headers: Record<string, string> = { "content-type": "text/plain" }): Behaviour =>
  (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

/** As much as the client will take. */
export const floods: Behaviour = async (response) => {
  beginStream(response);
  const part = token("x".repeat(16_384));
  while (!response.destroyed) {
    response.write(part);
    while (response.writableNeedDrain && !response.destroyed) await sleep(1);
  }
};
