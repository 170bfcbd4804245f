// What a plan runs is covered: the files of real directories that its steps run or apply, with what these load in their turn.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Step } from "../../../src/domain/step.ts";
import { createDisk } from "../../../src/execution/local/disk.ts";
import { changedFiles, coverageOf, judgeOnDisk } from "../../../src/tasks/judge-on-disk.ts";
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
    ["find hooks -type f -exec {} \\;", { "hooks/go": `#!/bin/sh\n${BAD}` }],
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
    ["python3 main.py", { "main.py": "from pkg import (\n  a,\n  b as c,\n)\n", "pkg/__init__.py": "", "pkg/b.py": PY }],
    ["python3 main.py", { "main.py": "import pkg.sub as s\n", "pkg/__init__.py": PY, "pkg/sub.py": "" }],
    ["python3 main.py", { "main.py": "import pkg.sub\n", "pkg/__init__.py": "", "pkg/sub.py": "from . import deep\n", "pkg/deep.py": PY }],
    ["python3 main.py", { "main.py": "import pkg.sub\n", "pkg/sub.py": "from .deep import x\n", "pkg/deep.py": PY }],
    ["python3 main.py", { "main.py": 'import importlib\nimportlib.import_module("helper")\n', "helper.py": PY }],
    ["python3 -m pkg.run", { "pkg/run.py": "from .b import x\n", "pkg/b.py": PY }],
    ["PYTHONPATH=lib python3 main.py", { "main.py": "import helper\n", "lib/helper.py": PY }],
    ["cd sub && python3 ../main.py", { "main.py": "import helper\n", "helper.py": PY, "sub/x": "" }],
    ["node m.cjs", { "m.cjs": 'const x = require("./x");\n', "x.js": 'require("child_process").execSync("git reset --hard");\n' }],
    ["node m.mjs", { "m.mjs": 'import { a } from "./lib/x.mjs";\n', "lib/x.mjs": 'import { execSync } from "node:child_process";\nexecSync("git reset --hard");\n' }],
    ["node m.mjs", { "m.mjs": 'await import("./x.mjs");\n', "x.mjs": 'import { execSync } from "node:child_process";\nexecSync("git reset --hard");\n' }],
    ["node m.cjs", { "m.cjs": 'require("./lib")\n', "lib/index.js": 'require("child_process").execSync("git reset --hard");\n' }],
    ["perl m.pl", { "m.pl": 'require "./x.pl";\n', "x.pl": 'system("git reset --hard");\n' }],
    ["perl m.pl", { "m.pl": 'use lib "lib";\nuse Local::X;\n', "lib/Local/X.pm": 'system("git reset --hard");\n1;\n' }],
    ["ruby m.rb", { "m.rb": 'require_relative "lib/x"\n', "lib/x.rb": 'system("git reset --hard")\n' }],
    ["awk -f m.awk x", { "m.awk": '@include "x.awk"\nBEGIN { }\n', "x.awk": 'BEGIN { system("git reset --hard") }\n' }],
    ["make", { Makefile: "include rules.mk\nall: go\n", "rules.mk": "go:\n\tgit reset --hard\n" }],
    ["make -C sub go", { "sub/Makefile": "-include *.mk\n", "sub/rules.mk": "go:\n\tgit reset --hard\n" }],
    ["make -f x.mk", { "x.mk": "D = conf\ninclude $(D)/a.mk\n", "conf/a.mk": "go:\n\tgit reset --hard\n" }],
    ["make all", { Makefile: "all:\n\t$(MAKE) -C sub\n", "sub/Makefile": "go:\n\tbash go.sh\n", "sub/go.sh": BAD }],
    ["./run", { run: "#!/usr/bin/env python3\nimport helper\n", "helper.py": PY }],
    ["bash a.sh", { "a.sh": 'source "$(dirname "$0")/lib/b.sh"\n', "lib/b.sh": "python3 c.py\n", "c.py": "import d\n", "d.py": PY }],
  ])("%s", async (text, files) => {
    const clean = Object.fromEntries(
      Object.entries(files).map(([name, held]) => [name, held.replace("git reset --hard", "git status").replace("docker system prune -af", "docker ps")]),
    );
    const { covered, verdicts } = await judged(clean, [cmd(text)]);
    expect(covered).toEqual(expect.arrayContaining(Object.keys(files).filter((name) => files[name] !== clean[name])));
    expect(verdicts).toEqual([]);
    expect((await judged(files, [cmd(text)])).verdicts).toContainEqual(expect.stringMatching(/^block/));
  });
});

test("probe", () => undefined);
