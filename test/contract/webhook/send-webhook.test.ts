// One delivery on the wire: the headers of Standard Webhooks, and every way in which a receiver does not take a message.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createSendWebhook } from "../../../src/features/webhook/webhook.ts";

const SECRET = `whsec_${Buffer.from("a key of thirty-two bytes, really").toString("base64")}`;
const BODY = JSON.stringify({ type: "task.ok", text: "grün" });

let url: string;
let seen: { headers: IncomingMessage["headers"]; body: string; path: string | undefined }[];
let answer: (response: ServerResponse) => void;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  seen.push({ headers: request.headers, body, path: request.url });
  answer(response);
});
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=hidden-key`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  answer = (response) => void response.writeHead(204).end();
});

const send = (to = url, limit_ms = 5_000) =>
  createSendWebhook({ url: to, secret: SECRET, clock: () => new Date(), limit_ms })(
    "msg_0123",
    BODY,
    new AbortController().signal,
  );

const header = (name: string) => String(seen[0]?.headers[name]);

test("the message is signed so that a library of Standard Webhooks accepts it", async () => {
  expect(await send()).toEqual({ taken: true });
  const [{ headers, body } = { headers: {}, body: "" }] = seen;
  expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(BODY));
  expect(() => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>)).toThrow("No matching");
  expect(header("content-type")).toBe("application/json");
});

test("the signature is HMAC-SHA256 of id, timestamp and body under the decoded key", async () => {
  await send();
  const signed = `${header("webhook-id")}.${header("webhook-timestamp")}.${BODY}`;
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  expect(header("webhook-signature")).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  expect(Math.abs(Number(header("webhook-timestamp")) - Date.now() / 1000)).toBeLessThan(60);
});

test.each([400, 410, 500, 503])("a receiver that answers with %d has not taken it", async (status) => {
  answer = (response) => void response.writeHead(status, { "retry-after": "7" }).end("no");
  expect(await send()).toEqual({ taken: false, fault: `it answers with HTTP ${status}`, retry_after_ms: 7_000 });
});

test("a redirect is not followed", async () => {
  answer = (response) => void response.writeHead(307, { location: "/elsewhere" }).end();
  expect(await send()).toMatchObject({ taken: false, fault: "it answers with a redirect, which is not followed" });
  expect(seen.map(({ path }) => path)).toEqual(["/hook?key=hidden-key"]);
});

test("a receiver that does not answer in time has not taken it", async () => {
  answer = () => undefined;
  expect(await send(url, 100)).toMatchObject({ taken: false, fault: "there was no answer within 0.1 s" });
});

test("a body without end does not delay the receipt", async () => {
  answer = (response) => void response.writeHead(200).write("and so on");
  expect(await send()).toEqual({ taken: true });
});

test("a fault has neither the secret nor the address with its parameters", async () => {
  const receipt = await send("http://127.0.0.1:1/hook?key=hidden-key");
  expect(receipt).toMatchObject({ taken: false, fault: expect.stringContaining("ECONNREFUSED") });
  expect(JSON.stringify(receipt)).not.toMatch(/hidden-key|whsec_/);
});
