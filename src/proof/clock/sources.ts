// How what a program prints drifts: clocks, ages, lists of what was written since some time, and filters.
import type { Command } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";
import { asksForTime, FILE_OF_NOW, RUNNING_FILE } from "./code.ts";
import { dateOption, dateReading } from "./dates.ts";
import {
  blurred,
  concatenated,
  count,
  either,
  isSteady,
  joined,
  lines,
  minus,
  moment,
  plus,
  type Reading,
  STEADY,
} from "./drift.ts";
import { findDrift } from "./find.ts";
import { isFedShell } from "./inner.ts";
import type { ClockScope } from "./scope.ts";
import { operandOf, readingOf } from "./values.ts";

const HAS_AGES = /^(docker|podman|nerdctl|kubectl|docker-compose|systemctl|git|ps|who|w|uptime|crictl|nomad|last|ssh)$/;
/** A line or a number goes through. */
const PASSES =
  /^(cat|head|tail|sort|uniq|cut|tr|sed|tee|rev|tac|column|numfmt|xargs|fmt|fold|nl|[efz]?grep|rg|zcat|gunzip)$/;
const SINCE =
  /^(-S|--since|--since-time|--after|--from|--start|--start-time|--newer-than|--changed-within|--newer|-ts)$/;
const UNTIL = /^(-U|--until|--before|--to|--end|--end-time|--older-than|--changed-before|--older)$/;

export function commandOutput(command: Command, scope: ClockScope, given: Reading): Reading {
  const name = programName(command) ?? "";
  const words = wordsOf(command);
  const texts = words.map((word) => plainWord(word) ?? word.text);
  if (command.name === undefined) return given;
  if (name === "date") return dateOutput(command, scope);
  if (name === "find")
    return lines(texts.some((text) => FILE_OF_NOW.test(text)) ? Number.NaN : findDrift(words, scope));
  if (name === "stat") return timeOfFile(command, scope);
  if (name === "uptime") return texts.some((text) => /^(-s|--since)$/.test(text)) ? STEADY : moment(command.pos);
  if (name === "ps" && texts.some((text) => /\b(e|cpu)?times?\b/.test(text))) return moment(command.pos);
  if (name === "echo" || name === "printf") return printed(command, scope);
  if (name === "expr") return calculatedBy(command, scope);
  const window = windowDrift(command, scope);
  if (window !== null && !/^[efz]?grep$|^(head|tail)$/.test(name)) return { ...lines(window), isPast: name === "git" };
  const file = texts.some((text) => RUNNING_FILE.test(text)) ? moment(command.pos) : STEADY;
  const readings = words.map((word) => readingOf(word, scope));
  // `grep x <(find ...)`.
  const input = readings.filter(({ isCount }) => isCount).reduce(either, either(given, file));
  const others = readings.filter(({ isCount }) => !isCount).reduce(either, STEADY);
  if (name === "wc") return count(input.isCount || Number.isNaN(input.drift) ? input.drift : 0);
  if (asksForTime(command) || isFedShell(command)) return lines(Number.NaN);
  if (PASSES.test(name)) return passed({ name, texts, input, pattern: others });
  if (/awk$/.test(name) && /^\{ *print \$\w+;? *\}$/.test(texts.at(-1) ?? texts[0] ?? "")) return input;
  const used = either(input, others);
  return { ...blurred(used), isPast: /^(git|ls)$/.test(name), hasAges: HAS_AGES.test(name) };
}

type Passing = {
  readonly name: string;
  readonly texts: readonly string[];
  readonly input: Reading;
  readonly pattern: Reading;
};

/** Lines that name a moment come to an end. */
function passed({ name, texts, input, pattern }: Passing): Reading {
  if (!/grep$|^rg$/.test(name)) return either(input, pattern.drift > 0 ? lines(-1) : blurred(pattern));
  const has = (flag: RegExp) => texts.some((text) => flag.test(text));
  const isTurned = has(/^-[a-zA-Z]*[vL]|^--(invert-match|files-without-match)$/);
  const made = has(/^-[a-zA-Z]*c|^--count$/) ? count : lines;
  if (!isSteady(pattern)) return made(isTurned || !isSteady(input) || !(pattern.drift > 0) ? Number.NaN : -1);
  if (isSteady(input) || (input.isCount && !input.isNumber)) return { ...made(input.drift), hasAges: input.hasAges };
  return has(/^-[a-zA-Z]*o/) ? input : made(Number.NaN);
}

/** What the check makes, or is, has the time of now. */
function timeOfFile(command: Command, scope: ClockScope): Reading {
  const isNow = wordsOf(command).some(({ text }) => FILE_OF_NOW.test(text) || scope.touched.has(text));
  return isNow ? moment(command.pos) : { ...STEADY, isPast: true };
}

function dateOutput(command: Command, scope: ClockScope): Reading {
  const words = wordsOf(command);
  const texts = words.map((word) => plainWord(word) ?? word.text.replaceAll('"', ""));
  if (texts.some((text) => /^(-[a-zA-Z]*[rf]|--(reference|file))/.test(text)))
    return dateFormat(texts, timeOfFile(command, scope));
  const at = texts.findIndex((text) => /^(-[a-zA-Z]*d|--date)/.test(text));
  const word = words[at];
  if (word === undefined) return dateFormat(texts, moment(command.pos));
  const [, joinedTo = ""] = /^(?:-[a-zA-Z]*d|--date=?)(.*)$/s.exec(texts[at] ?? "") ?? [];
  const next = words[at + 1];
  const given = joinedTo === "" && next !== undefined ? dateReading(next, scope) : dateReading(word, scope, joinedTo);
  return dateFormat(texts, isSteady(given) ? given : { ...given, at: command.pos });
}

/** Nanoseconds are as fast as all that they are compared with. */
function dateFormat(texts: readonly string[], given: Reading): Reading {
  const format = texts.find((text) => text.startsWith("+")) ?? "";
  const [, digits] = /%s%(\d?)N/.exec(format) ?? [];
  return digits === undefined ? given : { ...given, drift: given.drift * 10 ** Number(digits || 9) };
}

function printed(command: Command, scope: ClockScope): Reading {
  const all = wordsOf(command).map((word) =>
    /%\([^)]*\)T/.test(word.text) ? moment(word.pos) : readingOf(word, scope),
  );
  return all.reduce(concatenated, STEADY);
}

function calculatedBy(command: Command, scope: ClockScope): Reading {
  const [left, operator, right] = wordsOf(command).map((word) => operandOf(word, scope));
  if (left === undefined || operator === undefined || right === undefined) return STEADY;
  if (operator.literal === "-") return minus(left.reading, right.reading);
  if (operator.literal === "+") return plus(left.reading, right.reading);
  return either(blurred(left.reading), blurred(right.reading));
}

/** What was written since a moving date gets less, and what was written until one gets more. Null where no date is given. */
export function windowDrift(command: Command, scope: ClockScope): number | null {
  const words = wordsOf(command);
  const [since, until] = [dateOption(words, SINCE, scope), dateOption(words, UNTIL, scope)];
  if (since === null && until === null) return null;
  return joined(-(since?.drift ?? 0), until?.drift ?? 0);
}
