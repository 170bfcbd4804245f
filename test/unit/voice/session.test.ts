// What a session keeps secret, and what an account that is not signed in means.
import { describe, expect, test } from "vitest";
import type { ProviderResponse } from "../../../voice/exchange.ts";
import { createSessions } from "../../../voice/upstream/session.ts";

const json = (status: number, body: object): ProviderResponse => ({
  status,
  headers: { "content-type": "application/json" },
  text: JSON.stringify(body),
});
const CSRF: ProviderResponse = { status: 200, headers: { "set-cookie": ["csrf=-42; Path=/"] }, text: "ja-JP" };
const SIGNED_IN = json(200, { authentication: { authenticated: true, customerId: "A1" } });

/** Sessions at a provider that answers each path so. */
function sessions(answers: Readonly<Record<string, ProviderResponse>>, customer_id: string | null = null) {
  let time_ms = 0;
  const secrets: string[] = [];
  const asked: string[] = [];
  const { current, state } = createSessions({
    ask: async ({ path }) => {
      const name = path.split("?")[0] ?? "";
      asked.push(name);
      return answers[name] ?? json(404, {});
    },
    load: async () => ({ pairs: "at=1", csrf: null }),
    keepSecret: (text) => void secrets.push(text),
    log: { info: () => undefined, warn: () => undefined } as unknown as Parameters<typeof createSessions>[0]["log"],
    customer_id,
    now: () => time_ms,
  });
  const later = (ms: number) => {
    time_ms += ms;
  };
  return { current, state, secrets, asked, later };
}

describe("a session", () => {
  test("keeps its csrf and its customer id secret from then on", async () => {
    const { current, secrets } = sessions({ "/api/language": CSRF, "/api/bootstrap": SIGNED_IN });
    expect(await current()).toEqual({ cookie: { pairs: "at=1", csrf: null }, csrf: "-42", customer_id: "A1" });
    expect(secrets).toEqual(["-42", "A1"]);
  });

  test.each<[string, ProviderResponse]>([
    ["says that nobody is signed in", json(200, { authentication: { authenticated: false } })],
    ["refuses the cookie", json(401, {})],
  ])("is not obtained where the provider %s, and no other path is tried", async (_what, bootstrap) => {
    const { current, state, asked, secrets } = sessions({ "/api/language": CSRF, "/api/bootstrap": bootstrap }, "A9");
    await expect(current()).rejects.toMatchObject({ code: "cookie_expired" });
    expect([asked, secrets]).toEqual([["/api/language", "/api/bootstrap"], []]);
    expect(state()).toMatchObject({ code: "cookie_expired" });
  });

  test("takes the customer id from another path where the first is gone, and else the configured one", async () => {
    const me = { "/api/language": CSRF, "/api/users/me": json(200, { id: "A2" }) };
    expect(await sessions(me, "A9").current()).toMatchObject({ customer_id: "A2" });
    expect(await sessions({ "/api/language": CSRF }, "A9").current()).toMatchObject({ customer_id: "A9" });
    await expect(sessions({ "/api/language": CSRF }).current()).rejects.toMatchObject({ code: "upstream_changed" });
    const refused = { "/api/language": CSRF, "/api/users/me": json(403, {}) };
    await expect(sessions(refused, "A9").current()).rejects.toMatchObject({ code: "cookie_expired" });
  });
});

describe("a refused cookie", () => {
  const MINUTE_MS = 60_000;

  test("is tried again after 10 s, then after 1, 5 and 30 minutes", async () => {
    const { current, asked, later } = sessions({ "/api/language": json(403, {}) });
    for (const [tries, rest_ms] of [10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 30 * MINUTE_MS].entries()) {
      await expect(current()).rejects.toMatchObject({ details: { retry_after: rest_ms / 1_000 } });
      later(rest_ms - 1);
      await expect(current()).rejects.toMatchObject({ code: "cookie_expired", details: { retry_after: 1 } });
      expect(asked).toHaveLength(tries + 1);
      later(1);
    }
  });

  test("speaks again as soon as one odd answer is over, and begins anew with the shortest rest", async () => {
    const answers: Record<string, ProviderResponse> = { "/api/language": json(403, {}), "/api/bootstrap": SIGNED_IN };
    const { current, later } = sessions(answers);
    await expect(current()).rejects.toMatchObject({ code: "cookie_expired" });
    later(10_000);
    answers["/api/language"] = CSRF;
    expect(await current()).toMatchObject({ csrf: "-42" });
  });
});
