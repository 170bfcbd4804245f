// Decides whether a short Python program only looks. Its modules and every attribute that it names are known to compute or to
// read, so nothing else can be reached; of the built-in functions none may run, find or write anything. What is on no list is
// unknown.
import { words } from "../../../words/options.ts";

const MODULES = new Set(
  words(`json sys os os.path re time datetime pathlib socket ssl urllib urllib.request urllib.error hashlib math collections
  csv itertools string yaml tomllib tomli configparser platform shutil ipaddress base64 statistics textwrap pprint gzip
  xml.etree.ElementTree functools operator html getpass pwd grp uuid`),
);

const ATTRIBUTES = new Set(
  words(`load loads dumps read readline readlines decode encode split rsplit splitlines strip lstrip rstrip startswith endswith
  lower upper replace get keys values items join format count index find exit argv stdin stdout stderr environ path exists
  isfile isdir islink getsize getmtime basename dirname stat st_size st_mtime st_mode listdir getenv search match fullmatch
  findall group groups time sleep monotonic strftime now utcnow today timestamp fromtimestamp fromisoformat strptime
  timedelta datetime date total_seconds days seconds timezone utc Path read_text read_bytes name stem suffix iterdir glob
  is_file is_dir create_connection gethostbyname gethostname close request error
  urlopen URLError HTTPError status code getcode headers reader DictReader Counter most_common isdigit isnumeric
  safe_load safe_load_all dump pprint node release machine python_version uname processor disk_usage which total used free
  ip_address ip_network network_address num_addresses is_private b64decode b64encode mean median fromstring getroot findtext iter
  attrib text tag defaultdict OrderedDict sections getint getboolean read_string getuser getpwnam getgrnam uuid4 title zfill
  ljust rjust center splitext suffixes parent parts resolve as_posix hexdigest sha256 md5 append add sqrt floor ceil JSONDecodeError timeout reason`),
);

const DANGEROUS =
  /^(eval|exec|execfile|compile|getattr|setattr|delattr|globals|locals|vars|breakpoint|help|input|reload|file|apply|type|class|case|match|__(?!name__$).*)$/;

