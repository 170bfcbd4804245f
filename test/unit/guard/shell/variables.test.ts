// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
import { describe, expect, test } from "vitest";
import { outcomeOf } from "../guard-outcome.ts";

const BLOCKED = [
  "declare -n r=c; c='rm -rf /'; $r",
  'c=/; declare -n r=c; rm -rf "$r"',
  'local -n a=b; b=(rm -rf /); "${a[@]}"',
  "declare -l x=RM; $x -rf /",
  "declare -u x; x=/srv; y=rm; $y -rf ${x,,}/../usr",
  'IFS=: read -ra p <<< "rm:-rf:/"; "${p[@]}"',
  "read -r a b c <<< 'rm -rf /'; $a $b $c",
  "read -d ';' x <<< 'rm -rf /;ls'; $x",
  "mapfile -t l <<< $'ls\\nrm -rf /'; ${l[1]}",
  "declare -i n='a[$(rm -rf /)]'",
  "rm -rf ${NEVER_SET:-/}",
  "GIT_SSH_COMMAND='rm -rf /; ssh' git fetch",
  "env GIT_PAGER='rm -rf /' git log",
  "git -c core.pager='rm -rf /' log",
];

const ALLOWED = [
  '"${PYTHON:-python3}" -m pytest -q',
  'rm -rf "${OUT:-./build}"',
  "EDITOR=vim git commit",
  "declare -r name=web; docker restart $name",
  'eval "$(ssh-agent -s)" && ssh-add key',
  "source <(kubectl completion bash)",
];

describe("variables", () => {
  test.each(BLOCKED)("%j is blocked", (command) => {
    expect(outcomeOf(command)).toBe("block");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });

  test("a default counts no more once a file of unknown text may have set the variable", () => {
    expect(outcomeOf(". ./.env; ${PYTHON:-python3} x.py")).toBe("ask");
  });
});
