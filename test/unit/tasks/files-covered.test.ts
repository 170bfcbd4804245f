// What a plan runs is covered: the files of real directories that its steps run or apply, with what these load in their turn.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Step } from "../../../src/domain/step.ts";
import { createDisk } from "../../../src/execution/local/disk.ts";
import { judgeOnDisk } from "../../../src/tasks/judge-on-disk.ts";
import { changedFiles, coverageOf } from "../../../src/tasks/step-on-disk.ts";
import { aContract, cmd } from "../../support/builders.ts";
import { judgeHere } from "../../support/judge-here.ts";

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

type Files = Readonly<Record<string, string>>;

function directoryOf(files: Files): string {
  const directory = mkdtempSync(join(tmpdir(), "orch-covered-"));
  directories.push(directory);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text, { mode: 0o755 });
  }
  return directory;
}

const disk = createDisk([], (text) => text);

async function judged(given: Files | string, steps: readonly Step[], proved = true) {
  const directory = typeof given === "string" ? given : directoryOf(given);
  const plan = {
    contract: aContract({ target: { compose_dir: directory } }),
    steps,
    safety_level: "standard",
    intent: "deploy",
    context: { home: "/home/op", remote: false },
    proved,
  } as const;
  const found = await judgeOnDisk(judgeHere, plan, disk);
  const below = (path: string) => path.replace(`${directory}/`, "");
  return {
    ...found,
    directory,
    covered: found.scripts.map(({ path }) => below(path)),
    verdicts: found.findings.map(({ verdict, code }) => `${verdict} ${code}`),
    not_covered: found.steps.flatMap(({ not_covered }) => not_covered),
    not_judged: found.steps.flatMap(({ not_judged }) => not_judged.map(below)),
    of_first: coverageOf(found.steps[0]),
  };
}

/** Of this name the text of each row is blocked where it is judged. */
const BAD = "git reset --hard\n";
const PY = 'import os\nos.system("git reset --hard")\n';

