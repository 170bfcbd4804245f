// Converts Markdown to the HTML of a text note, for servers that take HTML (D-261). Tags that format are kept; every other tag
// is text, so that no word of it is lost and nothing of it runs.
import { Marked, type MarkedExtension } from "marked";
import sanitize from "sanitize-html";
import { FORMATTING_TAGS } from "./tags.ts";

const DEFINES_ADDRESS = /^ {0,3}\[[^\]\n]+\]:\s*<?(?:[a-z][a-z0-9+.-]*:|[/.#])/i;

/** A definition of a link is not shown, and lines such as `[INFO]: started` look like one: here only an address defines one. */
const FEWER_DEFINITIONS: MarkedExtension = {
  tokenizer: { def: (text) => (DEFINES_ADDRESS.test(text) ? false : undefined) },
};

const marked = new Marked(FEWER_DEFINITIONS);

const STARTS_A_BLOCK =
  /^\s*<\/?(?:address|article|aside|blockquote|details|div|dl|figure|footer|h[1-6]|header|hr|main|ol|p|pre|section|summary|table|ul)\b/i;

/** Where a tag begins that does not format. */
const NO_FORMAT = new RegExp(`<(?!!--|/?(?:${[...FORMATTING_TAGS].join("|")})(?![\\w:-]))`, "gi");

const ONE_COMMENT = /^\s*<!--(?:(?!-->)[\s\S])*-->\s*$/;

/** What is between these is no HTML. */
const IS_RAW = /^\s*<(?:script|style|textarea)\b/i;

/** As it would be shown, with every tag. Only to be read. */
export const rawHtmlOf = (markdown: string): string => parsed(marked, markdown);

/** What is nested deeper than the parser can follow is shown as it is. */
function parsed(parser: Marked, markdown: string): string {
  try {
    return parser.parse(markdown, { async: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `<pre>${markdown.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`;
  }
}

const safely = new Marked(FEWER_DEFINITIONS, {
  renderer: {
    html: ({ text, block }) => {
      if (block && ONE_COMMENT.test(text)) return "";
      const kept = text.replace(IS_RAW.test(text) ? /</g : NO_FORMAT, "&lt;");
      return block && !STARTS_A_BLOCK.test(kept) ? `<p>${kept}</p>\n` : kept;
    },
  },
  walkTokens: (token) => {
    // The title of the note is its heading of the first level.
    if (token.type === "heading" && token.depth === 1) token.depth = 2;
  },
});

/** Links into them are kept, and a link that runs something is not. */
const OTHER_PROGRAMS = ["evernote", "obsidian", "onenote", "slack", "vscode", "zotero"];

const SAFE: sanitize.IOptions = {
  allowedTags: [...FORMATTING_TAGS],
  allowedAttributes: {
    a: ["href", "title", "data-note-path"],
    img: ["src", "alt", "title", "width", "height"],
    code: ["class"],
    input: [{ name: "type", multiple: false, values: ["checkbox"] }, "checked", "disabled"],
    ol: ["start"],
    td: ["align", "colspan", "rowspan"],
    th: ["align", "colspan", "rowspan"],
  },
  // Links to other notes, and formulas, are known to the application by their class.
  allowedClasses: { code: ["language-*"], a: ["reference-link"], span: ["math-tex"] },
  allowedSchemes: ["http", "https", "ftp", "file", "mailto", "tel", "sms", "git", "ssh", "magnet", ...OTHER_PROGRAMS],
  allowedSchemesByTag: { img: ["http", "https", "data"] },
  disallowedTagsMode: "escape",
};

/** Without an empty line: one of these servers reads what follows an empty line as Markdown. */
export const htmlOf = (markdown: string): string =>
  sanitize(parsed(safely, markdown), SAFE)
    .trim()
    .replace(/<pre\b[\s\S]*?<\/pre>/g, (code) => code.replaceAll("\n", "&#10;"))
    .replace(/\n\s*\n/g, "\n");
