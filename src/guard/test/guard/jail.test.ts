// The proof is worth what the jail and the oracle are worth: they see what they should, and nothing gets out.
import { describe, expect, test } from "vitest";
import { type Call, runInJail } from "./jail.ts";
import { reachedBy } from "./oracle.ts";
import { jailWorks } from "./usable.ts";

const call = (line: string, cwd = "/srv/app"): Call => ({ cwd, argv: line.split(" ") });
const reached = (one: Call) => reachedBy({ calls: [one], late: false });

describe("the oracle", () => {
  test.each([
    ["rm -rf /", "rm"],
    ["rm -r -- ../../etc", "rm"],
    ["rm --recu /usr/lib/", "rm"],
    ["rm -rf /etc/app /etc/hosts.d /etc/ssl", "rm"],
    ["find / -delete", "rm"],
    ["git -C x -c a=b reset --har", "git"],
    ["docker --context x system prune -fa", "docker"],
    ["dd if=x of=/dev/sda", "disk"],
    ["chmod -R 777 /", "disk"],
    ["rm -f /etc", null],
    ["rm -rf /etc/app", null],
    ["rm -rf dist", null],
    ["find / -name x -delete", null],
    ["git reset --hard --soft", null],
    ["git log --hard", null],
    ["docker system prune -f", null],
    ["docker system prune -a --filter until=48h", null],
    ["dd if=/dev/sda of=x", null],
  ])("%s: %s", (line, family) => {
    expect(reached(call(line))).toBe(family);
  });

  test("an operand is seen from the directory of the command", () => {
    expect(reached(call("rm -rf .", "/usr"))).toBe("rm");
    expect(reached(call("rm -rf ."))).toBeNull();
  });
});

describe.skipIf(!jailWorks)("the jail", () => {
  test("records the words and the directory of every listed program, wherever it is started", async () => {
    const [first, second, third] = await runInJail([
      "cd /etc; rm -rf 'a b' $'c\\nd' *",
      "sudo -n sh -c 'docker ps' | cat; (setsid git status &)",
      "echo x > /dev/sda",
    ]);
    expect(first?.calls).toEqual([{ cwd: "/etc", argv: ["rm", "-rf", "a b", "c\nd", "app", "hosts.d", "ssl"] }]);
    expect(second?.calls.map(({ argv }) => argv.join(" ")).sort()).toEqual(["docker ps", "git status"]);
    expect(third?.calls).toEqual([{ cwd: "/", argv: [">", "/dev/sda"] }]);
  });

  test("ends a script that does not end, and keeps nothing of it for the next", async () => {
    const [late, next] = await runInJail([
      "echo rm x > x.sh; git log; setsid sleep 60 & while :; do :; done",
      ". ./x.sh",
    ]);
    expect(late?.late).toBe(true);
    expect(late?.calls.map(({ argv }) => argv)).toEqual([["git", "log"]]);
    expect(next).toEqual({ calls: [], late: false });
  });

  test("shows a script no network, no process and no file of this machine", async () => {
    const [run] = await runInJail([
      `[ -e ${import.meta.filename} ] && rm file; [ -e /proc/${process.pid} ] && rm process; : > /dev/tcp/127.0.0.1/22 && rm network; : > /etc/x && rm written; true`,
    ]);
    expect(run?.calls).toEqual([]);
  });
});
