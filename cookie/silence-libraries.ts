// Keeps what the library and its parts write by themselves out of both outputs: it may hold secrets, and standard output
// holds the cookie or nothing. To be called before the library is loaded, as its parts look at this when they start.
import { Console } from "node:console";
import { Writable } from "node:stream";

export function silenceLibraries(): void {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  globalThis.console = new Console(nowhere);
  process.noDeprecation = true;
  delete process.env["DEBUG"];
  // Keeps stacks, with paths of this computer, off the pages of errors.
  process.env["NODE_ENV"] = "production";
}
