// Reads HTML as a parser does: its words and the addresses of its links, or its markup. What servers write in their own way is
// set aside: names of languages, comments, tags that format, numbers of lists, footnote marks, addresses of pictures (D-262).
import { Parser } from "htmlparser2";
import { BREAKING_TAGS, FORMATTING_TAGS } from "./tags.ts";

export type TextReading = {
  readonly words: readonly string[];
  /** Of what is set aside. It may be text all the same: some servers write `&lt;b&gt;` as `<b>` when they give Markdown. */
  readonly aside: readonly string[];
  readonly addresses: readonly Address[];
};

/** `at` is the number of letters before the link. */
type Address = { readonly address: string; readonly letters: string; readonly at: number };

type Attributes = Readonly<Record<string, string>>;

/** A tag that does not format counts as the words that it is made of, because a server may drop it. */
export function readHtml(html: string): TextReading {
  const text: string[] = [];
  const aside: string[] = [];
  const links: Link[] = [];
  let footnotes = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const tag = name.toLowerCase();
        aside.push(name, " ");
        if (tag === "a" && isFootnote(attributes)) footnotes += 1;
        if (!FORMATTING_TAGS.has(tag)) text.push(" ", name, " ", ...Object.entries(attributes).flat(), " ");
        else if (BREAKING_TAGS.has(tag)) text.push(" ");
        else if (tag === "img") text.push(" ", attributes["alt"] ?? "", " ");
        else if (tag === "input" && "checked" in attributes) text.push(" x ");
        else if (tag === "a" && isAddress(attributes["href"]))
          links.push({ href: attributes["href"], part: text.length });
      },
      ontext: (data) => {
        if (footnotes === 0) text.push(data);
      },
      onclosetag: (name, isImplied) => {
        const tag = name.toLowerCase();
        if (!isImplied) aside.push(name, " ");
        if (tag === "a" && footnotes > 0) footnotes -= 1;
        if (BREAKING_TAGS.has(tag)) text.push(" ");
      },
      oncomment: (data) => void aside.push(data, " "),
      onprocessinginstruction: (_, data) => void text.push(" ", data, " "),
    },
    { lowerCaseTags: false },
  );
  parser.end(html);
  return { words: wordsOf(text.join("")), aside: wordsOf(aside.join("")), addresses: placed(links, text) };
}

type Link = { readonly href: string; readonly part: number };

/** `part` is the number of parts of the text before the link. */
function placed(links: readonly Link[], text: readonly string[]): readonly Address[] {
  let [part, at] = [0, 0];
  return links.map(({ href, part: start }) => {
    at += wordsOf(text.slice(part, start).join("")).join("").length;
    part = start;
    return { address: href, letters: lettersOf(href), at };
  });
}

/** The addresses of links and pictures that name a scheme. */
export function sourcesIn(html: string): readonly string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name, { href, src }) => {
      const address = name === "a" ? href : name === "img" ? src : undefined;
      if (isAddress(address)) found.push(address);
    },
  });
  parser.end(html);
  return found;
}

const isFootnote = ({ href = "" }: Attributes): boolean => href.startsWith("#fn");

/** A place in the same document is no address: servers add and rename them. */
const isAddress = (href: string | undefined): href is string => href !== undefined && /^[a-z][a-z\d+.-]*:/i.test(href);

const wordsOf = (text: string): readonly string[] => text.normalize("NFC").match(/[\p{L}\p{N}\p{So}]+/gu) ?? [];

function lettersOf(address: string): string {
  try {
    return wordsOf(decodeURI(address)).join("");
  } catch {
    // It has a percent sign that is none of an encoding.
    return wordsOf(address).join("");
  }
}

const KEPT: readonly string[] = ["href", "alt", "checked", "start"];

/** Tags, texts, and the attributes that a reader sees; the same for two texts of HTML that are shown alike. */
export function markupOf(html: string): string {
  const parts: string[] = [];
  let preformatted = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === "pre") preformatted += 1;
      const kept = KEPT.flatMap((key) => (key in attributes ? ` ${key}=${JSON.stringify(attributes[key])}` : []));
      parts.push(`<${name}${kept.join("")}>`);
    },
    ontext: (data) => {
      const shown = preformatted > 0 ? data : data.replace(/\s+/g, " ");
      parts.push(shown.replaceAll("<", "&lt;"));
    },
    onclosetag: (name) => {
      if (name === "pre") preformatted -= 1;
      parts.push(`</${name}>`);
    },
  });
  parser.end(html);
  return parts.join("").replace(/> </g, "><").trim();
}
