// Holds the records of `curl`, `wget` and their kind: asking looks, sending and saving change.
import type { Program } from "../../interpreter/machine.ts";
import { has, hasLong, optionTable, optionValue, optionValues, parseOptions, words } from "../../words/options.ts";
import { isUnknown, SOME, UNKNOWN } from "../../words/symbols.ts";
import type { Effect, ProgramRecord, StayRule } from "../record.ts";
import { byOptions, given, isFile, mayBeOption, SENDING, WRITING } from "../rules/effects.ts";

/** What is saved is on this machine. */
const onlySaves: StayRule = (_argv, why) => why === "writes files";

const SENDS = { changes: "sends data" };

const ACTS = { changes: "sends a request that changes something" };

const WRITES = { changes: "writes files" };

const BODY = words(
  "d data data-raw data-binary data-urlencode data-ascii json F form form-string T upload-file mail-rcpt",
);

const SAVING = new Set(words("o output c cookie-jar D dump-header trace trace-ascii stderr etag-save hsts libcurl"));

/** GET and its kind look, every other method changes; null where none is named. */
function methodEffect(methods: readonly (string | null)[]): Effect | null {
  if (methods.length === 0) return null;
  if (methods.some((method) => method === null || isUnknown(method))) return "unknown";
  return methods.every((method) => /^(GET|HEAD|OPTIONS|PROPFIND)$/i.test(method ?? "")) ? "reads" : ACTS;
}

const curlEffect = byOptions(
  `A b c C D d E e F H K m o P Q r T t U u w X x Y y z request data data-raw data-binary data-urlencode data-ascii json form
  upload-file header user output url user-agent cookie cookie-jar config dump-header write-out max-time connect-timeout
  resolve cacert cert key proxy trace trace-ascii stderr output-dir`,
  (parsed) => {
    if (has(parsed, "K", "config", "Q", "quote") || parsed.operands.some(mayBeOption)) return "unknown";
    const method = methodEffect(optionValues(parsed, "X", "request"));
    if (method !== null && method !== "reads") return method;
    if (given(parsed, BODY) && method === null && !has(parsed, "G", "get")) return SENDS;
    const saves = has(parsed, "O", "remote-name", "J", "remote-header-name", "remote-name-all");
    return saves || parsed.options.some(({ name, value }) => SAVING.has(name) && isFile(value)) ? WRITES : "reads";
  },
);

const wgetEffect = byOptions(
  "O o a P U T t Q i output-document output-file append-output method post-data post-file header",
  (parsed) => {
    const method = methodEffect(optionValues(parsed, "method"));
    if (method !== null && method !== "reads") return method;
    if (hasLong(parsed, "post-data", 4) || hasLong(parsed, "post-file", 4) || has(parsed, "body-data", "body-file"))
      return SENDS;
    if (has(parsed, "e", "execute", "config", "use-askpass") || parsed.operands.some(mayBeOption)) return "unknown";
    const log = optionValue(parsed, "o", "a", "output-file", "append-output");
    if (isFile(log)) return WRITES;
    if (has(parsed, "spider", "V", "version", "h", "help")) return "reads";
    const target = optionValue(parsed, "O", "output-document");
    return target !== null && !isFile(target) ? "reads" : WRITES;
  },
);

/** HTTPie: `http POST url`, `http url field=value`. */
const httpie = byOptions("a o A auth output verify timeout", (parsed) => {
  if (has(parsed, "d", "download", "o", "output")) return WRITES;
  const [first = "", ...rest] = parsed.operands;
  if (/^(POST|PUT|PATCH|DELETE)$/i.test(first)) return ACTS;
  const named = /^(GET|HEAD|OPTIONS)$/i.test(first);
  const items = named ? rest.slice(1) : rest;
  if (!named && items.some((item) => /[^=:]:?=(?!=)|@/.test(item))) return SENDS;
  return parsed.operands.some(mayBeOption) ? "unknown" : "reads";
});

const toOutput =
  (short: string, long: string, otherwise: string) =>
  (args: readonly string[]): boolean =>
    !isFile(optionValue(parseOptions(args, SAVING_TABLE), short, long) ?? otherwise);

