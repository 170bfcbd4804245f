// What a token may do, and which token has what: the supervisor's has everything but decisions where an approver's token is set.
import { useSignal } from "../live/signal.ts";
import { session } from "../session.ts";

const SCOPES = ["read", "submit", "teach", "approve"] as const;
export type SessionScope = (typeof SCOPES)[number];

export const scopeIn = (text: string | null): SessionScope | undefined => SCOPES.find((scope) => scope === text);

export const GIVES_SCOPE: Readonly<Record<SessionScope, string>> = {
  read: "The token of the service has it.",
  submit: "The token of the service has it; the approver's token has not.",
  teach: "The token of the service has it; the approver's token has not.",
  approve: "The approver's token has it, which ORCH_APPROVER_TOKEN sets; without one the token of the service has.",
};

export const useMay = (scope: SessionScope): boolean => useSignal(session)?.scopes.includes(scope) === true;
