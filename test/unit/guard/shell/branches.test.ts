// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
import { describe, expect, test } from "vitest";
import { codesOf, outcomeOf } from "../guard-outcome.ts";

/** What either path of a program may have left behind, lists of words above all. */
const DANGEROUS = [
  'opts=(); "${opts[@]}" rm -rf /',
  '"$@" rm -rf /',
  'opts=(); git "${opts[@]}" reset --hard',
  'docker "${opts[@]}" system prune -af',
  'sudo "${opts[@]}" rm -rf /',
  'env "$@" rm -rf /',
  'nice "$@" git reset --hard',
  'SUDO=(); [ "$EUID" = 0 ] || SUDO=(sudo); "${SUDO[@]}" git reset --hard',
  'if [ -n "$Y" ]; then opts=(-rf /); else opts=(-f x); fi; rm "${opts[@]}"',
  'if [ -n "$Y" ]; then opts=(-f x); else opts=(-rf /); fi; rm "${opts[@]}"',
  'args=(system prune); [ "$ALL" = 1 ] && args+=(-a); docker "${args[@]}"',
  'case $Y in a) o=(--hard);; *) o=(--soft);; esac; git reset "${o[@]}"',
  "f() { ls; }; [ -f x ] || f() { rm -rf /; }; f",
  'a=(echo); true && a=(rm -rf /); "${a[@]}"',
  "git config alias.x status; cd /tmp && git config alias.x 'reset --hard'; git x",
  'if true; then set -- rm -rf /; fi; "$@"',
  'set -- rm -rf /; [ -f x ] && set -- ls; "$@"',
  'case $1 in a) set -- rm -rf /;; esac; "$@"',
  'if [ $# -eq 0 ]; then set -- /; fi; rm -rf "$@"',
  "podman exec c env rm -rf /",
  "podman run -v /:/h alpine env rm -rf /h/etc",
  "ssh completion rm -rf /",
  "env completion=1 rm -rf /",
  "mise exec node -- env rm -rf /",
  "conda run -n env rm -rf /",
  "find / -print0 | while IFS= read -r -d '' f; do rm -rf \"$f\"; done",
  "mapfile -d '' -t a < <(find / -maxdepth 1 -print0); rm -rf \"${a[@]}\"",
  'a=([3]=rm [5]=-rf [7]=/); "${a[@]}"',
  "a[0]=x; a[2000]='rm -rf /'; ${a[2000]}",
  'cd x/y/z; while [ "$PWD" != / ]; do cd ..; done; rm -rf *',
  "find -files0-from - -delete <<< /",
  "{ echo 'rm -rf /' >&2; } 2>x; bash x",
  "dd of=x <<< 'rm -rf /'; bash x",
  "cp /dev/stdin x <<< 'rm -rf /'; bash x",
  "npm exec -- rm -rf /",
  "npm exec rimraf /",
  "npm exec -c 'git reset --hard'",
  "pnpm exec rm -rf /",
  "apt-get -o DPkg::Pre-Invoke::='rm -rf /' update",
  'rm -rf "${BUILD_DIR:?}"/*',
];

const UNKNOWN_WORDS = [
  "select x in a b; do find / \"$(v='-delete'; printf '%s\\n' \"$v\")\"; break; done <<< 1",
  'chown "$(cat options)" op:op /',
];

const ALLOWED = [
  'opts=(-v); if [ -n "$X" ]; then opts+=(-f); fi; rm "${opts[@]}" app.pid',
  'SUDO=(); [ "$EUID" = 0 ] || SUDO=(sudo); "${SUDO[@]}" systemctl restart web',
  'args=(compose up -d); docker "${args[@]}"',
  'files=(a.log b.log); rm -f "${files[@]/#/logs/}"',
  "set -- a b; while [ $# -gt 0 ]; do echo $1; shift; done",
  'a=([2]=x [5]=y); echo "${a[@]}"',
];

/** 64 KiB that multiply: each ends at the cap on work, long before it takes time or memory. */
const MULTIPLYING = [
  `set -- ${"a ".repeat(15_000)}; echo ${'"$@" '.repeat(6_000)}`,
  `a=(${"b ".repeat(8_000)}); rm ${'"${a[@]}" '.repeat(4_000)}`,
  `set -- ${"a ".repeat(900)}; echo ${'"$@" '.repeat(8_000)}`,
  "trap 'a' EXIT;".repeat(4_000),
];

describe("what a branch leaves behind", () => {
  test.each([...DANGEROUS, ...UNKNOWN_WORDS])("%j is not allowed", (command) => {
    expect(outcomeOf(command)).not.toBe("allow");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });

  test.each(MULTIPLYING.map((text) => [text.slice(0, 30), text]))("%j and so on ends at a cap", (_start, text) => {
    expect(codesOf(text)).toEqual(["cap.count"]);
  });
});
