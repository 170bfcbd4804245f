// Markdown into what text notes are stored as, and back: as little of it as tests need.

const ENTITIES = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&amp;", "&"],
]);
const CHARACTERS = new Map([...ENTITIES].map(([entity, character]) => [character, entity]));

const escaped = (text: string): string => text.replace(/[<>"'&]/g, (one) => CHARACTERS.get(one) ?? one);
const unescaped = (html: string): string =>
  html.replace(/&(?:lt|gt|quot|#39|amp);/g, (one) => ENTITIES.get(one) ?? one);

export const htmlOf = (markdown: string): string =>
  markdown
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph) => `<p>${escaped(paragraph.trim())}</p>\n`)
    .join("");

export const markdownOf = (html: string): string =>
  unescaped(
    html
      .replace(/<br\s*\/?>/gi, "\n")
      .replace(/<\/(?:p|div|li|h[1-6])>\s*/gi, "\n\n")
      .replace(/<\/?[a-z][^>]*>/gi, ""),
  ).trim();
