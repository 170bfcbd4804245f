// Texts as agents write them into notes, and what has to be seen of each in the note (HTML): the labels are by hand.

export type Labelled = {
  readonly text: string;
  /** Parts of the HTML that is stored, where the change succeeds. */
  readonly keeps: readonly string[];
  /** The text shows nothing: an append of it changes nothing. */
  readonly is_invisible?: true;
};

const says = (text: string, ...keeps: readonly string[]): Labelled => ({ text, keeps });
const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

const PROSE: readonly Labelled[] = [
  says("one", "<p>one</p>"),
  says("Deployed web-1 at 12:30.", "Deployed web-1 at 12:30."),
  says("one\n\ntwo", "<p>one</p>", "<p>two</p>"),
  says("one\ntwo", "one", "two"),
  says("one  \ntwo", "<br"),
  says("**bold** and *italic*", "<strong>bold</strong>", "<em>italic</em>"),
  says("un**frag**ment", "un<strong>frag</strong>ment"),
  says("~~gone~~ here", "<del>gone</del>"),
  says("snake_case_name and 2 * 3 * 4", "snake_case_name", "2 * 3 * 4"),
  says("a\\_b and \\*star\\*", "a_b", "*star*"),
  says("`inline code` in text", "<code>inline code</code>"),
  says("use `a < b && c > d`", "<code>a &lt; b &amp;&amp; c &gt; d</code>"),
  says("1 < 2 and 3 > 2", "1 &lt; 2"),
  says("AT&T, R&D", "AT&amp;T"),
  says("Grüße, naïve, 日本語, עברית, Ελλάδα", "日本語", "Ελλάδα"),
  says("e\u0301tude in decomposed form", "tude"),
  says("done ✅ failed ❌ 🚀", "✅", "🚀"),
  says("price: $5 (each), 10% off", "$5 (each)"),
  says("math $a_1 + b_2$ inline", "math"),
  says("a — b … c", "a — b … c"),
  says("C:\\temp\\new", "C:\\temp\\new"),
  says("path /usr/local/bin and ~/.config", "/usr/local/bin"),
  says("\"quoted\" and 'single'", "quoted"),
  says("tab\there", "here"),
  says("   indented a little", "indented a little"),
];

const STRUCTURE: readonly Labelled[] = [
  says("# Head\n\ntext", "<h2>Head</h2>"),
  says("## Deploy\n\nDone at 12:30.", "<h2>Deploy</h2>", "<p>Done at 12:30.</p>"),
  says("### Third\n#### Fourth", "<h3>Third</h3>", "<h4>Fourth</h4>"),
  says("Head\n====\n\ntext", "<h2>Head</h2>"),
  says("Head\n----\n\ntext", "<h2>Head</h2>"),
  says("- a\n- b", "<li>a</li>", "<li>b</li>"),
  says("* a\n* b", "<li>a</li>"),
  says("+ a\n+ b", "<li>a</li>"),
  says("1. one\n1. two\n1. three", "<ol>", "<li>three</li>"),
  says("3) three\n4) four", "<ol", "<li>four</li>"),
  says("- a\n  - b\n    - c", "<ul>", "c</li>"),
  says("- a\n\n- b", "<p>a</p>"),
  says("- [x] done\n- [ ] open", "checkbox", "done"),
  says("> quoted\n> more", "<blockquote>"),
  says("> a\n>\n> > b", "<blockquote>"),
  says("before\n\n---\n\nafter", "<hr"),
  says("| a | b |\n|---|---|\n| 1 | 2 |", "<th>a</th>", "<td>2</td>"),
  says("| a | b |\n|:--|--:|\n| x | `y` |", "<code>y</code>"),
  says("| name | state |\n|---|---|\n| web-1 | **up** |\n| web-2 | down |", "<strong>up</strong>", "<td>down</td>"),
  says("2026. was a year", "was a year"),
  says("## A\n\n- one\n- two\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\ntext", "<h2>A</h2>", "<li>two</li>", "<td>1</td>"),
  says("term\n: not a definition", "not a definition"),
  says("line one\\\nline two", "line one", "line two"),
  says("a\n\n\n\n\nb", "<p>a</p>", "<p>b</p>"),
  says("10 items:\n\n10. ten\n11. eleven", "eleven"),
];

