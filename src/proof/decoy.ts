// Makes the decoy of a check: the same text with every value of the target replaced by a name that does not exist. An honest check
// of the target fails with it; a check that cannot tell the target from another still passes.
import type { SyntaxNode } from "unbash";
import { asksForTarget, readsDirectory } from "./naming.ts";
import { type CheckTree, plainWord, programName, treeOf, visit, visitInPlace, wordsOf } from "./syntax.ts";

type Attributes = Readonly<Record<string, string>>;

/** Where the part that decides names the target: in its text, or by the directory in which it runs. */
type NamedBy = { readonly text: boolean; readonly directory: boolean };

/** `env` holds the `ORCH_TARGET_*` variables of the decoy. `replaced`: the attributes that have a decoy. */
export type Decoy = {
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
  readonly replaced: readonly string[];
  readonly named_by: NamedBy;
  readonly names_target: boolean;
};

const variableOf = (key: string): string => `ORCH_TARGET_${key.toUpperCase()}`;

/** `directory`: an absolute path, of a directory of something else in the place of `compose_dir`. Never throws. */
export function decoyOf(text: string, target: Attributes, directory: string): Decoy {
  const decoys = decoysOf(target, directory);
  const env = Object.fromEntries(
    Object.entries(target).map(([key, value]) => [variableOf(key), decoys.get(key) ?? value]),
  );
  const tree = treeOf(text);
  const values = Object.fromEntries(Object.entries(target).filter(([key]) => decoys.has(key)));
  const found = tree === null ? [] : occurrences(text, tree, values);
  const named_by = tree === null ? { text: false, directory: false } : namedBy(text, tree, { found, values });
  return {
    text: replaced(text, found, decoys),
    env,
    replaced: [...decoys.keys()],
    named_by,
    names_target: named_by.text || named_by.directory,
  };
}

function replaced(text: string, found: readonly Occurrence[], decoys: Decoys): string {
  let result = "";
  let last = 0;
  for (const { key, pos, end } of found) {
    result += text.slice(last, pos) + (decoys.get(key) ?? text.slice(pos, end));
    last = end;
  }
  return result + text.slice(last);
}

type Named = { readonly found: readonly Occurrence[]; readonly values: Attributes };

function namedBy(text: string, tree: CheckTree, { found, values }: Named): NamedBy {
  const names = Object.keys(values).map(variableOf);
  const bent = bentNames(tree);
  const reads = [...text.matchAll(/ORCH_TARGET_\w+/g)].filter(
    ({ 0: name, index }) => names.includes(name) && !inside(bent, index),
  );
  const places = [...reads.map(({ index }) => index), ...found.map(({ pos }) => pos)];
  const isNamed = ({ pos, end }: Range): boolean => places.some((at) => pos <= at && at < end);
  return {
    text: places.length > 0 && asksForTarget(tree, isNamed),
    directory: values["compose_dir"] !== undefined && readsDirectory(tree),
  };
}

type Occurrence = { readonly key: string; readonly pos: number; readonly end: number };

type Range = { readonly pos: number; readonly end: number };

const MAX_OCCURRENCES = 500;

/**
 * Where the text has a value of the target as a name of its own: not within a longer word, and not as the name of a program, of a
 * variable or of an option. In order, without overlap. The longest value comes first: a value may be a part of another.
 */
function occurrences(text: string, tree: CheckTree, values: Attributes): Occurrence[] {
  const readable = new Uint8Array(text.length);
  for (const { pos, end } of literalRanges(tree)) readable.fill(1, pos, end);
  const numeric = numberPlaces(tree);
  for (const { pos, end } of closedRanges(tree, text)) readable.fill(0, pos, end);
  const found: Occurrence[] = [];
  const sorted = Object.entries(values).sort(([, a], [, b]) => b.length - a.length);
  for (const [key, value] of sorted) {
    if (value === "") continue;
    for (let pos = text.indexOf(value); pos !== -1 && found.length < MAX_OCCURRENCES; ) {
      const end = pos + value.length;
      const isOpen = readable[pos] === 1 && readable[end - 1] === 1;
      const isNumber = /^\d+$/.test(value);
      if (isOpen && isOwnWord(text, value, pos) && !(isNumber && inside(numeric, pos))) {
        found.push({ key, pos, end });
        readable.fill(0, pos, end);
      }
      pos = text.indexOf(value, pos + 1);
    }
  }
  return found.sort((a, b) => a.pos - b.pos);
}

const inside = (ranges: readonly Range[], at: number): boolean => ranges.some(({ pos, end }) => pos <= at && at < end);

/** Everything that bash hands on as it is spelled. */
function literalRanges(tree: CheckTree): Range[] {
  const ranges: Range[] = [];
  visitInPlace(tree, (node) => {
    if (node.type === "Word" && node.parts === undefined) ranges.push(node);
    if (node.type === "HereDocBody" && node.parts === undefined) ranges.push(node);
    if (node.type === "Literal" || node.type === "SingleQuoted" || node.type === "AnsiCQuoted") ranges.push(node);
  });
  return ranges;
}

