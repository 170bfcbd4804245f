// The paths, containers and hosts that the steps reach.
import { InlineCode } from "../../parts/code.tsx";
import type { ReachedThings } from "./meaning.ts";

const PARTS = [
  ["paths", "Paths"],
  ["containers", "Containers"],
  ["hosts", "Hosts"],
] as const;

export function ReachList({ reach }: { readonly reach: ReachedThings }) {
  const known = PARTS.filter(([name]) => reach[name].length > 0);
  if (known.length === 0) return null;
  return (
    <dl className="facts reach">
      {known.map(([name, label]) => (
        <div key={name} className="fact">
          <dt>{label}</dt>
          <dd>
            {reach[name].map((text) => (
              <InlineCode key={text} text={text} />
            ))}
          </dd>
        </div>
      ))}
      {reach.more > 0 && (
        <div className="fact">
          <dt>Not shown</dt>
          <dd>{reach.more} more</dd>
        </div>
      )}
    </dl>
  );
}
