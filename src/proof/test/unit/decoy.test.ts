// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
import { describe, expect, test } from "vitest";
import { decoyOf } from "../../decoy.ts";

const TARGET = {
  service: "web",
  host: "10.0.0.5",
  port: "8080",
  compose_dir: "/srv/web",
  node: "pve1.lan",
  replicas: "3",
};

const decoy = (text: string) => decoyOf(text, TARGET, "/tmp/empty");
const { ORCH_TARGET_SERVICE: WEB = "", ORCH_TARGET_NODE: NODE = "" } = decoy("").env;

/** What the decoy of the text is, with names for the names. */
const shown = (text: string) =>
  decoy(text)
    .text.replaceAll(WEB, "W")
    .replaceAll(NODE, "N")
    .replaceAll("255.255.255.255", "H")
    .replaceAll("64713", "P")
    .replaceAll("/tmp/empty", "D");

const REPLACED = [
  ["curl -f http://web:8080/", "curl -f http://W:P/"],
  ["curl -f http://10.0.0.5:8080/health", "curl -f http://H:P/health"],
  ["docker inspect web", "docker inspect W"],
  ["docker inspect 'web'", "docker inspect 'W'"],
  ["docker ps --filter name=web -q", "docker ps --filter name=W -q"],
  ["grep -q ^web$ list", "grep -q ^W$ list"],
  ["grep -q '^web$' list", "grep -q '^W$' list"],
  ["docker inspect shop-web-1", "docker inspect shop-W-1"],
  ["docker inspect shop_web_1", "docker inspect shop_W_1"],
  ["docker inspect web-1", "docker inspect W-1"],
  ["systemctl is-active web.service", "systemctl is-active W.service"],
  ["ssh web@10.0.0.5 true", "ssh W@H true"],
  ["ping -c1 pve1.lan", "ping -c1 N"],
  ["test -f /srv/web/x", "test -f D/x"],
  ["cd /srv/web && git diff --quiet", "cd D && git diff --quiet"],
  ["cat </srv/web/f", "cat <D/f"],
  ["/srv/web/check.sh", "D/check.sh"],
  ["ls /opt/web/x", "ls /opt/W/x"],
  ["cat /mnt/srv/web", "cat /mnt/srv/W"],
  ["nc -z 10.0.0.5 8080", "nc -z H P"],
  ["nc -p 8080 h", "nc -p P h"],
  ['ss -ltn | grep -q ":8080 "', 'ss -ltn | grep -q ":P "'],
  ["x=web; docker inspect $x", "x=W; docker inspect $x"],
  ["x=$(docker inspect web)", "x=$(docker inspect W)"],
  ["x=`docker inspect web`", "x=`docker inspect W`"],
  ["bash -c 'docker inspect web'", "bash -c 'docker inspect W'"],
  ["cat <<E | ssh h bash\ndocker inspect web\nE", "cat <<E | ssh h bash\ndocker inspect W\nE"],
  ["case $x in web) exit 0 ;; esac", "case $x in W) exit 0 ;; esac"],
  ["[[ $(hostname) == web ]]", "[[ $(hostname) == W ]]"],
] as const;

const KEPT = [
  "curl http://website/",
  "systemctl is-active web-proxy",
  "systemctl is-active my-web",
  "web --check",
  "sudo web --check",
  "web=1; echo $web ${web}",
  "for web in a b; do :; done",
  "f --web",
  "web() { :; }",
  "cat /srv/website/x",
  "ping 110.0.0.5",
  "ping 10.0.0.50",
  "test -d / # web",
  '[ "$(docker ps -q | wc -l)" -ge 3 ]',
  "[ 8080 -gt 3 ]",
  "head -n 8080 f",
  "echo $((8080 + 3))",
  "docker inspect $ORCH_TARGET_SERVICE",
  "if true; then",
];

