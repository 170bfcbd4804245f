// What a worker of the engine runs for a job of the speak script: `main` with the arguments in their order. Run by bun, with the
// script and its arguments as JSON; it prints the result, or what was thrown.
const [script = "", args = "[]"] = process.argv.slice(2);
const { main } = await import(script);
const said = await main(...JSON.parse(args)).then(
  (result: unknown) => ({ result }),
  (error: Error) => ({ error: error.message }),
);
process.stdout.write(JSON.stringify(said));
