// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
import { describe, expect, test } from "vitest";
import { outcomeOf } from "../guard-outcome.ts";

const BLOCKED = [
  "eval rm -rf /",
  "eval 'rm -rf /'",
  'eval "$(echo cm0gLXJmIC8= | base64 -d)"',
  "echo cm0gLXJmIC8K | base64 -d | sh",
  "echo 726d202d7266202f | xxd -r -p | bash",
  "echo '/ fr- mr' | rev | bash",
  "printf 'rm %s /' -rf | sh",
  "printf '\\x72\\x6d -rf /' | sh",
  "echo 'sn -sg /' | tr 'a-z' 'z-a' ; echo fz -es / | tr a-z n-za-m | sh; echo ez -es / | tr a-z n-za-m | bash",
  "bash <<< 'rm -rf /'",
  "bash <<EOF\nrm -rf /\nEOF",
  "bash <<EOF\nrm -rf \\$HOME\nEOF",
  "cat <<'EOF' | bash\nrm -rf /\nEOF",
  "source <(echo rm -rf /)",
  ". /dev/stdin <<< 'rm -rf /'",
  "bash <(echo 'rm -rf /')",
  "true && rm -rf / || echo",
  "trap 'rm -rf /' EXIT",
  "echo 'rm -rf /' > x.sh; bash x.sh",
  "echo 'rm -rf /' > x.sh; chmod +x x.sh; ./x.sh",
  "cat > /tmp/a <<EOF\nrm -rf /\nEOF\nsh /tmp/a",
  "tee x.sh <<< 'rm -rf /'; . ./x.sh",
  "BASH_ENV=<(echo rm -rf /) bash -c true",
  "X='a[$(rm -rf /)]'; [[ $X -eq 0 ]]",
  "test -v 'a[$(rm -rf /)]'",
  "X='a[$(rm -rf /)]'; echo $((X))",
  "PS4='$(rm -rf /)'; set -x; ls",
  "X='$(rm -rf /)'; echo \"${X@P}\"",
  "hash -p /bin/rm foo; foo -rf /",
  "mapfile -C 'rm -rf /; :' -c 1 a < f",
  "compgen -C 'rm -rf /'",
  "echo 1<(rm -rf /)",
  "cat 3>(rm -rf /)",
  "read X <<< /; rm -rf $X",
  'echo / | while read d; do rm -rf "$d"; done',
  "echo 'rm -rf /' | $0",
  "echo 'rm -rf /' | $SHELL",
  "bash -s <<< 'rm -rf /'",
  "bash -ec 'rm -rf /'",
  "bash -o pipefail -c 'rm -rf /'",
  "sh -c 'sh -c \"rm -rf /\"'",
  "sh -c 'rm -rf $0' /",
  "bash -c 'rm -rf \"$1\"' x /",
  "echo 'rm -rf /' > >(bash)",
  "[ -d /x ] || rm -rf /",
  "diff <(rm -rf /) x",
  "cat <<EOF\n$(rm -rf /)\nEOF",
  "cd / || exit 1; rm -rf *",
  "tr a-z A-Z <<< x; echo 'RM -RF /' | tr A-Z a-z | bash",
  "{ echo 'rm -rf /'; } | bash",
  "(echo 'rm -rf /') | sh",
  "echo rm -rf / | cat | bash",
  "cat <(echo 'rm -rf /') | sh",
  "while read -r l; do eval \"$l\"; done <<< 'rm -rf /'",
];

const ALLOWED = [
  'tmp=$(mktemp -d); trap \'rm -rf "$tmp"\' EXIT; cd "$tmp"; make',
  "cat > x.sh <<'EOF'\nrm -rf /\nEOF",
  "curl -fsS http://localhost:8080/health | grep -q ok",
  "x=$((1+2)); echo $x",
  "count=0; count=$((count+1)); [ $count -eq 1 ]",
  "bash deploy.sh",
  "sh -c 'echo hi'",
  "bash -c 'cd /srv/app && ls'",
  "ls | wc -l",
  "export A=1 B=2; env | sort",
  'echo "deploy done" | tee -a /var/log/deploy.log',
  "trap 'echo bye' EXIT",
  "journalctl -u x --since '1 hour ago' | tail -n 50",
  "cat a | sort | uniq -c | sort -rn | head",
];

describe("text that reaches a shell", () => {
  test.each(BLOCKED)("%j is blocked", (command) => {
    expect(outcomeOf(command)).toBe("block");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });
});
