// What was found in one place, and what to do about it. `off` is not in use, which is no fault.

export type Diagnosis = {
  readonly state: "works" | "falls_back" | "broken" | "off";
  readonly found: string;
  /** Null when there is nothing to do. */
  readonly fix: string | null;
};

export const works = (found: string): Diagnosis => ({ state: "works", found, fix: null });
export const fallsBack = (found: string, fix: string): Diagnosis => ({ state: "falls_back", found, fix });
export const broken = (found: string, fix: string | null): Diagnosis => ({ state: "broken", found, fix });
export const off = (found: string, fix: string | null = null): Diagnosis => ({ state: "off", found, fix });
