import { describe, expect, test } from "vitest";
import { outcomeOf } from "../guard-outcome.ts";

const BLOCKED = [
  "echo 'rm -rf /' | at now",
  "crontab <<< '0 3 * * * rm -rf /'",
  "echo '@daily git reset --hard' | crontab -",
  "vim -es -c '!rm -rf /'",
  "ed <<< '!rm -rf /'",
  "psql -c '\\! rm -rf /'",
  "sqlite3 :memory: '.shell rm -rf /'",
  "gdb -batch -ex 'shell rm -rf /'",
  "tar cf x.tar d --checkpoint=1 --checkpoint-action=exec='rm -rf /'",
  "tmux new-session -d 'rm -rf /'",
  "screen -dm bash -c 'rm -rf /'",
  "expect -c 'spawn rm -rf /'",
  "tclsh <<< 'exec rm -rf /'",
  "npx rimraf /",
  "npx -c 'rm -rf /'",
];

const ALLOWED = [
  "crontab -l | grep -v backup.sh | crontab -",
  "tmux display-message 'rm -rf / is blocked'",
  "psql -c 'select 1'",
  "tar czf backup.tgz --exclude=node_modules .",
  "npx tsc -p .",
  "echo './backup.sh' | at 03:00",
  "bash -n <<< 'rm -rf /'",
];

describe("programs with a way of their own to a shell", () => {
  test.each(BLOCKED)("%j is blocked", (command) => {
    expect(outcomeOf(command)).toBe("block");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });
});
