// The error messages of the cookie tool.
import { describe, expect, test } from "vitest";
import { explainError, explainPort, isPrompt } from "../../../cookie/explain-error.ts";

const coded = (code: string, message = "") => Object.assign(new Error(message), { code });

function jsonError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

describe("[7.9] an error of the cookie tool", () => {
  test.each([
    [new Error("Proxy Server could not be initialized. Check Logs."), "cannot listen on its port"],
    [new Error("No tokens in Register response"), "gave no tokens"],
    [new Error("No cookies in Exchange response"), "gave no cookies"],
    [new Error("No cookies for amazon.co.jp in Exchange response"), "gave no cookies"],
    [coded("ECONNRESET", "socket hang up"), "broke off the connection"],
    [coded("ENOTFOUND", "getaddrinfo ENOTFOUND www.amazon.co.jp"), "failed during the login (ENOTFOUND)"],
    [coded("ENOTFOUND", "getaddrinfo ENOTFOUND www.undefined"), "The provider broke off the connection"],
    [coded("ETIMEDOUT"), "failed during the login (ETIMEDOUT)"],
    [coded("CERT_HAS_EXPIRED"), "is not safe (CERT_HAS_EXPIRED)"],
    [coded("SELF_SIGNED_CERT_IN_CHAIN"), "is not safe (SELF_SIGNED_CERT_IN_CHAIN)"],
    [coded("ERR_TLS_CERT_ALTNAME_INVALID"), "is not safe (ERR_TLS_CERT_ALTNAME_INVALID)"],
    [coded("ENOENT", "ENOENT: no such file or directory, mkdtemp '/gone/orch-cookie-XXXXXX'"), "Set TMPDIR"],
    [coded("ERR_MODULE_NOT_FOUND", "Cannot find package 'alexa-cookie2' imported from main.ts"), "npm ci"],
    [
      new TypeError("Cannot read properties of undefined (reading 'headers')"),
      "cannot use what the provider answered (TypeError)",
    ],
    [new RangeError("Something new"), "The login failed (RangeError: Something new)."],
    [coded("ERR_INVALID_CHAR", ""), "The login failed (Error, ERR_INVALID_CHAR)."],
    [new Error("kaboom"), "The login failed (Error: kaboom)."],
    [new Error("status 503, try later"), "The login failed (Error: status 503, try later)."],
    [
      new Error('refused: at-acbjp=Atza|IwEB; token "hunter two" for me@x.example at https://x.example/?t=1'),
      "The login failed (Error: refused: [left out] token [left out] for [left out] at [left out]).",
    ],
    [new Error("a secret of letters abcdefghijklmnopqrstuvwxyz"), "(Error: a secret of letters [left out])"],
    [new Error("an open quote 'hunter two"), "(Error: an open quote [left out])"],
    [new Error("one\ntwo\u001b[31m three"), "(Error: one [left out] three)"],
    [Object.assign(new Error(""), { name: "at-acbjp=1" }), "The login failed (unknown error)."],
    ["a bare word", "The login failed (a bare word)."],
    [undefined, "The login failed (unknown error)."],
    [{ code: "x; at-acbjp=1" }, "The login failed (unknown error)."],
  ])("%o is explained on one line [4.cookie.unknown_error]", (error, words) => {
    const told = explainError(error);
    expect(told).toContain(words);
    expect(told).toMatch(/^[A-Z][^\n]*\.$/);
  });

  test.each([
    jsonError("Atza|ACCESS is no JSON"),
    new TypeError("Atza|ACCESS"),
    new Error("Atza|ACCESS"),
    "Atza|ACCESS",
  ])("that quotes an answer of the provider is explained without the quotation: %o", (error) => {
    expect(String(error)).toContain("Atza|");
    expect(explainError(error)).not.toContain("Atza|");
  });

  test("is the prompt when its text asks to open an address", () => {
    expect(isPrompt(new Error("Please open http://127.0.0.1:3456/ with your browser"))).toBe(true);
    expect(isPrompt(new Error("Login unsuccessfull. Please open http://127.0.0.1:3456/"))).toBe(true);
    expect(isPrompt(new Error("No tokens in Register response"))).toBe(false);
    expect(isPrompt(undefined)).toBe(false);
  });

  test.each([
    ["EADDRINUSE", "Port 80 is in use."],
    ["EACCES", "This user may not open port 80."],
    ["EADDRNOTAVAIL", "The proxy cannot listen on port 80 (EADDRNOTAVAIL)."],
  ])("names the port and the option when listening fails with %s", (code, words) => {
    expect(explainPort(80, code)).toContain(words);
    expect(explainPort(80, code)).toContain("--port");
  });
});
