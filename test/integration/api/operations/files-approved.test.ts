// An approval covers the files that its steps run or apply, and names what it does not cover. What has changed between the question
// and the yes does not run. The files are real.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ProcedureContent } from "../../../../src/domain/approval.ts";
import { contractBody } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";

const engine = held(await openEngine());

const cmd = (value: string) => ({ kind: "cmd", value });
const CHECK = { kind: "check", value: "test -d ." };
const LONG = `${"#".repeat(70_000)}\n`;

type Files = Readonly<Record<string, string>>;

const write = (directory: string, files: Files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text, { mode: 0o755 });
  }
};

let count = 0;

/** A procedure in use that asks every time. */
async function asked(steps: readonly object[], files: Files) {
  const name = `approved-${++count}`;
  const task_id = `${name}-run`;
  const directory = join(engine.directory, name);
  mkdirSync(directory);
  write(directory, files);
  const target = { service: name, compose_dir: directory };
  const contract = { intent: "deploy", delegation_mode: "known_only", target } as const;
  await engine.plant("deploy", target, steps as never, { safety_level: "approval_required" });
  expect(await engine.run(task_id, contract)).toMatchObject({ status: "need_approval" });
  const approval = await engine.approvalOf(task_id);
  const approve = async () => {
    await engine.call("approve", { approval_id: approval.approval_id, decision: "approve" });
    return engine.outcomeOf(task_id);
  };
  const below = (path: string) => path.replace(`${directory}/`, "");
  return { ...approval, directory, contract, approve, below };
}

describe("promises 2.1 to 2.3: what changes between the question and the yes does not run", () => {
  test.each<[string, Files, Files]>([
    ["bash big.sh", { "big.sh": `${LONG}touch ran\n` }, { "big.sh": `${LONG}touch other\n` }],
    [
      "bash a.sh",
      { "a.sh": ". ./b.sh", "b.sh": ". ./c.sh", "c.sh": ". ./d.sh", "d.sh": "ls" },
      { "d.sh": "touch other" },
    ],
    ["cat go.sh | bash", { "go.sh": "ls" }, { "go.sh": "touch other" }],
    ["bash < go.sh", { "go.sh": "ls" }, { "go.sh": "touch other" }],
    ['for s in ./g*.sh; do bash "$s"; done', { "g1.sh": "ls" }, { "g2.sh": "touch other" }],
    ["bash *.sh", { "b.sh": "ls" }, { "a.sh": "touch other" }],
    ["find . -name '*.sh' -exec bash {} \\;", { "d/a.sh": "ls" }, { "d/a.sh": "touch other" }],
    ["cp go.sh zz.sh && bash zz.sh", { "go.sh": "ls" }, { "go.sh": "touch other" }],
    ["python3 main.py", { "main.py": "import h", "h.py": "" }, { "h.py": "open('other', 'w')" }],
    ["make -s", { Makefile: "include r.mk\n", "r.mk": "all:\n\tls\n" }, { "r.mk": "all:\n\ttouch other\n" }],
    ["sqlite3 x.db < x.sql", { "x.sql": "select 1;" }, { "x.sql": ".shell touch other" }],
    ["xargs touch < names", { names: "one" }, { names: "other" }],
    [
      "patch -s -p0 < x.patch",
      { "x.patch": "--- /dev/null\n+++ one\n@@ -0,0 +1 @@\n+x\n" },
      { "x.patch": "--- /dev/null\n+++ other\n@@ -0,0 +1 @@\n+x\n" },
    ],
  ])("%s", async (text, before, after) => {
    const { directory, approve } = await asked([cmd(text), CHECK], before);
    write(directory, after);
    expect(await approve()).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_stale" } });
    expect(existsSync(join(directory, "other"))).toBe(false);
  });

  test("what is the same runs", async () => {
    const files = { "g1.sh": "python3 m.py", "m.py": "import h", "h.py": "open('ran', 'w')", "x.sql": "select 1;" };
    const { directory, approve } = await asked([cmd("bash g*.sh; cat x.sql > out"), CHECK], files);
    write(directory, { "x.sql": "select 2;", "app.log": "more" });
    expect(await approve()).toMatchObject({ status: "ok" });
    expect(existsSync(join(directory, "ran"))).toBe(true);
  });
});

describe("an approval says what it covers, and what it does not", () => {
  test("in its content, of each step, and in explain", async () => {
    const files = { "main.py": "import requests\n", "x.sql": "select 1;", "big.sh": LONG };
    const steps = [cmd("python3 main.py"), cmd("psql -f x.sql"), cmd("bash big.sh"), CHECK];
    const { content, approval_id, contract, directory, below } = await asked(steps, files);
    const { scripts, findings } = ProcedureContent.parse(content);
    expect(scripts?.map(({ path }) => below(path))).toEqual(["big.sh", "main.py", "x.sql"]);
    const reasons = findings.map(({ step_index, reason }) => `${step_index} ${reason}`);
    expect(reasons).toEqual(
      expect.arrayContaining([
        "0 what main.py loads from elsewhere is not covered: requests",
        expect.stringMatching(/^2 .*big\.sh is longer than 64 KiB, so its text is not judged/),
      ]),
    );
    const shown = [
      {
        files: [{ path: join(directory, "main.py"), judged: true }],
        not_covered: [expect.stringContaining("requests")],
      },
      { files: [{ path: join(directory, "x.sql"), judged: false }] },
      { files: [{ path: join(directory, "big.sh"), judged: false }] },
      {},
    ];
    const { steps: of_approval } = await engine.call("get_approval", { approval_id });
    expect(of_approval).toMatchObject(shown);
    const explained = await engine.call("explain", { contract: contractBody(contract) });
    expect(explained.steps).toMatchObject(shown);
  });

  test("a plan that runs no file says nothing of files", async () => {
    const { content } = await asked([cmd("touch x"), CHECK], {});
    expect(content).not.toHaveProperty("scripts");
  });
});
