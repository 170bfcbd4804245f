import { describe, expect, test } from "vitest";
import { findingOf, textOf } from "../../../../capabilities/notes/content.ts";
import { htmlOf } from "../../../../capabilities/notes/markdown.ts";
import { cpuTimeOf } from "../../../support/cpu-time.ts";

describe("the HTML of Markdown", () => {
  test.each([
    ["# Head\n\n- a\n- b", "<h2>Head</h2>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>"],
    ["List<String> and <T extends Foo>", "<p>List&lt;String&gt; and &lt;T extends Foo&gt;</p>"],
    ["<u onclick=x()>a</u> <kbd>b</kbd>", "<p><u>a</u> <kbd>b</kbd></p>"],
    ["<script>if (a<b) x()</script>", "<p>&lt;script&gt;if (a&lt;b) x()&lt;/script&gt;</p>"],
    ["<img src=x onerror=alert(1)>", '<p><img src="x" /></p>'],
    ["[a](javascript:alert(1)) <svg onload=x>", "<p><a>a</a> &lt;svg onload=x&gt;</p>"],
    [
      "<style>p {}</style>\n\n<iframe src=x></iframe>",
      "<p>&lt;style&gt;p {}&lt;/style&gt;</p>\n<p>&lt;iframe src=x&gt;&lt;/iframe&gt;</p>",
    ],
    [
      "![a](data:image/png;base64,AA==) [z](zotero://x)",
      '<p><img src="data:image/png;base64,AA==" alt="a" /> <a href="zotero://x">z</a></p>',
    ],
    [
      '<a class="reference-link x" href="#root/a" data-note-path="root/a">A</a>',
      '<p><a class="reference-link" href="#root/a" data-note-path="root/a">A</a></p>',
    ],
    ["<!-- a comment -->", ""],
    ["a <!-- b --> c", "<p>a  c</p>"],
    ["```js\na\n\n<b>\n```", '<pre><code class="language-js">a&#10;&#10;&lt;b&gt;&#10;</code></pre>'],
  ])("keeps every word, formats, and runs nothing: %j", (markdown, html) => {
    expect(htmlOf(markdown)).toBe(html);
  });

  test("has no empty line", () => {
    for (const markdown of ["a\n\n\nb", "- a\n\n- b", "```\n\n\n\n```", "<div>\n\na\n\n\n</div>", "> a\n\n\n> b"])
      expect(htmlOf(markdown)).not.toMatch(/\n\s*\n/);
  });

  test("shows what is nested too deeply as it is", () => {
    const html = htmlOf(`${"> ".repeat(50_000)}words & <b>`);
    expect([html.slice(0, 9), html.slice(-32)]).toEqual(["<pre>&gt;", "&gt; words &amp; &lt;b&gt;</pre>"]);
  });

  test("is computed within 10 s of processor time, also for 200,000 characters without an end", () => {
    for (const unit of ["[", "[^", "![a](", "**a ", "<", "<a ", "<!--", "``a ", "&", "~~a "]) {
      const hostile = unit.repeat(200_000 / unit.length);
      const spent = cpuTimeOf(() => {
        htmlOf(hostile);
        textOf(hostile, "markdown");
      });
      expect({ unit, isFast: spent < 10_000 }).toEqual({ unit, isFast: true });
    }
  });

  test("is compared within 20 s of processor time, also for 30,000 paragraphs", () => {
    const text = Array.from(
      { length: 30_000 },
      (_, n) => `paragraph ${n} with *some* [words](https://e.org/${n})`,
    ).join("\n\n");
    const seen = { now: `one\n\n${text}`, answer: `one\n\n${text}` };
    const change = { mode: "append", content: text, form: "markdown" } as const;
    const spent = cpuTimeOf(() => expect(findingOf(change, textOf("one", "markdown"), seen)).toBe("written"));
    expect(spent).toBeLessThan(20_000);
  });
});

test("a line that only looks like the definition of a link is shown, and words between comments too", () => {
  expect(htmlOf("[INFO]: started")).toContain("[INFO]: started");
  expect(htmlOf("a\n\n[web-1]: ok\n[web-2]: failed")).toContain("[web-1]: ok\n[web-2]: failed");
  expect(htmlOf("claim[^1]\n\n[^1]: Smith")).toContain("[^1]: Smith");
  expect(htmlOf("<!-- a --> KEEP <!-- b -->")).toContain("KEEP");
  expect(htmlOf("[x][r]\n\n[r]: https://e.org/")).toContain('href="https://e.org/"');
});
