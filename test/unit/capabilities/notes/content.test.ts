import { expect, test } from "vitest";
import { findingOf, missingIn, type SentChange, saysAlready, textOf } from "../../../../capabilities/notes/content.ts";

type Over = Partial<SentChange> & { readonly answer?: string; readonly is_confirmed?: boolean };

function finding(mode: SentChange["mode"], content: string, before: string, now: string, over: Over = {}) {
  const { answer = null, is_confirmed = false, form = "markdown", ...more } = over;
  return findingOf({ mode, content, form, ...more }, textOf(before, form), { now, answer, is_confirmed });
}
const replaced = (content: string, before: string, now: string, over?: Over) =>
  finding("replace", content, before, now, over);
const appended = (content: string, before: string, now: string, over?: Over) =>
  finding("append", content, before, now, over);

test.each([
  ["see https://example.org/a_b", "see [https://example.org/a\\_b](https://example.org/a_b)"],
  ["see www.example.org", "see [www.example.org](http://www.example.org)"],
  ["to a@example.org", "to [a@example.org](mailto:a@example.org)"],
  ["1. one\n1. two\n1. three", "1. one\n2. two\n3. three"],
  ["> 3) one\n> 3) two", "> 3. one\n> 4. two"],
  ["```bash\nls\n```", "```\nls\n```"],
  ["```sql\nSELECT 1\n```", "```mariadb\nSELECT 1\n```"],
  ["&lt;i&gt; &copy;", "\\<i> ©"],
  ["[[wiki]] page", '<a class="reference-link" href="/wiki">wiki</a> page'],
  ["<u>under</u> <kbd>Ctrl</kbd>", "under <kbd>Ctrl</kbd>"],
  ["<div>\n\n**in**\n\n</div>", "**in**"],
  ["[w](https://e.org/A_(b))", "[w](https://e.org/A_\\(b\\))"],
  ["text <!-- a comment --> more", "text more"],
])("a text matches as its server formats it: %j", (content, now) => {
  expect(replaced(content, "old", now)).toBe("written");
  expect(appended(content, "old", `old\n\n${now}`)).toBe("written");
  expect(replaced(content, "old", `${now} more`)).toBe("otherwise");
});

test.each([
  ["List<String> names", "List names"],
  ["done & <ok>", "done &"],
  ["<script>alert(1)</script>\n\nhi", "hi"],
  ["<T extends Foo> x", "x"],
  ["done ✅", "done"],
])("a text does not match when words of it are gone, also when its server vouches for it: %j", (content, now) => {
  expect(replaced(content, "old", now)).toBe("otherwise");
  expect(replaced(content, "old", now, { answer: now })).toBe("otherwise");
  expect(
    appended(
      content,
      "String ok script alert 1 T extends Foo ✅",
      `String ok script alert 1 T extends Foo ✅\n\n${now}`,
      { answer: now },
    ),
  ).toBe("otherwise");
});

const FOOTNOTE = "a fact[^1]\n\n[^1]: its source\n\nlast";
const AS_SHOWN = "a fact[1](#fn1)\n\nlast\n\n1.  back its source";
const titled = { title: "Log" };
const html = { form: "html" } as const;
const plain = { form: "plain" } as const;
const LIST = "<ul><li>a</li></ul>";
const EORG = "[two](https://e.org/)";

