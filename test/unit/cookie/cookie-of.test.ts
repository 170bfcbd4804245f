// Which results of the library are an outcome, and which hold a cookie that the voice server can use.
import { describe, expect, test } from "vitest";
import { cookieOf, isOutcome } from "../../../cookie/cookie-tool.ts";

const usable = "session-id=1; at-acbjp=Atza|X; csrf=-5";
const result = (localCookie: unknown, amazonPage: unknown = "amazon.co.jp") => ({ localCookie, amazonPage });
const ok = (cookie: string) => ({ ok: true, cookie });
const no = (why: RegExp) => ({ ok: false, why: expect.stringMatching(why) });

describe("the cookie of a login", () => {
  test.each([
    ["is localCookie", { ...result(usable), csrf: "-5", loginCookie: "other=1" }, ok(usable)],
    ["is cookie where there is no localCookie", { ...result(undefined), cookie: usable }, ok(usable)],
    ["is localCookie rather than cookie", { ...result(usable), cookie: "other=1; csrf=2" }, ok(usable)],
    ["is the string of a login without a code", "x=1; at-acbjp=Atza|X", ok("x=1; at-acbjp=Atza|X")],
    ["may stand in quotes", result('at-acbjp="Atza|X"; csrf=1'), ok('at-acbjp="Atza|X"; csrf=1')],
    ["may hold Latin-1", result("at-acbjp=X; lc=é; csrf=1"), ok("at-acbjp=X; lc=é; csrf=1")],
    ["needs no csrf: the voice server obtains its own", result("at-acbjp=X"), ok("at-acbjp=X")],
    ["needs a login", result("session-id=1; csrf=1"), no(/is not signed in/)],
    ["needs a login with a value", result("at-acbjp=; csrf=1"), no(/is not signed in/)],
    ["needs a login that was not emptied", result('at-acbjp=""; csrf=1'), no(/is not signed in/)],
    ["needs a login that was not taken back", result("at-acbjp=-; csrf=1"), no(/is not signed in/)],
    ["takes no other name for a login", result("sess-at-acbjp=1; at-main=1; csrf=1"), no(/is not signed in/)],
    ["as a string needs a login", "session-id=1; at-acbjp=-", no(/is not signed in/)],
    ["is one of the Japanese site", result(usable, "amazon.com"), no(/belongs to another site/)],
    ["is one of a site that is told", { localCookie: usable }, no(/belongs to another site/)],
    ["cannot be empty", result(""), no(/without a cookie/)],
    ["cannot be missing", { csrf: "1" }, no(/without a cookie/)],
    ["cannot be a number", result(5), no(/without a cookie/)],
    ["cannot be nothing", null, no(/without a cookie/)],
    ["cannot be undefined", undefined, no(/without a cookie/)],
    ["cannot hold a line break", result("a=1\r\nb=2; csrf=1"), no(/characters that a header cannot contain/)],
    ["cannot hold a NUL", "at-acbjp=1\0", no(/characters that a header cannot contain/)],
    ["cannot hold a C1 control character", "at-acbjp=1\x85", no(/characters that a header cannot contain/)],
    ["cannot hold Japanese", result("a=東京; csrf=1"), no(/characters that a header cannot contain/)],
  ])("%s", (_, result, found) => {
    expect(cookieOf(result)).toEqual(found);
  });
});

describe("an outcome", () => {
  test.each([
    ["is a string with a login that the provider gave", "at-acbjp=X", true, true],
    ["is no string with a login that only a stranger can have brought", "at-acbjp=X", false, false],
    ["is no string without a login", "session-id=1", true, false],
    ["is no string with a login that was taken back", "at-acbjp=-", true, false],
    ["is no empty string", "", true, false],
    ["is everything else", result(usable), false, true],
    ["is nothing, too", null, false, true],
  ])("%s", (_, result, providerGaveLogin, is) => {
    expect(isOutcome(result, providerGaveLogin)).toBe(is);
  });
});
