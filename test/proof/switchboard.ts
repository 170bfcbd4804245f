// The programs of the fixtures for one engine that runs many tasks: it has one search path, so they look into the fixture of
// the task that runs them.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Fixture } from "./fixtures.ts";

const PROGRAMS = ["docker", "docker-compose", "systemctl", "journalctl", "ssh"];
const SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** `root` is an empty directory. */
export function writeSwitchboard(root: string) {
  const bin = join(root, "bin");
  mkdirSync(bin);
  for (const name of PROGRAMS) {
    const text = readFileSync(join(import.meta.dirname, "programs", name), "utf8");
    writeFileSync(join(bin, name), text.replaceAll("/../state", '/../"$ORCH_TASK_ID"/state'), { mode: 0o755 });
  }
  return {
    path: `${bin}:${SYSTEM}`,
    connect: (task_id: string, fixture: Fixture) => symlinkSync(dirname(fixture.path), join(root, task_id)),
  };
}
