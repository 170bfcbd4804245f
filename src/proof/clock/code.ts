// Programs of another language, and queries, that ask for the time: which way it turns them is not followed.
import type { Command } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";

/** The content, or its time, is that of the moment. */
export const RUNNING_FILE =
  /^["']?\/proc\/(uptime|stat|interrupts|vmstat|timer_list|driver\/rtc|schedstat|[^/]+\/s(ched)?(tat)?)["']?$/;
/** Its time is now. */
export const FILE_OF_NOW = /^["']?(\/proc\/(self|thread-self|\$\$)\/?|\/dev\/(stdin|stdout|stderr|fd\/\d+))["']?$/;

const CODE = /^(g|m|n)?awk$|^(python|perl|ruby|node|php|lua)[\d.]*$|^(deno|bun|jq|yq|bc|dc)$/;
const TIME_IN_CODE =
  /\btime\(|time\.time|monotonic|Date\.now|new Date|\.(utc)?now\(|\.today\(|Time\.now|systime|strftime|getm?time|st_[acm]time|current_(time|date)|\bnow(\s*\(|[-+]\d)|\binterval\s+'|\[\d+[smhdw]\]|\bago\(|'now'|[?&](since|from|start|last|window|range)=-?\d+[smhd]\b|uptime|idletime|\bp?ttl\b/i;
const TIME_IN_FILTER = /\bnow\b|-[MAC]\s/;

export function asksForTime(command: Command): boolean {
  const isCode = CODE.test(programName(command) ?? "");
  const given = wordsOf(command).map((word) => plainWord(word) ?? word.text);
  const body = command.redirects.flatMap((one) => (one.type === "HereDoc" ? [one.body.text] : []));
  return [...given, ...body].some(
    (text) =>
      TIME_IN_CODE.test(text.replace(RUNNING_FILE, "")) ||
      (isCode && (TIME_IN_FILTER.test(text) || RUNNING_FILE.test(text))),
  );
}
