// The tags that format a text. They are no words: a server may keep them, drop them, or write them as Markdown.

const BLOCKS = [
  ...["address", "article", "aside", "blockquote", "caption", "center", "col", "colgroup", "dd", "details"],
  ...["div", "dl", "dt", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr"],
  ...["li", "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"],
];

const INLINE = [
  ...[
    "a",
    "abbr",
    "b",
    "bdi",
    "bdo",
    "big",
    "br",
    "cite",
    "code",
    "del",
    "dfn",
    "em",
    "font",
    "i",
    "img",
    "input",
    "ins",
  ],
  ...[
    "kbd",
    "label",
    "mark",
    "q",
    "s",
    "samp",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "time",
    "tt",
    "u",
    "var",
  ],
  "wbr",
];

/** Text before and after one of these does not belong together. */
export const BREAKING_TAGS: ReadonlySet<string> = new Set([...BLOCKS, "br"]);

export const FORMATTING_TAGS: ReadonlySet<string> = new Set([...BLOCKS, ...INLINE]);
