import { describe, expect, test } from "vitest";
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

describe("a replaced text", () => {
  test("is compared by its words, since servers convert Markdown", () => {
    expect(replaced("# Plan\n\n* one\n* two", "old", "Plan\n====\n\n-   one\n-   two\n")).toBe("written");
    expect(replaced("e\u0301tude", "old", "étude")).toBe("written");
  });

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
  ])("matches the text as its server formats it: %j", (content, now) => {
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
  ])("does not match when words of it are gone, also when its server vouches for it: %j", (content, now) => {
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

  test("may be in another order, or among words of the server, only when the server vouches for it", () => {
    const [content, now] = ["a fact[^1]\n\n[^1]: its source\n\nlast", "a fact[1](#fn1)\n\nlast\n\n1.  back its source"];
    expect(replaced(content, "old", now)).toBe("otherwise");
    expect(replaced(content, "old", now, { answer: now })).toBe("written");
  });

  test("does not match when a link address or a number differs", () => {
    expect(replaced("[a](https://example.org)", "old", "[a](https://example.com)")).toBe("otherwise");
    expect(replaced("[a](https://example.org)", "old", "a", { answer: "a" })).toBe("otherwise");
    expect(replaced("in 5 days", "old", "in 6 days")).toBe("otherwise");
    expect(replaced("1.5 kg", "old", "2.5 kg")).toBe("otherwise");
  });

  test.each(["# Log\n\nbody", "Log\n===\n\nbody", "intro\n\n# Log\n\nbody"])(
    "may lose the heading that equals the title of its note, and no other: %j",
    (content) => {
      const now = content.startsWith("intro") ? "intro\n\nbody" : "body";
      expect(replaced(content, "old", now, { title: "Log" })).toBe("written");
      expect(replaced(content, "old", now, { title: "Other" })).toBe("otherwise");
      expect(appended(content, "old", `old\n\n${now}`, { title: "Log" })).toBe("written");
    },
  );

  test("does not match another text, a part of it, or a longer text", () => {
    expect(replaced("one two", "old", "one")).toBe("otherwise");
    expect(replaced("one", "old", "old one")).toBe("otherwise");
    expect(replaced("# Log", "old", "", { title: "Log" })).toBe("otherwise");
  });

  test("may be empty, and may be without words", () => {
    expect(replaced("", "old", "")).toBe("written");
    expect(replaced("---", "...", "* * *")).toBe("written");
  });
});

describe("a note that reads as before", () => {
  test("is unchanged when it says already what was sent", () => {
    expect(replaced("same", "same", "same")).toBe("unchanged");
    expect(replaced("- a\n- b", "*   a\n*   b", "*   a\n*   b")).toBe("unchanged");
    expect(replaced("<p>a</p>", "<p>a</p>\n", "<p>a</p>\n", { form: "html" })).toBe("unchanged");
    expect(replaced("let a", "let a\n", "let a\n", { form: "plain" })).toBe("unchanged");
  });

  test("was not written when it says something else, or says it in another form", () => {
    expect(replaced("one", "old", "old")).toBe("as_before");
    expect(replaced("15", "-1.5", "-1.5")).toBe("as_before");
    expect(replaced("a", "**a**", "**a**")).toBe("as_before");
    expect(replaced("a", "**a**", "**a**", { answer: "a" })).toBe("as_before");
    expect(replaced("", "old", "old")).toBe("as_before");
  });

  test("is unchanged by an append that shows nothing", () => {
    expect(appended("<!-- x -->", "one", "one", { answer: "one" })).toBe("unchanged");
    expect(appended("two", "one", "one", { answer: "one" })).toBe("as_before");
    expect(appended("two", "one two", "one two")).toBe("as_before");
  });
});

describe("a note says already what is to replace it", () => {
  const already = (form: SentChange["form"], content: string, now: string) =>
    saysAlready({ mode: "replace", form, content }, now);

  test("when a write would change nothing", () => {
    expect(already("html", "<p>a</p>", "<p>a</p>\n")).toBe(true);
    expect(already("plain", "a", "a\n")).toBe(true);
    expect(already("markdown", "- a\n- b", "- a\n- b")).toBe(true);
  });

  test("while what only reads the same may have another picture, link or style", () => {
    expect(already("html", '<img src="b.png">', '<img src="a.png">')).toBe(false);
    expect(already("markdown", "- a\n- b", "*   a\n*   b")).toBe(false);
    expect(already("markdown", "```js\na\n```", "```ts\na\n```")).toBe(false);
  });

  test("only in the same form, and without tags that may be words", () => {
    expect(already("html", "<p>a</p>", "<p><b>a</b></p>")).toBe(false);
    expect(already("plain", "\ta", "a")).toBe(false);
    expect(already("markdown", "**a**", "a")).toBe(false);
    expect(already("markdown", "<b>a</b>\n- b", "<b>a</b>\n* b")).toBe(false);
    expect(saysAlready({ mode: "append", form: "plain", content: "a" }, "a")).toBe(false);
  });
});

