import { describe, expect, test } from "vitest";
import { codesOf, outcomeOf } from "../guard-outcome.ts";

const BLOCKED = [
  "python3 -c 'import os; os.system(\"rm -rf /\")'",
  "python -c 'import shutil; shutil.rmtree(\"/\")'",
  "python3 -c \"import subprocess; subprocess.run(['rm','-rf','/'])\"",
  'node -e \'require("child_process").execSync("rm -rf /")\'',
  'node -e \'require("fs").rmSync("/usr",{recursive:true})\'',
  "perl -e 'system(\"rm -rf /\")'",
  "perl -e 'exec qw(rm -rf /)'",
  "ruby -e 'system(\"rm -rf /\")'",
  "ruby -e '`rm -rf /`'",
  "awk 'BEGIN{system(\"rm -rf /\")}'",
  "perl -e '`rm -rf /`'",
  "python3 <<EOF\nimport os\nos.system('rm -rf /')\nEOF",
  "rsync -a --delete empty/ /",
];

const ALLOWED = [
  "python3 -c 'print(1)'",
  "python3 -c 'import os; print(os.listdir(\"/\"))'",
  "python3 script.py",
  "python3 -c 'import json,sys; print(json.load(sys.stdin)[\"a\"])'",
  "node -e 'console.log(\"rm -rf /\")'",
  "awk '{print $1}' x",
  "awk -F: '{print $1}' /etc/passwd",
  "perl -pe 's/a/b/' x",
  "rsync -a src/ dst/",
  "rsync -a --delete src/ /srv/backup/",
  "ps aux | grep node | awk '{print $2}' | xargs kill",
  "awk '{ if ($1 > 5) print \"rm -rf /\" }' x",
  "python - <<'EOF'\nprint('rm -rf /')\nEOF",
];

describe("wide deletion in code of another language", () => {
  test.each(BLOCKED)("%j is blocked as rm.wide", (command) => {
    expect(codesOf(command)).toContain("rm.wide");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });
});