describe("promises 2.2: what a command of the shell runs is judged and covered", () => {
  test.each<[string, Files]>([
    ["cat go.sh | bash", { "go.sh": BAD }],
    ["bash < go.sh", { "go.sh": BAD }],
    ["bash -s now < go.sh", { "go.sh": BAD }],
    ["cat go.sh | sudo bash", { "go.sh": BAD }],
    ["cat < go.sh | env bash", { "go.sh": BAD }],
    ["tail -n +1 go.sh | sh", { "go.sh": BAD }],
    ['bash -c "$(cat go.sh)"', { "go.sh": BAD }],
    ['eval "$(< go.sh)"', { "go.sh": BAD }],
    ["source <(cat go.sh)", { "go.sh": BAD }],
    ['X=$(cat go.sh); bash -c "$X"', { "go.sh": BAD }],
    ["exec < go.sh; bash", { "go.sh": BAD }],
    ['for s in ./g*.sh; do bash "$s"; done', { "go.sh": BAD, "gx.sh": "ls\n" }],
    ["for s in *.sh; do . ./$s; done", { "go.sh": BAD, "gx.sh": "ls\n" }],
    ["bash *.sh", { "go.sh": BAD }],
    ["bash g?.sh", { "go.sh": BAD }],
    ["bash [gh]o.sh", { "go.sh": BAD }],
    ["bash */go.sh", { "sub/go.sh": BAD }],
    ["./*.sh", { "go.sh": BAD }],
    ['for f in hooks/*; do "$f"; done', { "hooks/10-x": `#!/bin/sh\n${BAD}` }],
    ["find . -name '*.sh' -exec bash {} \\;", { "a/b/go.sh": BAD }],
    ["find . -name '*.sh' | xargs -n1 bash", { "a/go.sh": BAD }],
    ["find . -name '*.sh' -print0 | xargs -0 bash", { "a/go.sh": BAD }],
    ["find . -name go.sh -exec bash {} +", { "a/b/c/go.sh": BAD }],
    ['find . -name "*.sh" | while read -r f; do bash "$f"; done', { "go.sh": BAD }],
    ["cp go.sh zz.sh && bash zz.sh", { "go.sh": BAD }],
    ["mv go.sh zz.sh; sh zz.sh", { "go.sh": BAD }],
    ["ln -s go.sh zz.sh; ./zz.sh", { "go.sh": BAD }],
    ["cat go.sh > zz.sh; bash zz.sh", { "go.sh": BAD }],
    ["tee zz.sh < go.sh; bash zz.sh", { "go.sh": BAD }],
    [". ./go.sh", { "go.sh": BAD }],
    ["env bash go.sh", { "go.sh": BAD }],
    ["timeout 5 nohup sudo -n bash go.sh", { "go.sh": BAD }],
    ["run-parts parts", { "parts/10-go": `#!/bin/sh\n${BAD}` }],
    ["ssh nas bash -s < go.sh", { "go.sh": BAD }],
    ["cat go.sh | ssh nas sudo bash", { "go.sh": BAD }],
    ["docker exec -i web sh < go.sh", { "go.sh": "docker system prune -af\n" }],
    ["uv run t.py", { "t.py": PY }],
    ["poetry run python t.py", { "t.py": PY }],
    ["python3 < t.py", { "t.py": PY }],
    ["cat t.py | python3 -", { "t.py": PY }],
    ["python3 main.py", { "main.py": "import helper\n", "helper.py": PY }],
    ["python3 main.py", { "main.py": "from helper import x, y\n", "helper.py": PY }],
    [
      "python3 main.py",
      { "main.py": "from pkg import (\n  a,\n  b as c,\n)\n", "pkg/__init__.py": "", "pkg/b.py": PY },
    ],
    ["python3 main.py", { "main.py": "import pkg.sub as s\n", "pkg/__init__.py": PY, "pkg/sub.py": "" }],
    [
      "python3 main.py",
      { "main.py": "import pkg.sub\n", "pkg/__init__.py": "", "pkg/sub.py": "from . import deep\n", "pkg/deep.py": PY },
    ],
    ["python3 main.py", { "main.py": "import pkg.sub\n", "pkg/sub.py": "from .deep import x\n", "pkg/deep.py": PY }],
    ["python3 main.py", { "main.py": 'import importlib\nimportlib.import_module("helper")\n', "helper.py": PY }],
    ["python3 -m pkg.run", { "pkg/run.py": "from .b import x\n", "pkg/b.py": PY }],
    ["PYTHONPATH=lib python3 main.py", { "main.py": "import helper\n", "lib/helper.py": PY }],
    ["cd sub && python3 ../main.py", { "main.py": "import helper\n", "helper.py": PY, "sub/x": "" }],
    [
      "node m.cjs",
      { "m.cjs": 'const x = require("./x");\n', "x.js": 'require("child_process").execSync("git reset --hard");\n' },
    ],
    [
      "node m.mjs",
      {
        "m.mjs": 'import { a } from "./lib/x.mjs";\n',
        "lib/x.mjs": 'import { execSync } from "node:child_process";\nexecSync("git reset --hard");\n',
      },
    ],
    [
      "node m.mjs",
      {
        "m.mjs": 'await import("./x.mjs");\n',
        "x.mjs": 'import { execSync } from "node:child_process";\nexecSync("git reset --hard");\n',
      },
    ],
    [
      "node m.cjs",
      { "m.cjs": 'require("./lib")\n', "lib/index.js": 'require("child_process").execSync("git reset --hard");\n' },
    ],
    ["perl m.pl", { "m.pl": 'require "./x.pl";\n', "x.pl": 'system("git reset --hard");\n' }],
    ["perl m.pl", { "m.pl": 'use lib "lib";\nuse Local::X;\n', "lib/Local/X.pm": 'system("git reset --hard");\n1;\n' }],
    ["ruby m.rb", { "m.rb": 'require_relative "lib/x"\n', "lib/x.rb": 'system("git reset --hard")\n' }],
    ["awk -f m.awk x", { "m.awk": '@include "x.awk"\nBEGIN { }\n', "x.awk": 'BEGIN { system("git reset --hard") }\n' }],
    ["make", { Makefile: "include rules.mk\nall: go\n", "rules.mk": "go:\n\tgit reset --hard\n" }],
    ["make -C sub go", { "sub/Makefile": "-include *.mk\n", "sub/rules.mk": "go:\n\tgit reset --hard\n" }],
    ["make -f x.mk", { "x.mk": "D = conf\ninclude $(D)/a.mk\n", "conf/a.mk": "go:\n\tgit reset --hard\n" }],
    ["make all", { Makefile: "all:\n\t$(MAKE) -C sub\n", "sub/Makefile": "go:\n\tbash go.sh\n", "sub/go.sh": BAD }],
    ["./run", { run: "#!/usr/bin/env python3\nimport helper\n", "helper.py": PY }],
    [
      "bash a.sh",
      { "a.sh": 'source "$(dirname "$0")/lib/b.sh"\n', "lib/b.sh": "python3 c.py\n", "c.py": "import d\n", "d.py": PY },
    ],
  ])("%s", async (text, files) => {
    const clean = Object.fromEntries(
      Object.entries(files).map(([name, held]) => [
        name,
        held.replace("git reset --hard", "git status").replace("docker system prune -af", "docker ps"),
      ]),
    );
    const { covered, verdicts } = await judged(clean, [cmd(text)]);
    expect(covered).toEqual(expect.arrayContaining(Object.keys(files).filter((name) => files[name] !== clean[name])));
    expect(verdicts).toEqual([]);
    expect((await judged(files, [cmd(text)])).verdicts).toContainEqual(expect.stringMatching(/^block/));
  });
});

