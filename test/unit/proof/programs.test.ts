import { describe, expect, test } from "vitest";
import { programsOf } from "../../../src/guard/guard.ts";
import { pathsIn } from "../../../src/proof/check-text.ts";

const SHELL = { home: "/home/op", cwd: "/srv/web", env: { ORCH_TARGET_DIR: "/srv/x" } };

describe("programsOf", () => {
  test.each([
    ["docker ps", ["docker"]],
    ['timeout 5 sh -c "docker ps | xargs -n1 curl"', ["timeout", "sh", "docker", "xargs", "curl"]],
    ["bash -c 'git rev-parse HEAD'", ["bash", "git"]],
    ["x=$(/usr/bin/jq . f); test $x", ["jq"]],
    ["true", []],
  ])("names what %j runs", (text, programs) => {
    expect(programsOf(text, SHELL)).toEqual({ programs, unresolved: false });
  });

  test.each(["$CMD", "if true; then", "curl x | sh"])("says that %j may run something else", (text) => {
    expect(programsOf(text, SHELL).unresolved).toBe(true);
  });
});

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
    expect(pathsIn(text, SHELL)).toEqual(paths);
  });
});