const BY_TEXT = [
  '[ "$x" = 1 -a -e /srv/web/x ]',
  's=$(docker ps); [ "$s" = web ]',
  "s=$(docker ps); [[ $s == *web* ]]",
  "cd /srv/web || :; grep -q x app.conf",
  'if curl -fsS "http://$ORCH_TARGET_HOST/"; then n=1; else n=0; fi; [ $n = 1 ]',
  "while docker inspect web; do ((n++)); done; ((n > 3))",
  'docker inspect web && ok=1; [ "$ok" = 1 ]',
  "[[ -e /srv/web/x && $n == 1 ]]",
  'docker inspect "$ORCH_TARGET_SERVICE"',
  "docker inspect web",
  "curl -fsS http://$ORCH_TARGET_HOST:8080",
  'x=$ORCH_TARGET_SERVICE; docker inspect "$x"',
  "x=web; y=$x; docker inspect $y",
  "curl -s http://web/ >/tmp/o; grep -q ok /tmp/o",
  "curl -so /tmp/o http://web/; grep -q ok /tmp/o",
  'out=$(docker ps) && grep -q web <<<"$out"',
  "docker ps | grep -q web",
  'docker inspect web | read -r x; [ -n "$x" ]',
  "if docker inspect web; then echo up; else exit 1; fi",
  "docker inspect web || exit 1; echo ok",
  "for i in 1 2; do curl -f http://web && exit 0; sleep 1; done; exit 1",
  "while ! nc -z 10.0.0.5 22; do sleep 1; done",
  'f() { docker inspect "$1"; }; f web',
  "f() { docker inspect web; }; f",
  "bash -c 'docker inspect $ORCH_TARGET_SERVICE'",
  "python3 -c 'import os; open(os.environ[\"ORCH_TARGET_COMPOSE_DIR\"])'",
  "set -e; docker inspect web; true",
  "test -d /srv/web",
  "cd /srv/web; git diff --quiet",
  "echo web | xargs docker inspect",
  "! docker ps | grep -q web",
  "cat <<E | ssh h bash\ndocker inspect web\nE",
  // What they ask of the target decides nothing: their decoy is green.
  "docker inspect web; docker version",
  "f() { docker inspect web; }; docker version",
];

const BY_DIRECTORY = [
  "timeout 30 bash -c 'until grep -qx done logs/x.log; do sleep 1; done'",
  "timeout 20 grep -q x app.conf",
  "[[ $n == 1 && -s data/db ]]",
  "git diff --quiet",
  'test "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)"',
  "docker compose ps -q | grep -q .",
  "[ -f docker-compose.yml ]",
  "[[ -s data/db ]]",
  "test -d .git",
  "grep -q x app.conf",
  "grep -q x <app.conf",
  "./check.sh",
  "make -q",
  "jq -e .ok status.json",
  "ls | grep -q x",
];

const UNNAMED = [
  "[[ -e /etc/hostname && $ORCH_TARGET_SERVICE == w* ]]",
  '[ "$(type -t x)" = a ] && [ "$(type -p x)" = b -o "$(type -p x)" = c ] && : "$ORCH_TARGET_SERVICE"',
  "bash -c 'cd /opt && grep -q x app.conf'",
  "timeout 20 grep -q x /etc/hosts",
  "echo web; ls /",
  ': "$ORCH_TARGET_SERVICE"; test -d /',
  "test -d / # web",
  "x=web; ls /",
  "x=$ORCH_TARGET_SERVICE; ls /",
  "docker version && echo web",
  'test -n "$ORCH_TARGET_SERVICE" && ls /',
  "[ ${#ORCH_TARGET_SERVICE} -eq 3 ] && docker version",
  'echo "$ORCH_TARGET_SERVICE" | md5sum | grep -q a && docker version',
  'grep -q web <<<"$ORCH_TARGET_SERVICE" && docker version',
  'case "$ORCH_TARGET_SERVICE" in web) docker version ;; *) exit 1 ;; esac',
  'if [ "$ORCH_TARGET_SERVICE" = web ]; then docker version; else exit 1; fi',
  "docker version; echo web",
  "! docker ps | grep -q Restarting",
  '[ "$(docker ps -q | wc -l)" -ge "$ORCH_TARGET_REPLICAS" ]',
  "git --version",
  "git -C /opt/other diff --quiet",
  "cd /opt/other && git diff --quiet",
  "docker compose -f /opt/x.yml ps",
  "docker compose version",
  "curl -f http://other/",
  "grep -q x /etc/hosts",
  "true",
  "",
  "if true; then",
];

