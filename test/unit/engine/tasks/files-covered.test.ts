// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Covers the files that commands of the shell run, with what these load in their turn, and asks where that has no end.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { judgeOnDisk } from "../../../../src/engine/tasks/judge-on-disk.ts";
import { cmd } from "../../../support/builders.ts";
import { judgeHere } from "../../../support/judge-here.ts";
import {
  BAD,
  directoryOf,
  disk,
  type Files,
  judged,
  LINK,
  PY,
  planIn,
  removeDirectories,
} from "../../../support/judged-directory.ts";

afterAll(removeDirectories);

const BESIDE_REAL = '#!/bin/bash\n. "$(dirname "$(readlink -f "$0")")/lib.sh"\n';
const REAL = 'D=$(cd "$(dirname "$(realpath "$BASH_SOURCE")")" && pwd)\nsource "$D/lib.sh"\n';

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
    ["./bin/go", { "bin/go": `${LINK}../app/go.sh`, "app/go.sh": BESIDE_REAL, "app/lib.sh": BAD }],
    [
      "bash bin/go",
      { "bin/go": `${LINK}go-2`, "bin/go-2": `${LINK}../app/go.sh`, "app/go.sh": REAL, "app/lib.sh": BAD },
    ],
    ["python3 bin/m.py", { "bin/m.py": `${LINK}../app/m.py`, "app/m.py": "import foo\n", "app/foo.py": PY }],
    ["cat go.sh > zz.sh; bash zz.sh", { "go.sh": BAD }],
    ["tee zz.sh < go.sh; bash zz.sh", { "go.sh": BAD }],
    ["sed 's/^/true; /' go.sh > zz.sh; bash zz.sh", { "go.sh": BAD }],
    ["tr a a < go.sh > zz.sh; echo true >> zz.sh; bash zz.sh", { "go.sh": BAD }],
    ["rsync -a go.sh z/ && bash z/go.sh", { "go.sh": BAD }],
    ["rsync -a --delete d/ e/ && bash e/go.sh", { "d/go.sh": BAD, "e/go.sh": "ls\n" }],
    ["rsync -a d e/ && bash e/d/go.sh", { "d/go.sh": BAD }],
    ["rsync -a d/ e/ && bash e/go.sh", { "d/x": "1", "e/go.sh": BAD }],
    ["cp -r d/. e/ && bash e/go.sh", { "d/x": "1", "e/go.sh": BAD }],
    [". ./go.sh", { "go.sh": BAD }],
    ["env bash go.sh", { "go.sh": BAD }],
    ["timeout 5 nohup sudo -n bash go.sh", { "go.sh": BAD }],
    ["run-parts parts", { "parts/10-go": `#!/bin/sh\n${BAD}` }],
    ["ssh nas bash -s < go.sh", { "go.sh": BAD }],
    ["cat go.sh | ssh nas sudo bash", { "go.sh": BAD }],
    ['ssh nas "$(cat go.sh)"', { "go.sh": BAD }],
    ["docker exec -i web sh < go.sh", { "go.sh": "docker system prune -af\n" }],
    ['bash <<< "$(cat go.sh)"', { "go.sh": BAD }],
    ["mkdir -p out; cp *.sh out/; bash out/go.sh", { "go.sh": BAD }],
    ["cat t.py > b.py; python3 b.py", { "t.py": PY }],
    ['python3 -c "$(cat t.py)"', { "t.py": PY }],
    ["bun m.ts", { "m.ts": 'import { execSync } from "node:child_process";\nexecSync("git reset --hard");\n' }],
    ["export PATH=$PATH:$PWD/bin; go", { "bin/go": `#!/bin/sh\n${BAD}` }],
    ['mapfile -t A < list; bash "$A"', { list: "go.sh\n", "go.sh": BAD }],
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
    ["make", { Makefile: "X := $(shell bash go.sh)\nall:\n\ttrue\n", "go.sh": BAD }],
    ["make", { Makefile: "X != ./go.sh\nall:\n\ttrue\n", "go.sh": BAD }],
    ["make", { Makefile: "ifeq ($(strip $(shell ./go.sh)),)\nendif\nall:\n\ttrue\n", "go.sh": BAD }],
    ["make", { Makefile: "X := $(if $(shell ./go.sh),a,b)\nall:\n\ttrue\n", "go.sh": BAD }],
    ["make -C sub go", { "sub/Makefile": "-include *.mk\n", "sub/rules.mk": "go:\n\tgit reset --hard\n" }],
    ["make -f x.mk", { "x.mk": "D = conf\ninclude $(D)/a.mk\n", "conf/a.mk": "go:\n\tgit reset --hard\n" }],
    ["make all", { Makefile: "all:\n\t$(MAKE) -C sub\n", "sub/Makefile": "go:\n\tbash go.sh\n", "sub/go.sh": BAD }],
    ["python3 -I main.py", { "main.py": PY }],
    ["python3 main.py -c conf -e prod", { "main.py": "import helper\n", "helper.py": PY }],
    ["node m.cjs -p 80 -e prod", { "m.cjs": 'require("child_process").execSync("git reset --hard");\n' }],
    ["node -r ./p.cjs m.cjs", { "p.cjs": "", "m.cjs": 'require("child_process").execSync("git reset --hard");\n' }],
    ["ruby -r json m.rb", { "m.rb": 'system("git reset --hard")\n' }],
    [
      "deno run m.ts",
      {
        "m.ts": 'import "./x.ts";\n',
        "x.ts": 'import { execSync } from "node:child_process";\nexecSync("git reset --hard");\n',
      },
    ],
    ["bash +x go.sh", { "go.sh": BAD }],
    ["bash +o pipefail go.sh", { "go.sh": BAD }],
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

  test.each([
    ["the 19th of 20 scripts", 'while read -r s; do bash "$s"; done < list'],
    ["the 19th of 20 scripts in an array", 'mapfile -t a < list; for s in "${a[@]}"; do bash "$s"; done'],
    ["the 19th of 20 words", 'set -- *.sh; while [ $# -gt 0 ]; do bash "$1"; shift; done'],
  ])("%s is judged", async (_what, command) => {
    const names = Array.from({ length: 20 }, (_, at) => `${at}.sh`);
    const files = Object.fromEntries(names.map((name, at) => [name, at === 18 ? BAD : "ls\n"]));
    const { verdicts } = await judged({ ...files, list: `${names.join("\n")}\n` }, [cmd(command)]);
    expect(verdicts).toContain("block git.reset_hard");
  });

  test.each([
    ["after a NUL", `ls\n\0\n${BAD}`],
    ["with a NUL in it", "git re\0set --hard\n"],
    ["after a letter that is no UTF-8", `# \u00e9\n${BAD}`],
  ])("a command %s is judged", async (_what, text) => {
    expect((await judged({ "go.sh": text }, [cmd("bash go.sh")])).verdicts).toContain("block git.reset_hard");
  });

  test("a script with padding is not judged, and asks", async () => {
    const padded = { "go.sh": `${"# padding\n".repeat(7_000)}${BAD}` };
    expect((await judged(padded, [cmd("bash go.sh")])).verdicts).toEqual(["ask cap.length"]);
  });

  test("a call of an agent that runs such a script asks as well", async () => {
    const directory = directoryOf({ "go.sh": `${"# padding\n".repeat(7_000)}${BAD}` });
    const plan = planIn(directory, [cmd("bash go.sh")], false);
    const { findings } = await judgeOnDisk(judgeHere, plan, disk, { names_uncovered: false });
    expect(findings.map(({ code }) => code)).toEqual(["cap.length"]);
  });

  test("what is more than a plan may run asks", async () => {
    const files = Object.fromEntries(Array.from({ length: 1_010 }, (_, at) => [`d/${at}.py`, ""]));
    const names = Array.from({ length: 1_010 }, (_, at) => at);
    const steps = names
      .filter((at) => at % 10 === 0)
      .map((at) =>
        cmd(
          names
            .slice(at, at + 10)
            .map((n) => `python3 d/${n}.py`)
            .join("\n"),
        ),
      );
    expect((await judged(files, steps)).verdicts).toContain("ask cap.count");
  });

  test("a pattern of more scripts than can be judged at once asks", async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`d/${at}.sh`, "ls\n"]));
    expect((await judged(files, [cmd('for s in d/*.sh; do bash "$s"; done')])).verdicts).toContain("ask cap.count");
  });

  test("a directory of definitions that is too large is named", async () => {
    const files = Object.fromEntries(Array.from({ length: 510 }, (_, at) => [`k/${at}.yaml`, ""]));
    const found = await judged(files, [cmd("kubectl apply -f k")], false);
    expect(found.not_covered).toEqual([expect.stringMatching(/the files that match .*\/k\/\*\* are not covered/)]);
    expect(found.verdicts).toEqual(["ask dyn.operand"]);
  });
});