describe("promises 2.1: no cap ends what is covered", () => {
  const LONG = `${"#".repeat(70_000)}\n`;

  test("a script that is too long to be judged is covered by its digest, and the plan asks", async () => {
    for (const proved of [true, false]) {
      const found = await judged({ "big.sh": LONG }, [cmd("bash big.sh")], proved);
      expect(found.covered).toEqual(["big.sh"]);
      expect(found.findings).toMatchObject([
        { verdict: "ask", code: "cap.length", reason: expect.stringContaining("big.sh is longer than 64 KiB") },
      ]);
      expect(found.of_first).toEqual({ files: [{ path: join(found.directory, "big.sh"), judged: false }] });
    }
  });

  test.each<[string, Files]>([
    ["cat big.sh | bash", { "big.sh": LONG }],
    ["bash < big.sh", { "big.sh": LONG }],
    ["bash a.sh", { "a.sh": ". ./b.sh\n", "b.sh": "bash big.sh\n", "big.sh": LONG }],
    ["python3 main.py", { "main.py": "import big\n", "big.py": LONG }],
    ["make", { Makefile: "all:\n\tbash big.sh\n", "big.sh": LONG }],
    ['bash -c "$(cat big.sh)"', { "big.sh": LONG }],
    ["./big.sh", { "big.sh": LONG }],
    ["ssh nas bash -s < big.sh", { "big.sh": LONG }],
  ])("%s is covered to its end and asks", async (text, files) => {
    const directory = directoryOf(files);
    const before = await judged(directory, [cmd(text)]);
    expect(before.covered).toEqual(expect.arrayContaining(Object.keys(files)));
    expect(before.verdicts).toContainEqual(expect.stringMatching(/^ask/));
    const long = Object.keys(files).find((name) => name.startsWith("big")) ?? "";
    writeFileSync(join(directory, long), LONG.replace(/.\n$/, "!\n"));
    expect((await judged(directory, [cmd(text)])).scripts).not.toEqual(before.scripts);
  });

  const chain = (length: number, last: string) =>
    Object.fromEntries([
      ...Array.from({ length }, (_, at) => [`${at}.sh`, `. ./${at + 1}.sh\n`] as const),
      [`${length}.sh`, last] as const,
    ]);

  test.each([3, 8, 20])("a chain of %i scripts is judged and covered to its last", async (length) => {
    const { covered, verdicts } = await judged(chain(length, "ls\n"), [cmd("bash 0.sh")]);
    expect([covered.length, verdicts]).toEqual([length + 1, []]);
    expect((await judged(chain(length, BAD), [cmd("bash 0.sh")])).verdicts).toContain("block git.reset_hard");
  });

  test("scripts that call one another are covered once", async () => {
    const { covered, verdicts } = await judged({ "a.sh": "bash b.sh\n", "b.sh": "bash a.sh\n" }, [cmd("bash a.sh")]);
    expect([covered, verdicts]).toEqual([["a.sh", "b.sh"], []]);
  });

  test("the 40th script of a plan is judged", async () => {
    const names = Array.from({ length: 40 }, (_, at) => `${at}.sh`);
    const files = Object.fromEntries(names.map((name) => [name, "ls\n"]));
    const steps = names.map((name) => cmd(`bash ${name}`));
    expect((await judged(files, steps)).covered).toHaveLength(40);
    expect((await judged({ ...files, "39.sh": BAD }, steps)).verdicts).toContain("block git.reset_hard");
  });

  test("what is more than a plan may run is named, and asks", async () => {
    const files = Object.fromEntries(Array.from({ length: 1_010 }, (_, at) => [`d/${at}.tf`, ""]));
    const { verdicts } = await judged(files, [cmd("terraform -chdir=d apply -auto-approve")]);
    expect(verdicts).toContain("ask cap.count");
  });
});

