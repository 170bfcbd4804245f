// Covers what programs apply by its digest, and not what they only read.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cmd } from "../../../support/builders.ts";
import { directoryOf, judged, removeDirectories } from "../../../support/judged-directory.ts";

afterAll(removeDirectories);

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
    ["docker compose build", ["compose.yaml"]],
    ["COMPOSE_FILE=a.yml:b.yml docker compose up -d", ["a.yml", "b.yml"]],
    ["export COMPOSE_FILE=a.yml; docker-compose up -d", ["a.yml"]],
    ["cat list | xargs rm", ["list"]],
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
    ["tox", ["tox.ini"]],
    ["nox -s x", ["noxfile.py"]],
    ["gulp x", ["gulpfile.js"]],
    ["foreman start", ["Procfile"]],
    ["act", [".github/workflows/a.yml"]],
    ["pre-commit run", [".pre-commit-config.yaml"]],
    ["just x", ["more.just", "justfile"]],
    ["alembic upgrade head", ["alembic.ini", "alembic/versions/a.py"]],
    ["prisma migrate deploy", ["prisma/schema.prisma"]],
    ["iptables-restore rules", ["rules"]],
    ["nmstatectl apply n.yml", ["n.yml"]],
    ["docker secret create a x.conf", ["x.conf"]],
  ])("%s", async (text, files) => {
    const directory = directoryOf(Object.fromEntries(files.map((name) => [name, "x\n"])));
    const step = cmd(text.replace("/SELF", directory));
    const before = await judged(directory, [step]);
    expect(before.covered).toEqual(expect.arrayContaining([...files]));
    const [first = ""] = files;
    writeFileSync(join(directory, first), "y\n");
    expect((await judged(directory, [step])).scripts).not.toEqual(before.scripts);
  });

  test.each<[string, Record<string, string>]>([
    [
      "psql -f a.sql",
      { "a.sql": "\\i b.sql\n\\ir s/c.sql\n", "b.sql": "select 1;", "s/c.sql": "\\ir d.sql\n", "s/d.sql": "" },
    ],
    ["mysql db -e 'source a.sql'", { "a.sql": "" }],
    ["sqlite3 x.db -init a.sql", { "a.sql": ".read b.sql\n", "b.sql": "" }],
    ["nginx -c conf/n.conf", { "conf/n.conf": "include sites/*.conf;\n", "conf/sites/a.conf": "" }],
    ["nft -f n", { n: 'include "m"\n', m: "" }],
    [
      "kubectl apply -k k",
      { "k/kustomization.yaml": "resources:\n  - ../b/d.yaml\n  - ../base\n", "b/d.yaml": "", "base/x.yaml": "" },
    ],
    ["pip install -r req/a.txt", { "req/a.txt": "-r b.txt\n", "req/b.txt": "x\n" }],
    ["docker compose up -d", { "compose.yaml": "include:\n  - c.yml\n", "c.yml": "", "compose.override.yaml": "" }],
    ["crontab - < x.cron", { "x.cron": "" }],
    ["cat x.cron | crontab -", { "x.cron": "" }],
    ["pg_restore -d shop shop.dump", { "shop.dump": "" }],
    ["python3 app", { "app/__main__.py": "" }],
    ["python3 -m pkg.a", { "pkg/__init__.py": "", "pkg/a.py": "" }],
    ["node .", { "package.json": "{}", "index.js": "" }],
    ["LD_PRELOAD=./x.so ls", { "x.so": "" }],
    ["export NODE_OPTIONS='--require ./pre.cjs'; npm run build", { "pre.cjs": "" }],
    ["PYTHONSTARTUP=s.py python3 -i < /dev/null", { "s.py": "" }],
    ["MAKEFILES=e.mk make all", { "e.mk": "all:\n" }],
    ["GIT_CONFIG_GLOBAL=conf/git git fetch", { "conf/git": "" }],
    ["COMPOSE_FILE=a.yml:b.yml docker compose up -d", { "a.yml": "", "b.yml": "" }],
  ])("what a definition or a variable names is covered: %s", async (text, files) => {
    const { covered } = await judged(files, [cmd(text)]);
    expect(covered).toEqual(expect.arrayContaining(Object.keys(files)));
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
    "mkdir -p old; cp *.log old/; ls",
    "grep x app.log | xargs echo",
    "docker compose ps",
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
