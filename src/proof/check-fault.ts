// Why a check is refused when it is taught: its text alone decides its exit code, so that it proves nothing (D-193).
import { isPlanTimeOver } from "../guard/guard.ts";
import { constantExit } from "./constant.ts";
import { mendsOf } from "./mends.ts";

/** Null where nothing is against it. In a plan whose time is over no check is judged any more, and none is taught. */
export function checkFault(text: string, index: number, env: Readonly<Record<string, string>>): string | null {
  if (isPlanTimeOver()) return `the steps before step ${index} take too long to judge; use fewer or shorter steps`;
  const constant = constantExit(text, env);
  if (constant === null) return null;
  const cannot = constant.exit_code === 0 ? "fail" : "pass";
  const [mend] = mendsOf(text);
  const fix = mend ? `instead: ${mend.text}` : "use a command that exits with 0 only where the criterion holds";
  return `check step ${index} cannot ${cannot}: ${constant.why}; ${fix}`;
}
