import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { FIXTURE_NAMES } from "../../proof/fixture-names.ts";
import { startFixture } from "../../proof/fixtures.ts";
import { readChecks } from "../../proof/rows.ts";
import { runText } from "../../proof/run-text.ts";

const hasDocker = spawnSync("/bin/sh", ["-c", "command -v docker"]).status === 0;

describe("the programs of a fixture answer an unknown name as the real ones do:", () => {
  test.each([
    ["unit", "systemctl is-active nothing", 4, /^inactive$/],
    ["unit", "systemctl is-active billing", 3, /^failed$/],
    ["unit", "systemctl status nothing", 4, /^Unit nothing\.service could not be found\.$/],
    ["unit", "systemctl show -p ActiveState -p LoadState nothing", 0, /^ActiveState=inactive\nLoadState=not-found$/],
    ["unit", "systemctl is-enabled nothing", 1, /No such file or directory$/],
    ["unit", "journalctl -u nothing", 0, /^-- No entries --$/],
    ["host", "ssh -o BatchMode=yes nothing true", 255, /^ssh: Could not resolve hostname nothing/],
    ["host", "ssh edge1 exit 7", 7, /^$/],
    ["host-down", "ssh edge1 true", 255, /Connection refused$/],
    ["web-old", 'curl -fsS "$ORCH_TARGET_URL/nothing"', 22, /404$/],
  ] as const)("%s: %s exits with %i", async (name, text, code, words) => {
    await using fixture = await startFixture(name, "before");
    const { exit_code, stdout, stderr } = await runText(fixture, text);
    expect([exit_code, `${stdout}${stderr}`]).toEqual([code, expect.stringMatching(words)]);
  });

  test.runIf(hasDocker).each([
    ["docker inspect nothing", 1, /Error: No such object: nothing$/],
    ["docker logs nothing", 1, /^Error response from daemon: No such container: nothing$/],
    ["docker exec nothing true", 1, /^Error response from daemon: No such container: nothing$/],
    ["docker compose ps nothing", 1, /^no such service: nothing$/],
    ["cd / && docker compose ps", 14, /^no configuration file provided: not found$/],
    [
      "rm ../../state/docker.sock; docker ps",
      1,
      /^Cannot connect to the Docker daemon at unix:.*Is the docker daemon running\?$/,
    ],
  ] as const)("%s exits with %i", async (text, code, words) => {
    await using fixture = await startFixture("stack-old", "before");
    const { exit_code, stdout, stderr } = await runText(fixture, text);
    expect([exit_code, `${stdout}\n${stderr}`.trim()]).toEqual([code, expect.stringMatching(words)]);
  });
});

describe("a fixture is moved to its goal while it lives:", () => {
  const quick = readChecks().filter(({ kind, label, before, needs }) => {
    const isHere = hasDocker || !needs.includes("docker");
    return kind !== "loop" && label === "proved" && before === "red" && isHere;
  });
  const moved = FIXTURE_NAMES.flatMap((name) => quick.find(({ fixture }) => fixture === name) ?? []);

  test.each(moved)("$fixture, seen by $id", async ({ fixture: name, text }) => {
    await using fixture = await startFixture(name, "before");
    const before = await runText(fixture, text);
    await fixture.reach();
    const after = await runText(fixture, text);
    expect([before.exit_code === 0, after.exit_code]).toEqual([false, 0]);
  });
});
