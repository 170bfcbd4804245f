// A plan is judged together with the scripts on disk that its steps run, and reads no more than that.
import { describe, expect, test } from "vitest";
import type { Step } from "../../../src/domain/step.ts";
import { changedFiles, judgeOnDisk } from "../../../src/tasks/judge-on-disk.ts";
import { aContract, check, cmd } from "../../support/builders.ts";
import { judgeHere } from "../../support/judge-here.ts";

const contract = aContract({ target: { compose_dir: "/srv/app" } });

/** Judges the steps where these files are, and notes which of them were looked for. */
async function judgedWith(files: Readonly<Record<string, string>>, steps: readonly Step[], intent = "deploy") {
  const read: string[] = [];
  const textAt = async (path: string) => {
    read.push(path);
    return files[path] ?? null;
  };
  const context = { home: "/home/op", remote: false };
  const plan = { contract, steps, safety_level: "standard", intent, context, proved: false } as const;
  const judged = await judgeOnDisk(judgeHere, plan, textAt);
  const verdicts = judged.findings.map(({ step_index, verdict, code }) => `${step_index} ${verdict} ${code}`);
  return { ...judged, verdicts, read: read.toSorted(), textAt };
}

const RESET = { "/srv/app/sync.sh": "git fetch\ngit reset --hard origin/main\n" };

describe("a script on disk is judged with the step", () => {
  test.each<[string, Record<string, string>]>([
    ["bash sync.sh", RESET],
    ["sudo -n ./sync.sh now", RESET],
    [". ./sync.sh", RESET],
    ["cd /opt && source x", { "/opt/x": "docker system prune -af" }],
    ["make", { "/srv/app/Makefile": "all:\n\tgit reset --hard\n" }],
    ["make -C sub deploy", { "/srv/app/sub/GNUmakefile": "deploy: clean\nclean:\n\trm -rf /usr\n" }],
    ["npm run clean", { "/srv/app/package.json": '{"scripts":{"clean":"rm -rf /usr"}}' }],
    ["yarn --cwd ui build", { "/srv/app/ui/package.json": '{"scripts":{"prebuild":"git reset --hard"}}' }],
    ["python3 x.py", { "/srv/app/x.py": 'import shutil\nshutil.rmtree("/usr")\n' }],
    ["perl /opt/x.pl", { "/opt/x.pl": 'system("rm -rf /usr");\n' }],
    [
      "docker compose -f s.yml up -d",
      { "/srv/app/s.yml": 'services: {w: {command: rm -rf /h/usr, volumes: ["/:/h"]}}' },
    ],
    ["docker compose exec w rm -rf /h/usr", { "/srv/app/compose.yml": 'services: {w: {volumes: ["/:/h"]}}' }],
    ["bash a.sh", { "/srv/app/a.sh": "./b.sh\n", "/srv/app/b.sh": "rm -rf /usr\n" }],
    ["cp a.sh b.sh; bash b.sh", { "/srv/app/a.sh": "rm -rf /usr\n" }],
    ["./run", { "/srv/app/run": '#!/usr/bin/env python3\nimport os\nos.system("git reset --hard")\n' }],
  ])("%s", async (text, files) => {
    const { verdicts } = await judgedWith(files, [cmd(text)]);
    expect(verdicts).toContainEqual(expect.stringMatching(/^0 block/));
  });

  test("a finding names the file and the line", async () => {
    const { findings } = await judgedWith(RESET, [cmd("true"), cmd("bash sync.sh")]);
    expect(findings).toMatchObject([{ step_index: 1, reason: expect.stringContaining("(/srv/app/sync.sh, line 2)") }]);
  });

  test("its digest and path are what an approval shows; a file that is not there is none", async () => {
    const { scripts } = await judgedWith({ "/srv/app/a.sh": "df -h" }, [cmd("bash a.sh; bash b.sh")]);
    expect(scripts).toEqual([{ path: "/srv/app/a.sh", digest: expect.any(String) }]);
  });

  test("one that only looks is a look, for an intent that only looks", async () => {
    const look = { "/srv/app/look.sh": "df -h\ndocker ps\n" };
    expect((await judgedWith(look, [check("./look.sh")], "triage")).verdicts).toEqual([]);
    expect((await judgedWith({ "/srv/app/look.sh": "touch x" }, [check("./look.sh")], "triage")).verdicts).toEqual([
      "0 block read_only.changes_state",
    ]);
  });
});

describe("no more is read than the plan runs", () => {
  test.each([
    "docker ps",
    "cat deploy.sh",
    "chmod +x deploy.sh",
    "rm -f a.sh",
    "ssh nas ./x.sh",
    "docker exec c sh /x.sh",
  ])("nothing for: %s", async (text) => {
    expect((await judgedWith({}, [cmd(text)])).read).toEqual([]);
  });

  test("what the plan itself has written is not read", async () => {
    expect((await judgedWith(RESET, [cmd("echo ls > sync.sh"), cmd("bash sync.sh")])).read).toEqual([]);
  });

  test("16 scripts, and one level of those that they call", async () => {
    const many = Array.from({ length: 20 }, (_, n) => `bash ${n}.sh`).join("; ");
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`/srv/app/${n}.sh`, `bash ${n}.sh.inner`]));
    expect((await judgedWith(files, [cmd(many)])).scripts).toHaveLength(16);
    const chain = { "/srv/app/a": "sh b", "/srv/app/b": "sh c", "/srv/app/c": "ls" };
    expect((await judgedWith(chain, [cmd("sh a")])).read).toEqual(["/srv/app/a", "/srv/app/b"]);
  });

  test("nothing where the plan is blocked already, and nothing where the files are elsewhere", async () => {
    expect((await judgedWith(RESET, [cmd("rm -rf /usr; bash sync.sh")])).read).toEqual([]);
    const context = { home: "/home/op", remote: true };
    const steps = [cmd("bash sync.sh")];
    const plan = { contract, steps, safety_level: "standard", intent: "deploy", context, proved: false } as const;
    expect((await judgeOnDisk(judgeHere, plan, undefined)).scripts).toEqual([]);
  });
});

describe("before a step its files are compared with what was judged", () => {
  test("one that has changed and one that has appeared are named; others are not", async () => {
    const { steps } = await judgedWith(RESET, [cmd("sh a.sh; sh b.sh; sh c.sh")]);
    const now = new Map([["/srv/app/b.sh", "ls"]]);
    const [step] = steps;
    if (step === undefined) throw new Error("the step has no files");
    expect([...(await changedFiles(step, async (path) => now.get(path) ?? null))]).toEqual([["/srv/app/b.sh", "ls"]]);
  });

  test("what a step before it was to write counts as it was judged", async () => {
    const { steps } = await judgedWith({}, [cmd("printf 'ls\\n' > a.sh"), cmd("sh a.sh")]);
    expect([...(steps[1]?.known ?? [])]).toEqual([["/srv/app/a.sh", "ls\n"]]);
  });
});
