// What is said of a place in a text.
export type Mark = {
  readonly from: number;
  readonly to: number;
  readonly severity: "error" | "warning";
  readonly message: string;
};

/** Moves the cursor to a place, and shows it. */
export type GoTo = (at: number) => void;
