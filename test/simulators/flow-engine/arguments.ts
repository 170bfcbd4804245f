// The references in a job's arguments, resolved the way a worker of the newer releases does before the script sees them.
const MAX_DEPTH = 50;
const MAX_ITEMS = 1000;
const DEEPEST_ARRAY = 2;
const GATE = ["$var:", "$jsonvar:", "$res:", "$encrypted:", '"$interpolate"'];

export type Surroundings = {
  readonly variables: ReadonlyMap<string, string>;
  readonly resources: ReadonlyMap<string, unknown>;
  /** The values of `$NAME`: the reserved variables and the worker group's own environment. */
  readonly env: Readonly<Record<string, string>>;
};

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments as the script gets them, or the words that the job fails with. */
export function resolveArguments(
  args: Arguments,
  from: Surroundings,
): { readonly args: Arguments } | { readonly fault: string } {
  const resolve = ([name, value]: [string, unknown]) => [name, resolveArgument(name, value, from)];
  try {
    return { args: Object.fromEntries(Object.entries(args).map(resolve)) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

function resolveArgument(name: string, argument: unknown, from: Surroundings): unknown {
  const written = JSON.stringify(argument);
  if (!GATE.some((mark) => written.includes(mark))) return argument;
  const walk = (value: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new Error(`Argument \`${name}\` is nested too deeply`);
    if (typeof value === "string") return resolveText(name, value, from);
    if (Array.isArray(value)) {
      const walked = depth <= DEEPEST_ARRAY && value.length <= MAX_ITEMS;
      return walked ? value.map((item) => walk(item, depth + 1)) : value;
    }
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (only?.[0] === "$interpolate" && entries.length === 1 && Array.isArray(only[1])) {
      return only[1].map((part) => interpolated(name, part, from)).join("");
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, walk(item, depth + 1)]));
  };
  return walk(argument, 0);
}

function interpolated(name: string, part: unknown, from: Surroundings): string {
  const names_variable = typeof part === "object" && part !== null && "$var" in part;
  return names_variable ? variable(name, String(part.$var), from) : String(part);
}

function resolveText(name: string, value: string, from: Surroundings): unknown {
  const after = (prefix: string) => value.slice(prefix.length);
  if (value.startsWith("$var:")) return variable(name, after("$var:"), from);
  if (value.startsWith("$jsonvar:")) return JSON.parse(variable(name, after("$jsonvar:"), from));
  if (value.startsWith("$res:")) return resource(name, after("$res:"), from);
  if (value.startsWith("$encrypted:")) return Buffer.from(after("$encrypted:"), "base64").toString("utf8");
  return value.startsWith("$") ? (from.env[value.slice(1)] ?? value) : value;
}

function variable(name: string, path: string, { variables }: Surroundings): string {
  const found = variables.get(path);
  if (found === undefined) throw new Error(`Variable ${path} not found for \`${name}\``);
  return found;
}

function resource(name: string, path: string, { resources }: Surroundings): unknown {
  if (!resources.has(path)) throw new Error(`Resource ${path} not found for \`${name}\``);
  return resources.get(path);
}
