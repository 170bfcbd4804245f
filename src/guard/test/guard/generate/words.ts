// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is shell text
// Ways to hide a part of a word in quotes and substitutions, without any statement before it.
import { produced } from "./producers.ts";
import { ansi, plain, single } from "./quote.ts";
import { type Choices, freshName, type Random } from "./random.ts";

/** The text as shell text that expands to it, and statements that must come before. Null: not this text. */
export type Hider = (text: string, random: Random) => { readonly before: string; readonly text: string } | null;

const alone =
  (hide: (text: string, random: Random) => string | null): Hider =>
  (text, random) => {
    const hidden = hide(text, random);
    return hidden === null ? null : { before: "", text: hidden };
  };

const mixed = (text: string, random: Random): string =>
  [...text]
    .map((char) =>
      random.pick([plain(char), `'${char}'`, `"${char}"`, `\\${char}`, `${plain(char)}""`, `''${plain(char)}`]),
    )
    .join("");

const substitution = (text: string, random: Random): string | null => {
  const { text: command } = produced(text, random);
  // Within backquotes a backslash, a dollar and a backquote would need another layer.
  if (/[\\`$\n]/.test(command) || random.chance(0.7)) return `$(${command})`;
  return `\`${command}\``;
};

const slash = (text: string, random: Random): string | null =>
  text === "/"
    ? random.pick([
        "${PWD:0:1}",
        "${HOME:0:1}",
        "${HOME%%[a-z]*}",
        "${PATH:0:1}",
        "${SHELL:0:1}",
        "${BASH:0:1}",
        "$(dirname /x)",
        "$(dirname -- /etc)",
        "$(pwd | cut -c1)",
        "$(cd /; pwd)",
        "$(realpath /usr/..)",
        "$(readlink -f ../..)",
        "${HOME%/*/*}/",
        "${PWD//[a-z]/}",
        "~/../..",
        "$(printf '\\57')",
        "$(echo / | tr -d x)",
        "$(awk 'BEGIN{print \"/\"}')",
        '$(printf %s "${PWD%"${PWD#?}"}")',
        '$(expr substr "$PWD" 1 1)',
        "$(basename /)",
      ])
    : null;

const braces = (text: string, random: Random): string =>
  random.pick([`{${plain(text)},}`, `{,${plain(text)}}`, `{${plain(text)},${plain(text)}}`]);

const defaults = (text: string, random: Random): string => {
  const name = freshName(random);
  const word = random.pick([plain(text), single(text)]);
  return random.pick([
    `\${${name}:-${word}}`,
    `\${${name}-${word}}`,
    `\${${name}:=${word}}`,
    `\${${name}=${word}}`,
    `\${HOME:+${word}}`,
    `\${HOME+${word}}`,
    `"\${${name}:-${plain(text)}}"`,
    `\${${name}:-\${${name}x:-${word}}}`,
    `\${1:-${word}}`,
    `\${@:-${word}}`,
  ]);
};

const nothing = (text: string, random: Random): string =>
  random.pick([
    `$@${plain(text)}`,
    `${plain(text)}$@`,
    `${plain(text)}$*`,
    `\${x}${plain(text)}`,
    `$()${plain(text)}`,
    `\`\`${plain(text)}`,
    `${plain(text)}$(:)`,
    `$(true)${plain(text)}`,
    `$'\\c@'${plain(text)}`,
    `${plain(text)}\${x#y}`,
    `\${x//a/b}${plain(text)}`,
    `\\\n${plain(text)}`,
    `${plain(text)}\\\n`,
  ]);

const continued = (text: string, random: Random): string | null => {
  if (text.length < 2) return null;
  const at = 1 + random.int(text.length - 1);
  const quote = random.pick(["", '"']);
  return `${quote}${text.slice(0, at)}\\\n${text.slice(at)}${quote}`;
};

export const WORDS: Choices<readonly [string, Hider]> = [
  ["single quotes", alone((text) => single(text))],
  ["double quotes", alone((text) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`)],
  ["ANSI-C quotes", alone(ansi)],
  ["mixed quotes", alone(mixed)],
  ["locale quotes", alone((text) => `$"${text.replace(/[\\"$`]/g, "\\$&")}"`)],
  ["substitution", alone(substitution)],
  ["quoted substitution", alone((text, random) => `"$(${produced(text, random).text})"`)],
  ["slash", alone(slash)],
  ["braces", alone(braces)],
  ["defaults", alone(defaults)],
  ["nothing", alone(nothing)],
  ["continued", alone(continued)],
];
