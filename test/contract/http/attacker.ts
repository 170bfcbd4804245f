// Connections for attacks over HTTP, which ignore their errors, and what every response must be.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { bearer, type RunningHttp, TOKEN } from "../../support/http-endpoint.ts";

// A generous bound: the machine may be busy.
const SERVED_MS = 3_000;

export const HEAD = `Host: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n`;
export const CLOSE = "Connection: close\r\n\r\n";
export const getting = (target: string, headers = "") => `GET ${target} HTTP/1.1\r\n${HEAD}${headers}${CLOSE}`;
export const posting = (headers: string, body: string) =>
  `POST /v1/tasks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nConnection: close\r\n${headers}\r\n${body}`;

/** Another client gets its response in time. */
export async function expectServed({ url }: RunningHttp): Promise<void> {
  const answer = await fetch(`${url}/v1/things/x`, { headers: bearer(), signal: AbortSignal.timeout(SERVED_MS) });
  expect(answer.status).toBe(200);
}

/** The response is one problem document with this status and a request id, and reveals no internals. */
export function expectProblem(answer: string, status: number): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const request_id = /^x-request-id: (\S+)/im.exec(head)?.[1];
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  expect(JSON.parse(body)).toMatchObject({ status, code: expect.any(String), request_id });
  expect(answer).not.toMatch(/<html|<pre|node_modules|\.ts:|\.js:|SELECT /i);
}

export async function dial({ port }: RunningHttp, bytes = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  if (bytes !== "") socket.write(bytes);
  return socket;
}

/** Reads until the connection ends. */
export async function readAll(socket: Socket): Promise<string> {
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  if (!socket.closed) await once(socket, "close");
  return answer;
}
