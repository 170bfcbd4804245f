import { describe, expect, test } from "vitest";
import { keptMarkdown } from "../../../../capabilities/notes/kept-markdown.ts";
import { droppedAddresses, htmlOf } from "../../../../capabilities/notes/markdown.ts";

describe("Markdown for a note", () => {
  test.each([
    ["Run backup <time> <label>", "Run backup &lt;time> &lt;label>"],
    ["Set<s> of Promise<p>", "Set&lt;s> of Promise&lt;p>"],
    ["List<String> and <T extends Foo>", "List&lt;String> and &lt;T extends Foo>"],
    ["a </b> c <b/> d", "a &lt;/b> c &lt;b/> d"],
    ["<b>x <i>y</b>", "<b>x &lt;i>y</b>"],
    ["<img> <input> <col>", "&lt;img> &lt;input> &lt;col>"],
    ["<address> is unknown", "&lt;address> is unknown"],
    ["run <?php echo ok ?> now", "run &lt;?php echo ok ?> now"],
    ["a <![CDATA[words]]> b", "a &lt;![CDATA[words]]> b"],
    ["<!-- never closed", "&lt;!-- never closed"],
    ["<script>if (a<b) x()</script>", "&lt;script>if (a&lt;b) x()&lt;/script>"],
    ["> quote <x>\n\n1. item <y>", "> quote &lt;x>\n\n1. item &lt;y>"],
    ["| a<x> |\n|---|\n| b<y> |", "| a&lt;x> |\n|---|\n| b&lt;y> |"],
    ["[a <x>](<u v>) <y>", "[a &lt;x>](<u v>) &lt;y>"],
    ["https://e.org/?x=<y>", "https://e.org/?x= &lt;y>"],
    ["[INFO]: started", "\\[INFO]: started"],
    ["text\n\n[1]: https://e.org/", "text\n\n\\[1]: https://e.org/"],
    ["[x][R]\n\n[r]: https://e.org/\n[r]: https://e.org/2", "[x][R]\n\n[r]: https://e.org/\n\\[r]: https://e.org/2"],
    ["- [ ] a\n- [x] b\n\n[c]: d", "- [ ] a\n- [x] b\n\n\\[c]: d"],
  ])("has as text what would be dropped: %j", (markdown, kept) => {
    expect(keptMarkdown(markdown)).toBe(kept);
    expect(keptMarkdown(kept)).toBe(kept);
  });

  test.each([
    "<u>a</u> <kbd>b</kbd> line<br>two",
    "<details><summary>S</summary>\n\nbody\n\n</details>",
    "<ul><li>a<li>b</ul>",
    '<img src="x.png"> <input type="checkbox" checked>',
    "`<time>` and\n\n```html\n<time>\n```",
    "a <!-- b --> c",
    "<https://e.org> and <a@e.org>",
    "1 < 2 and \\<time>",
    "[r] and ![i][]\n\n[r]: https://e.org/\n[i]: /c.png",
    "a fact[^1]\n\n[^1]: Smith",
  ])("is as it was where nothing would be dropped: %j", (markdown) => {
    expect(keptMarkdown(markdown)).toBe(markdown);
  });

  test("may be nested deeper than it can be read", () => {
    const deep = `${"> ".repeat(50_000)}<x>`;
    expect(keptMarkdown(deep)).toBe(deep);
  });
});

test("the HTML of a text has the words of tags that are never closed", () => {
  expect(htmlOf("Run backup <time> <label>")).toBe("<p>Run backup &lt;time&gt; &lt;label&gt;</p>");
  expect(htmlOf("see notes\n\n[1]: https://e.org/paper")).toContain("[1]: ");
});

test("addresses that a note does not keep are found in links, in pictures and in tags, and not in code", () => {
  const markdown =
    '[a](irc://h/x) ![b](file:///p) <a href="javascript:x()">c</a> <smb://h> `<irc://y>` [d](https://e.org) [e](#f)';
  expect(droppedAddresses(markdown)).toEqual(["irc://h/x", "file:///p", "javascript:x()", "smb://h"]);
  expect(droppedAddresses("[a](obsidian://open?x=1&y) ![b](data:image/png;base64,AA==) [c](tel:1)")).toEqual([]);
});
