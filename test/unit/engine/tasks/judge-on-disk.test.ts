// A plan is judged together with the scripts on disk that its steps run, and reads no more than that.
import { describe, expect, test } from "vitest";
import { digestOf } from "../../../../src/domain/json.ts";
import { type Disk, MAX_JUDGED_BYTES } from "../../../../src/domain/script.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { changedFiles, judgeOnDisk } from "../../../../src/engine/tasks/judge-on-disk.ts";
import { createWithoutKnown } from "../../../../src/redact/find-secrets.ts";
import { aContract, check, cmd } from "../../../support/builders.ts";
import { judgeHere } from "../../../support/judge-here.ts";

const contract = aContract({ target: { compose_dir: "/srv/app" } });

const SECRET = "0f3a9b71c2de48568d7741be90aa12cd";
const withoutKnown = createWithoutKnown([SECRET, "it's #1; really"]);

/** A disk that holds these files. */
const diskOf = (files: Readonly<Record<string, string>>, read: (path: string) => void = () => undefined): Disk => ({
  read: async (path) => {
    read(path);
    const text = files[path];
    if (text === undefined) return null;
    if (text.length > MAX_JUDGED_BYTES) return { digest: digestOf(text), content: "too long" };
    return { digest: digestOf(text), content: { text, judged: withoutKnown(text) } };
  },
  list: async (directory) => {
    const below = Object.keys(files).flatMap((path) =>
      path.startsWith(`${directory}/`) ? [path.slice(directory.length + 1)] : [],
    );
    const names = new Set(below.map((path) => path.replace(/\/.*$/, "")));
    if (names.size === 0) return null;
    return [...names].map((name) => ({ name, is: below.includes(name) ? ("file" as const) : ("directory" as const) }));
  },
});

/** Judges the steps where these files are, and notes which of them were looked for. */
async function judgedWith(files: Readonly<Record<string, string>>, steps: readonly Step[], intent = "deploy") {
  const read: string[] = [];
  const disk = diskOf(files, (path) => read.push(path));
  const context = { home: "/home/op", remote: false };
  const plan = { contract, steps, safety_level: "standard", intent, context, proved: false } as const;
  const judged = await judgeOnDisk(judgeHere, plan, disk);
  const verdicts = judged.findings.map(({ step_index, verdict, code }) => `${step_index} ${verdict} ${code}`);
  return { ...judged, verdicts, read: read.toSorted(), disk };
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
    ["df | awk -f x.awk", { "/srv/app/x.awk": 'BEGIN { system("rm -rf /usr") }\n' }],
    ["sed -n --file=x.sed list", { "/srv/app/x.sed": "1e rm -rf /usr\n" }],
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

  test("one that only looks is a look, for an intent that only looks", async () => {
    const look = { "/srv/app/look.sh": "df -h\ndocker ps\n" };
    expect((await judgedWith(look, [check("./look.sh")], "triage")).verdicts).toEqual([]);
    expect((await judgedWith({ "/srv/app/look.sh": "touch x" }, [check("./look.sh")], "triage")).verdicts).toEqual([
      "0 block read_only.changes_state",
    ]);
  });
});

