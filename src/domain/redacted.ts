// Defines the mark that replaces a secret in every text that orch keeps.
export const REDACTED = "[redacted]";
