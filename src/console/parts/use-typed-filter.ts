// A filter that is typed: the address follows what is typed, a moment later, and what is typed follows the address where that was
// changed by something else, such as a link or the way back.
import { useEffect, useRef, useState } from "react";

const TYPED_MS = 250;

type Apply = (wanted: string | undefined) => void;

/** `least`: fewer letters are no filter. */
export function useTypedFilter(
  applied: string | undefined,
  apply: Apply,
  { least = 1 }: { readonly least?: number } = {},
): [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(applied ?? "");
  const [seen, setSeen] = useState(applied);
  const latest = useRef(apply);
  latest.current = apply;
  const sent = useRef<readonly (string | undefined)[]>([]);
  const text = typed.trim();
  const wanted = text.length >= least ? text : undefined;
  if (applied !== seen) {
    setSeen(applied);
    // What was typed a moment ago may arrive when more has been typed since.
    const own = sent.current.indexOf(applied);
    sent.current = sent.current.slice(own + 1);
    if (own === -1) setTyped(applied ?? "");
  }
  useEffect(() => {
    if (wanted === applied) return;
    const timer = setTimeout(() => {
      sent.current = [...sent.current, wanted];
      latest.current(wanted);
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [wanted, applied]);
  return [typed, setTyped];
}
