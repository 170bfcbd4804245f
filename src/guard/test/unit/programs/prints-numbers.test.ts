import { describe, expect, it } from "vitest";
import { printsNumbers } from "../../../programs/registry.ts";

const words = (line: string): string[] => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, a, b]) => a ?? b ?? "");

describe("command lines that print nothing but numbers", () => {
  it.each([
    "git -C /srv/app rev-list --count HEAD..@{u}",
    "docker inspect -f {{.RestartCount}} web",
    "docker container inspect '--format={{ .State.ExitCode }} {{len .Mounts}}' web",
    "systemctl show -P MainPID billing",
    "systemctl show --property=NRestarts --value billing",
    "kubectl get deploy web -o jsonpath={.status.readyReplicas}",
    "ps -o etimes= -p 12",
    "pgrep -x sshd",
    "pgrep -fc web",
    "tr -dc 0-9",
  ])("%s", (line) => {
    expect(printsNumbers(words(line))).toBe(true);
  });

  it.each([
    "git log --count",
    "docker inspect -f {{.Name}} web",
    "docker inspect -f {{.RestartCount}} --format {{.Name}} web",
    "docker inspect web",
    "systemctl show -P MainPID -p Description billing",
    "systemctl show -p MainPID billing",
    "kubectl get deploy web -o jsonpath={.metadata.name}",
    "jq '.a # | length' f.json",
    "jq --arg x length .a f.json",
    "jq -f length f.json",
    "ps -o pid= -eo comm",
    "ps -o comm= -p 12",
    "pgrep -a ssh",
    "tr -d 0-9",
    "constructor",
    "jq -nr 'def length: .x; . | length'",
    "git log --format=%s -- . rev-list --count",
    "git rev-list --format=%s HEAD -- . --count",
    "git rev-list --count --disk-usage=human HEAD",
    "docker inspect -f {{.RestartCount}} -sf {{.Name}} c",
    "docker inspect --type container -- -f {{.RestartCount}} c",
    "docker image ls --format {{.RestartCount}} inspect",
    "docker container exec inspect sh -c 'echo x' -f {{.RestartCount}}",
    "kubectl get pods -o jsonpath={.spec.replicas} -Ao name",
    "kubectl get crd -o jsonpath={.spec.replicas}",
    "kubectl -n get exec p -- cat /x -o jsonpath={.spec.replicas}",
    "pgrep '--delim=$(id)' .",
    "pgrep -V",
    "systemctl show --prop=Description -P MainPID x",
    "systemctl show -ap Description -P MainPID x",
    "systemctl -H show cat x -P MainPID",
    "systemctl show -P TimersMonotonic x",
  ])("not %s", (line) => {
    expect(printsNumbers(words(line))).toBe(false);
  });
});
