// Names what cannot be followed, and finds the files that are new or other.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { changedFiles } from "../../../../src/engine/tasks/judge-on-disk.ts";
import { cmd } from "../../../support/builders.ts";
import { disk, type Files, judged, removeDirectories } from "../../../support/judged-directory.ts";

afterAll(removeDirectories);

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
      'bash "$(docker inspect -f x y)"',
      { name: "x.sh" },
      "which file `bash <unknown>` runs does not follow from the text, so it is not covered",
    ],
    [
      "python3 main.py",
      { "main.py": "import importlib, sys\nimportlib.import_module(sys.argv[1])\n" },
      "what main.py loads from elsewhere is not covered: a name that is computed",
    ],
    ["kubectl apply -f https://example.com/x.yaml", {}, "what https://example.com/x.yaml holds is not covered"],
    ["ssh nas /opt/backup.sh", {}, "/opt/backup.sh of another machine or container is not covered"],
    ["docker exec web sh /x.sh", {}, "/x.sh of another machine or container is not covered"],
    [
      "docker compose up -d --build",
      { "compose.yaml": "services:\n  w:\n    build: .\n" },
      "what the images of the compose file are built from is not covered",
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
  ])("nothing is named for: %s", async (text, files) => {
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
