// A place of agents that is mounted a second time is theirs by that name too.
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { home } from "./a-command.ts";

const PROCESS = join(import.meta.dirname, "../../support/mounted-twice-process.ts");

test.skipIf(process.getuid?.() !== 0)(
  "a directory that is mounted twice is a place of agents by both names [5.4]",
  async () => {
    for (const name of ["place/inner/sub", "twice", "part", "victim"])
      mkdirSync(join(home(), name), { recursive: true });
    symlinkSync(join(home(), "victim"), join(home(), "place/out"));
    writeFileSync(join(home(), "victim/a.sh"), "ls\n");
    const mounts = 'cd "$0"; mount --bind place twice; mount --bind place/inner part; exec "$@"';
    const args = ["--mount", "bash", "-c", mounts, home(), process.execPath, PROCESS, home()];
    const { stdout } = await promisify(execFile)("unshare", args);
    expect(JSON.parse(stdout)).toEqual({
      begun: [`ofAgents ${home()}/place`],
      refused: [
        { refused: expect.stringContaining(`${home()}/twice/out is a link that an agent could have made`) },
        null,
      ],
    });
  },
);
