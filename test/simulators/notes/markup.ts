// Markdown into the HTML that text notes are stored as, and back, with the libraries that the real servers use: as the server in
// front of the REST API does it, and as the application itself does.
import { Marked, type Tokens } from "marked";
import sanitize from "sanitize-html";
import TurndownService from "turndown";

const plain = new Marked();
const back = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });

/** Nothing is checked: a script is stored as a script. */
export const htmlOf = (markdown: string): string => plain.parse(markdown, { async: false });
export const markdownOf = (html: string): string => back.turndown(html);

/** Names of languages that the application knows, and what it stores for them. Others are stored as to be found out. */
const LANGUAGES = new Map([
  ...[
    ["javascript", "application-javascript-env-backend"],
    ["python", "text-x-python"],
    ["yaml", "text-x-yaml"],
  ],
  ...[
    ["json", "application-json"],
    ["sh", "text-x-sh"],
    ["html", "text-html"],
    ["diff", "text-x-diff"],
  ],
  ["sql", "text-x-mariadb"],
] as [string, string][]);
const UNKNOWN = "text-x-trilium-auto";

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const own = new Marked({
  renderer: {
    code: ({ text, lang = "" }: Tokens.Code) =>
      `<pre><code class="language-${LANGUAGES.get(lang) ?? UNKNOWN}">${escaped(text)}</code></pre>`,
  },
  extensions: [
    {
      name: "wiki",
      level: "inline",
      start: (text) => text.indexOf("[["),
      tokenizer: (text) => {
        const [raw, name] = /^\[\[([^\][]+)\]\]/.exec(text) ?? [];
        return raw === undefined ? undefined : { type: "wiki", raw, name };
      },
      renderer: ({ name }) => `<a class="reference-link" href="/${name}">${name}</a>`,
    },
    {
      name: "footnote",
      level: "inline",
      start: (text) => text.indexOf("[^"),
      tokenizer: (text) => {
        const [raw, name] = /^\[\^([^\]\s]+)\]/.exec(text) ?? [];
        return raw === undefined ? undefined : { type: "footnote", raw, name };
      },
      renderer: ({ name }) => `<sup><a href="#fn${name}">[${name}]</a></sup>`,
    },
  ],
});

const DROPPED: sanitize.IOptions = {
  allowedTags: [
    ...["h2", "h3", "h4", "h5", "h6", "p", "div", "br", "hr", "ul", "ol", "li", "blockquote", "pre", "code", "details"],
    ...[
      "table",
      "thead",
      "tbody",
      "tr",
      "th",
      "td",
      "a",
      "b",
      "i",
      "u",
      "s",
      "em",
      "strong",
      "del",
      "kbd",
      "sup",
      "sub",
    ],
    ...["img", "span", "summary", "input", "mark", "small", "section", "figure", "figcaption"],
  ],
  allowedAttributes: {
    a: ["href", "class", "title"],
    code: ["class"],
    img: ["src", "alt", "title"],
    input: ["type", "checked", "disabled"],
    ol: ["start"],
  },
};

/** A definition of a footnote goes to the end of the text. */
function withFootnotes(markdown: string): string {
  const notes: string[] = [];
  const text = markdown.replace(/^\[\^([^\]\s]+)\]: *(.*)$/gm, (_, name: string, words: string) => {
    notes.push(`<li><strong><a href="#fnref${name}">^</a></strong> ${own.parseInline(words, { async: false })}</li>`);
    return "";
  });
  return notes.length === 0 ? text : `${text}\n\n<ol>${notes.join("")}</ol>`;
}

/** As the application stores it: without a first heading that is the title, without the tags that it does not know, or scripts. */
export function storedOf(markdown: string, title: string): string {
  const [heading = "", words = ""] = /^# (.*)$/m.exec(markdown) ?? [];
  const body = words.trim() === title.trim() ? markdown.replace(heading, () => "") : markdown;
  const html = own.parse(withFootnotes(body), { async: false });
  return sanitize(html.replace(/<(\/?)h1\b/g, "<$1h2"), DROPPED).trim();
}

const shown = new TurndownService({
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "*",
  emDelimiter: "_",
});

/** As much of an element as the rules below read. */
type Element = {
  readonly outerHTML: string;
  readonly textContent: string;
  getAttribute(name: string): string | null;
};
const elementOf = (node: unknown): Element => node as Element;

shown.addRule("fence", {
  filter: (node) => node.nodeName === "PRE" && node.firstChild?.nodeName === "CODE",
  replacement: (_, node) => {
    const code = elementOf(node.firstChild);
    const [, stored = ""] = /language-(\S+)/.exec(code.getAttribute("class") ?? "") ?? [];
    const name = stored === UNKNOWN ? "" : stored.startsWith("application-javascript") ? "javascript" : stored;
    return `\n\n\`\`\`${name.split("-").at(-1)}\n${code.textContent}\n\`\`\`\n\n`;
  },
});
shown.addRule("reference", {
  filter: (node) => node.nodeName === "A" && node.classList.contains("reference-link"),
  replacement: (_, node) => elementOf(node).outerHTML,
});
shown.addRule("struck", { filter: ["del", "s"], replacement: (words) => `~~${words}~~` });
shown.addRule("task", {
  filter: (node) => node.nodeName === "INPUT",
  replacement: (_, node) => (elementOf(node).getAttribute("checked") === null ? "[ ]" : "[x]"),
});
const cell = (words: string): string => `| ${words.trim().replace(/\n/g, " ").replaceAll("|", "\\|")} `;
shown.addRule("cell", { filter: ["th", "td"], replacement: cell });
shown.addRule("row", {
  filter: "tr",
  replacement: (cells, node) => {
    const isHead = node.parentNode?.nodeName === "THEAD";
    const line = isHead ? `\n${"| --- ".repeat(node.childNodes.length)}|` : "";
    return `\n${cells}|${line}`;
  },
});
shown.addRule("rows", { filter: ["thead", "tbody"], replacement: (rows) => rows });
shown.addRule("table", { filter: "table", replacement: (rows) => `\n\n${rows.trim()}\n\n` });
shown.keep(["kbd", "sup", "sub", "details"]);

/** As the application gives it back. */
export const shownOf = (html: string): string => shown.turndown(html);
