// A check only reads: promises 5.5. It may write files, and make what it removes itself.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inspectSteps } from "../../../../src/engine/policy/inspect-steps.ts";
import { examinePlan, judgePlan } from "../../../../src/engine/policy/judge-plan.ts";
import { definitionOf, teachingOf } from "../../../../src/engine/tasks/teaching.ts";
import { readLibraryFile } from "../../../../src/schema/sop-file.ts";
import { aContract, check, cmd, polled } from "../../../support/builders.ts";

const context = { home: "/home/op", remote: false };
const target = { host: "nas", url: "http://127.0.0.1:8000", compose_dir: "/srv/web" };
const planOf = (text: string, { proved = false, intent = "deploy" } = {}) => ({
  contract: aContract({ intent, target }),
  steps: [cmd("make"), check(text)],
  proved,
  safety_level: "standard" as const,
  intent,
  context,
});
const findings = (...given: Parameters<typeof planOf>) =>
  judgePlan(planOf(...given)).map(({ verdict, code, step_index }) => `${verdict} ${code} ${step_index}`);

const CHANGES = [
  "mv new.conf app.conf && grep -q x app.conf",
  "sed -i s/a/b/ app.conf; grep -q b app.conf",
  "rsync -a public/ nas:/srv/web/",
  "truncate -s 0 app.log",
  'curl -fsS http://127.0.0.1:1/graphql -d \'{"query":"mutation { restart { ok } }"}\'',
  'curl -fsS http://127.0.0.1:1/mcp -d \'{"method":"tools/call","params":{"name":"delete_note"}}\'',
  "curl -fsS -X DELETE http://127.0.0.1:9200/logs/_search",
  "curl -fsS -X POST http://127.0.0.1:1/x",
  'curl -fsS --data a=b "$ORCH_TARGET_URL/x"',
  "curl -fsS --json '{}' http://127.0.0.1:1/x",
  "m=PUT; curl -fsS -X $m http://127.0.0.1:1/x",
  "curl -T f ftp://127.0.0.1/x",
  "wget -qO- --method=DELETE http://127.0.0.1:1/x",
  "http POST http://127.0.0.1:1/x",
  "exec 3<>/dev/tcp/127.0.0.1/80; printf 'POST /x HTTP/1.0\\r\\n\\r\\n' >&3; grep -q 200 <&3",
  "test \"$(curl -fsS -X POST http://127.0.0.1:1/x | jq -r .id)\" != ''",
  "f() { curl -X POST http://127.0.0.1:1/x; }; f",
  "bash -c 'curl -X POST http://127.0.0.1:1/x'",
  "ssh nas 'systemctl restart web'",
  "docker exec web nginx -s reload",
  "docker restart web && docker inspect web",
  "docker rm -f web",
  "systemctl restart web && systemctl is-active web",
  "kubectl apply -f x.yaml",
  "kubectl rollout restart deploy/web",
  'psql -c "INSERT INTO t VALUES (1)"',
  'createdb scratch; psql -d prod -c "INSERT INTO t VALUES (1)"; dropdb scratch',
  "createdb left && psql -d left -c 'select 1'",
  "redis-cli SET a b",
  "git push && git status",
  "git commit -am x",
  "rm -f marker; test ! -e marker",
  "find . -name '*.tmp' -delete",
  "chmod 644 /etc/x",
  "pkill nginx",
  "kill 123",
  "mosquitto_pub -t a -m b",
  "mail -s x a@example.org </dev/null",
  "apt-get install -y jq && which jq",
  "terraform apply -auto-approve",
  "restic restore latest --target /",
  "zfs snapshot tank/x@y",
];

