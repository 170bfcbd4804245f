import { describe, expect, test } from "vitest";
import { changesState } from "../../../../src/domain/policy/state-changes.ts";
import { CONTEXT } from "./guard-outcome.ts";

const CHANGING = [
  "rm x",
  "echo a > f",
  "echo a >> /var/log/x",
  "cat > x <<E\nE",
  "journalctl -u x | tee out",
  "docker compose up -d",
  "docker restart web",
  "docker-compose down",
  "docker exec web kill 1",
  "git commit -m x",
  "git push",
  "git branch x",
  "git config a b",
  "systemctl restart x",
  "service x restart",
  "ssh h 'systemctl restart x'",
  "sudo systemctl stop x",
  "curl -X POST x",
  "curl -XPUT x",
  "curl -d a x",
  "curl -F a=b x",
  "curl -O x",
  "wget x",
  "sed -i s/a/b/ x",
  "find . -delete",
  "find . -exec rm {} +",
  "ps aux | xargs kill",
  "kubectl apply -f x",
  "apt-get install -y x",
  "npm ci",
  "pip install x",
  "tar xf x",
  "crontab -r",
  "ip addr add x",
  "mount /dev/sdb1 /mnt",
  "reboot",
  "bash -c 'rm x'",
];

const LOOKING = [
  "ls",
  "ls 2>/dev/null >&2",
  "ls > /dev/null 2>&1",
  "docker ps",
  "docker compose -f a logs",
  "docker compose ps",
  "docker logs web",
  "docker inspect x",
  "docker system df",
  "git status",
  "git log -n 5",
  "git branch -a",
  "git remote -v",
  "git stash list",
  "git config --get x",
  "systemctl status x",
  "sudo systemctl is-active x",
  "service x status",
  "curl -s x",
  "curl -sSfo /dev/null x",
  "curl -G -d a x",
  "wget -qO- x",
  "sed -n 1p x",
  "find . -name x",
  "kubectl get pods",
  "apt list --installed",
  "npm ls",
  "tar tf x",
  "crontab -l",
  "ip addr",
  "mount",
  "kill -0 1",
  "echo 'rm x'",
  "python3 -c 'print(1)'",
  "an-unknown-program x",
];

describe("whether a command changes state", () => {
  test.each(CHANGING)("%j does", (command) => {
    expect(changesState(command, CONTEXT)).not.toBeNull();
  });

  test.each(LOOKING)("%j only looks", (command) => {
    expect(changesState(command, CONTEXT)).toBeNull();
  });

  test("the change is named with the command that makes it", () => {
    expect(changesState("cd x; sudo systemctl restart web", CONTEXT)).toEqual({
      command: "systemctl restart web",
      why: "changes services",
    });
  });
});
