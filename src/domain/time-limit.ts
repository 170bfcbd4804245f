// The time limit of one command or one tool call of a task [8.max_minutes]. The task as a whole has no limit.

export const DEFAULT_MAX_MINUTES = 10;

export const maxMs = ({ constraints }: { readonly constraints: { readonly max_minutes: number } }): number =>
  constraints.max_minutes * 60_000;
