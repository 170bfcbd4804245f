// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { describe, expect, it, test } from "vitest";
import { hasOnce, onlyLooks, pathsIn, scriptsIn } from "../../read-check.ts";

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

const PLACE = { home: "/home/op", cwd: "/srv/web", env: { ORCH_TARGET_DIR: "/srv/x" } };

describe("pathsIn", () => {
  test.each([
    ["test -f /srv/a", ["/srv/a"]],
    ["cat </etc/hosts >/tmp/o", ["/etc/hosts", "/tmp/o"]],
    ['[ -e "$ORCH_TARGET_DIR/f" ]', ["/srv/x/f"]],
    ["python3 -c 'open(\"/etc/passwd\")'", ["/etc/passwd"]],
    ["/opt/b/c --f=/var/x host:/srv/y /var/log/*.log", ["/opt/b/c", "/var/x", "/srv/y", "/var/log"]],
    ['bash -c "test -d /opt/z"', ["/opt/z"]],
    ["cat <<E\nsee /srv/q.\nE", ["/srv/q"]],
    ["[[ -d /srv/web/ ]]", ["/srv/web"]],
    ["curl http://web/x", []],
    ["cat a/b", []],
    ["ls /", []],
    ["", []],
  ])("lists the absolute paths of %j", (text, paths) => {
    expect(pathsIn(text, PLACE)).toEqual(paths);
  });
});

describe("hasOnce", () => {
  test("counts the comment anywhere in a text that is too long to be parsed for it", () => {
    const quoted = `echo 'x # orch: once'; ${"true; ".repeat(400)}`;
    expect([hasOnce(quoted), hasOnce(quoted.slice(0, 2_048)), hasOnce(quoted.slice(20))]).toEqual([true, false, false]);
  });

  test.each([
    "docker ps # orch: once",
    "# orch: once\ndocker ps",
    "docker ps;# orch:once",
    "docker ps\n  #  orch:  once because it is slow",
    "x=$(docker ps # orch: once\n)",
  ])("finds the comment in %j", (text) => {
    expect(hasOnce(text)).toBe(true);
  });

  test.each([
    "docker ps",
    "echo '# orch: once'",
    'echo "x # orch: once"',
    "echo x#orch: once",
    "echo \\# orch: once",
    "cat <<E\n# orch: once\nE",
    "docker ps # orch: onceagain",
    "if true; then # orch: once",
  ])("finds no comment in %j", (text) => {
    expect(hasOnce(text)).toBe(false);
  });
});
