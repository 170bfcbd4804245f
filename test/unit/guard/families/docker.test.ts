import { describe, expect, test } from "vitest";
import { codesOf, outcomeOf } from "../guard-outcome.ts";

const BLOCKED = [
  "docker system prune -af",
  "docker system prune -fa",
  "docker system prune --all=true",
  "docker system prune -a=true",
  "docker -H ssh://x system prune -a",
  "docker system prune --volumes -a -f",
  "docker system prune -a --filter ''",
  "docker system prune -a --filter=",
  "yes | docker system prune -a",
  "nerdctl system prune -a",
  "ssh h docker system prune -af",
  "echo y | sudo docker system prune --all",
  "docker system prune -a $EXTRA",
];

const ALLOWED = [
  "find . -name node_modules -prune -print0 | xargs -0 rm -rf",
  "docker system prune -f",
  "docker image prune -a -f",
  "docker volume prune -f",
  "docker system prune -af --filter until=24h",
  "printf '%s\\n' 'docker system prune -a' >> notes.md",
  "docker system prune -a --help",
];

describe("a prune of everything", () => {
  test.each(BLOCKED)("%j is blocked as docker.prune_all", (command) => {
    expect(codesOf(command)).toContain("docker.prune_all");
  });

  test.each(ALLOWED)("%j runs", (command) => {
    expect(outcomeOf(command)).toBe("allow");
  });
});