describe("promises 2.3: what a program applies is covered by its digest", () => {
  test.each<[string, readonly string[]]>([
    ["psql -f x.sql", ["x.sql"]],
    ["psql -h db app < x.sql", ["x.sql"]],
    ["cat x.sql | psql app", ["x.sql"]],
    ["psql app -c '\\i x.sql'", ["x.sql"]],
    ["mysql app < x.sql", ["x.sql"]],
    ["sqlite3 a.db < x.sql", ["x.sql"]],
    ['sqlite3 a.db ".read x.sql"', ["x.sql"]],
    ["docker exec -i db psql -U app < x.sql", ["x.sql"]],
    ["redis-cli < x.txt", ["x.txt"]],
    ["docker build .", ["Dockerfile"]],
    ["docker build -t app -f images/web.Dockerfile .", ["images/web.Dockerfile"]],
    ["docker buildx build --push .", ["Dockerfile"]],
    ["docker compose up -d", ["compose.yaml", ".env"]],
    ["docker stack deploy -c stack.yml app", ["stack.yml"]],
    ["docker run --env-file app.env nginx", ["app.env"]],
    ["kubectl apply -f x.yaml", ["x.yaml"]],
    ["kubectl apply -f k8s", ["k8s/a.yaml", "k8s/b.yaml"]],
    ["kubectl apply -k k8s", ["k8s/a.yaml", "k8s/b.yaml"]],
    ["kubectl -n prod apply -f - < x.yaml", ["x.yaml"]],
    ["cat x.yaml | kubectl apply -f -", ["x.yaml"]],
    ["kubectl apply --filename=x.yaml", ["x.yaml"]],
    ["helm upgrade app ./k8s -f x.yaml", ["k8s/a.yaml", "x.yaml"]],
    ["helm install app repo/chart --values x.yaml", ["x.yaml"]],
    ["terraform apply -auto-approve", ["main.tf"]],
    ["terraform -chdir=tf apply -var-file=../x.tfvars", ["tf/main.tf"]],
    ["tofu apply", ["main.tf"]],
    ["ansible-playbook site.yml -i hosts", ["site.yml", "hosts", "roles/web/tasks/main.yml"]],
    ["ssh nas 'cat > /etc/x' < x.txt", ["x.txt"]],
    ["ssh nas bash -s < x.sh", ["x.sh"]],
    ["jq -f x.jq data.json", ["x.jq"]],
    ["sed -i -f x.sed data.json", ["x.sed"]],
    ["run-parts parts", ["parts/10-a"]],
    ["crontab x.cron", ["x.cron"]],
    ["at -f x.sh now", ["x.sh"]],
    ["at now < x.sh", ["x.sh"]],
    ["systemctl link /SELF/app.service", ["app.service"]],
    ["nginx -c x.conf", ["x.conf"]],
    ["rsync -a --files-from=list / nas:/", ["list"]],
    ["node --require ./pre.cjs m.cjs", ["pre.cjs", "m.cjs"]],
    ["npm run x", ["package.json"]],
    ["just deploy", ["justfile"]],
    ["parallel < list", ["list"]],
    ["xargs -a list rm", ["list"]],
    ["xargs rm < list", ["list"]],
    ["patch -p1 < x.patch", ["x.patch"]],
    ["patch -i x.patch", ["x.patch"]],
    ["git apply x.patch", ["x.patch"]],
    ["git am < x.patch", ["x.patch"]],
    ["iptables-restore < x.rules", ["x.rules"]],
    ["nft -f x.rules", ["x.rules"]],
    ["curl -K x.conf", ["x.conf"]],
    ["pip install -r req.txt", ["req.txt"]],
    ["go run main.go", ["main.go"]],
    ["wg-quick up ./x.conf", ["x.conf"]],
    ["gdb -batch -x x.gdb app", ["x.gdb"]],
    ["virsh define x.xml", ["x.xml"]],
    ["sudo nsupdate x.txt", ["x.txt"]],
    ["sudo dpkg -i ./x.deb", ["x.deb"]],
    ["bc x.bc", ["x.bc"]],
    ["packer build x.pkr.hcl", ["x.pkr.hcl"]],
  ])("%s", async (text, files) => {
    const more = text.includes("site.yml") || text.includes("k8s") ? {} : {};
    const directory = directoryOf({ ...Object.fromEntries(files.map((name) => [name, "x\n"])), ...more });
    const step = cmd(text.replace("/SELF", directory));
    const before = await judged(directory, [step]);
    expect(before.covered).toEqual(expect.arrayContaining([...files]));
    const [first = ""] = files;
    writeFileSync(join(directory, first), "y\n");
    expect((await judged(directory, [step])).scripts).not.toEqual(before.scripts);
  });

  test("what an image copies is covered, and nothing else of its directory", async () => {
    const files = {
      Dockerfile: "FROM x\nCOPY --chown=1 src/ a.conf /app/\nADD *.txt \\\n  /app/\nCOPY --from=b /x /y\n",
      "src/deep/m.py": "",
      "a.conf": "",
      "b.txt": "",
      "data.db": "",
    };
    const { covered, verdicts } = await judged(files, [cmd("docker build .")]);
    expect(covered).toEqual(expect.arrayContaining(["Dockerfile", "a.conf", "b.txt", "src/deep/m.py"]));
    expect(covered).not.toContain("data.db");
    expect(verdicts).toEqual([]);
  });

  test("it is said that its content is not judged", async () => {
    const { of_first, directory } = await judged({ "x.sql": "select 1;" }, [cmd("psql -f x.sql")]);
    expect(of_first).toEqual({ files: [{ path: join(directory, "x.sql"), judged: false }] });
  });

  test.each([
    "cat app.log",
    "grep -c error app.log",
    "tail -n 5 app.log | sort | uniq -c",
    "wc -l < app.log",
    "gzip -k app.log",
    "cp app.log old.log",
    "tar czf b.tgz app.log",
    "rsync -a app.log nas:/logs/",
    "scp app.log nas:/logs/",
    "docker ps | grep web",
    "test -s app.log && echo yes",
    "awk '{ print $1 }' app.log",
    "sed -n 1p app.log",
    "jq . app.log",
    "diff app.log app.log",
    'while read -r l; do echo "$l"; done < app.log',
    "pg_dump app > app.log",
    "mail -s x me@example.com < app.log",
    "gunzip -c app.log | wc -l",
  ])("a file that is only read is not covered: %s", async (text) => {
    expect((await judged({ "app.log": "x\n" }, [cmd(text)])).covered).toEqual([]);
  });
});

