// Keeps the prepared statements of Prisma's SQLite adapter, which prepares each anew at every call: that costs more than running
// it (D-246). The adapter's connection is a private field of it. Where that is not what is known here, nothing is kept, and
// the adapter works as it does.

type Prepared = {
  readonly reader: boolean;
  readonly columns: () => unknown[];
  readonly raw: () => { readonly all: (args: readonly unknown[]) => unknown[] };
  readonly run: (args: readonly unknown[]) => unknown;
};

type Bindable = { readonly bind: (args: readonly unknown[]) => Bound };

/** What the adapter asks of a statement with its values. */
type Bound = {
  readonly reader: boolean;
  readonly columns: () => unknown[];
  readonly raw: () => { readonly all: () => unknown[] };
  readonly run: () => unknown;
};

// The statements of the store, and those of the client with their usual numbers of values.
const MAX_KEPT = 300;

/** True where statements are kept from now on. */
export function keepStatements(adapter: object): boolean {
  const connection = "client" in adapter ? adapter.client : undefined;
  if (!canPrepare(connection)) return false;
  const prepare = connection.prepare.bind(connection) as (sql: string) => Prepared;
  const kept = new Map<string, Bindable>();
  connection.prepare = (sql: string) => {
    const known = kept.get(sql) ?? bindable(prepare(sql));
    // The one that was used last is the last to go.
    kept.delete(sql);
    kept.set(sql, known);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return known;
  };
  return true;
}

function bindable(statement: Prepared): Bindable {
  const { reader } = statement;
  const columns = reader ? statement.columns() : [];
  return {
    bind: (args) => ({
      reader,
      columns: () => columns,
      raw: () => ({ all: () => statement.raw().all(args) }),
      run: () => statement.run(args),
    }),
  };
}

const canPrepare = (connection: unknown): connection is { prepare: (sql: string) => unknown } =>
  typeof connection === "object" &&
  connection !== null &&
  "prepare" in connection &&
  typeof connection.prepare === "function" &&
  connection.constructor.name === "Database";
