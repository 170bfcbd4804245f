// Follows the title of the window, a filter that is typed, and where a version that was just stored is looked at.
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { createSignal, useSignal } from "../live/signal.ts";

// The title of the window, with the number of what waits.

export const waitingCount = createSignal(0);

export function useTitle(page: string): void {
  const waiting = useSignal(waitingCount);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${page} · orch`;
  }, [page, waiting]);
}

// Where a version that was just stored is looked at next: its approval, or its own page where none is asked for.

type Stored = { readonly sop: { readonly sop_id: string }; readonly approval_id: string | null };

export function useStored(): (stored: Stored) => void {
  const navigate = useNavigate();
  return ({ sop: { sop_id }, approval_id }) =>
    void navigate(
      approval_id === null
        ? { to: "/sops/$sop_id", params: { sop_id } }
        : { to: "/approvals/$approval_id", params: { approval_id } },
    );
}

// A filter that is typed: the address follows what is typed, a moment later, and what is typed follows the address where that was
// changed by something else, such as a link or the way back.

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
