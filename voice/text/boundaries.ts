// Finds where a text may be cut, and how well: an array with the strength of the boundary before each UTF-16 unit. Japanese and
// western text mix in one sentence, so the rules of both apply everywhere.

/** Zero is within a character. What is within brackets is weaker by one. */
const CODE_POINT = 1;
const GRAPHEME = 2;
const WORD = 3;
const PHRASE = 5;
const COMMA = 7;
const SENTENCE = 9;

const CLOSING = "」』】〕］〉》）)\\]}｝\"'”’";
/** Marks that end a sentence, with what closes after them. A western mark ends one only before a blank. */
const SENTENCE_END = new RegExp(
  `(?:[。．！？]|[!?](?=[${CLOSING}]*(?:\\s|[^\\x00-\\x7f]|$))|[.…‥](?=[${CLOSING}]*(?:\\s|$)))[。．！？!?.…‥]*[${CLOSING}]*\\s*`,
  "gu",
);
const COMMAS = new RegExp(`(?:[、，；：・]|[,;:](?=\\s)|…|[${CLOSING}])[${CLOSING}]*\\s*`, "gu");

export function boundaries(text: string): Int8Array {
  const strengths = new Int8Array(text.length + 1);
  const depths = bracketDepths(text);
  const raise = (at: number, strength: number) => {
    const weaker = strength > WORD && depths[at] !== 0 ? strength - 1 : strength;
    if ((strengths[at] ?? 0) < weaker) strengths[at] = weaker;
  };
  for (const at of startsOf(Array.from(text))) raise(at, CODE_POINT);
  for (const at of segmentStarts(text, "grapheme")) raise(at, GRAPHEME);
  for (const at of segmentStarts(text, "word")) raise(at, beginsPhrase(text, at) ? PHRASE : WORD);
  for (const at of endsOf(text, COMMAS)) raise(at, goesOnAfterQuote(text, at) ? PHRASE : COMMA);
  for (const at of endsOf(text, SENTENCE_END)) {
    if (!isAbbreviated(text, at) && !goesOnAfterQuote(text, at)) raise(at, SENTENCE);
  }
  for (let at = 1; at < text.length; at += 1) {
    if ((strengths[at] ?? 0) > GRAPHEME && isTogether(text, at)) strengths[at] = GRAPHEME;
  }
  return strengths;
}

function* startsOf(pieces: readonly string[]): Generator<number> {
  let at = 0;
  for (const piece of pieces) {
    yield at;
    at += piece.length;
  }
}

const segmentStarts = (text: string, granularity: "word" | "grapheme"): Iterable<number> =>
  Array.from(new Intl.Segmenter("ja", { granularity }).segment(text), ({ index }) => index);

const endsOf = (text: string, marks: RegExp): number[] =>
  Array.from(text.matchAll(marks), ({ index, 0: { length } }) => index + length);

/** So much of the text decides about a boundary. */
const CONTEXT = 24;
const before = (text: string, at: number): string => text.slice(Math.max(0, at - CONTEXT), at);
const after = (text: string, at: number): string => text.slice(at, at + CONTEXT);

/** Japanese puts no blank before western text. */
const ABBREVIATION =
  /(?:^|[^\p{L}]|[\p{scx=Hira}\p{scx=Kana}\p{scx=Han}])(?:Mrs?|Ms|Dr|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|Sr|Jr|St|Mt|Ave|Rd|Blvd|Inc|Ltd|Co|Corp|Dept|No|Nos|Vol|Fig|Eq|Ch|Sec|pp?|vs|etc|cf|al|approx|est|ver|e\.g|i\.e|a\.m|p\.m|Ph\.D|(?:\p{Lu}\.)*\p{Lu}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.\s*$/u;
/** The number of a list's item. */
const ITEM = /(?:^|[。．.！!？?：:]\s*)\d{1,3}\.\s*$/;

const isAbbreviated = (text: string, at: number): boolean => {
  const head = before(text, at);
  return ABBREVIATION.test(head) || ITEM.test(head);
};

const CLOSED = new RegExp(`[${CLOSING}]\\s*$`, "u");
const GOES_ON = /^(?:と|って|を|は|が|に|の|も|で|だ|な|や|か|へ|、|，|,)/;

/** Of words in hiragana most belong to the word before them. */
const beginsPhrase = (text: string, at: number): boolean => !/^\p{Script=Hiragana}/u.test(after(text, at));

/** 「…。」と言った。 */
const goesOnAfterQuote = (text: string, at: number): boolean =>
  CLOSED.test(before(text, at)) && GOES_ON.test(after(text, at));

const OPENED = /[（(「『【〔［[{｛〈《“‘]\s*$|(?:^|\s)["']$/u;
const CLOSES =
  /^[、。，．・：；！？!?,.:;…‥」』】〕］〉》）)\]}｝”’％%々ゝゞーぁぃぅぇぉっゃゅょァィゥェォッャュョ゛゜]/u;
const DIGIT = "[\\p{Nd}〇一二三四五六七八九十百千万億]";
/** Each is what stays together: the text before the cut, and after it. */
const PAIRS: readonly (readonly [RegExp, RegExp])[] = [
  // A number and its unit, or its next digit.
  [new RegExp(`${DIGIT}\\s?$`, "u"), /^\s?[\p{L}\p{N}%％‰℃℉°′″€¥￥$]/u],
  [/\p{Nd}[.,:/：．，-]$/u, /^\p{Nd}/u],
  [/(?:[¥￥$€£#№第約〒]|午前|午後|令和|平成|昭和)\s?$/u, /^\p{N}/u],
  // The parts of a date or of a time.
  [/\p{Nd}[年月時分]$/u, /^\p{Nd}/u],
];

/** Whether a reader would not expect a pause there. */
function isTogether(text: string, at: number): boolean {
  const [head, tail] = [before(text, at), after(text, at)];
  if (OPENED.test(head) || CLOSES.test(tail) || isAbbreviated(text, at)) return true;
  return PAIRS.some(([ends, begins]) => ends.test(head) && begins.test(tail));
}

const BRACKETS_PAIRS: ReadonlyMap<string, string> = new Map(
  ["「」", "『』", "（）", "()", "【】", "〔〕", "［］", "[]", "｛｝", "{}", "〈〉", "《》", "“”", "‘’"].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
);
const CLOSERS = new Set(BRACKETS_PAIRS.values());

/**
 * How deep each position of a text is within brackets and quotes. One that is never closed, or never opened, does not count. Of
 * the boundary before each UTF-16 unit.
 */
function bracketDepths(text: string): Int32Array {
  const changes = new Int32Array(text.length + 2);
  const open: { readonly at: number; readonly closer: string }[] = [];
  /** How many of those that are open each closes, so that one that closes none costs no search. */
  const wanted = new Map<string, number>();
  const count = (closer: string, by: number) => wanted.set(closer, (wanted.get(closer) ?? 0) + by);
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const closer = BRACKETS_PAIRS.get(sign);
    if (closer !== undefined) {
      open.push({ at, closer });
      count(closer, 1);
    }
    if (!CLOSERS.has(sign) || (wanted.get(sign) ?? 0) === 0) continue;
    const [opened, ...unclosed] = open.splice(open.findLastIndex((one) => one.closer === sign));
    if (opened === undefined) continue;
    for (const one of [opened, ...unclosed]) count(one.closer, -1);
    changes[opened.at + 1] = (changes[opened.at + 1] ?? 0) + 1;
    changes[at + 1] = (changes[at + 1] ?? 0) - 1;
  }
  let depth = 0;
  return changes.map((change) => {
    depth += change;
    return depth;
  });
}
