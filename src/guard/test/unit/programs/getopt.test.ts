// The words that getopt prints, each expectation as util-linux prints it, and what follows from them for a script.
import { describe, expect, test } from "vitest";
import { examine } from "../../../guard.ts";
import { CONTEXT, codesOf, outcomeOf } from "../guard-outcome.ts";

const printed = (command: string): string | undefined =>
  examine(`echo "$(${command})"`, CONTEXT, { programs: false, effect: false }).commands.at(-1);

describe("the words that getopt prints", () => {
  test.each([
    [`getopt -o i:t: --long image:,tries: -- --tries 5 get "a b'c" -t 3`, `--tries '5' -t '3' -- 'get' 'a b'\\''c'`],
    ["getopt -o ab:: -- -abx y -b z", "-a -b 'x' -b '' -- 'y' 'z'"],
    ["getopt -o a --long foo::,bar -- --foo=1 --bar --fo x -- -a", "--foo '1' --bar --foo '' -- 'x' '-a'"],
    ["getopt -o +a -- x -a", "-- 'x' '-a'"],
    ["getopt -o a: -- -a", "--"],
    ["getopt -o '' -l x: -- --x=1 --unknown y", "--x '1' -- 'y'"],
  ])("%s", (command, words) => {
    expect(printed(command)).toBe(`echo  ${words}`);
  });
});

describe("a script that takes its words from getopt", () => {
  test("is judged with the words that it is given", () => {
    const command =
      'f() { o=$(getopt -o t: -- "$@"); eval set -- "$o"; while [ "$1" != -- ]; do shift; done; shift; eval "$@"; }';
    expect(outcomeOf(`${command}; f -t 3 docker ps`)).toBe("allow");
    expect(outcomeOf('eval set -- "$(getopt -o t: -- -t 3 x /usr)"; rm -rf "$5"')).toBe("block");
  });

  test.each([
    `f() { eval set -- "$(getopt -o '' -- "$@")"; rm -rf "$3"; }; f "$(cat list)" x`,
    'set -- "$(cat f)"; eval set -- "$(getopt -o a: -- "$@")"; shift; rm -rf "$1"',
  ])("is asked about where the words are not known: %s", (command) => {
    expect(outcomeOf(command)).toBe("ask");
    expect(codesOf(command)).toContain("dyn.operand");
  });
});
