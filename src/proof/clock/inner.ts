// Commands within a command: what a launcher starts, and texts that another shell is given, here or on another host.
import { type ArithmeticExpression, type Command, parse, type Script, type Word } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";

const LAUNCHER =
  /^(sudo|doas|env|timeout|nice|ionice|nohup|stdbuf|command|builtin|exec|setsid|chroot|nsenter|busybox|docker|podman|nerdctl|kubectl|docker-compose|oc|ssh|su|runuser|flock|unbuffer|script)$/;
const STARTED =
  /^(test|\[|find|date|journalctl|ps|uptime|stat|grep|egrep|fgrep|[gmn]?awk|cat|head|tail|cut|wc|python[\d.]*|perl|openssl|git|expr|bc)$/;
const SHELL = /^(ba|da|z|k|a)?sh$/;

/** The command that a launcher starts, where it is one that has to do with time; else null. */
export function launched(command: Command): Command | null {
  if (!LAUNCHER.test(programName(command) ?? "")) return null;
  const words = wordsOf(command);
  const at = words.findIndex((word) => STARTED.test(baseName(plainWord(word) ?? "")));
  return at === -1 ? null : { ...command, name: words[at], args: words.slice(at + 1), redirects: command.redirects };
}

const baseName = (text: string): string => text.slice(text.lastIndexOf("/") + 1);

/** `bash -c 'a; b'`, `ssh host "a; b"`, `eval "a; b"`, `ssh host <<x`. */
export function innerScript(command: Command): Script | null {
  const name = programName(command) ?? "";
  const words = wordsOf(command);
  const hasShell = [command.name, ...words].some((word) => SHELL.test(baseName(plainWord(word) ?? "")));
  if (!hasShell && !/^(ssh|eval|su|runuser|watch|trap)$/.test(name)) return null;
  const [fed] = command.redirects.flatMap((one) =>
    one.type === "HereDoc"
      ? [one.body.text]
      : one.type === "HereString" && one.target !== undefined
        ? [textOf(one.target)]
        : [],
  );
  const text = fed ?? words.map(textOf).findLast((one) => /\s/.test(one));
  return text === undefined ? null : parse(text);
}

/** What stays open in double quotes is read as if it were in the text. */
function textOf(word: Word): string {
  const plain = plainWord(word);
  if (plain !== null) return plain;
  return word.text.replace(/^"(.*)"$/s, "$1").replaceAll(/\\(["$`\\])/g, "$1");
}

/** A shell that reads its text from a pipe, where it cannot be read here. */
export const isFedShell = (command: Command): boolean =>
  SHELL.test(programName(command) ?? "") && wordsOf(command).every(({ text }) => /^-[a-z]*$/.test(text));

/** `let "x = a - b"`. */
export function letExpressions(command: Command): ArithmeticExpression[] {
  if (programName(command) !== "let") return [];
  return wordsOf(command).flatMap((word) => {
    const node = parse(`(( ${textOf(word)} ))`).commands[0]?.command;
    return node?.type === "ArithmeticCommand" && node.expression !== undefined ? [node.expression] : [];
  });
}
