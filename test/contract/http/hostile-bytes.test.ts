// Malformed requests: each ends in one problem document or a closed connection, reveals no internals, and does not keep
// others from being served.
import { expect, test } from "vitest";
import { held } from "../../support/held.ts";
import { startHttp, TOKEN } from "../../support/http-endpoint.ts";
import { CLOSE, expectProblem, expectServed, getting, HEAD, posting } from "./attacker.ts";

const endpoint = held(await startHttp());

test.each<[string, string, number]>([
  ["bytes that are no HTTP", "\x16\x03\x01 hello\r\n\r\n", 400],
  ["a chunk size that is no number", posting("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"), 400],
  ["a length and chunks", posting("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400],
  ["two lengths that differ", posting("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), 400],
  ["headers of more than 16 KiB", getting("/", `X-Big: ${"x".repeat(20_000)}\r\n`), 431],
  ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["a version of HTTP that does not exist", `GET / HTTP/3.0\r\n${HEAD}\r\n`, 400],
  ["lines without a carriage return", "GET / HTTP/1.1\nHost: localhost\n\n", 400],
  ["a target with a space", getting("/v1/things/x y"), 400],
  ["no target", getting(""), 400],
  ["a target with NUL", getting("/v1/things/a\0b"), 400],
  ["a target with backslashes", getting("\\v1\\things\\x"), 400],
  ["a target that is no path", getting("v1/things/x"), 400],
  ["a target of 20,000 characters", getting(`/v1/things/${"x".repeat(20_000)}`), 431],
  ["a header with NUL", getting("/", "X-A: a\0b\r\n"), 400],
  ["a folded header", getting("/", "X-A: a\r\n b\r\n"), 400],
  ["a space before a colon", getting("/", "X-A : a\r\n"), 400],
  ["a header without a name", getting("/", ": a\r\n"), 400],
  ["3,000 headers", getting("/", "A: b\r\n".repeat(3_000)), 431],
  ["3,000 trailers", posting("Transfer-Encoding: chunked\r\n", `2\r\n{}\r\n0\r\n${"A: b\r\n".repeat(3_000)}\r\n`), 431],
  ["a negative length", posting("Content-Length: -1\r\n", "{}"), 400],
  ["a length with a sign", posting("Content-Length: +2\r\n", "{}"), 400],
  ["a length in hexadecimal", posting("Content-Length: 0x2\r\n", "{}"), 400],
  ["a length beyond all numbers", posting(`Content-Length: ${"9".repeat(40)}\r\n`, "{}"), 400],
  ["two lengths in one header", posting("Content-Length: 2, 3\r\n", "{}"), 400],
  ["a length of 10 GB, refused before it is sent", posting("Content-Length: 10000000000\r\n", "{}"), 413],
  ["chunks and then another coding", posting("Transfer-Encoding: chunked, gzip\r\n", "2\r\n{}\r\n0\r\n\r\n"), 400],
  ["chunks said twice", posting("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400],
  ["a coding in odd letters", posting("Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n", "{}"), 400],
  ["a negative chunk", posting("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"), 400],
  ["a chunk beyond all numbers", posting("Transfer-Encoding: chunked\r\n", `${"f".repeat(40)}\r\n{}`), 400],
  [
    "a chunk with 20,000 characters of extension",
    posting("Transfer-Encoding: chunked\r\n", `2;${"a".repeat(20_000)}`),
    400,
  ],
  ["a chunk longer than it says", posting("Transfer-Encoding: chunked\r\n", "2\r\n{}{}\r\n0\r\n\r\n"), 400],
])("%s are answered with a problem document", async (_title, bytes, status) => {
  const answer = await endpoint.raw(bytes);
  expectProblem(answer, status);
  expect(answer.split("HTTP/1.1 ")).toHaveLength(2);
  await expectServed(endpoint);
});

test.each([
  ["http://evil.example/v1/things/x", 400],
  ["http://localhost/v1/things/x", 400],
  ["http://[::1", 400],
  ["*", 400],
  ["//v1/things/x", 404],
  ["//evil.example/v1/things/x", 404],
  ["/./v1/things/x", 404],
  ["/v1/../v1/things/x", 404],
  ["/v1%2Fthings/x", 404],
  ["/v1/things%2Fx", 404],
  ["/v1/things/..%2F..%2F..%2Fetc%2Fpasswd", 400],
  ["/v1/things/%ff", 400],
  ["/v1/things/%c0%ae%c0%ae", 400],
  ["/v1/things/%", 400],
  ["/v1/things/%u0041", 400],
  ["/v1/things/x;a=b/y", 404],
  ["/v1/things/x?kind=%ff", 400],
  [`/v1/things/x?${"a&".repeat(5_000)}`, 400],
])("the target %s is refused", async (target, status) => {
  expectProblem(await endpoint.raw(getting(target)), status);
});

test("an encoded slash in an id is part of the id", async () => {
  expect(await endpoint.raw(getting("/v1/things/a%2Fb"))).toMatch(/^HTTP\/1.1 200 .*"thing_id":"a\/b"/s);
});

test.each([
  ["a method that this server does not know", `BREW /v1/things/x HTTP/1.1\r\n${HEAD}\r\n`, 501],
  ["a method in small letters", `get /v1/things/x HTTP/1.1\r\n${HEAD}\r\n`, 501],
  ["a line that only begins like a method", `BREW coffee\r\n${HEAD}\r\n`, 400],
  ["a method that another path could have", `PATCH /v1/things/x HTTP/1.1\r\n${HEAD}${CLOSE}`, 405],
])("%s is answered by its own status, in a problem document without charset", async (_title, bytes, status) => {
  const answer = await endpoint.raw(bytes);
  expectProblem(answer, status);
  expect(answer).toMatch(/^content-type: application\/problem\+json\r$/im);
  expect(/^allow: GET, POST, HEAD, OPTIONS\r$/im.test(answer), "Allow").toBe(status === 405);
});

test("TRACE echoes nothing, and CONNECT opens no tunnel", async () => {
  const trace = await endpoint.raw(`TRACE /v1/things/x HTTP/1.1\r\n${HEAD}X-Secret: in-here\r\n${CLOSE}`);
  expectProblem(trace, 405);
  expect(trace).not.toMatch(/in-here|supervisor-token/);
  expect(await endpoint.raw(`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HEAD}\r\n`)).toBe("");
  await expectServed(endpoint);
});

test.each(["websocket", "h2c"])("an upgrade to %s is ignored, and the guards apply", async (protocol) => {
  const ask = (headers: string) =>
    endpoint.raw(`GET /v1/things/x HTTP/1.1\r\n${headers}Upgrade: ${protocol}\r\nConnection: Upgrade, close\r\n\r\n`);
  expect(await ask(HEAD)).toMatch(/^HTTP\/1.1 200 /);
  expectProblem(await ask("Host: localhost\r\n"), 401);
  expectProblem(await ask(HEAD.replace("localhost", "evil.example")), 421);
  expectProblem(await ask(`${HEAD}Origin: https://evil.example\r\n`), 403);
});

test("an unknown Expect header is ignored, and the response has a request id", async () => {
  const answer = await endpoint.raw(posting("Expect: the-unexpected\r\nContent-Length: 15\r\n", '{"task_id":"t"}'));
  expect(answer).toMatch(/^HTTP\/1.1 200 .*X-Request-Id: /s);
});

test.each([
  ["of 512 characters", "x".repeat(512), 401],
  ["of 10,000 characters", "x".repeat(10_000), 401],
  ["of 20,000 characters", "x".repeat(20_000), 431],
  ["in odd letters", "\x80\xff-%00-'\";--", 401],
  ["behind another one", `wrong, Bearer ${TOKEN}`, 401],
])("a token %s is refused", async (_title, token, status) => {
  const bytes = `GET /v1/things/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${CLOSE}`;
  const answer = await endpoint.raw(bytes);
  // Wrong tokens share the limit of failed logins.
  expectProblem(answer, answer.startsWith("HTTP/1.1 429") ? 429 : status);
});

test("a hundred pipelined requests are answered in order", async () => {
  const ask = (id: number, more = "") => `GET /v1/things/n${id} HTTP/1.1\r\n${HEAD}${more}\r\n`;
  const bytes = Array.from({ length: 99 }, (_, id) => ask(id)).join("") + ask(99, "Connection: close\r\n");
  const [answer] = await Promise.all([endpoint.raw(bytes), expectServed(endpoint)]);
  const ids = [...answer.matchAll(/"thing_id":"n(\d+)"/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 100 }, (_, id) => id));
});

test("a request hidden after the body of another one is the next request, and the guards apply to it", async () => {
  const hidden = "GET /v1/things/hidden HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  const answer = await endpoint.raw(`POST /v1/tasks HTTP/1.1\r\n${HEAD}Content-Length: 0\r\n\r\n${hidden}`);
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 421"]);
});
