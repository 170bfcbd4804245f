import { describe, expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { expectSame } from "./differential.ts";

const SHOWN = 32 * 1024;
const dots = (count: number) => `printf '%${count}s' '' | tr ' ' .`;

describe.concurrent("output", () => {
  test.each([
    "printf 'no line end'",
    "printf 'crlf\\r\\n\\r\\n'",
    "printf '\\n\\n\\n'",
    "printf 'nul \\0 in\\0side\\n'",
    "printf '\\0'",
    "printf 'bad \\xff\\xfe \\xc3\\x28 \\xe2\\x82 \\xf0\\x9f\\x98 end'",
    "printf '\\xed\\xa0\\x80 a surrogate'",
    "printf '\\xef\\xbb\\xbfwith a mark'",
    "printf 'größe 漢字 😀\\n'",
    "printf '\\e[31mred\\e[0m\\b\\a\\t\\v\\f'",
    "printf '\\u2028 \\u2029 \\u0085 end'",
    "printf '   \\n \\t \\n'",
    "printf 'last words \\n\\n  \\n'",
    "printf '%300s' x; echo; printf '%250s' '😀'",
    "echo out; echo err >&2; echo out; echo err >&2",
    "for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done; exit 1",
    "echo err >&2; exit 1",
    "echo out; exit 1",
    "(printf a; sleep 0.05; printf '\\xe2'; sleep 0.05; printf '\\x82\\xac')",
    "echo x > /dev/stdout",
    "echo x >&0",
    "seq 1 100000 | tail -n 3; seq 1 1000",
  ])("can be %j", async (script) => {
    await expectSame({ steps: [check(script)] });
  });

  test.each([2 * SHOWN - 1, 2 * SHOWN, 2 * SHOWN + 1, 3 * SHOWN - 1, 3 * SHOWN, 3 * SHOWN + 1, 98_303, 98_304, 98_305])(
    "can have %i bytes",
    async (bytes) => {
      const output = await expectSame({ steps: [cmd(`${dots(bytes)}; (${dots(bytes)}) >&2; exit 1`)] });
      expect(output.step_results).toMatchObject([{ stdout_bytes: bytes, truncated: bytes > 2 * SHOWN }]);
    },
  );

  test("can have a million bytes, or ten", async () => {
    await expectSame({ steps: [cmd("seq 1 200000 | head -c 1000000"), cmd("seq 1 2000000 | head -c 10000000 >&2")] });
  });

  test.each([0, 1, 2, 3])("with characters of several bytes at both cuts, moved by %i", async (shift) => {
    const long = (character: string) =>
      `printf '%0${shift}d' 0; for i in {1..5000}; do printf '${character.repeat(20)}'; done`;
    await expectSame({ steps: [cmd(long("é")), cmd(long("漢")), cmd(long("😀"))] });
  });

  test.each([1, 2, 3])("can have random bytes %i", async (seed) => {
    const random = `perl -e 'srand(${seed}); print map { chr(int(rand(256))) } 1..${seed * 60_000}'`;
    await expectSame({ steps: [cmd(`${random}; ${random} >&2`)] });
  });

  test("in many small pieces", async () => {
    await expectSame({ steps: [cmd("perl -e '$| = 1; for (1..20000) { syswrite STDOUT, \"$_ piece\\n\" }'")] });
  });
});