const SAVING_TABLE = optionTable("o output O output-document X request H header d data w write-out m max-time");

/** `-o /dev/null -w '%{http_code} %{time_total}'` prints numbers only. */
const runCurl: Program = ([, ...args]) => {
  const parsed = parseOptions(args, {
    short: "oXHdFuAebmwT",
    long: ["output", "write-out", "request", "header", "max-time", "data"],
  });
  const format = optionValue(parsed, "w", "write-out");
  const isOnlyFormat = optionValue(parsed, "o", "output") !== null && format !== null && NUMBERS.test(format);
  return [isOnlyFormat ? format.replace(NUMBER, SOME).replaceAll("\\n", "\n").replaceAll("\\t", "\t") : UNKNOWN];
};

const NUMBER = /%\{(?:http_code|response_code|size_\w+|time_\w+|num_\w+)\}/g;
const NUMBERS = new RegExp(String.raw`^(?:${NUMBER.source}|[ ,;:|]|\\[nt])+$`);

const WGET_SIDE_EFFECTS: NonNullable<ProgramRecord["sideEffects"]> = {
  long: "save-cookies append-output output-file warc-file hsts-file rejected-log",
  effect: WRITING,
};

/** Elasticsearch. */
const DELETES_BY_QUERY = /\/_delete_by_query(?=[\s?"']|$)/;

export const RECORDS: readonly ProgramRecord[] = [
  {
    names: "curl",
    runs: runCurl,
    downloads: toOutput("o", "output", "-"),
    effect: curlEffect,
    sideEffects: [
      {
        long: "etag-save hsts libcurl alt-svc trace trace-ascii trace-config cookie-jar dump-header output stderr output-dir ssl-sessions ip-tos-log",
        effect: WRITING,
      },
      { words: /^-[a-zA-Z]*[DcoO](?=$|[^\s-])/, when: /-[a-zA-Z]*(?:D|c)\s+(?!-|\/dev\/null)\S/, effect: WRITING },
      { words: /^(?:telnet|gopher|gophers|smtps?|ldap|dict|mqtt|rtsp|smb|tftp):/i, effect: SENDING },
    ],
    consequences: { deletes_data: [/(?:^|\s)(?:-\w*X\s*|--request[=\s])delete(?=\s|$)/i, DELETES_BY_QUERY] },
    paths: "o output",
    bare: true,
    writes: "o output",
    applies: "K config",
    fetches: "its address",
    here: onlySaves,
  },
  {
    names: "wget",
    prints: "anything",
    downloads: toOutput("O", "output-document", "file"),
    commands: { options: "use-askpass" },
    effect: wgetEffect,
    sideEffects: WGET_SIDE_EFFECTS,
    consequences: { deletes_data: [/(?:^|\s)--method[=\s]delete(?=\s|$)/i, DELETES_BY_QUERY] },
    paths: "O output-document P directory-prefix",
    bare: true,
    writes: "O output-document",
    applies: "i input-file",
    fetches: "its address",
    here: onlySaves,
  },
  {
    names: "http",
    prints: "anything",
    downloads: true,
    effect: httpie,
    consequences: { deletes_data: /^(?:\S+\s+)*DELETE\s/ },
    fetches: "its address",
    here: onlySaves,
  },
  {
    names: "https xh",
    downloads: true,
    effect: httpie,
    consequences: { deletes_data: /^(?:\S+\s+)*DELETE\s/ },
    fetches: "its address",
    here: onlySaves,
  },
  { names: "aria2c", writes: "o out", applies: "i input-file", fetches: "its address" },
  {
    names: "lftp",
    commands: { options: "c e", valued: "u p d", input: true, within: /(?:^|[;\n])[ \t]*!([^\n;]+)/g },
    between: true,
    applies: "f",
    fetches: "its address",
  },
  {
    names: "wget2",
    sideEffects: WGET_SIDE_EFFECTS,
  },
  { names: "xhs", consequences: { deletes_data: /^(?:\S+\s+)*DELETE\s/ } },
  { names: "axel lynx", fetches: "its address" },
];
