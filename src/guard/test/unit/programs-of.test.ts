import { describe, expect, test } from "vitest";
import { programsOf } from "../../guard.ts";
import { CONTEXT } from "./guard-outcome.ts";

describe("programs of a command", () => {
  test.each([
    ["sudo docker ps", ["sudo", "docker"]],
    ["bash -c 'docker ps | grep x'", ["bash", "docker", "grep"]],
    ["f() { curl x; }; f", ["curl"]],
    ["find . -exec gzip {} +", ["find", "gzip"]],
    ["cat <(jq . x) | sort", ["jq", "cat", "sort"]],
    ["env A=1 timeout 5 /usr/bin/curl x", ["env", "timeout", "curl"]],
    ["docker exec web ls", ["docker", "ls"]],
    ["curl x; curl y", ["curl"]],
    ["echo 'rm -rf /'", []],
    ["python3 manage.py migrate", ["python3"]],
    ["perl -ne 'exit 1' app.conf", ["perl"]],
    ["python3 run.py docker ps", ["python3", "docker"]],
    ["printf 'ls' > go; perl run.pl ./go", ["perl", "go", "ls"]],
  ])("%j runs %j", (command, programs) => {
    expect(programsOf(command, CONTEXT)).toEqual({ programs, unresolved: false });
  });

  test("builtins of the shell do not count", () => {
    expect(programsOf("cd x && echo y && [ -f z ] && export A=1; set -e; true", CONTEXT).programs).toEqual([]);
  });

  test.each(["$X y", 'eval "$X"', "echo $(if)", "curl x | sh"])(
    "%j may run something that cannot be named",
    (command) => {
      expect(programsOf(command, CONTEXT).unresolved).toBe(true);
    },
  );
});