test.each([
  ["is compared by its words", replaced("# P\n\n* one\n* two", "old", "P\n====\n\n-   one\n-   two\n"), "written"],
  ["is compared by its composed letters", replaced("e\u0301tude", "old", "étude"), "written"],
  ["is in another order", replaced(FOOTNOTE, "old", AS_SHOWN), "otherwise"],
  ["is in another order, and vouched for", replaced(FOOTNOTE, "old", AS_SHOWN, { answer: AS_SHOWN }), "written"],
  ["has another address", replaced("[a](https://e.org)", "old", "[a](https://e.com)"), "otherwise"],
  ["has no address, though vouched for", replaced("[a](https://e.org)", "old", "a", { answer: "a" }), "otherwise"],
  ["has another number", replaced("in 5 days", "old", "in 6 days"), "otherwise"],
  ["has another fraction", replaced("1.5 kg", "old", "2.5 kg"), "otherwise"],
  ["lost the heading that is its title", replaced("# Log\n\nbody", "old", "body", titled), "written"],
  ["lost the underlined one", replaced("Log\n===\n\nbody", "old", "body", titled), "written"],
  ["lost it in the middle", replaced("intro\n\n# Log\n\nbody", "old", "intro\n\nbody", titled), "written"],
  ["lost another heading", replaced("# Log\n\nbody", "old", "body", { title: "Other" }), "otherwise"],
  ["lost all that it was", replaced("# Log", "old", "", titled), "otherwise"],
  ["is there in part", replaced("one two", "old", "one"), "otherwise"],
  ["is there with more", replaced("one", "old", "old one"), "otherwise"],
  ["is empty", replaced("", "old", ""), "written"],
  ["has no words", replaced("---", "...", "* * *"), "written"],
  ["was there already", replaced("same", "same", "same"), "unchanged"],
  ["was there in the form of the server", replaced("- a\n- b", "*   a\n*   b", "*   a\n*   b"), "unchanged"],
  ["was there already as HTML", replaced("<p>a</p>", "<p>a</p>\n", "<p>a</p>\n", html), "unchanged"],
  ["was there already as code", replaced("let a", "let a\n", "let a\n", plain), "unchanged"],
  ["is not there, but what was", replaced("one", "old", "old"), "as_before"],
  ["is not there, but the same digits", replaced("15", "-1.5", "-1.5"), "as_before"],
  ["is not there, but another style", replaced("a", "**a**", "**a**"), "as_before"],
  ["is said to be there, in another style", replaced("a", "**a**", "**a**", { answer: "a" }), "as_before"],
  ["is empty, and the note is not", replaced("", "old", "old"), "as_before"],
  ["as HTML has other blanks", replaced(LIST, "old", "<ul>\n<li>a</li>\n</ul>\n", html), "written"],
  ["as HTML has other tags", replaced(LIST, "old", "<p>- a</p>", html), "otherwise"],
  ["as HTML has a tag for a word", replaced("<p>&lt;b&gt; x</p>", "old", "<p><b> x</b></p>", html), "otherwise"],
  [
    "as HTML has another address",
    replaced('<a href="//e.org">x</a>', "old", '<a href="//e.com">x</a>', html),
    "otherwise",
  ],
  ["as code lacks the blanks at its end", replaced("\tif (a < b)\n", "x", "\tif (a < b)", plain), "written"],
  ["as code lacks those at its beginning", replaced("\tif (a < b)", "x", "if (a < b)", plain), "otherwise"],
])("a text that replaces another %s: %s", (_, found, wanted) => expect(found).toBe(wanted));

const others = { may_have_others: true };
const NOW = "one\n\ntheirs\n\ntwo\n\nmore";
const CHAT = "see [chat](zotero://x)";
const seenIn = (now: string, over: Over) => appended(CHAT, "so far", `so far\n\n${now}`, over);
const mine = (now: string, over: Over) => appended("mine", "so far", now, over);
const confirmed = { ...others, is_confirmed: true };

