import { describe, expect, it } from "vitest";
import { onlyLooks, scriptsIn, scriptTexts } from "../../../src/proof/only-looks.ts";

const SHELL = { home: "/root", cwd: "/srv/app", env: {} };

const looksWith = async (text: string, files: Readonly<Record<string, string>>): Promise<boolean> =>
  onlyLooks(text, SHELL, await scriptTexts(text, SHELL, async (path) => files[path] ?? null));

describe("whether a check only looks", () => {
  it("finds the files whose text the shell would run", () => {
    const text = ". ./.env && source lib/x.sh; bash /opt/check.sh web; sh -c 'bash check.sh'; bash -c true; cat notes";
    expect(scriptsIn(text, SHELL)).toEqual([
      "/srv/app/.env",
      "/srv/app/lib/x.sh",
      "/opt/check.sh",
      "/srv/app/check.sh",
    ]);
  });

  it("reads a file of assignments", async () => {
    const files = { "/srv/app/.env": "APP_VERSION=2.4.0\n" };
    expect(await looksWith('. ./.env && [ "$APP_VERSION" = 2.4.0 ]', files)).toBe(true);
  });

  it.each([
    ["a file that changes something", { "/srv/app/.env": "touch /srv/flag\n" }],
    ["a file that cannot be read", {}],
  ])("does not know %s to look only", async (_, files) => {
    expect(await looksWith(". ./.env", files)).toBe(false);
  });

  it("reads a script with what it runs", async () => {
    const files = { "/srv/app/check.sh": 'curl -fsS "http://localhost/$1" | grep -q ok\n' };
    expect(await looksWith("bash check.sh web", files)).toBe(true);
  });
});
