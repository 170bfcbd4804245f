// Preloaded into a server (`node --import`): gives it the host name of `MACHINE_NAME`. Servers of other hosts cannot see whether its process
// has ended, as if it ran on another machine.
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

const name = process.env["MACHINE_NAME"];
if (name !== undefined) {
  os.hostname = () => name;
  syncBuiltinESMExports();
}