describe("an appended text", () => {
  test("follows the previous text", () => {
    expect(appended("two", "one", "one\n\ntwo")).toBe("written");
    expect(appended("two", "", "two")).toBe("written");
    expect(appended("two", "one two", "one two\n\ntwo")).toBe("written");
    expect(appended("---", "one", "one\n\n---")).toBe("written");
  });

  test("must not replace the previous text", () => {
    expect(appended("two", "one", "two")).toBe("otherwise");
    expect(appended("two", "one", "eno two")).toBe("otherwise");
  });

  test("may be among those of other writers where that is allowed", () => {
    const now = "one\n\ntheirs\n\ntwo\n\nmore";
    expect(appended("two", "one", now)).toBe("otherwise");
    expect(appended("two", "one", now, { may_have_others: true })).toBe("written");
    expect(appended("three", "one", now, { may_have_others: true })).toBe("otherwise");
    // Its letters are in a word of another writer.
    expect(appended("or", "one", now, { may_have_others: true })).toBe("otherwise");
  });
});

describe("an appended link", () => {
  const others = { may_have_others: true };

  test("does not match without its address, also where other writers append", () => {
    const sent = "see [chat](zotero://x)";
    for (const over of [{}, others, { ...others, answer: "so far\n\nsee chat" }]) {
      expect(appended(sent, "so far", "so far\n\nsee chat", over)).toBe("otherwise");
      expect(appended(sent, "so far", "so far\n\nsee [chat](zotero://x)", over)).toBe("written");
    }
  });

  test("does not match by the address of a link that was there before", () => {
    const before = "[one](https://e.org/)";
    expect(appended("[two](https://e.org/)", before, `${before}\n\ntwo`, others)).toBe("otherwise");
    expect(appended("[two](https://e.org/)", before, `${before}\n\n[two](https://e.org/)`, others)).toBe("written");
  });
});

describe("a text that is appended to a note that another writer has just replaced", () => {
  const others = { may_have_others: true };

  test("was written when the server says so and it is the end of the note", () => {
    const now = "theirs\n\nmine";
    expect(appended("mine", "so far", now, { ...others, answer: now })).toBe("written");
    expect(appended("mine", "so far", now, { ...others, is_confirmed: true })).toBe("written");
    const html = { ...others, form: "html", is_confirmed: true } as const;
    expect(appended("<p>mine</p>", "<p>so far</p>", "<p>theirs</p><p>mine</p>", html)).toBe("written");
    const plain = { ...others, form: "plain", is_confirmed: true } as const;
    expect(appended("mine", "so far", "theirs\nmine", plain)).toBe("written");
  });

  test("is not verified when the server has not said so, when it is not the end, or when it is all that is left", () => {
    expect(appended("mine", "so far", "theirs\n\nmine", others)).toBe("otherwise");
    expect(appended("mine", "so far", "mine, not theirs", { ...others, is_confirmed: true })).toBe("otherwise");
    expect(appended("mine", "so far", "mine", { ...others, is_confirmed: true })).toBe("otherwise");
    expect(appended("mine", "so far", "theirs\n\nmine", { is_confirmed: true })).toBe("otherwise");
  });
});

describe("a text as HTML", () => {
  const html = { form: "html" } as const;

  test("is compared as a parser reads it, and not by its words only", () => {
    expect(replaced("<ul><li>a</li></ul>", "old", "<ul>\n<li>a</li>\n</ul>\n", html)).toBe("written");
    expect(replaced("<ul><li>a</li></ul>", "old", "<p>- a</p>", html)).toBe("otherwise");
    expect(replaced("<p>&lt;b&gt; x</p>", "old", "<p><b> x</b></p>", html)).toBe("otherwise");
    expect(replaced('<a href="https://e.org">x</a>', "old", '<a href="https://e.com">x</a>', html)).toBe("otherwise");
  });

  test("is appended as it was sent", () => {
    expect(appended("<p>two</p>", "<p>one</p>", "<p>one</p><p>two</p>", html)).toBe("written");
    expect(appended("<ul><li>two</li></ul>", "<p>one</p>", "<p>one</p><p>- two</p>", html)).toBe("otherwise");
    expect(appended("<p>two</p>", "<p>one</p>", "<p>two</p>", html)).toBe("otherwise");
  });
});

describe("a text that is code", () => {
  const plain = { form: "plain" } as const;

  test("keeps every character but the empty space at its end", () => {
    expect(replaced("\tif (a < b)\n", "x", "\tif (a < b)", plain)).toBe("written");
    expect(replaced("\tif (a < b)", "x", "if (a < b)", plain)).toBe("otherwise");
  });

  test("is appended on a line of its own", () => {
    expect(appended("two", "one", "one\ntwo", plain)).toBe("written");
    expect(appended("\ttwo", "one\n", "one\n\ttwo", plain)).toBe("written");
    expect(appended("two", "one", "onetwo", plain)).toBe("otherwise");
    expect(appended("\ttwo", "one", "one\ntwo", plain)).toBe("otherwise");
    expect(appended("two", "one", "one\ntheirs\ntwo\nmore", { ...plain, may_have_others: true })).toBe("written");
  });
});

test("the words and addresses that are missing are named once, and none of code", () => {
  expect(missingIn({ content: "a <ok> b <ok>", form: "markdown" }, "a b")).toEqual(["ok"]);
  expect(missingIn({ content: "a <ok>", form: "plain" }, "a")).toEqual([]);
  expect(missingIn({ content: "a [b](zotero://x)", form: "markdown" }, "a b")).toEqual(["zotero://x"]);
});

test("the record of a text does not reveal it", () => {
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(textOf("a1!", "markdown")).toEqual({ digest, length: 2, compared_digest: digest });
});
