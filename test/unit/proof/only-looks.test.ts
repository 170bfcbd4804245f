import { describe, expect, it } from "vitest";
import { onlyLooks, scriptsIn } from "../../../src/proof/check-text.ts";

const SHELL = { home: "/root", cwd: "/srv/app", env: {} };

const looksWith = (text: string, files: Readonly<Record<string, string>>): boolean =>
  onlyLooks(text, SHELL, new Map(Object.entries(files).filter(([path]) => scriptsIn(text, SHELL).includes(path))));

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

  it("reads a file of assignments", () => {
    const files = { "/srv/app/.env": "APP_VERSION=2.4.0\n" };
    expect(looksWith('. ./.env && [ "$APP_VERSION" = 2.4.0 ]', files)).toBe(true);
  });

  it.each([
    ["a file that changes something", { "/srv/app/.env": "touch /srv/flag\n" }],
    ["a file that cannot be read", {}],
  ])("does not know %s to look only", (_, files) => {
    expect(looksWith(". ./.env", files)).toBe(false);
  });

  it("reads a script with what it runs", () => {
    const files = { "/srv/app/check.sh": 'curl -fsS "http://localhost/$1" | grep -q ok\n' };
    expect(looksWith("bash check.sh web", files)).toBe(true);
  });
});
