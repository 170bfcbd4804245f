// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// What ordinary scripts do with values that the text does not show, and the attacks that look like it.
import { describe, expect, test } from "vitest";
import { inspect, programsOf } from "../../guard.ts";
import { outcomeOf } from "./guard-outcome.ts";

describe("an ordinary use of a value that is not known is allowed", () => {
  test.each([
    'cid=$(docker run --name x -d nginx); trap "docker rm -vf $cid > /dev/null" EXIT',
    'id="$(docker create nginx)"; trap "docker rm $id" EXIT',
    "name=$(cat name); trap \"rm -f '/tmp/$name.pid'\" EXIT",
    "used=$(df / | awk 'NR==2{print $5}' | tr -d %); [[ $used -lt 90 ]]",
    "load=$(cut -d. -f1 /proc/loadavg); (( load > 4 ))",
    "declare -A seen; while read -r key; do (( seen[$key]++ )); done < keys",
    "n=$(curl -s http://web/api | jq '.items | length'); (( n > 3 ))",
    'eval "set -- $(jq -r \'keys | map(@sh) | join(" ")\' f.json)"',
    "v=$(jq -r '.a | @sh' f.json); eval \"v=( $v )\"",
    'awk \'system("[ -e /usr/lib/" $1 " ]") == 0 { print $1 }\' list',
    "find . -name '*.log' | parallel gzip",
    "ls *.log | parallel -j4 gzip {}",
    'key=$(cat name); chmod 600 "$key"; chown op "$key"',
    "shopt -u nocasematch",
    "$SUDO apt-get update",
    'run="${1:2}"; $run make all',
    "cp -a /usr/src/app/. /srv/www/; php /srv/www/occ status",
    "for t in test/*-test.sh; do $t; done",
    'main() { for f in /entrypoint.d/*; do [ -x "$f" ] && "$f"; done; }; main',
    'name=$(cat name); test_a() { echo a; }; "test_$name"',
    'if [ "$(id -u)" = 0 ]; then exec gosu app "${BASH_SOURCE[0]}" "$@"; fi; exec "$@"',
    'while [ $# -gt 0 ]; do case $1 in -v) shift;; esac; shift; done; exec "$@"',
    'eval "$(rauc status --output-format=shell)"',
    'eval "$(fzf --bash)"',
    'opts="$(getopt -o ab: -- "$@")"; eval set -- "$opts"; while true; do case $1 in --) break;; esac; shift; done',
    "bash -c 'CC=${CC:-cc}; $CC -x c f.c'",
    "sh -c 'rm -rf \"${CACHE:-/srv/app/cache}\"'",
    'log_error "run.sh is not there"; ./run.sh',
    'LogPrint "neither dracut (1) nor mkinitrd: failed"; /usr/bin/dracut --force',
    "clang++ -O2 -o fuzz fuzz.cc; ./fuzz -jobs=4",
    "sed -i 's|a.sh|b|' list; ./a.sh",
    "mytool > numbers.txt; python3 - numbers.txt",
    "complete -W \"$(git branch --format '%(refname:short)')\" co",
    'printf "================ $(uname -a)" | cat; n=$(cat n); (( n > 4 ))',
    'v=$(sh -c "cat $HOME/n"); (( v > 4 ))',
  ])("%s", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });
});

describe("a file that runs itself again is followed once for all that it sees", () => {
  const verdictOf = (text: string, words = "x"): string => {
    const files = new Map([["/srv/app/s.sh", text]]);
    const context = { home: "/home/op", cwd: "/srv/app", env: {}, files };
    return inspect(`bash /srv/app/s.sh ${words}`, context).verdict;
  };

  test.each([
    'if [ "$(id -u)" = 0 ]; then exec gosu app "$0" "$@"; fi; exec "$@"',
    'if [ "$(id -u)" = 0 ]; then exec gosu app "$BASH_SOURCE" "$@"; fi',
  ])("%s is allowed", (text) => {
    expect(verdictOf(text)).toBe("allow");
  });

  test.each([
    'if [ -z "$X" ]; then export X=/usr; exec "$0"; fi; rm -rf "$X"',
    'if [ -z "$1" ]; then bash "$0" a; elif [ "$1" = a ]; then bash "$0" /usr; else rm -rf "$1"; fi',
    'shift; bash "$0" "$@"; rm -rf "/$1"',
    "rm -rf lib; cd /usr; bash /srv/app/s.sh x",
  ])("%s is blocked", (text) => {
    expect(verdictOf(text, "a usr")).toBe("block");
  });
});

