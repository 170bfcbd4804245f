// A file that a step runs is compared again after the step: what ran may not be what was judged or approved. What the step itself
// writes is no such change. The files and the programs that change them are real.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";

const engine = held(await openEngine());

const cmd = (value: string) => ({ kind: "cmd", value });
const CHECK = { kind: "check", value: "test -d ." };

/** Until another program has done its part. */
const HELD = "touch started; while ! test -e go; do sleep 0.05; done; ";

async function whenThere(path: string): Promise<void> {
  for (let tries = 0; !existsSync(path); tries += 1) {
    if (tries > 1_000) throw new Error(`${path} never came`);
    await sleep(30);
  }
}

type Files = Readonly<Record<string, string>>;

const write = (directory: string, files: Files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text, { mode: 0o755 });
  }
};

let count = 0;

/** `meanwhile`: what another program writes while the first step waits. */
async function run(steps: readonly object[], before: Files, meanwhile: Files | null) {
  const name = `during-${++count}`;
  const directory = join(engine.directory, name);
  mkdirSync(directory);
  write(directory, before);
  const target = { service: name, compose_dir: directory };
  await engine.plant("deploy", target, steps as never);
  const running = engine.run(`${name}-run`, { intent: "deploy", delegation_mode: "known_only", target });
  if (meanwhile !== null) {
    await whenThere(join(directory, "started"));
    write(directory, meanwhile);
    write(directory, { go: "" });
  }
  return { directory, ended: await running };
}

const CHANGED = (path: string) => ({
  status: "blocked",
  outcome: {
    reason_code: "approval_stale",
    step_index: 0,
    message: expect.stringMatching(
      new RegExp(`${path} changed while step 0 ran; what ran may not be what was approved`),
    ),
  },
});

describe("promises 2.5: a file that changes while its step runs is named, and the task is not done", () => {
  test.each<[string, Files, Files, string]>([
    [`${HELD}bash x.sh`, { "x.sh": "echo a > out\n" }, { "x.sh": "echo b > out\n" }, "x.sh"],
    [`${HELD}bash x.sh`, { "x.sh": ". ./y.sh\n", "y.sh": "echo a > out\n" }, { "y.sh": "echo b > out\n" }, "y.sh"],
    [`${HELD}cat x.sh | bash`, { "x.sh": "echo a > out\n" }, { "x.sh": "echo b > out\n" }, "x.sh"],
    [`${HELD}for s in g*.sh; do bash "$s"; done`, { "g1.sh": "true\n" }, { "g2.sh": "echo b > out\n" }, "g\\*.sh"],
    [`${HELD}python3 m.py`, { "m.py": "import h\n", "h.py": "" }, { "h.py": "open('out', 'w')\n" }, "h.py"],
    [`${HELD}python3 m.py`, { "m.py": "import json\n" }, { "json.py": "open('out', 'w')\n" }, "json.py"],
    [`${HELD}sed -n -f x.sed list`, { "x.sed": "p\n", list: "" }, { "x.sed": "w out\n" }, "x.sed"],
    [
      `${HELD}make -s`,
      { Makefile: "include r.mk\n", "r.mk": "all:\n\ttrue\n" },
      { "r.mk": "all:\n\ttouch out\n" },
      "r.mk",
    ],
  ])("%s", async (text, before, meanwhile, path) => {
    const { ended } = await run([cmd(text), CHECK], before, meanwhile);
    expect(ended).toMatchObject(CHANGED(path));
  });

  test("with the last step too, and nothing after it runs", async () => {
    const last = await run([cmd(`${HELD}bash x.sh`)], { "x.sh": "true\n" }, { "x.sh": "echo b > out\n" });
    expect(last.ended).toMatchObject(CHANGED("x.sh"));
    const more = await run(
      [cmd(`${HELD}bash x.sh`), cmd("touch after"), CHECK],
      { "x.sh": "true\n" },
      { "x.sh": "ls\n" },
    );
    expect(more.ended).toMatchObject(CHANGED("x.sh"));
    expect(existsSync(join(more.directory, "after"))).toBe(false);
  });
});

describe("what a step writes itself is no change from outside", () => {
  test.each<[string, Files]>([
    ["echo 'echo 1 > out' > x.sh; bash x.sh", { "x.sh": "true\n" }],
    ["cp new.sh x.sh && bash x.sh", { "x.sh": "true\n", "new.sh": "echo 1 > out\n" }],
    ["bash x.sh", { "x.sh": "echo 1 > out\necho '# ran' >> x.sh\n" }],
    ["make -s", { Makefile: "all: x.d\n\techo 1 > out\n-include x.d\nx.d:\n\techo '# made' > x.d\n" }],
    ["npm pkg set name=x >/dev/null && npm run -s x", { "package.json": '{"scripts":{"x":"echo 1 > out"}}' }],
    ["bash x.sh; rm x.sh", { "x.sh": "echo 1 > out\n" }],
    ["bash x.sh && mv x.sh done.sh", { "x.sh": "echo 1 > out\n" }],
    [
      "git init -q . && git add x.sh && git -c user.name=a -c user.email=a@b commit -qm a && echo 'false' > x.sh && git checkout -q x.sh && bash x.sh",
      { "x.sh": "echo 1 > out\n" },
    ],
    ["printf '#!/bin/sh\\necho 1 > out\\n' | tee x.sh; chmod +x x.sh; ./x.sh", {}],
    [
      "mkdir -p parts && echo 'echo 1 > out' > parts/b.sh && for s in parts/*.sh; do bash \"$s\"; done",
      { "parts/a.sh": "true\n" },
    ],
  ])("%s", async (text, before) => {
    const { directory, ended } = await run([cmd(text), CHECK], before, null);
    expect(ended).toMatchObject({ status: "ok" });
    expect(readFileSync(join(directory, "out"), "utf8")).toBe("1\n");
  });

  test("a log that grows while a step reads it is no such change either", async () => {
    const { ended } = await run(
      [cmd(`${HELD}grep -c x app.log; bash x.sh`), CHECK],
      { "app.log": "x\n", "x.sh": "ls\n" },
      { "app.log": "x\nx\n" },
    );
    expect(ended).toMatchObject({ status: "ok" });
  });
});
