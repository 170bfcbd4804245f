// Which results of the library hold a cookie that the voice server can use.
import { describe, expect, test } from "vitest";
import { cookieOf } from "../../../cookie/cookie-of.ts";

const usable = "session-id=1; at-acbjp=Atza|X; csrf=-5";
const ok = (cookie: string) => ({ ok: true, cookie });
const no = (why: RegExp) => ({ ok: false, why: expect.stringMatching(why) });

describe("the cookie of a login", () => {
  test.each([
    ["is localCookie", { localCookie: usable, csrf: "-5", loginCookie: "other=1" }, ok(usable)],
    ["is cookie where there is no localCookie", { cookie: usable, csrf: "-5" }, ok(usable)],
    ["is localCookie rather than cookie", { localCookie: usable, cookie: "other=1; csrf=2" }, ok(usable)],
    ["is the string of a login without a code", "x=1; at-acbjp=Atza|X", ok("x=1; at-acbjp=Atza|X")],
    ["may hold Latin-1", { localCookie: "lc=é; csrf=1" }, ok("lc=é; csrf=1")],
    ["needs a csrf", { localCookie: "at-acbjp=X", csrf: undefined }, no(/gave no csrf/)],
    ["needs a csrf that is more than a name", { localCookie: "csrf=; at-acbjp=X" }, no(/gave no csrf/)],
    ["takes no other name for csrf", { localCookie: "not-csrf=1; at-acbjp=X" }, no(/gave no csrf/)],
    ["as a string needs a login", "session-id=1; ubid-acbjp=2", no(/nobody is logged in/)],
    ["as a string needs a login with a value", "session-id=1; at-acbjp=", no(/nobody is logged in/)],
    ["as a string takes no other name for a login", "sess-at-acbjp=1", no(/nobody is logged in/)],
    ["cannot be empty", { localCookie: "" }, no(/without a cookie/)],
    ["cannot be missing", { csrf: "1" }, no(/without a cookie/)],
    ["cannot be a number", { localCookie: 5 }, no(/without a cookie/)],
    ["cannot be nothing", null, no(/without a cookie/)],
    ["cannot be undefined", undefined, no(/without a cookie/)],
    ["cannot be the empty string", "", no(/without a cookie/)],
    ["cannot hold a line break", { localCookie: "a=1\r\nb=2; csrf=1" }, no(/characters that no header may hold/)],
    ["cannot hold a NUL", "at-acbjp=1\0", no(/characters that no header may hold/)],
    ["cannot hold a C1 control character", "at-acbjp=1\x85", no(/characters that no header may hold/)],
    ["cannot hold Japanese", { localCookie: "a=東京; csrf=1" }, no(/characters that no header may hold/)],
  ])("%s", (_, result, found) => {
    expect(cookieOf(result)).toEqual(found);
  });
});
