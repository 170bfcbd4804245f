// The names of the fixtures. fixtures.ts has what they are.
export const FIXTURE_NAMES = [
  ...(["web-down", "web-old", "web-starting"] as const),
  ...(["stack-stopped", "stack-old", "stack-restarting"] as const),
  ...(["checkout", "release", "unit", "worker", "host", "host-down", "database", "machine"] as const),
] as const;
export type FixtureName = (typeof FIXTURE_NAMES)[number];