/** Only a direct call with these arguments reads. */
const READING_CALLS: Readonly<Record<string, RegExp>> = {
  open: /^(mode = )?["'][rbt]{1,2}["']$|^(encoding|errors|newline) = (?!=)/,
  urlopen: /^(timeout|context) = (?!=)/,
};

const TOKEN =
  /[ \t]+|\\\n|\n|#[^\n]*|[rRbBuUfF]{0,2}(?:"""[^"\\]*"""|'''[^'\\]*'''|"(?!"")(?:[^"\\\n]|\\.)*"|'(?!'')(?:[^'\\\n]|\\.)*')|\d\w*(?:\.\d\w*)?|[A-Za-z_]\w*|[^\s\w"'`@\\]/gy;

const NAME = /^[A-Za-z_]\w*$/;

const MAX_CODE = 4096;

/** A comment that names another encoding makes other text of what follows. */
const ENCODED = /#.*coding[:=]/;

/** Never throws. */
export function pythonOnlyLooks(code: string): boolean {
  const isRead = code.length <= MAX_CODE && /^[\x20-\x7e\n\t]*$/.test(code) && !ENCODED.test(code);
  const tokens = isRead ? tokensOf(code.trim()) : null;
  return tokens?.every((_, at) => isKnown(tokens, at)) === true;
}

/** A new line is a `;`, and nothing within brackets. Null where the text is not made of known tokens. */
function tokensOf(code: string): readonly string[] | null {
  const found = [...code.matchAll(TOKEN)];
  const last = found.at(-1);
  if (last === undefined || last.index + last[0].length !== code.length) return null;
  let depth = 0;
  const tokens = found.map(({ 0: text }) => (FORMATTED.test(text) ? embeddedIn(text) : [text]));
  if (tokens.some((some) => some === null)) return null;
  return tokens
    .flatMap((some) => some ?? [])
    .flatMap((text) => {
      if (/^[([{]$/.test(text)) depth += 1;
      if (/^[)\]}]$/.test(text)) depth -= 1;
      if (text === "\n") return depth > 0 ? [] : [";"];
      return /^[\s#\\]/.test(text) ? [] : [text];
    });
}

const FORMATTED = /^[rRbBuU]?[fF][rR]?["']/;

const EXPRESSION = /\{([^{}:!\\]*)(?:![rsa])?(?::[^{}]*)?\}/g;

/** The tokens of the expressions in a formatted string; null where the text does not show where they end. */
function embeddedIn(text: string): readonly string[] | null {
  const plain = text.replace(/\{\{|\}\}/g, "");
  if (/[{}]/.test(plain.replace(EXPRESSION, "")) || /\\N|\n/.test(plain)) return null;
  const parts = [...plain.matchAll(EXPRESSION)].map(([, code = ""]) => tokensOf(code.trim()));
  if (parts.some((tokens) => tokens === null || !isBalanced(tokens))) return null;
  return ['""', ...parts.flatMap((tokens) => ["(", ...(tokens ?? []), ")"])];
}

function isBalanced(tokens: readonly string[]): boolean {
  const open: string[] = [];
  for (const token of tokens) {
    if (/^[([{]$/.test(token)) open.push(token);
    if (/^[)\]}]$/.test(token) && `${open.pop()}${token}`.match(/^(?:\(\)|\[\]|\{\})$/) === null) return false;
  }
  return open.length === 0;
}

function isKnown(tokens: readonly string[], at: number): boolean {
  const [before = ";", token = "", after = ";"] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  // A prefix that is not on the list: an f-string holds code.
  if (/["']$/.test(token)) return !/^[fFtTrRbBuU]{1,3}$/.test(before);
  if (!NAME.test(token)) return token !== "." || NAME.test(after);
  if (token === "import" || token === "from") return isImport(statementAt(tokens, at));
  if (DANGEROUS.test(token)) return false;
  if (Object.hasOwn(READING_CALLS, token) && !isImported(tokens, at) && !isReadingCall(tokens, at)) return false;
  // A variable of the environment may name a file that a module writes; those of orch name none.
  if (token === "environ")
    return after === "." || /^\[ ["']ORCH_\w*["'] \]$/.test(tokens.slice(at + 1, at + 4).join(" "));
  // The loader of YAML makes objects of any class.
  if (/^load(_all)?$/.test(token) && tokens.includes("yaml")) return false;
  // It renames files where it is not that of a text.
  if (token === "replace") return !tokens.some((one) => one === "os" || one === "pathlib");
  // Where modules are found could be changed under `sys.path`.
  if (token === "os") return after === "." || isImported(tokens, at);
  if (token === "path") return tokens[at - 2] === "os" || isImported(tokens, at);
  return before !== "." || isImported(tokens, at) || ATTRIBUTES.has(token);
}

function statementAt(tokens: readonly string[], at: number): readonly string[] {
  const begin = tokens.lastIndexOf(";", at) + 1;
  const end = tokens.indexOf(";", at);
  return tokens.slice(begin, end < 0 ? undefined : end);
}

const isImported = (tokens: readonly string[], at: number): boolean =>
  /^(import|from)$/.test(statementAt(tokens, at)[0] ?? "");

const IMPORT = /^import ([\w.]+)(?: as (\w+))?$/;

const FROM = /^from ([\w.]+) import (.+)$/;

/** `import a, b.c as d` and `from a import b, c`. Under another name, a call that has to be read would not be seen. */
function isImport(statement: readonly string[]): boolean {
  const text = statement.join(" ").replaceAll(" . ", ".");
  const [, module = "", names = ""] = FROM.exec(text) ?? [];
  if (module !== "")
    return MODULES.has(module) && names.split(" , ").every((name) => ATTRIBUTES.has(name) && name !== "path");
  return text
    .replace(/^import /, "")
    .split(" , ")
    .every((one) => {
      const [, imported = "", as = ""] = IMPORT.exec(`import ${one}`) ?? [];
      return MODULES.has(imported) && !MODULES.has(as) && !ATTRIBUTES.has(as);
    });
}

/** `open(path)` and `open(path, "rb")`, not `open` alone. */
function isReadingCall(tokens: readonly string[], at: number): boolean {
  const given = argumentsAt(tokens, at + 1);
  const allowed = READING_CALLS[tokens[at] ?? ""];
  if (given === null || given.some((words) => words[0] === "*")) return false;
  const [first = [], ...more] = given;
  return first[1] !== "=" && more.every((words) => allowed?.test(words.join(" ")) === true);
}

/** Null where no complete list of arguments begins there. */
function argumentsAt(tokens: readonly string[], at: number): readonly (readonly string[])[] | null {
  if (tokens[at] !== "(") return null;
  const found: string[][] = [[]];
  let depth = 1;
  for (const token of tokens.slice(at + 1)) {
    if (/^[)\]}]$/.test(token)) depth -= 1;
    if (depth === 0) return found;
    if (/^[([{]$/.test(token)) depth += 1;
    if (depth === 1 && token === ",") found.push([]);
    else found.at(-1)?.push(token);
  }
  return null;
}