describe("no part of a secret that orch knows is in what a script is judged as", () => {
  const judgedAs = async (text: string, command = "bash a.sh") => {
    const { findings, steps, scripts } = await judgedWith({ "/srv/app/a.sh": text }, [cmd(command)]);
    return {
      shown: JSON.stringify([findings, steps.map(({ saw, consequences }) => [saw, consequences])]),
      scripts,
      steps,
    };
  };
  const longestPart = (shown: string): number =>
    Math.max(
      0,
      ...[...SECRET].flatMap((_, at) => lengthsFrom(at).filter((n) => shown.includes(SECRET.slice(at, at + n)))),
    );
  const lengthsFrom = (at: number) => Array.from({ length: SECRET.length - at }, (_, n) => n + 1);

  test.each([
    `T=${SECRET}\nrm -rf "/srv/\${T#?}"`,
    `T=${SECRET}\nrm -rf /srv/\${T:0:18}/\${T:18}`,
    `T="${SECRET.slice(0, 20)}\\\n${SECRET.slice(20)}"\nrm -rf "/usr/\${T^^}"`,
    `T=${SECRET}\nA=(\${T//a/ })\nrm -rf "/usr/\${A[0]}" "/usr/\${A[1]}"`,
    `T=${Buffer.from(`x${SECRET}`).toString("base64")}\nrm -rf /usr/$(echo $T | base64 -d | tail -c +2)`,
    `T=${SECRET}\nfor ((i=0;i<20;i++)); do rm -rf "/usr/\${T:i:9}"; done`,
  ])("%s", async (text) => {
    const { shown } = await judgedAs(text);
    expect(shown).toContain("rm");
    expect(longestPart(shown)).toBeLessThan(5);
  });

  test("the digest is that of the whole text, and the file is compared with the whole text before its step", async () => {
    const one = await judgedAs(`curl -H "X-Token: ${SECRET}" http://nas/x\n`);
    const other = await judgedAs(`curl -H "X-Token: ${SECRET.toUpperCase()}" http://nas/x\n`);
    expect(one.scripts).toMatchObject([
      { path: "/srv/app/a.sh", digest: expect.not.stringMatching(other.scripts[0]?.digest ?? "") },
    ]);
    const [step] = one.steps;
    if (step === undefined) throw new Error("the step has no files");
    const changedTo = async (text: string) => (await changedFiles(step, diskOf({ "/srv/app/a.sh": text }))).files.size;
    expect(await changedTo(`curl -H "X-Token: ${SECRET}" http://nas/x\n`)).toBe(0);
    expect(await changedTo(`curl -H "X-Token: ${SECRET}${SECRET}" http://nas/x\n`)).toBe(1);
  });

  test("a copy of the script that the plan makes is compared with the whole text too", async () => {
    const text = `T=${SECRET}\ndf -h\n`;
    const { steps } = await judgedWith({ "/srv/app/a.sh": text }, [cmd("bash a.sh; cp a.sh b.sh"), cmd("bash b.sh")]);
    expect([...(steps[1]?.known ?? [])]).toEqual([
      ["/srv/app/a.sh", digestOf(text)],
      ["/srv/app/b.sh", digestOf(text)],
    ]);
  });

  test.each([
    `# ${SECRET.slice(0, 9)}\n${SECRET.slice(9)}; rm -rf /usr`,
    `: ${SECRET} ; rm -rf /usr`,
    `echo 'a it's #1; really\nrm -rf /usr\n: '`,
    `${SECRET} () { rm -rf /usr; }; ${SECRET}`,
  ])("what is dangerous beside it is found: %s", async (text) => {
    const { verdicts } = await judgedWith({ "/srv/app/a.sh": text }, [cmd("bash a.sh")]);
    expect(verdicts).toContainEqual(expect.stringMatching(/^0 block/));
  });

  test.each([
    `curl -H "Authorization: Bearer ${SECRET}" http://nas/api`,
    `echo ${SECRET} | docker login -u me --password-stdin registry.example`,
    `export API_TOKEN=${SECRET}\ndocker compose up -d`,
  ])("where it is only data there is no finding more: %s", async (text) => {
    const { verdicts } = await judgedWith({ "/srv/app/a.sh": text }, [cmd("bash a.sh")]);
    const without = text.replaceAll(SECRET, "an-ordinary-word");
    expect(verdicts).toEqual((await judgedWith({ "/srv/app/a.sh": without }, [cmd("bash a.sh")])).verdicts);
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
    const [step] = steps;
    if (step === undefined) throw new Error("the step has no files");
    expect([...(await changedFiles(step, diskOf({ "/srv/app/b.sh": "ls" }))).files.keys()]).toEqual(["/srv/app/b.sh"]);
  });
});