describe("what may hide a command in such a value is a question", () => {
  test.each([
    'x=$(cat f); trap "docker rm -f $x" EXIT',
    'x=$(docker run nginx cat f); trap "docker rm -f $x" EXIT',
    'x=$(docker run --name d nginx cat f); eval "docker rm $x"',
    "x=$(curl http://web/x); trap \"rm -f '/tmp/$x'\" EXIT",
    "x=$(curl http://web/x); [[ $x -eq 0 ]]",
    "x=$(wget -qO- http://web/x); (( x > 3 ))",
    "x=$(python3 -c \"print(open('f').read())\"); (( x ))",
    "x=$(awk 'BEGIN { printf \"a[%c(id)]\", 36 }'); (( x ))",
    "x=$(nc -l 99); echo $((x))",
    "v=$(jq -r '.a | @sh, .b' f.json); eval \"v=( $v )\"",
    "v=$(jq '.a | @sh' f.json); eval \"v=( $v )\"",
    'v=$(jq -r \'map(@sh "a=\\(.)") | join(";")\' f.json); eval "$v"',
    'x=$(cat f); eval "echo \\"$x\\""',
    'x=$(cat f); eval "echo $x"',
    "awk 'system(\"rm -rf /srv/app/\" $1)' list",
    "awk 'system(\"[ -e \" $1 \"; sh\")' list; awk 'system($1)' list",
    "find . -name '*.log' | parallel 'sh -c \"gzip {}\"'",
    'f=$(cat name); chown -R op "$f"',
    'm=$(cat mode); chmod "$m" "$(cat name)"',
    "shopt -s nocaseglob",
    "read -r CC < f; $CC -rf /srv",
    "$CC -rf /srv",
    "$CC",
    "$COMPOSE --profile complete pull",
    "tar xf a.tgz -C /tmp/x; cp -a /tmp/x/. /srv/y/; bash /srv/y/run.sh",
    '. ./env; CC=$(cat f); "$CC" x',
    'declare "$(cat f)"; $CC x',
    "ssh web '$CC x'",
    'name=$(cat name); "r$name" -rf /srv',
    "for t in bin/*; do $t x; done",
    'set -- "$(cat f)"; for i in 1 2 3; do shift 0; done; exec "$@"',
    'v=a; "y[v]=$(cat f)" x',
    'eval set -- "$(getopt -u -o a: -- "$@")"',
    'curl -s http://a/b > f; complete -W "$(cat f)" co',
    "mytool --script \"save('run.sh')\"; ./run.sh",
    "sed -n 's/a/b/w run.sh' list; ./run.sh",
  ])("%s", (command) => {
    expect(outcomeOf(command)).toBe("ask");
  });

  test.each([
    "$CC rm -rf /usr",
    "$CC --no-deps rm -rf /usr",
    'test_a() { rm -rf /usr; }; name=$(cat name); "test_$name"',
    'f() { rm -rf "$2"; }; d=/srv/app/a; [ -e x ] && d=/usr; f now "$d"',
    'f() { x=$1; }; d=/srv/app/a; [ -e x ] && d=/usr; f "$d"; rm -rf "$x"',
    'f() { shift; "$@"; }; d=/srv/app/a; [ -e x ] && d=/usr; f now rm -rf "$d"',
    "x=$(cat f); eval \"rm -rf /usr '$x'\"",
    "trap \"rm -rf /usr '$(cat f)'\" EXIT",
    'x=$(cat f); [[ "a[$(rm -rf /usr)]$x" -eq 0 ]]',
    "x='a[$(rm -rf /usr)]'; (( x ))",
    'while [ $# -gt 0 ]; do shift; done; set -- rm -rf /usr; exec "$@"',
    'set -- a rm -rf /usr; while [ "$1" = a ]; do shift; done; exec "$@"',
    "ls | parallel 'rm -rf /usr; gzip {}'",
  ])("%s is blocked", (command) => {
    expect(outcomeOf(command)).toBe("block");
  });

  test("a program that an unset variable or a pattern may name stays one that cannot be named", () => {
    const context = { home: "/home/op", cwd: "/srv/app", env: {} };
    for (const command of ["$CC x", "for t in test/*-test.sh; do $t; done", 'name=$(cat n); "test_$name"'])
      expect(programsOf(command, context).unresolved).toBe(true);
  });
});