const READS = [
  't=$(mktemp -d) && rsync -a nas:/srv/web/ "$t/" && test -f "$t/index.html"; rm -rf "$t"',
  "cp app.conf /tmp/app.conf && sed -i s/a/b/ /tmp/app.conf && diff -q app.conf /tmp/app.conf",
  "curl -fsS http://127.0.0.1:1/ > page.new && mv page.new /tmp/page && grep -q ok /tmp/page",
  "sed -n 1p app.conf | grep -q x",
  "dd if=/srv/disk of=/dev/null bs=1M count=1",
  'curl -fsS http://127.0.0.1:1/graphql -d \'{"query":"{ health { ok } }"}\' | jq -e .data.health.ok',
  "curl -fsS -X POST http://127.0.0.1:9200/logs/_search -d '{}' | jq -e '.hits.total.value > 0'",
  'curl -fsS http://127.0.0.1:1/mcp -d \'{"method":"tools/call","params":{"name":"get_note"}}\' | grep -q x',
  'curl -fsS http://127.0.0.1:1/ -d \'{"jsonrpc":"2.0","method":"system.getInfo","id":1}\'',
  'curl -fsS "$ORCH_TARGET_URL/health"',
  "curl -fsS -X HEAD http://127.0.0.1:1/x",
  "curl -fsS -G --data-urlencode 'query=up' http://127.0.0.1:1/api/v1/query | jq -e .",
  "exec 3<>/dev/tcp/127.0.0.1/80; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; grep -q 200 <&3",
  'psql -c "SELECT 1"',
  "ssh nas 'systemctl is-active web'",
  "kubectl rollout status deploy/web",
  "echo x >> tries; test $(wc -l < tries) -ge 2",
  'touch marker && test -f "marker"',
  't=$(mktemp) && curl -fsS http://127.0.0.1:1/ > "$t" && grep -q ok "$t"; rm -f "$t"',
  't=$(mktemp -d); trap \'rm -rf "$t"\' EXIT; tar -xzf backup.tgz -C "$t" && test -f "$t/etc/conf"',
  "curl -fsS http://127.0.0.1:1/ -o out.json && jq -e .ok out.json; s=$?; rm -f out.json; exit $s",
  "createdb scratch && pg_restore -d scratch dump.sql && psql -d scratch -c 'select 1'; s=$?; dropdb scratch; exit $s",
  'db="drill_$(date +%s)"; createdb "$db" && trap \'dropdb "$db"\' EXIT && pg_restore -d "$db" dump.sql',
  "dropdb --if-exists scratch; createdb scratch; pg_restore -d scratch d; dropdb scratch",
  "psql -c 'CREATE DATABASE x'; psql -d x -f dump.sql; psql -c 'DROP DATABASE x'",
  't=$(mktemp -d); restic -r /backup restore latest --target "$t"; ok=$?; rm -rf "$t"; exit $ok',
  't=$(mktemp -d) && cd "$t" && borg extract /backup::last && test -f etc/passwd; rm -rf "$t"',
  "cp app.db /tmp/c.db && sqlite3 /tmp/c.db 'pragma integrity_check' | grep -q ok && rm /tmp/c.db",
  "docker run --rm alpine true",
  'id=$(docker run -d postgres) && docker exec "$id" pg_isready; docker rm -f "$id"',
  "docker run -d --name drill postgres && docker exec drill psql -c 'select 1'; docker rm -f drill",
  "git fetch -q && git diff --quiet origin/main",
  't=$(mktemp -d) && git clone -q /srv/repo "$t" && test -f "$t/x" && rm -rf "$t"',
  'apt-get update -qq && test -z "$(apt-get -s upgrade | grep ^Inst)"',
  'sleep 5 & p=$!; curl -fs http://127.0.0.1:1/; s=$?; kill "$p"; exit $s',
  "make check",
  "./check.sh --all",
  "some-unknown-program --now",
];

