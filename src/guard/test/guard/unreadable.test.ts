// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell.
// Texts of which a reader does not see everything: here-documents that never end, invisible characters, letters that look alike.
import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";
import { inspect, judge } from "../../guard.ts";

const CONTEXT = { home: "/home/op", cwd: "/srv/app", env: {} };
const blocks = (text: string, files?: ReadonlyMap<string, string>): string[] =>
  judge(text, { ...CONTEXT, ...(files && { files }) })
    .filter(({ verdict }) => verdict === "block")
    .map(({ code, reason }) => `${code}: ${reason}`);

const NEVER_ENDS = [
  "cat > f <<EOF\na\nEOF \ntouch done",
  "cat > f <<EOF\na\n EOF\ntouch done",
  "cat > f <<EOF\na\nEOF\t\ntouch done",
  "cat > f <<-EOF\n\ta\n    EOF\ntouch done",
  "cat > f <<'EOF'\na\nEOF;\ntouch done",
  "cat > f <<EOF\na\nEOF # end\n",
  "cat > f <<EOF\na\neof\n",
  "cat > f <<EOF\nthe answer of a model ends he",
  "cat > f <<EOF",
  "cat > f <<EOF && touch done\na\n",
  "cat <<A <<B\n1\nA\n2\n",
  "if true; then cat <<EOF\nx\n  EOF\nfi\nEOF2\n",
];

const ENDS = [
  "cat > f <<EOF\na\nEOF",
  "cat > f <<EOF\na\nEOF\ntouch done",
  "cat > f <<-EOF\n\ta\n\t\tEOF\ntouch done",
  'cat > f <<"A B"\na\nA B\n',
  "cat > f <<E\\\nF\na\nEF\n",
  "cat <<A <<B\n1\nA\n2\nB\n",
  'x=$(cat <<EOF\na\nEOF\n)\necho "$x"',
  "echo '<<EOF'",
  "cat <<< EOF",
  "echo $((1 << 2))",
  "if true; then\n  cat <<EOF\nx\nEOF\nfi",
];

/** Whether bash itself warns that the end of the text ended a here-document. */
const isWarnedOf = (text: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile("/bin/bash", ["--noprofile", "--norc", "-n", "-c", text], (_error, _stdout, stderr) =>
      resolve(/here-document at line \d+ delimited by end-of-file/.test(stderr)),
    );
  });

describe("promises 3.4: a here-document that never ends", () => {
  test.each(NEVER_ENDS)("%j is blocked, as bash warns", async (text) => {
    expect(await isWarnedOf(text)).toBe(true);
    expect(blocks(text)).toEqual([expect.stringMatching(/^parse\.error: the here-document at line \d+ never ends/)]);
  });

  test.each(ENDS)("%j is not, and bash does not warn", async (text) => {
    expect(await isWarnedOf(text)).toBe(false);
    expect(blocks(text)).toEqual([]);
  });

  test("is found in a text for another shell, and in a script on disk with its line", () => {
    const text = "echo start\ncat <<EOF\na\nEOF \n";
    for (const outer of [`bash -c '${text}'`, `ssh nas '${text}'`, `eval '${text}'`, `sudo sh -c '${text}'`])
      expect(blocks(outer)).toEqual([expect.stringContaining("the here-document at line 2 never ends")]);
    expect(blocks("bash ./x.sh", new Map([["/srv/app/x.sh", text]]))).toEqual([
      expect.stringContaining("/srv/app/x.sh"),
    ]);
  });

  test("in a text that may be data only is no reason", () => {
    expect(blocks("git commit -m 'cat <<EOF'")).toEqual([]);
    expect(blocks("python3 -c 'print(\"cat <<EOF\")'")).toEqual([]);
  });
});

