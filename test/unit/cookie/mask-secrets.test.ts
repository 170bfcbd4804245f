// A text of unknown origin is shown short, on one line and without secrets.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskSecrets } from "../../../cookie/mask-secrets.ts";

describe("a text of unknown origin", () => {
  test.each([
    ["Cannot read properties of null (reading 'response')", "Cannot read properties of null (reading 'response')"],
    ["refused: Atza|IwEBIKx-y/z= and Atnr|ABC.", "refused: *** and ***"],
    ["encoded Atza%7CIwEB", "encoded ***"],
    ["at https://www.amazon.co.jp/ap/signin/355-11-22?a=b&code=X now", "at https://www.amazon.co.jp/*** now"],
    ["at https://taro:secret@proxy.local:8080/x", "at https://proxy.local:8080/***"],
    ["GET /ap/maplanding?openid.oa2.authorization_code=X failed", "GET /ap/maplanding?*** failed"],
    ['session-id=1-2; session-token="a b=="; x', "session-id=***; session-token=***; x"],
    ["email=taro&password=p%20w", "email=***&password=***"],
    ['{"access_token": "abc", "n": -5}', '{"access_token": ***, "n": ***}'],
    ["Cookie: a=b; c=d", "Cookie: ***"],
    ["csrf: -1168781950", "csrf: ***"],
    ["Authorization: Bearer abc", "Authorization: ***"],
    ["with Bearer abc.def", "with Bearer ***"],
    ["code ANKFGSWQPZVBNTHXKLRM went", "code *** went"],
    ["two\r\nlines \u001b[31mred\u001b[0m\u0000", "two lines [31mred [0m"],
    ["", ""],
  ])("%j is shown as %j", (text, shown) => {
    expect(maskSecrets(text)).toBe(shown);
  });

  test("is shown in part when it is long", () => {
    expect(maskSecrets("no ".repeat(5_000))).toHaveLength(201);
  });

  test("never shows a token, a cookie or a code, whatever stands around it", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{8,40}$/).map((text) => `zq${text}`);
    const around = fc.stringMatching(/^[a-z .:,()"']{0,40}$/);
    const forms = [
      (it: string) => `Atza|${it}`,
      (it: string) => `at-acbjp=${it}`,
      (it: string) => `session-token="${it} ${it}"`,
      (it: string) => `https://www.amazon.co.jp/ap/maplanding?openid.oa2.authorization_code=${it}`,
      (it: string) => `{"refresh_token":"${it}"}`,
    ];
    fc.assert(
      fc.property(around, secret, around, fc.constantFrom(...forms), (before, it, behind, form) => {
        expect(maskSecrets(`${before} ${form(it)} ${behind}`)).not.toContain(it);
      }),
    );
  });
});