describe("a check that changes something", () => {
  test.each(CHANGES)("is refused where it is taught: %s", (text) => {
    const issues = teachingOf(aContract({ target }), { ...TAUGHT, steps: [cmd("make"), check(text)] }, context).issues;
    expect(issues).toContainEqual({
      path: "steps.1",
      message: expect.stringMatching(/^read_only\.changes_state: a check only reads, and this one /),
    });
  });

  test("is refused where a procedure is defined, replaced or imported, and in an agent's call", () => {
    const { issues } = definitionOf("deploy", target, { ...TAUGHT, steps: [check("git push")] }, context);
    expect(issues).toMatchObject([{ path: "steps.0", message: expect.stringContaining("move that into a cmd step") }]);
  });

  test("is asked about where its steps are in use already, and blocked nowhere", () => {
    for (const text of CHANGES) expect(findings(text, { proved: true })).toEqual(["ask read_only.changes_state 1"]);
  });

  test("is refused too where it is polled", () => {
    const steps = [polled("curl -fsS -X POST http://127.0.0.1:1/x", "60s")];
    expect(judgePlan({ ...planOf("true"), steps })).toMatchObject([{ code: "read_only.changes_state" }]);
  });

  test("is asked about where it is polled and is not known to only read", () => {
    const of = (text: string, more: { proved?: boolean; intent?: string } = {}) =>
      judgePlan({ ...planOf("true", more), steps: [polled(text, "60s")] }).map(
        ({ verdict, code }) => `${verdict} ${code}`,
      );
    for (const text of ["some-unknown-program --now", "curl -fsS -K c.cfg", 'python3 -c "import x; x.send()"'])
      expect([text, ...of(text)]).toEqual([text, "ask read_only.unknown_effect"]);
    expect(of("curl -fsS http://127.0.0.1:1/health")).toEqual([]);
    expect(of("some-unknown-program --now", { proved: true })).toEqual([]);
    expect(of("some-unknown-program --now", { intent: "triage" })).toEqual(["ask read_only.unknown_effect"]);
  });

  test("that the guard blocks has that finding alone, and so has one of an intent that only looks", () => {
    expect(findings("git reset --hard")).toEqual(["block git.reset_hard 1"]);
    expect(findings("git push", { intent: "triage" }).filter((one) => one.endsWith(" 1"))).toEqual([
      "block read_only.changes_state 1",
    ]);
  });

  test("is no reason against the same command in a cmd step", () => {
    const steps = [cmd("curl -fsS -X POST http://127.0.0.1:1/x"), check("test -e x")];
    expect(judgePlan({ ...planOf("true"), steps })).toEqual([]);
  });
});

describe("a check that reads, writes files, or removes what it makes", () => {
  test.each(READS)("is taught: %s", (text) => expect(findings(text)).toEqual([]));

  test("is run only when its turn comes, unless policy knows that it reads", () => {
    const inspected = (text: string) => {
      const plan = planOf(text);
      const { findings: all, steps: judged } = examinePlan(plan);
      return inspectSteps({ contract: plan.contract, steps: plan.steps, findings: all, judged, asks_model: false })[1];
    };
    expect(inspected("test -e x")).not.toHaveProperty("not_probed");
    expect(inspected("touch x && test -e x")?.not_probed).toContain("it changes something");
    expect(inspected("some-unknown-program")?.not_probed).toContain("it may change something");
  });
});

const TAUGHT = { safety_level: "standard" as const, preconditions: [] };

describe("of the checks that are written down", () => {
  const rows = readFileSync("test/proof/checks.jsonl", "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

  test("none of the labelled ones is refused", () => {
    const texts = rows.map(({ text }) => String(text).replace(/%(\w+)%/g, (_all, name) => NAMES[name] ?? "x"));
    expect(texts.filter((text) => findings(text).some((one) => one.includes("changes_state")))).toEqual([]);
  });
});

const LIBRARY = readdirSync("capabilities/library");

test.each(LIBRARY)("the library's %s is taught", (file) => {
  const {
    intent,
    target: of,
    ...definition
  } = readLibraryFile(readFileSync(`capabilities/library/${file}`, "utf8")).procedure;
  expect(definitionOf(intent, of, definition, context).issues).toEqual([]);
});

const NAMES: Readonly<Record<string, string>> = { url: "http://127.0.0.1:8000", port: "8000", compose_dir: "/srv/web" };