const CODE: readonly Labelled[] = [
  says(fence("", "plain"), "plain", "<pre>"),
  says(fence("bash", "ls"), "ls"),
  says(fence("js", "const a = 1;"), "const a = 1;"),
  says(fence("ts", "const a: Map<string, number> = new Map();"), "Map&lt;string, number&gt;"),
  says(fence("text", "just text"), "just text"),
  says(fence("console", "$ npm test"), "$ npm test"),
  says(fence("sql", "SELECT * FROM notes;"), "SELECT * FROM notes;"),
  says(fence("javascript", "let b;"), "let b;"),
  says(fence("yaml", "a:\n  - b"), "  - b"),
  says(fence("python", "def f():\n    return 1"), "    return 1"),
  says(fence("json", '{"a": ["b", 1]}'), '"b", 1'),
  says(fence("sh", "echo $HOME"), "echo $HOME"),
  says(fence("html", "<b>x</b>"), "&lt;b&gt;x&lt;/b&gt;"),
  says(fence("diff", "-a\n+b"), "+b"),
  says(fence("dockerfile", "FROM node:24"), "FROM node:24"),
  says(fence("c++", "std::vector<int> v;"), "std::vector&lt;int&gt; v;"),
  says(fence("bash", "# a comment\n\ncd /tmp\n\n\nls"), "cd /tmp"),
  says(fence("text", "- no list\n* none\n_x_"), "- no list", "_x_"),
  says(`Run:\n\n${fence("bash", "make")}\n\nthen look.`, "make", "<p>then look.</p>"),
  says("~~~ruby\nputs 1\n~~~", "puts 1"),
  says("    indented code", "indented code"),
  says("- item\n\n  ```bash\n  ls\n  ```", "ls"),
  says(fence("js", "`a` + /[^b]/ // &amp;"), "&amp;amp;"),
  says("``a ` b``", "a ` b"),
  says(fence("text", "<script>alert(1)</script>"), "&lt;script&gt;"),
];

const LINKS: readonly Labelled[] = [
  says("[w](https://e.x)", 'href="https://e.x"'),
  says("[w](https://e.org/A_(b))", "https://e.org/A_(b)"),
  says("see https://example.org/a_b", 'href="https://example.org/a_b"'),
  says("<https://example.org/x>", 'href="https://example.org/x"'),
  says("mail <someone@example.org>", "mailto:someone@example.org"),
  says("[a](https://e.org/?q=1&r=2)", "https://e.org/?q=1&amp;r=2"),
  says("[[wiki]] page", "wiki"),
  says("a fact[^1]\n\n[^1]: its source", "a fact", "its source"),
  says("![chart](https://e.org/c.png)", "chart"),
  says("[ref][r]\n\n[r]: https://e.org/ref", 'href="https://e.org/ref"'),
];

const HTML: readonly Labelled[] = [
  says("&lt;b&gt; and &copy; 2026", "&lt;b&gt;"),
  says("a&nbsp;b &amp; c", "&amp; c"),
  says("<u>under</u> and <kbd>Ctrl</kbd>", "<u>under</u>", "<kbd>Ctrl</kbd>"),
  says("<div>\n\n**in**\n\n</div>", "<strong>in</strong>"),
  says("line<br>two", "<br"),
  says("H<sub>2</sub>O, m<sup>2</sup>", "<sub>2</sub>"),
  says("text <!-- a comment --> more", "more"),
  { text: "<!-- only a comment -->", keeps: [], is_invisible: true },
  says("List<String> names", "List&lt;String&gt; names"),
  says("Map<String, T extends Foo> and <T extends Foo>", "&lt;T extends Foo&gt;"),
  says("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
  says("done & <ok>", "&lt;ok&gt;"),
  says('{"a": <x>}', "&lt;x&gt;"),
  says("<iframe src='https://e.org'></iframe>", "&lt;iframe"),
  says("<style>p { color: red }</style>", "color: red"),
];

/** What an application drops without a word where nothing is done about it. */
const HIDDEN: readonly Labelled[] = [
  says("Run backup <time> <label> and mail <address>", "&lt;time&gt;", "&lt;label&gt;", "&lt;address&gt;"),
  says("Set<s> of strings, then the rest", "Set&lt;s&gt; of"),
  says("Promise<p> and Array<q>, Foo<u>", "Promise&lt;p&gt;", "Array&lt;q&gt;", "Foo&lt;u&gt;"),
  says("set <input>, <img> and <summary>", "&lt;input&gt;", "&lt;img&gt;", "&lt;summary&gt;"),
  says("<address> is unknown", "&lt;address&gt; is unknown"),
  says("a </b> c", "&lt;/b&gt;"),
  says("- Box<a>\n- see <section>", "Box&lt;a&gt;", "&lt;section&gt;"),
  says("| kind | of |\n|---|---|\n| Set<i> | `<b>` |", "Set&lt;i&gt;", "&lt;b&gt;"),
  says("run <?php echo ok ?> now", "&lt;?php echo ok ?&gt;"),
  says('<?xml version="1.0"?>\n\ntext', "xml version"),
  says("a <![CDATA[hidden words]]> b", "CDATA[hidden words]"),
  says("<!DOCTYPE html>\n\ntext", "DOCTYPE html"),
  says("a <!-- never closed b c", "never closed b c"),
  says("[INFO]: started", "[INFO]: started"),
  says("deployed web-1\n\n[web-1]: ok\n[web-2]: failed", "[web-1]: ok", "[web-2]: failed"),
  says("see notes\n\n[1]: https://e.org/paper", "https://e.org/paper"),
  says("[x][r]\n\n[r]: https://e.org/one\n[r]: https://e.org/two", "https://e.org/one", "https://e.org/two"),
  says("https://e.org/a?x=<y>", "https://e.org/a?x=", "&lt;y&gt;"),
  says("the <title> tag and **bold**", "&lt;title&gt;", "<strong>bold</strong>"),
  says("<details><summary>S</summary>\n\nbody\n\n</details>", "<summary>S</summary>", "body"),
];

export const TEXTS: readonly Labelled[] = [...PROSE, ...STRUCTURE, ...CODE, ...LINKS, ...HTML, ...HIDDEN];
