// Commands that write a given text to their standard output.
import { double, escaped, isAscii, quoted, single } from "./quote.ts";
import { type Choices, freshName, type Random } from "./random.ts";

/** Null: this text cannot be made this way. */
type Producer = (text: string, random: Random) => string | null;

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const reversed = (text: string): string => [...text].reverse().join("");
const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (char) => {
    const start = char < "a" ? 65 : 97;
    return String.fromCharCode(((char.charCodeAt(0) - start + 13) % 26) + start);
  });
const oneLine = (text: string): boolean => !text.includes("\n");
const printfSafe = (text: string): string => text.replace(/[%\\]/g, (char) => (char === "%" ? "%%" : "\\\\"));

/** The text on the standard input of a command that takes it apart again. */
const through =
  (encode: (text: string) => string, decoders: Choices<string>): Producer =>
  (text, random) => {
    if (!oneLine(text)) return null;
    const decoder = random.pick(decoders);
    const word = quoted(encode(text), random);
    return random.pick([
      `${decoder} <<< ${word}`,
      `echo ${word} | ${decoder}`,
      `printf '%s\\n' ${word} | ${decoder}`,
      `cat <<< ${word} | ${decoder}`,
    ]);
  };

const inside =
  (filler: string, decoders: Choices<string>): Producer =>
  (text, random) => {
    if (text.includes(filler) || !oneLine(text)) return null;
    const at = random.int(text.length + 1);
    return through(() => text.slice(0, at) + filler + text.slice(at), decoders)(text, random);
  };

const hereDocument: Producer = (text, random) => {
  const [quote, content] = random.chance(0.6) ? ["'", text] : ["", text.replace(/[\\$`]/g, "\\$&")];
  return `cat <<${quote}EOT${quote}\n${content}\nEOT\n`;
};

const splitPrintf: Producer = (text) => {
  const middle = Math.ceil(text.length / 2);
  return `printf '%s%s' ${single(text.slice(0, middle))} ${single(text.slice(middle))}`;
};

const lines: Producer = (text, random) => {
  if (!oneLine(text) || text.length < 2 || text.includes(" ")) return null;
  const at = 1 + random.int(text.length - 1);
  const [first, last] = [single(text.slice(0, at)), single(text.slice(at))];
  return random.pick([
    `printf '%s\\n' ${first} ${last} | paste -sd ''`,
    `printf '%s\\n' ${last} ${first} | tac | tr -d '\\n'`,
    `{ echo -n ${first}; echo ${last}; }`,
    `(printf %s ${first}; printf %s ${last})`,
  ]);
};

const ofVariable: Producer = (text, random) => {
  const name = freshName(random);
  return random.pick([
    `${name}=${single(text)}; echo "$${name}"`,
    `${name}=${single(text)}; printf '%s\\n' "\${${name}}"`,
    `${name}=${single(text)} printenv ${name}`,
    `${name}=${single(text)} bash -c 'echo "$${name}"'`,
  ]);
};

const PRODUCERS: Choices<readonly [string, Producer]> = [
  ["echo", (text, random) => `echo ${quoted(text, random)}`],
  ["echo -n", (text, random) => `echo -n ${quoted(text, random)}`],
  ["echo -e", (text, random) => (isAscii(text) ? `echo -e ${single(escaped(text, random))}` : null)],
  ["printf %s", (text, random) => `printf ${random.pick(["%s", "'%s\\n'", "%b"])} ${quoted(text, random)}`],
  ["printf format", (text) => `printf ${single(printfSafe(text))}`],
  [
    "printf escapes",
    (text, random) => (isAscii(text) ? `printf ${single(escaped(text, random).replaceAll("%", "%%"))}` : null),
  ],
  ["printf split", splitPrintf],
  ["base64", through(base64, ["base64 -d", "base64 --decode", "base64 -di"])],
  ["base64 twice", through((text) => base64(base64(text)), ["base64 -d | base64 -d"])],
  ["xxd", through(hex, ["xxd -r -p", "xxd -r -ps", "xxd -p -r"])],
  ["rev", through(reversed, ["rev"])],
  ["rev twice", through((text) => text, ["rev | rev", "tac", "cat", "cat -", "cat /dev/stdin"])],
  ["tr rot13", through(rot13, ["tr a-zA-Z n-za-mN-ZA-M", "tr 'A-Za-z' 'N-ZA-Mn-za-m'"])],
  ["tr -d", inside("@", ["tr -d @", "tr -d '@'", "sed s/@//", "sed 's/@//g'", "sed -e 's|@||'", "perl -pe s/@//"])],
  ["cut", through((text) => `x:${text}`, ["cut -d: -f2-", "cut -c3-", "sed 's/^x://'", "awk '{print substr($0, 3)}'"])],
  [
    "upper case",
    (text, random) =>
      /[A-Z]/.test(text)
        ? null
        : through((t) => t.toUpperCase(), ["tr A-Z a-z", "tr '[:upper:]' '[:lower:]'", "tr 'A-Z' 'a-z'"])(text, random),
  ],
  [
    "line of many",
    through((text) => text, ["head -n 1", "tail -n 1", "head -1", "sort", "uniq", "sed -n 1p", "awk 1", "grep ."]),
  ],
  ["here-document", hereDocument],
  ["here-document dash", (text) => (oneLine(text) ? `cat <<-'EOT'\n\t${text}\n\tEOT\n` : null)],
  ["lines", lines],
  ["variable", ofVariable],
  ["bash -c echo", (text) => `bash -c ${single(`echo ${single(text)}`)}`],
  ["function", (text, random) => `f() { echo "$1"; }; f ${quoted(text, random)}`],
  [
    "awk",
    (text) =>
      oneLine(text)
        ? `awk ${single(`BEGIN{print ${double(text).replaceAll("\\$", "$").replaceAll("\\`", "`")}}`)}`
        : null,
  ],
  ["perl", (text) => (/[{}]/.test(text) ? null : `perl -e ${single(`print q{${text}}`)}`)],
];

/** Any of them. */
export function produced(text: string, random: Random): { readonly name: string; readonly text: string } {
  for (;;) {
    const [name, produce] = random.pick(PRODUCERS);
    const made = produce(text, random);
    if (made !== null) return { name, text: made };
  }
}
