// The result of one check, and its remedy. `off` means not in use, which is not a fault.

export type Diagnosis = {
  readonly state: "works" | "falls_back" | "broken" | "off";
  readonly found: string;
  /** Null when no action is needed. */
  readonly fix: string | null;
};

export type DoctorCheck = Diagnosis & { readonly name: string };

export const works = (found: string): Diagnosis => ({ state: "works", found, fix: null });
export const fallsBack = (found: string, fix: string): Diagnosis => ({ state: "falls_back", found, fix });
export const broken = (found: string, fix: string | null): Diagnosis => ({ state: "broken", found, fix });
export const off = (found: string, fix: string | null = null): Diagnosis => ({ state: "off", found, fix });
