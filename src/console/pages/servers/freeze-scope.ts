// What a freeze holds, in words.
import type { OperationAnswer } from "../../operations.ts";

export type ShownFreeze = OperationAnswer<"list_freezes">["freezes"][number];

export function scopeOf({ intent, target_signature, except_diagnostics }: ShownFreeze): string {
  const what = intent ?? "every task";
  const on = target_signature === null ? "" : ` on ${target_signature}`;
  return `${what}${on}${except_diagnostics ? ", but not diagnostics" : ""}`;
}

/** The attributes of `service=web; environment=prod`; a part without a value has an empty one, which the server refuses. */
export const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(";")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => {
        const [key = "", ...value] = part.split("=");
        return [key.trim(), value.join("=").trim()];
      }),
  );
