// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash expands its variables in the same way
// What the flow's script keeps of what a step writes is what the local backend keeps, to the byte.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
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

describe.concurrent("a secret", () => {
  const token = "0123456789-the/secret+9876 543210!";
  const secrets = [token];
  // The commands themselves do not hold it: those are the caller's own words, and the local backend gives them as they are.
  const furnish = (home: string) => writeFile(join(home, "secret"), token);
  const secret = "secret=$(cat secret);";

  test.each([
    "cat secret",
    'echo "x${secret}y$secret$secret" >&2; exit 1',
    'echo -n "$secret" | base64; echo -n "u:$secret" | base64 -w 20; echo -n "ab$secret" | base64 -w 0',
    'echo -n "$secret" | perl -pe \'s/([^\\w.~-])/sprintf("%%%02X", ord $1)/ge\'',
    'echo -n "$secret" | perl -pe \'s/([^\\w.~!-])/sprintf("%%%02x", ord $1)/ge\'',
    'echo -n "${secret:0:10}"; sleep 0.1; echo "${secret:10}"',
    'echo "{\\"a\\": \\"${secret//\\//\\\\/}\\"}"',
    'echo "[redacted]$secret[redacted"',
  ])("is taken out: %s", async (script) => {
    const output = await expectSame({ steps: [cmd(`${secret} ${script}`)], furnish, token, secrets });
    expect(JSON.stringify(output.step_results)).toMatch(/\[redacted\]/);
    expect(JSON.stringify(output.step_results)).not.toContain(token);
  });

  test.each([0, 1, 17, token.length - 1, token.length])("is taken out at both cuts, %i bytes beyond", async (shift) => {
    const script = `${dots(SHOWN - shift)}; cat secret; ${dots(100_000)}; cat secret; ${dots(SHOWN - shift)}`;
    await expectSame({ steps: [cmd(script), cmd(`${script} | base64`)], furnish, token, secrets });
  });

  test("that is the password of a URL is taken out as well", async () => {
    const url = "http://someone:pass%2Fword%20123@127.0.0.1:59999/mcp";
    const steps = [cmd('a=pass; b=word; echo $a/$b 123 $a%2F$b%20123; printf "someone:$a/$b 123" | base64')];
    const output = await expectSame({ steps, url, secrets: ["pass/word 123", "pass%2Fword%20123"] });
    expect(output.step_results[0]?.stdout).not.toMatch(/word/);
  });

  test("that is shorter than a word is left, for it would hide words", async () => {
    await expectSame({ steps: [cmd("echo secret")], token: "secret", secrets: ["secret"] });
  });
});