/** The names of programs, functions, variables and options. The path of a program is a path. */
function closedRanges(tree: CheckTree, text: string): Range[] {
  const ranges: Range[] = [];
  const close = (range: Range): void => {
    ranges.push(range);
  };
  visitInPlace(tree, (node) => {
    if (node.type === "Command") closeNames(node, text, close);
    if (node.type === "Function" || node.type === "For" || node.type === "Select") close(node.name);
    if (node.type === "Assignment") close({ pos: node.pos, end: node.pos + node.name.length });
    if (node.type === "SimpleExpansion") close(node);
    if (node.type === "ParameterExpansion") close({ pos: node.parameterPos, end: node.parameterEnd });
    if (node.type === "HereDocDelimiter") close(node);
  });
  return ranges;
}

const LAUNCHERS = /^(sudo|doas|timeout|env|nice|nohup|time|command|exec|xargs|stdbuf|ionice|setsid|chroot|watch)$/;
const CLIENTS =
  /^(docker|podman|kubectl|systemctl|git|service|virsh|qm|pct|zfs|zpool|ip|nft|apt|snap|helm|npm|rc-service)$/;

function closeNames(node: Extract<SyntaxNode, { type: "Command" }>, text: string, close: (range: Range) => void): void {
  if (node.name === undefined) return;
  if (!node.name.text.includes("/")) close(node.name);
  const name = programName(node) ?? "";
  const words = wordsOf(node);
  // `sudo web -t` runs a program; `docker web` would be a command of docker.
  const next = words.find((word) => !word.text.startsWith("-") && !/^\d/.test(word.text) && !word.text.includes("="));
  const isName = LAUNCHERS.test(name) || CLIENTS.test(name);
  if (isName && next !== undefined && !next.text.includes("/")) close(next);
  for (const word of words) {
    const option = /^-{1,2}[A-Za-z][\w-]*/.exec(text.slice(word.pos, word.end));
    if (option !== null) close({ pos: word.pos, end: word.pos + option[0].length });
  }
}

/** Operands of numeric comparisons and numbers after an option: `-ge 80`, `head -n 80`. */
function numberPlaces(tree: CheckTree): Range[] {
  const ranges: Range[] = [];
  visitInPlace(tree, (node) => {
    if (node.type === "TestCommand" || node.type === "ArithmeticCommand" || node.type === "ArithmeticExpansion")
      ranges.push(node);
    if (node.type !== "Command") return;
    const name = programName(node);
    if (name === "test" || name === "[" || name === "exit" || name === "sleep") ranges.push(node);
    const words = wordsOf(node);
    for (const [at, word] of words.entries()) {
      const before = plainWord(words[at - 1]) ?? "";
      if (/^-[a-oq-zA-OQ-Z]$/.test(before) && /^\d+$/.test(word.text)) ranges.push(word);
    }
  });
  return ranges;
}

const WORD = /[A-Za-z0-9_]/;

/** `web` is one in `http://web:80/`, `/srv/web/x`, `web.service` and `shop-web-1`, and none in `website` or `web-proxy`. */
function isOwnWord(text: string, value: string, pos: number): boolean {
  const [before = "", after = ""] = [text[pos - 1] ?? "", text[pos + value.length] ?? ""];
  const rest = text.slice(pos + value.length, pos + value.length + 8);
  if (value.startsWith("/")) return !/[\w.~$}-]/.test(before) && !/[\w.-]/.test(after);
  if (/^\d+$/.test(value)) return isOwnNumber(value, before, after);
  if (WORD.test(before) && before !== "_") return false;
  if (WORD.test(after) && after !== "_") return false;
  const isNumbered = /^[-_]\d+(?![\w-])/.test(rest);
  if (/[-_]/.test(after) && !isNumbered) return false;
  if (/[-_]/.test(before) && !isNumbered) return false;
  // A part of a longer name: `api.web`, but not the end of a pattern `.*web`.
  return !(before === "." && WORD.test(text[pos - 2] ?? ""));
}

