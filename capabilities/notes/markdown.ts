// Converts Markdown to the HTML of a text note, for servers that take HTML (D-261). Tags that format are kept; every other tag
// is text, so that no word of it is lost and nothing of it runs.
import { Marked, type Tokens } from "marked";
import sanitize from "sanitize-html";
import { lexed } from "./kept-markdown.ts";
import { sourcesIn } from "./reading.ts";
import { FORMATTING_TAGS } from "./tags.ts";

const marked = new Marked();

const STARTS_A_BLOCK =
  /^\s*<\/?(?:address|article|aside|blockquote|details|div|dl|figure|footer|h[1-6]|header|hr|main|ol|p|pre|section|summary|table|ul)\b/i;

const ONE_COMMENT = /^\s*<!--(?:(?!-->)[\s\S])*-->\s*$/;

/** As it would be shown, with every tag that formats. Only to be read. */
export const rawHtmlOf = (markdown: string): string => parsed(marked, markdown);

/** What is nested deeper than the parser can follow is shown as it is. */
function parsed(parser: Marked, markdown: string): string {
  try {
    return parser.parser(lexed(markdown).tokens);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `<pre>${markdown.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`;
  }
}

const safely = new Marked({
  renderer: {
    html: ({ text, block }) => {
      if (block && ONE_COMMENT.test(text)) return "";
      return block && !STARTS_A_BLOCK.test(text) ? `<p>${text}</p>\n` : text;
    },
    // The title of the note is its heading of the first level.
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.max(2, depth);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
  },
});

/** Links into them are kept, and a link that runs something is not. */
const OTHER_PROGRAMS = ["evernote", "obsidian", "onenote", "slack", "vscode", "zotero"];

export const SCHEMES: readonly string[] = [
  ...["http", "https", "ftp", "file", "mailto", "tel", "sms", "git", "ssh", "magnet"],
  ...OTHER_PROGRAMS,
];
export const PICTURE_SCHEMES: readonly string[] = ["http", "https", "data"];

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
  allowedSchemes: [...SCHEMES],
  allowedSchemesByTag: { img: [...PICTURE_SCHEMES] },
  disallowedTagsMode: "escape",
};

/** Without an empty line: one of these servers reads what follows an empty line as Markdown. */
export const htmlOf = (markdown: string): string =>
  sanitize(parsed(safely, markdown), SAFE)
    .trim()
    .replace(/<pre\b[\s\S]*?<\/pre>/g, (code) => code.replaceAll("\n", "&#10;"))
    .replace(/\n\s*\n/g, "\n");

/** Addresses of links and pictures that are none in the HTML of a note, such as those that run something. */
export function droppedAddresses(markdown: string): readonly string[] {
  const kept = new Set(sourcesIn(htmlOf(markdown)));
  return sourcesIn(rawHtmlOf(markdown)).filter((address) => !kept.has(address));
}
