// Opens the database file that the command line names, and prints whether it could.
import { wordsOf } from "../../src/domain/errors.ts";
import { openDatabase } from "../../src/store/database.ts";

try {
  const database = await openDatabase({ url: `file:${process.argv[2]}`, exclusive: true });
  await database.close();
  process.stdout.write("opened\n");
} catch (error) {
  process.stdout.write(`${wordsOf(error)}\n`);
}
