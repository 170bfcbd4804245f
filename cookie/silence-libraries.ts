// Discards what the library and its dependencies print (D-161): it may contain secrets, and standard output contains the cookie
// or nothing. Call it before the library is loaded, because its dependencies read this setting when they start.
import { Console } from "node:console";
import { Writable } from "node:stream";

export function silenceLibraries(): void {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  globalThis.console = new Console(nowhere);
  process.noDeprecation = true;
  delete process.env["DEBUG"];
  // Keeps stacks, with paths of this computer, out of error pages.
  process.env["NODE_ENV"] = "production";
}
