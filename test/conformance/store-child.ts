// A process of its own that opens a database: `node store-child.ts <url>`. Prints `open` and stays until it is killed, or
// prints the error as JSON and ends.
import { OrchError } from "../../src/domain/errors.ts";
import { openDatabase } from "../../src/store/database.ts";

try {
  await openDatabase({ url: process.argv[2] ?? "", exclusive: true });
  process.stdout.write("open\n");
  setInterval(() => undefined, 60_000);
} catch (error) {
  const { code, message } = error instanceof OrchError ? error : { code: "unexpected", message: String(error) };
  process.stdout.write(`${JSON.stringify({ code, message })}\n`);
}
