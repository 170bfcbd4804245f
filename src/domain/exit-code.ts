// What the exit code of a check says. Without a schema, because the flow's script carries no library.

/** An exit code that says "no". Below 1 it is "yes"; 126, 127 and signals say that the check could not run. */
export const isRed = (exit_code: number): boolean =>
  exit_code >= 1 && exit_code !== 126 && exit_code !== 127 && !(exit_code > 128 && exit_code <= 192);
