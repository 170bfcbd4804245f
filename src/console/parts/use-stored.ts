// Where a version that was just stored is looked at next: its approval, or its own page where none is asked for.
import { useNavigate } from "@tanstack/react-router";

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