test.each([
  ["follows what was there", appended("two", "one", "one\n\ntwo"), "written"],
  ["is in an empty note", appended("two", "", "two"), "written"],
  ["was there before as well", appended("two", "one two", "one two\n\ntwo"), "written"],
  ["has no words", appended("---", "one", "one\n\n---"), "written"],
  ["replaces what was there", appended("two", "one", "two"), "otherwise"],
  ["follows something else", appended("two", "one", "eno two"), "otherwise"],
  ["shows nothing", appended("<!-- x -->", "one", "one", { answer: "one" }), "unchanged"],
  ["is not there", appended("two", "one", "one", { answer: "one" }), "as_before"],
  ["is not there again", appended("two", "one two", "one two"), "as_before"],
  ["lost the heading that is its title", appended("# Log\n\nbody", "old", "old\n\nbody", titled), "written"],
  ["is among those of others", appended("two", "one", NOW), "otherwise"],
  ["is among those of others, which is allowed", appended("two", "one", NOW, others), "written"],
  ["is not among those of others", appended("three", "one", NOW, others), "otherwise"],
  ["is in a word of another", appended("or", "one", NOW, others), "otherwise"],
  ["lost its address", seenIn("see chat", {}), "otherwise"],
  ["lost its address, among others", seenIn("see chat", others), "otherwise"],
  ["lost its address, vouched for", seenIn("see chat", { ...others, answer: "so far\n\nsee chat" }), "otherwise"],
  ["has its address", seenIn(CHAT, {}), "written"],
  ["has its address, among others", seenIn(CHAT, others), "written"],
  [
    "has an address from before",
    appended(EORG, "[one](https://e.org/)", "[one](https://e.org/)\n\ntwo", others),
    "otherwise",
  ],
  [
    "has an address of its own",
    appended(EORG, "[one](https://e.org/)", `[one](https://e.org/)\n\n${EORG}`, others),
    "written",
  ],
  [
    "ends a replaced note, as the server says",
    mine("theirs\n\nmine", { ...others, answer: "theirs\n\nmine" }),
    "written",
  ],
  ["ends a replaced note, confirmed", mine("theirs\n\nmine", confirmed), "written"],
  ["ends a replaced note, unconfirmed", mine("theirs\n\nmine", others), "otherwise"],
  ["does not end it", mine("mine, not theirs", confirmed), "otherwise"],
  ["is all that is left", mine("mine", confirmed), "otherwise"],
  ["ends it where there are no others", mine("theirs\n\nmine", { is_confirmed: true }), "otherwise"],
  ["ends a replaced one of code", mine("theirs\nmine", { ...confirmed, ...plain }), "written"],
  [
    "ends a replaced one of HTML",
    appended("<p>m</p>", "<p>s</p>", "<p>t</p><p>m</p>", { ...confirmed, ...html }),
    "written",
  ],
  ["as HTML follows", appended("<p>two</p>", "<p>one</p>", "<p>one</p><p>two</p>", html), "written"],
  [
    "as HTML has other tags",
    appended("<ul><li>two</li></ul>", "<p>one</p>", "<p>one</p><p>- two</p>", html),
    "otherwise",
  ],
  ["as HTML replaces", appended("<p>two</p>", "<p>one</p>", "<p>two</p>", html), "otherwise"],
  ["as code is on a line of its own", appended("two", "one", "one\ntwo", plain), "written"],
  ["as code keeps its blanks", appended("\ttwo", "one\n", "one\n\ttwo", plain), "written"],
  ["as code is on the same line", appended("two", "one", "onetwo", plain), "otherwise"],
  ["as code lost its blanks", appended("\ttwo", "one", "one\ntwo", plain), "otherwise"],
  ["as code is among others", appended("two", "one", "one\ntheirs\ntwo\nmore", { ...plain, ...others }), "written"],
])("a text that is appended %s: %s", (_, found, wanted) => expect(found).toBe(wanted));

test.each<[string, SentChange["form"], string, string, boolean]>([
  ["the same HTML", "html", "<p>a</p>", "<p>a</p>\n", true],
  ["the same code", "plain", "a", "a\n", true],
  ["the same Markdown", "markdown", "- a\n- b", "- a\n- b", true],
  ["another picture", "html", '<img src="b.png">', '<img src="a.png">', false],
  ["another bullet", "markdown", "- a\n- b", "*   a\n*   b", false],
  ["another language", "markdown", "```js\na\n```", "```ts\na\n```", false],
  ["another style as HTML", "html", "<p>a</p>", "<p><b>a</b></p>", false],
  ["other blanks in code", "plain", "\ta", "a", false],
  ["another style", "markdown", "**a**", "a", false],
  ["tags that may be words", "markdown", "<b>a</b>\n- b", "<b>a</b>\n* b", false],
])(
  "a note says already what is to replace it only where a write would change nothing: %s",
  (_, form, content, now, is) => {
    expect(saysAlready({ mode: "replace", form, content }, now)).toBe(is);
    expect(saysAlready({ mode: "append", form, content }, now)).toBe(false);
  },
);

test("the words and addresses that are missing are named once, and none of code", () => {
  expect(missingIn({ content: "a <ok> b <ok>", form: "markdown" }, "a b")).toEqual(["ok"]);
  expect(missingIn({ content: "a <ok>", form: "plain" }, "a")).toEqual([]);
  expect(missingIn({ content: "a [b](zotero://x)", form: "markdown" }, "a b")).toEqual(["zotero://x"]);
});

test("the record of a text does not reveal it", () => {
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(textOf("a1!", "markdown")).toEqual({ digest, length: 2, compared_digest: digest });
});
