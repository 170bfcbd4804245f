import { describe, expect, test } from "vitest";
import { readConfig } from "../../../../src/config/config.ts";
import { OrchError } from "../../../../src/domain/errors.ts";

const HOME = { HOME: "/home/me" };

function refusal(env: Record<string, string>): OrchError {
  try {
    readConfig({ ...HOME, ...env });
  } catch (error) {
    if (error instanceof OrchError) return error;
  }
  throw new Error("the configuration was accepted");
}

describe("the webhook", () => {
  const HOOK = { ORCH_WEBHOOK_URL: "https://hooks.example", ORCH_WEBHOOK_SECRET: `whsec_${"A".repeat(43)}=` };

  test("has an address and a secret, or neither", () => {
    expect(readConfig({ ...HOME, ...HOOK }).webhook).toEqual({
      url: HOOK.ORCH_WEBHOOK_URL,
      secret: HOOK.ORCH_WEBHOOK_SECRET,
    });
    expect(readConfig(HOME).webhook).toBeNull();
  });

  test.each([
    ["the secret is missing", { ...HOOK, ORCH_WEBHOOK_SECRET: "" }],
    ["the secret has no prefix", { ...HOOK, ORCH_WEBHOOK_SECRET: "A".repeat(44) }],
    ["the secret is short", { ...HOOK, ORCH_WEBHOOK_SECRET: `whsec_${"A".repeat(20)}` }],
    ["the secret is not base64", { ...HOOK, ORCH_WEBHOOK_SECRET: `whsec_${"A".repeat(33)}` }],
  ])("is refused when %s", (_what, env) => {
    const { issues, message } = refusal(env);
    expect(issues.map(({ path }) => path)).toEqual(["ORCH_WEBHOOK_SECRET"]);
    expect(message).not.toContain("AAAA");
  });
});
