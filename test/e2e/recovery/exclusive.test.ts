// One server per database: two would run the same task twice.
import { expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { linesOf, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { begin, lines, serve, settled } from "./begin.ts";

test("a second server on the same database is refused in plain words, and serves once the first was killed", async () => {
  await using directory = await temporaryDirectory();
  await using first = await serve({ data_dir: directory.path });
  await begin(first, "t-1", [cmd("echo x >> begun; sleep 1; echo x >> done"), check("test -d /")]);
  await lines(directory.path, "begun");
  const refused = startOrchProcess({ data_dir: directory.path });
  await expect(refused).rejects.toThrow(
    new RegExp(
      `ended with 1 before.*\\norch cannot start: another orch server \\(pid ${first.child.pid}\\) is using this database; stop it first`,
    ),
  );
  expect((await settled(first, "t-1")).status).toBe("ok");
  expect(linesOf(`${directory.path}/done`)).toHaveLength(1);
  await first.kill("SIGKILL");
  await using second = await serve({ data_dir: directory.path });
  expect((await settled(second, "t-1")).status).toBe("ok");
  expect(await second.kill("SIGTERM")).toBe(0);
});
