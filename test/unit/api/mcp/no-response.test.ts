// The error that a client on stdin gets when orch gives no response.
import { expect, test } from "vitest";
import { noResponseError, wasNotReached } from "../../../../src/api/mcp/stdio.ts";

const URL = "http://127.0.0.1:3400";
const refused = (status: number, body: string) => noResponseError({ is: "refused", status, body }, URL);
const failing = (system_code: string, sent: boolean) => ({ is: "broken", fault: { system_code, sent } }) as const;

test.each(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ETIMEDOUT"])(
  "%s before sending says how to start orch",
  (code) => {
    const { message, data } = noResponseError(failing(code, false), URL);
    expect(message).toBe(`orch cannot be reached at ${URL} (${code}). Start it with: orch serve`);
    expect(data).toEqual({ code });
    expect(wasNotReached(failing(code, false))).toBe(true);
  },
);

test.each(["ECONNRESET", "ETIMEDOUT", "EPIPE"])("%s after sending leaves open whether the call took effect", (code) => {
  expect(noResponseError(failing(code, true), URL).message).toContain("The call may have taken effect");
  expect(wasNotReached(failing(code, true))).toBe(false);
});

test("a fault without a code leaves open whether the call took effect", () => {
  const { message } = noResponseError(failing("", true), URL);
  expect(message).toContain("(connection lost). The call may have taken effect");
});

test("an empty response is reported with its status", () => {
  expect(refused(202, "").message).toBe(`orch at ${URL} answered 202: nothing`);
  expect(wasNotReached({ is: "refused", status: 202, body: "" })).toBe(false);
});

test.each([
  ["a problem document", { code: "unauthorized", detail: "Send Authorization." }, "unauthorized"],
  ["an error of JSON-RPC", { jsonrpc: "2.0", id: null, error: { code: -32000, message: "Send it." } }, "unknown"],
])("a refused token is reported with the variable that holds the right one, from %s", (_what, body, code) => {
  const said = refused(401, JSON.stringify(body));
  expect(said).toMatchObject({ code: -32000, data: { status: 401, code } });
  expect(said.message).toContain("ORCH_TOKEN");
});

test("a problem response is reported with its detail", () => {
  const said = refused(413, JSON.stringify({ code: "body_too_large", detail: "A body may have 1 MiB." }));
  expect(said).toEqual({
    code: -32000,
    message: `orch at ${URL} answered 413: A body may have 1 MiB.`,
    data: { status: 413, code: "body_too_large" },
  });
});

test("an error of the protocol is passed on unchanged", () => {
  const error = { code: -32700, message: "Parse error" };
  expect(refused(400, JSON.stringify({ jsonrpc: "2.0", id: null, error }))).toEqual(error);
});

test("a response of another server is reported by its beginning", () => {
  const { message } = refused(502, `<html>${"x".repeat(10_000)}`);
  expect(message).toContain("answered 502: <html>xxx");
  expect(message.length).toBeLessThan(400);
});

test("the fields that orch refuses are named in the message and in the data", () => {
  const issues = [{ path: "params.arguments.payload.id", message: "is there twice" }];
  const said = refused(400, JSON.stringify({ code: "input_invalid", detail: "Not accepted.", issues }));
  expect(said.message).toContain("Not accepted. params.arguments.payload.id is there twice.");
  expect(said.data).toEqual({ status: 400, code: "input_invalid", issues });
});