const INVISIBLE: readonly (readonly [string, string])[] = [
  ["test -f x\r", "line 1, column 10 has U+000D"],
  ["echo 7 > release.txt\r", "U+000D"],
  ["echo a\nls\u00a0/srv", "line 2, column 3 has U+00A0"],
  ["rm -rf build\u200b", "U+200B"],
  ["ls /srv/\u202egpj.sh", "U+202E"],
  ["ls /srv/\u2066a", "U+2066"],
  ["\ufeffls", "line 1, column 1 has U+FEFF"],
  ["ls\u3000/srv", "U+3000"],
  ["ls a\u00adb", "U+00AD"],
  ["ls\u2028rm x", "U+2028"],
  ["ls a\u2060b", "U+2060"],
  ["ls a\ufe0f", "U+FE0F"],
  ["ls a\u{e0041}", "U+E0041"],
  ["ls a\u2800b", "U+2800"],
  ["x=a\u200b; echo $x", "U+200B"],
  ["echo hi > f\u200b", "U+200B"],
  ["f\u200b() { ls; }", "U+200B"],
  ['echo "$(ls\u00a0/srv)"', "U+00A0"],
  ["echo `ls\u00a0/srv`", "U+00A0"],
  ["[[ x\u00a0= y ]]", "U+00A0"],
  ["for i in a\u00a0b; do ls; done", "U+00A0"],
  ["case x in a\u00a0) ls ;; esac", "U+00A0"],
  ["bash -c 'ls\u00a0/srv'", "U+00A0"],
  ["ls a\u0001b", "U+0001"],
];

const SEEN = [
  "echo 'a\u00a0b'",
  'echo "a\u00a0b $HOME \u200b"',
  "echo $'a\u200bb'",
  "echo '⚠\ufe0f 完了'",
  "echo 完了 ✅ Größe café",
  "cat > f <<EOF\na\u00a0b\r\nEOF",
  "cat > f <<'EOF'\n\u200b\nEOF",
  "ls # a\u00a0note",
  "ls\t-l\n\nls",
];

describe("promises 3.3: characters that are not seen", () => {
  test.each(INVISIBLE)("%j is blocked with the place and the code point", (text, words) => {
    expect(blocks(text)).toEqual([expect.stringContaining(words)]);
  });

  test.each(SEEN)("%j is allowed", (text) => {
    expect(judge(text, CONTEXT)).toEqual([]);
  });

  test("in a script on disk are asked about", () => {
    const { verdict, findings } = inspect("bash ./x.sh", {
      ...CONTEXT,
      files: new Map([["/srv/app/x.sh", "ls\r\nls\r\n"]]),
    });
    expect([verdict, findings[0]?.reason]).toEqual(["ask", expect.stringContaining("U+000D")]);
  });
});

const LOOK_ALIKE: readonly (readonly [string, string])[] = [
  ["rм -f x", "м (U+043C)"],
  ["сurl -fsS https://example.org", "с (U+0441)"],
  ["ls /srv/dаta", "а (U+0430)"],
  ["ls /srv/αpp", "α (U+03B1)"],
  ["ls 'dаta'", "а (U+0430)"],
  ["ｌｓ", "ｌ (U+FF4C)"],
  ["рѕ", "р (U+0440)"],
  ["ls \u{1d41a}pp", "(U+1D41A)"],
  ["grep -q “up” health.txt", "“ (U+201C)"],
  ["test ‘a’ = b", "‘ (U+2018)"],
  ["ls –la", "– (U+2013)"],
  ["test -f a；test -f b", "； (U+FF1B)"],
  ["ls ｜ wc", "｜ (U+FF5C)"],
];

describe("promises 3.3: letters that look like others", () => {
  test.each(LOOK_ALIKE)("%s is asked about with the letter", (text, words) => {
    const { verdict, findings } = inspect(text, CONTEXT);
    expect([verdict, findings[0]?.reason]).toEqual(["ask", expect.stringContaining(words)]);
  });

  test.each([
    "echo 'привет мир'",
    "ls /srv/дата",
    "echo Größe",
    "echo 5μs",
    "echo καλημέρα",
    "echo 日本語",
    "echo '“up”' \"a – b\"",
    "echo a – b",
  ])("%s is not", (text) => {
    expect(judge(text, CONTEXT)).toEqual([]);
  });
});
