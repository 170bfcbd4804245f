// Splits a text into parts that the provider speaks; longer ones end in silence. Parts end where sentences end. Only a
// sentence that is too long for one part is cut at commas, then between words, and finally between characters.

/** In UTF-16 units after escaping. */
const LIMIT = 250;

/** `textToSpeak` is read as SSML. */
export const escapeSsml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const fits = (text: string): boolean => escapeSsml(text).length <= LIMIT;

const segments = (granularity: "sentence" | "word" | "grapheme") => {
  const segmenter = new Intl.Segmenter("ja", { granularity });
  return (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);
};

/** From coarse to fine. Code points are never cut, so no surrogate pair is. */
const CUTS: readonly ((text: string) => string[])[] = [
  segments("sentence"),
  (text) => text.split(/(?<=[、，；：・]|[,;:](?=\s))/u),
  segments("word"),
  segments("grapheme"),
  (text) => Array.from(text),
];

/** The parts in order, unescaped; none is empty or blank. */
export function splitText(text: string): string[] {
  return pack(text, 0)
    .map((part) => part.replaceAll("\n", " ").trim())
    .filter((part) => part !== "");
}

/** Joins as many pieces to a part as fit; cuts a piece that is too long more finely. */
function pack(text: string, level: number): string[] {
  if (fits(text)) return [text];
  const parts: string[] = [];
  for (const piece of CUTS[level]?.(text) ?? []) {
    const joined = (parts.at(-1) ?? "") + piece;
    if (parts.length > 0 && fits(joined)) parts[parts.length - 1] = joined;
    else parts.push(...pack(piece, level + 1));
  }
  return parts;
}
