// What doctor says of labels.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { examineLabels } from "../../../src/doctor/examinations.ts";
import { temporaryDirectory } from "../../support/orch-process.ts";

test("doctor says which labels the server has, how many rules there are, and where the file is wrong", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "labels.yaml");
  const env = { HOME: directory.path, ORCH_LABELS: "zfs, docker", ORCH_TARGET_LABELS: file };
  await writeFile(file, "- match: { host: nas }\n  labels: [zfs]\n");
  expect(await examineLabels(readConfig(env))).toMatchObject({
    state: "works",
    found: expect.stringMatching(/^this server has docker, .*zfs; 1 rule for targets$/),
  });
  await writeFile(file, "- match: { host: nas }\n");
  expect(await examineLabels(readConfig(env))).toMatchObject({
    state: "broken",
    found: expect.stringContaining("line 1: 0.labels is required"),
    fix: "Correct the file, and start orch again.",
  });
});
