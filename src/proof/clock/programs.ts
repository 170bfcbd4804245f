// How the exit code of a program drifts.
import type { Command } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";
import { asksForTime } from "./code.ts";
import { blur, blurred, either, isSteady, isThere, joined, type Reading, STEADY } from "./drift.ts";
import { findDrift } from "./find.ts";
import type { ClockScope } from "./scope.ts";
import { commandOutput, windowDrift } from "./sources.ts";
import { wordsAnswer } from "./tests.ts";
import { readingOf } from "./values.ts";

/** They say, change or wait, and end with 0. */
const TALKS =
  /^(echo|printf|:|true|false|sleep|export|local|declare|readonly|typeset|unset|shift|set|trap|cd|pushd|popd|touch|mktemp|mkdir|rm|logger|date|uptime|stat|ps|wc|sort|uniq|head|tail|cut|tr|tee|sed|rev|tac|column|nl|fold|break|continue)$/;
const FILES =
  /^(ls|cat|zcat|gzip|gunzip|tar|xz|zstd|bzip2|unzip|pg_restore|file|readlink|realpath|du|md5sum|sha\d*sum)$/;
const REQUESTS = /^(curl|wget|http|https|xh)$/;
const AGE_IN_WORDS = /\b(second|minute|hour|day|week|month)s?\b|\bago\b|\bmin\b|[\d\]][+*]?[smhd]\b/i;
const LOG_READERS =
  /^(journalctl|docker|podman|nerdctl|kubectl|docker-compose|oc|git|dmesg|fd|fdfind|logcli|stern|crictl|coredumpctl|aws)$/;
/** What a server is asked for since some time. */
const WINDOW_IN_URL = /\b(query|since|start|end|from|until|after|before|time)=/i;

export function programAnswer(command: Command, scope: ClockScope, given: Reading): number {
  const name = programName(command) ?? "";
  const words = wordsOf(command);
  if (name === "test" || name === "[") return wordsAnswer(name === "[" ? words.slice(0, -1) : words, scope);
  if (name === "exit" || name === "return") {
    const [code] = words;
    return code === undefined ? scope.status : -exitCode(readingOf(code, scope));
  }
  if (command.name === undefined) return assignmentAnswer(command, scope);
  if (/^[efz]?grep$|^rg$/.test(name)) return search(command, scope, given);
  if (name === "find") return words.some(({ text }) => /^-(exec|ok)/.test(text)) ? blur(findDrift(words, scope)) : 0;
  if (name === "read") return given.isCount ? isThere(given) : blur(given.drift);
  if (name === "pgrep" && words.some(({ text }) => /^(-O|--older)/.test(text))) return 1;
  if (name === "openssl" && words.some(({ text }) => text === "-checkend")) return -1;
  return TALKS.test(name) && !hasExitCode(name, words)
    ? 0
    : joined(wordsDrift(command, name, scope), blur(given.drift));
}

/** `sed q1`, `sort -c`. */
const hasExitCode = (name: string, words: Command["args"]): boolean =>
  (name === "sed" && words.some(({ text }) => /[qQ] *\d/.test(text))) ||
  (name === "sort" && words.some(({ text }) => /^(-[a-zA-Z]*[cC]|--check)/.test(text)));

const exitCode = (value: Reading): number => (value.isCount ? value.drift : blur(value.drift));

/** `x=$(a)` ends as `a` does. */
function assignmentAnswer({ prefix }: Command, scope: ClockScope): number {
  const value = prefix.findLast((one) => one.type === "Assignment")?.value;
  const [only, more] = value?.type === "Word" ? (value.parts ?? []) : [];
  const part = only?.type === "DoubleQuoted" ? only.parts[0] : only;
  if (part?.type !== "CommandExpansion" || part.script === undefined || more !== undefined) return 0;
  return scope.walk.answer(part.script, { ...scope, depth: scope.depth + 1 }, STEADY);
}

function search(command: Command, scope: ClockScope, given: Reading): number {
  const texts = wordsOf(command).map((word) => plainWord(word) ?? word.text);
  if (given.hasAges && texts.some((text) => AGE_IN_WORDS.test(text))) return Number.NaN;
  const answer = isThere(commandOutput(command, scope, given));
  return texts.some((text) => /^-[a-zA-Z]*L/.test(text)) ? blur(answer) : answer;
}

function wordsDrift(command: Command, name: string, scope: ClockScope): number {
  const words = wordsOf(command);
  const texts = words.map((word) => plainWord(word) ?? word.text);
  if (asksForTime(command)) return Number.NaN;
  const window = windowDrift(command, scope);
  if (window !== null && window !== 0) return logAnswer(name, texts, window);
  const readings = [...words, command.name].flatMap((word) => (word === undefined ? [] : [readingOf(word, scope)]));
  if (REQUESTS.test(name)) return request(texts, readings);
  const used = readings.reduce(either, STEADY);
  // What has the moment in its name is there for a time.
  if (FILES.test(name) && used.drift > 0 && !used.isCount) return -1;
  return blurred(used).drift;
}

/** Only journalctl ends with 1 where it finds nothing. */
function logAnswer(name: string, texts: readonly string[], window: number): number {
  if (!LOG_READERS.test(name)) return Number.NaN;
  return texts.some((text) => /^(-g|--grep)/.test(text)) ? window : 0;
}

/** A number against caches decides nothing. */
function request(texts: readonly string[], readings: readonly Reading[]): number {
  const moving = texts.filter((_, at) => !isSteady(readings[at] ?? STEADY));
  if (moving.length === 0) return 0;
  const isList = readings.some(({ isCount, drift }) => isCount && drift !== 0);
  if (isList || moving.some((text) => WINDOW_IN_URL.test(text))) return Number.NaN;
  return moving.every((text) => /[?&][^/]*\$/.test(text)) ? 0 : -1;
}
