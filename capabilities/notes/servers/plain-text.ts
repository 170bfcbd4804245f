// The text of a note that a server returns only as HTML. It is compared with what was written as Markdown or plain text, so
// tags must not count as words; formatting is lost.

const BREAK = /<br\s*\/?>|<\/(?:p|div|li|tr|h[1-6]|pre|blockquote)>/gi;
/** Stops at the next opening bracket, so that the work is linear in the text. */
const TAG = /<\/?[a-z][^<>]*>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

const NAMED = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

const LAST_CODE_POINT = 0x10_ffff;

export const plainTextOf = (html: string): string =>
  html
    .replace(BREAK, "\n")
    .replace(TAG, "")
    .replace(ENTITY, (entity, decimal?: string, hex?: string, name = "") => {
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      if (code <= LAST_CODE_POINT) return String.fromCodePoint(code);
      return NAMED.get(name.toLowerCase()) ?? entity;
    })
    .trim();