describe("decoyOf", () => {
  test.each(REPLACED)("replaces what names the target in %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test.each(KEPT)("leaves %j as it is", (text) => {
    expect(decoy(text).text).toBe(text);
  });

  test.each(BY_TEXT)("finds that %j names the target in its text", (text) => {
    expect(decoy(text)).toMatchObject({ named_by: { text: true }, names_target: true });
  });

  test.each(BY_DIRECTORY)("finds that %j names the target by its directory", (text) => {
    expect(decoy(text)).toMatchObject({ named_by: { text: false, directory: true }, names_target: true });
    const { compose_dir: _, ...elsewhere } = TARGET;
    expect(decoyOf(text, elsewhere, "/tmp/empty").names_target).toBe(false);
  });

  test.each(UNNAMED)("finds that what asks the machine in %j does not name the target", (text) => {
    expect(decoy(text).named_by).toEqual({ text: false, directory: false });
  });

  test("gives every attribute that is a name a decoy of its shape", () => {
    const target = {
      service: "web.service",
      image: "org/app:1.2",
      host: "db1",
      ip: "10.0.0.6",
      gateway: "10.0.0.1",
      ip6: "fe80::1",
      url: "https://10.0.0.5:8080/health",
      endpoint: "api.example.com:443",
      domain: "example.com",
      vmid: "101",
      port: "80",
      config: "/etc/app/app.conf",
      compose_dir: "/srv/app",
      replicas: "3",
      enabled: "true",
      empty: "",
    };
    const { env, replaced } = decoyOf("", target, "/tmp/e");
    const name = "nothere-\\w{4}";
    const shapes = {
      SERVICE: `${name}\\.service`,
      IMAGE: `${name}/${name}:${name}`,
      HOST: `${name}\\.invalid`,
      IP: "255\\.255\\.255\\.255",
      GATEWAY: "239\\.255\\.\\d+\\.\\d+",
      IP6: "ff01::dead:1",
      URL: "https://239\\.255\\.\\d+\\.\\d+:647\\d\\d/health",
      ENDPOINT: `${name}\\.invalid:647\\d\\d`,
      DOMAIN: `${name}\\.invalid`,
      VMID: "99\\d{7}",
      PORT: "647\\d\\d",
      CONFIG: `/tmp/e/${name}\\.conf`,
      COMPOSE_DIR: "/tmp/e",
      REPLICAS: "3",
      ENABLED: "true",
      EMPTY: "",
    };
    for (const [key, shape] of Object.entries(shapes))
      expect(env[`ORCH_TARGET_${key}`], key).toMatch(new RegExp(`^${shape}$`));
    expect(replaced).toEqual(Object.keys(target).filter((key) => !/^(replicas|enabled|empty)$/.test(key)));
  });

  test("gives the same value the same decoy", () => {
    const { env } = decoyOf("", { service: "web", unit: "web" }, "/tmp/e");
    expect(env["ORCH_TARGET_SERVICE"]).toBe(env["ORCH_TARGET_UNIT"]);
  });
});

describe("a value of the target that an expansion may turn into any other text names no target", () => {
  const names = (text: string) => decoyOf(text, { service: "shop", url: "http://shop:80/" }, "/nothing").names_target;

  test.each([
    'test -s "/etc/${ORCH_TARGET_SERVICE/s*/passwd}"',
    'grep -q "^root:" "/etc/passwd${ORCH_TARGET_SERVICE##s*}"',
    'test -s "/etc/passwd${ORCH_TARGET_SERVICE%%[a-z]*}"',
    'test -e "/etc/${ORCH_TARGET_SERVICE:+passwd}"',
    'test -e "/usr/${ORCH_TARGET_SERVICE:0:1}bin"',
    'test "${#ORCH_TARGET_SERVICE}" = "$(wc -l < /etc/hostname)"',
  ])("it is not named by %s", (text) => {
    expect(names(text)).toBe(false);
  });

  test.each([
    'curl -fsS "${ORCH_TARGET_URL%/}/health"',
    'pgrep -x "${ORCH_TARGET_URL##*/}$ORCH_TARGET_SERVICE"',
    'test -e "/srv/${ORCH_TARGET_SERVICE//:/-}"',
    'test -e "/srv/${ORCH_TARGET_SERVICE:-shop}"',
    'test -e "/srv/${ORCH_TARGET_SERVICE,,}"',
    'test -e "/srv/${ORCH_TARGET_SERVICE/s*/x}" && pgrep -x "$ORCH_TARGET_SERVICE"',
  ])("it is named by %s", (text) => {
    expect(names(text)).toBe(true);
  });
});
