// What to do about a target: what costs most of it, each with the place where that is mended.
import { Link, type LinkProps } from "@tanstack/react-router";
import { InlineCode } from "../../parts/code.tsx";
import { procedureIn, type ShownTarget } from "./target-text.ts";

type Worst = ShownTarget["worst"][number];

export function Mend({ worst }: { readonly worst: readonly Worst[] }) {
  return (
    <ul className="mend">
      {worst.map((one) => (
        <li key={`${one.about} ${one.operation}`}>
          <span className="number mend-count">{one.count}</span>
          <span className="mend-about">
            <InlineCode text={one.about} />
          </span>
          <Link {...placeOf(one)}>{WORDS[one.operation] ?? `See ${one.operation}`}</Link>
        </li>
      ))}
    </ul>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  update_sop: "Teach a new version",
  record_verification: "Look, and record it",
  get_evidence: "See what happened",
  teach: "Teach it",
  approve: "Decide what waits",
};

function placeOf({ about, sop_id, operation }: Worst): LinkProps {
  const { intent, target } = procedureIn(about) ?? {};
  if (operation === "update_sop" && sop_id !== null) return { to: "/teach", search: { sop_id } };
  if (operation === "update_sop" || operation === "teach") return { to: "/teach", search: { intent, target } };
  if (operation === "record_verification")
    return { to: "/tasks", search: { status: "ok", verified: "none", intent, q: target } };
  if (operation === "approve") return { to: "/" };
  return { to: "/tasks", search: { intent, q: target } };
}
