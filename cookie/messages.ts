// The messages of the cookie tool on standard error, except errors.
import { OWN_ADDRESS } from "./library-options.ts";

const amount = (minutes: number): string => `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;

export const prompt = (
  port: number,
  minutes: number,
): string => `Please open this address in a private window of a browser on this computer and log in:

    http://${OWN_ADDRESS}:${port}/

Use exactly this address, not localhost. The cookie is printed on standard output after the login.
Warning: while this runs, anyone on the network can reach the login proxy at port ${port} of this computer.
Use it only in a network that you trust. It ends by itself after ${amount(minutes)}; Ctrl-C ends it at once.`;

export const unreachable = (code: string): string =>
  `The provider cannot be reached (${code}). Check the network of this computer and load the page again.`;

export const printed = `The cookie is printed, this once; anyone who has it is logged in as you.
Store it as the secret variable f/voice/account_cookie of the flow engine, never in a file under version control.
It expires within days to weeks: then run npm run --silent cookie again.`;

export const interrupted = "Interrupted: the login proxy is stopped, no cookie was printed.";

export const timeIsUp = (minutes: number): string =>
  `There was no login within ${amount(minutes)}, so the login proxy is stopped. Run the tool again when you are ready.`;

export const unfinished =
  "The provider did not finish the login. Wait some minutes, then run the tool again and log in anew.";

export const notPrinted = (code: string): string =>
  `The cookie could not be written to standard output (${code}) and is lost. Run the tool again and log in anew.`;
