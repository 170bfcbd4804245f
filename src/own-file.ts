// Where the files of the program are: a checkout runs TypeScript, and the package has the same tree in JavaScript (D-363).
import { basename, dirname, extname } from "node:path";

/** The directory of the checkout, or of the package. */
export const ROOT = dirname(import.meta.dirname);

const ENDING = extname(import.meta.filename);

/** The name that a file of the program has here; `file` ends with `.ts`. */
export const own = (file: string): string => file.replace(/\.ts$/, ENDING);

/** The directories whose code orch runs: npm puts the packages that an installed one needs beside it. */
export const CODE: readonly string[] = basename(dirname(ROOT)) === "node_modules" ? [ROOT, dirname(ROOT)] : [ROOT];
