import { expect, test } from "vitest";
import { CLIENT_SETTINGS, STUDIO_SETTINGS, TOOL_SERVER_SETTINGS } from "../../../src/config/other-settings.ts";
import { settingsIn } from "../../../src/config/setting.ts";
import { SETTINGS } from "../../../src/config/settings.ts";

const ALL = [SETTINGS, TOOL_SERVER_SETTINGS, CLIENT_SETTINGS, STUDIO_SETTINGS].flatMap(settingsIn);

test("every variable is in the table once, with one sentence", () => {
  const variables = ALL.map(({ variable }) => variable);
  expect(variables).toEqual([...new Set(variables)]);
  for (const { variable, about } of ALL) expect(about, variable).toMatch(/^[^\n|]{10,160}[^.\s]$/);
});

test("a variable whose name says that it is secret is redacted", () => {
  const named = ALL.filter(({ variable }) => /TOKEN$|PASSWORD|SECRET/.test(variable));
  expect(named.length).toBeGreaterThan(3);
  for (const { variable, secret } of named) expect(secret, variable).toBe("value");
});