describe("what cannot be followed is named", () => {
  test.each<[string, Files, string]>([
    [
      "python3 main.py",
      { "main.py": "import os, requests\nimport yaml\n" },
      "what main.py loads from elsewhere is not covered: requests, yaml",
    ],
    [
      "node m.cjs",
      { "m.cjs": 'require("fs"); require("left-pad")\n' },
      "what m.cjs loads from elsewhere is not covered: left-pad",
    ],
    [
      "node m.cjs",
      { "m.cjs": "require(process.env.X)\n" },
      "what m.cjs loads from elsewhere is not covered: a name that is computed",
    ],
    [
      "ruby m.rb",
      { "m.rb": 'require "json"\nrequire "sinatra"\n' },
      "what m.rb loads from elsewhere is not covered: sinatra",
    ],
    [
      "perl m.pl",
      { "m.pl": "use strict;\nuse Mojo::Base;\n" },
      "what m.pl loads from elsewhere is not covered: Mojo::Base",
    ],
    [
      "python3 main.py",
      { "main.py": "import a\n", "a.py": "import flask\n" },
      "what a.py loads from elsewhere is not covered: flask",
    ],
    [
      'bash "$(cat name)"',
      { name: "x.sh" },
      "which file `bash <unknown>` runs cannot be told from the text, so it is not covered",
    ],
    [
      "python3 main.py",
      { "main.py": "import importlib, sys\nimportlib.import_module(sys.argv[1])\n" },
      "what main.py loads from elsewhere is not covered: a name that is computed",
    ],
  ])("%s", async (text, files, sentence) => {
    const unproved = await judged(files, [cmd(text)], false);
    expect(unproved.not_covered).toEqual([sentence]);
    expect(unproved.findings).toMatchObject([{ verdict: "ask", code: "dyn.operand", reason: sentence }]);
    expect(unproved.of_first.not_covered).toEqual([sentence]);
    const proved = await judged(files, [cmd(text)], true);
    expect([proved.not_covered, proved.findings]).toEqual([[sentence], []]);
  });

  test.each<[string, Files]>([
    [
      "python3 main.py",
      {
        "main.py":
          '"""\nimport things\nfrom here import there\n"""\nimport os, json\nfrom pathlib import Path\n# import x\n',
      },
    ],
    [
      "node m.mjs",
      { "m.mjs": '// import x from "y"\nimport fs from "node:fs/promises";\nimport { join } from "path";\n' },
    ],
    ["ruby m.rb", { "m.rb": 'require "json"\nrequire "net/http"\n' }],
    ["perl m.pl", { "m.pl": "use strict; use warnings;\nuse POSIX qw(strftime);\nuse File::Basename;\n" }],
    ["bash a.sh", { "a.sh": 'cd "$(dirname "$0")"\n. ./b.sh\n', "b.sh": "ls\n" }],
    ["docker compose up -d", { "compose.yaml": "services: {}\n" }],
    ["ls; df -h; docker ps", {}],
  ])("and nothing is named for: %s", async (text, files) => {
    const { not_covered, verdicts } = await judged(files, [cmd(text)], false);
    expect([not_covered, verdicts]).toEqual([[], []]);
  });
});

