import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refuseSharedDirectory, urlPath } from "../../../src/config/address-file.ts";
import { thisProcess } from "../../../src/process/holder.ts";
import { identityOf } from "../../../src/process/process-stat.ts";

const directory = await mkdtemp(join(tmpdir(), "orch-url-"));
const parent = { pid: process.ppid, started: identityOf(process.ppid)?.started ?? "" };

const heldBy = (holder: object) =>
  writeFile(
    urlPath(directory),
    JSON.stringify({ url: "http://127.0.0.1:3400", holder: { ...thisProcess(), ...holder } }),
  );

test("a directory of another server that runs here is refused, with what to set", async () => {
  await heldBy(parent);
  await expect(refuseSharedDirectory(directory)).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining(`pid ${process.ppid}`),
    fix: expect.stringContaining("ORCH_DATA_DIR"),
  });
});

test.each([
  ["of this process", {}],
  ["of a server that has ended", { ...parent, started: "1" }],
  ["of a server in another container or on another machine", { ...parent, pid_namespace: "pid:[1]" }],
])("a directory %s may be used", async (_whose, holder) => {
  await heldBy(holder);
  await expect(refuseSharedDirectory(directory)).resolves.toBeUndefined();
});

test("a directory without a server may be used", async () => {
  await writeFile(urlPath(directory), "not JSON");
  await expect(refuseSharedDirectory(directory)).resolves.toBeUndefined();
});
