// The tags that format a text. They are no words: a server may keep them, drop them, or write them as Markdown. A tag that is never
// closed formats nothing, as in `Set<s>` and `backup <time>`: it is text, like a tag that is none of these (D-261).

const BLOCKS =
  `address article aside blockquote caption center col colgroup dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6
  header hr li main ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/);

const INLINE =
  `a abbr b bdi bdo big br cite code del dfn em font i img input ins kbd label mark q s samp small span strike strong sub sup
  time tt u var wbr`.split(/\s+/);

/** Text before and after one of these does not belong together. */
export const BREAKING_TAGS: ReadonlySet<string> = new Set([...BLOCKS, "br"]);

export const FORMATTING_TAGS: ReadonlySet<string> = new Set([...BLOCKS, ...INLINE]);

/** They have no end. */
const VOID: ReadonlySet<string> = new Set(["br", "col", "hr", "img", "input", "wbr"]);
/** Their end may be left out, within HTML. */
const MAY_STAY_OPEN: ReadonlySet<string> = new Set("colgroup dd dt li p tbody td tfoot th thead tr".split(" "));

const TAG = /<!--|<(\/?)([a-z][\w:-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/gi;

/** A piece of HTML in a text: a tag within a line, or a block of lines. */
type Piece = { readonly raw: string; readonly isBlock: boolean };
type Place = { readonly piece: number; readonly index: number };
type Open = Place & { readonly name: string };

/** For each piece, where the comments and tags in it begin that format: all others are text. */
export function keptTags(pieces: readonly Piece[]): readonly ReadonlySet<number>[] {
  const kept = pieces.map(() => new Set<number>());
  const open: Open[] = [];
  const counts = new Map<string, number>();
  const add = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  const keep = ({ piece, index }: Place) => kept[piece]?.add(index);
  const leave = (one: Open): void => {
    add(one.name, -1);
    if (pieces[one.piece]?.isBlock === true && MAY_STAY_OPEN.has(one.name)) keep(one);
  };
  const close = (name: string, piece: number, index: number): void => {
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (one.name !== name) {
        leave(one);
        continue;
      }
      add(name, -1);
      keep(one);
      keep({ piece, index });
      return;
    }
  };
  for (const [piece, { raw, isBlock }] of pieces.entries()) {
    const last = raw.lastIndexOf("-->");
    let commented = 0;
    for (const { index, 1: slash, 2: tag, 3: rest = "" } of raw.matchAll(TAG)) {
      const name = tag?.toLowerCase();
      if (index < commented) continue;
      if (name === undefined) {
        if (index >= last) continue;
        keep({ piece, index });
        commented = raw.indexOf("-->", index);
      } else if (!FORMATTING_TAGS.has(name)) continue;
      else if (VOID.has(name)) {
        if (slash === "" && isShown(name, rest, isBlock)) keep({ piece, index });
      } else if (slash === "") {
        open.push({ piece, index, name });
        add(name, 1);
      } else if ((counts.get(name) ?? 0) > 0) close(name, piece, index);
    }
  }
  for (const one of open) leave(one);
  return kept;
}

/** Without what they show, they are words in angle brackets. */
function isShown(name: string, attributes: string, isBlock: boolean): boolean {
  if (name === "img") return /\ssrc\s*=/i.test(attributes);
  if (name === "input") return /\stype\s*=\s*["']?checkbox\b/i.test(attributes);
  return name !== "col" || isBlock;
}