/** A short number is a name only where it is a whole word or the port of an address. */
function isOwnNumber(value: string, before: string, after: string): boolean {
  if (/[\w.-]/.test(before) || /[\w.%-]/.test(after)) return false;
  if (value.length >= 3) return true;
  return before === ":" || (/^["'\s]?$/.test(before) && /^["'\s;|&)]?$/.test(after));
}

/** A pattern that only cuts at marks, such as `%%:*` or `##*\/`, leaves a part of the value. */
const HAS_TEXT = /[\p{L}\p{N}?[]/u;

/**
 * Where the text reads a variable so that nothing, or another text, may be left of its value: `${NAME#a}` reads the target and
 * names something else.
 */
function bentNames(node: SyntaxNode): Range[] {
  const found: Range[] = [];
  visit(node, (part) => {
    if (part.type !== "ParameterExpansion") return;
    const { operation, prefix, pos, end } = part;
    const isBent =
      prefix === "#" ||
      operation?.type === "Slice" ||
      (operation?.type === "Default" && operation.operator.endsWith("+")) ||
      (operation?.type === "Remove" && HAS_TEXT.test(operation.operand.text)) ||
      (operation?.type === "Replace" && HAS_TEXT.test(operation.pattern.text + operation.replacement.text));
    if (isBent) found.push({ pos, end });
  });
  return found;
}

type Decoys = ReadonlyMap<string, string>;

const HOST_KEY = /(^|_)(host|hostname|fqdn|domain|server|node|machine|address|addr|ip|ipv4|ipv6|gateway|dns)(_|$)/;
const PORT_KEY = /(^|_)port(_|$)/;
const NUMBER_KEY = /(^|_)(id|vmid|ctid|pid|uid|gid|vlan|number|no|index)$|^(vm|ct|id)$/;
const WORD_VALUE = /^(true|false|yes|no|on|off|none|null|all|any|\*)$/i;

const IPV4 = /^(\d{1,3}\.){3}\d{1,3}$/;
const IPV6 = /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*$/i;
const URL = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/@]*@)?(\[[^\]]*\]|[^:/?#]*)(:\d+)?(.*)$/i;
const HOST_AND_PORT = /^([A-Za-z0-9.-]+):(\d{1,5})$/;
const DOMAIN = /^([a-z0-9-]+\.)+([a-z]{2,24})$/i;
/** The end of a file name or of a unit, and not of a domain. */
const EXTENSION =
  /\.(service|timer|socket|mount|target|path|slice|ya?ml|json|toml|conf|cfg|ini|env|sh|py|js|ts|log|db|sqlite|sql|git|tar|gz|tgz|zip|img|iso|txt|md|pem|crt|key)$/;

/**
 * Names of the same shape that do not exist, and are refused at once where one connects. Attributes whose value names nothing, such
 * as a switch or a number of replicas, have none.
 */
function decoysOf(target: Attributes, directory: string): Decoys {
  const decoys = new Map<string, string>();
  const byValue = new Map<string, string>();
  for (const [key, value] of Object.entries(target)) {
    const held = key === "compose_dir" ? undefined : byValue.get(value);
    const decoy = held ?? decoyOfValue(key, value, { directory, at: decoys.size, taken: new Set(byValue.values()) });
    if (decoy === null) continue;
    byValue.set(value, decoy);
    decoys.set(key, decoy);
  }
  return decoys;
}

/** `at` counts the attributes before this one; `taken`: the decoys of their values. */
type Place = { readonly directory: string; readonly at: number; readonly taken: ReadonlySet<string> };

const BROADCAST = "255.255.255.255";

function decoyOfValue(key: string, value: string, place: Place): string | null {
  if (value === "" || WORD_VALUE.test(value)) return null;
  if (key === "compose_dir") return place.directory;
  if (value.startsWith("/") || value.startsWith("~/"))
    return value === "/" ? null : `${place.directory}/${nothere(value)}${EXTENSION.exec(value)?.[0] ?? ""}`;
  if (PORT_KEY.test(key)) return /^\d{1,5}$/.test(value) ? unusedPort(place.at) : null;
  if (/^\d+$/.test(value)) return NUMBER_KEY.test(key) ? String(990_000_000 + (hash(value) % 9_000_000)) : null;
  if (IPV4.test(value)) return address(place, value);
  if (IPV6.test(value)) return "ff01::dead:1";
  const url = URL.exec(value);
  if (url !== null) return elsewhere(url, place);
  const service = HOST_AND_PORT.exec(value);
  if (service !== null && (HOST_KEY.test(key) || DOMAIN.test(service[1] ?? "")))
    return `${nothere(value)}.invalid:${unusedPort(place.at)}`;
  if (HOST_KEY.test(key) || (DOMAIN.test(value) && !EXTENSION.test(value))) return `${nothere(value)}.invalid`;
  return plain(value);
}

function elsewhere([, scheme = "", host = "", port, rest = ""]: readonly (string | undefined)[], place: Place): string {
  const name = IPV4.test(host) ? address(place, host) : `${nothere(host)}.invalid`;
  return `${scheme}${name}${port === undefined ? "" : `:${unusedPort(place.at)}`}${rest}`;
}

/** Above the ports that systems hand out by themselves, and not the start of another number. */
const unusedPort = (at: number): string => String(64_711 + at);

/** A connection to the broadcast address, or to a multicast one, is refused by the own kernel. Nothing is sent. */
const address = ({ at, taken }: Place, value: string): string =>
  taken.has(BROADCAST) ? `239.255.${hash(value) % 250}.${(at % 250) + 1}` : BROADCAST;

/** `org/name:tag` keeps its shape. */
function plain(value: string): string {
  const extension = EXTENSION.exec(value)?.[0] ?? "";
  if (!/^[\w.+-]+([/:@][\w.+-]+)+$/.test(value)) return nothere(value) + extension;
  return value.replace(/[\w.+-]+/g, (segment) => nothere(segment));
}

const nothere = (value: string): string => `nothere-${(hash(value) % 36 ** 4).toString(36).padStart(4, "0")}`;

/** FNV-1a: the same value has the same decoy in every run. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