describe("promises 2.2: a file that is new or other is a change", () => {
  test.each<[string, Files, string]>([
    ["bash *.sh", { "a.sh": "ls\n" }, "b.sh"],
    ['for s in ./g*.sh; do bash "$s"; done', { "g1.sh": "ls\n" }, "g2.sh"],
    ["find . -name '*.sh' -exec bash {} \\;", { "d/a.sh": "ls\n" }, "d/e/b.sh"],
    ["run-parts parts", { "parts/a": "#!/bin/sh\nls\n" }, "parts/b"],
    ["terraform apply", { "main.tf": "" }, "other.tf"],
    ["kubectl apply -f k8s", { "k8s/a.yaml": "" }, "k8s/b.yaml"],
    ["python3 main.py", { "main.py": "import helper\n", "helper/__init__.py": "" }, "helper.py"],
    ["python3 main.py", { "main.py": "import json\n" }, "json.py"],
    ["make", { Makefile: "-include *.mk\nall:\n\tls\n" }, "x.mk"],
    ["docker compose up -d", { "compose.yaml": "services: {}\n" }, "docker-compose.override.yml"],
  ])("%s", async (text, files, added) => {
    const found = await judged(files, [cmd(text)]);
    const [step] = found.steps;
    if (step === undefined) throw new Error("there is no step");
    const same = await changedFiles(step, disk);
    expect([same.files.size, same.patterns]).toEqual([0, []]);
    mkdirSync(dirname(join(found.directory, added)), { recursive: true });
    writeFileSync(join(found.directory, added), "echo x\n");
    expect([...(await changedFiles(step, disk)).files.keys()]).toContain(join(found.directory, added));
  });

  test("what a plan copies before it runs the copy is covered in the file that it copies", async () => {
    const { covered } = await judged({ "a.sh": "ls\n" }, [cmd("cp a.sh b.sh"), cmd("bash b.sh")]);
    expect(covered).toEqual(["a.sh"]);
  });
});
