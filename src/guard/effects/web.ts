// curl, wget and their kind: asking looks, sending and saving change.
import { has, hasLong, optionValue, type Parsed, parseOptions } from "../shell/options.ts";
import { isUnknown } from "../shell/symbols.ts";
import {
  changes,
  type Family,
  given,
  isFile,
  mayBeOption,
  optionTable,
  READS,
  type Rule,
  UNSURE,
  words,
} from "./effect.ts";

const SENDS = changes("sends data");
const ACTS = changes("sends a request that changes something");
const WRITES = changes("writes files");

const CURL = optionTable(
  `A b c C D d E e F H K m o P Q r T t U u w X x Y y z request data data-raw data-binary data-urlencode data-ascii json form
  upload-file header user output url user-agent cookie cookie-jar config dump-header write-out max-time connect-timeout
  resolve cacert cert key proxy trace trace-ascii stderr output-dir`,
);
const BODY = words(
  "d data data-raw data-binary data-urlencode data-ascii json F form form-string T upload-file mail-rcpt",
);
const FILES = new Set(words("o output c cookie-jar D dump-header trace trace-ascii stderr etag-save hsts libcurl"));

/** GET and its kind look, every other method changes; null where none is named. */
function methodEffect(methods: readonly (string | null)[]) {
  if (methods.length === 0) return null;
  if (methods.some((method) => method === null || isUnknown(method))) return UNSURE;
  return methods.every((method) => /^(GET|HEAD|OPTIONS|PROPFIND)$/i.test(method ?? "")) ? READS : ACTS;
}

const valuesOf = ({ options }: Parsed, ...names: readonly string[]) =>
  options.filter(({ name }) => names.includes(name)).map(({ value }) => value);

const curl: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, CURL);
  if (has(parsed, "K", "config", "Q", "quote") || parsed.operands.some(mayBeOption)) return UNSURE;
  const method = methodEffect(valuesOf(parsed, "X", "request"));
  if (method !== null && method.is !== "reads") return method;
  if (given(parsed, BODY) && method === null && !has(parsed, "G", "get")) return SENDS;
  const saves = has(parsed, "O", "remote-name", "J", "remote-header-name", "remote-name-all");
  return saves || parsed.options.some(({ name, value }) => FILES.has(name) && isFile(value)) ? WRITES : READS;
};

const WGET = optionTable(
  "O o a P U T t Q i output-document output-file append-output method post-data post-file header",
);

const wget: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, WGET);
  const method = methodEffect(valuesOf(parsed, "method"));
  if (method !== null && method.is !== "reads") return method;
  if (hasLong(parsed, "post-data", 4) || hasLong(parsed, "post-file", 4) || has(parsed, "body-data", "body-file"))
    return SENDS;
  if (has(parsed, "e", "execute", "config", "use-askpass") || parsed.operands.some(mayBeOption)) return UNSURE;
  const log = optionValue(parsed, "o", "a", "output-file", "append-output");
  if (isFile(log)) return WRITES;
  if (has(parsed, "spider", "V", "version", "h", "help")) return READS;
  const target = optionValue(parsed, "O", "output-document");
  return target !== null && !isFile(target) ? READS : WRITES;
};

/** HTTPie: `http POST url`, `http url field=value`. */
const httpie: Rule = ([, ...args]) => {
  const parsed = parseOptions(args, optionTable("a o A auth output verify timeout"));
  if (has(parsed, "d", "download", "o", "output")) return WRITES;
  const [first = "", ...rest] = parsed.operands;
  if (/^(POST|PUT|PATCH|DELETE)$/i.test(first)) return ACTS;
  const named = /^(GET|HEAD|OPTIONS)$/i.test(first);
  const items = named ? rest.slice(1) : rest;
  if (!named && items.some((item) => /[^=:]:?=(?!=)|@/.test(item))) return SENDS;
  return parsed.operands.some(mayBeOption) ? UNSURE : READS;
};

export const WEB: Family = [
  ["curl", curl],
  ["wget", wget],
  ["http https xh", httpie],
];
