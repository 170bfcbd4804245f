import { expect, test } from "vitest";
import { readAccountCookie } from "../../../../voice/cookie-source/cookie-source.ts";

test("every csrf pair is removed from the cookie, and the last one is returned", () => {
  expect(readAccountCookie('csrf=1; session-id=2;at-acbjp="Atza|x==" ; csrf=-3;')).toEqual({
    ok: true,
    cookie: { pairs: 'session-id=2; at-acbjp="Atza|x=="', csrf: "-3" },
  });
});

test.each(["\ufeffa=b\r\n", " a=b ", "a=b;", "a=b\n"])("surrounding characters are removed: %j", (text) => {
  expect(readAccountCookie(text)).toEqual({ ok: true, cookie: { pairs: "a=b", csrf: null } });
});

test.each([
  ["nothing", "\n", "is empty"],
  ["two lines", "a=b\nc=d", "line break"],
  ["a character that no header takes", "a=あ", "character"],
  ["a sentence", "Please open the page", "name=value"],
  ["a csrf alone", "csrf=1", "only a csrf"],
])("%s is refused without showing the text", (_what, text, words) => {
  const reading = readAccountCookie(text);
  expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining(words) });
});
