// Runs Prisma's schema engine as WebAssembly. It writes and applies migrations without the engine binary that Prisma's
// command line would download, and keeps the `_prisma_migrations` table that `prisma migrate deploy` reads.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";

// The types of Node contain only the namespace.
declare const WebAssembly: {
  instantiate(binary: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

// The bindings keep one instance in module scope, so a process creates it once.
let loading: ReturnType<typeof load> | undefined;

async function load() {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm")).replace(/\.js$/, "_bg.wasm");
  const { instance } = await WebAssembly.instantiate(await readFile(wasm), { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports["__wbindgen_start"] as () => void)();
  return bindings;
}

/** Loading takes about 60 ms, so callers check first whether anything is pending. */
export async function withSchemaEngine<T>(
  factory: SqlMigrationAwareDriverAdapterFactory,
  use: (engine: SchemaEngine) => Promise<T>,
  schema?: { readonly path: string; readonly content: string },
): Promise<T> {
  loading ??= load();
  const { SchemaEngine } = await loading;
  const datamodels: [string, string][] | undefined = schema && [[schema.path, schema.content]];
  const opened: SqlDriverAdapter[] = [];
  const adapters = bindMigrationAwareSqlAdapterFactory(remembering(factory, opened));
  try {
    const engine = await SchemaEngine.new({ datamodels }, () => undefined, adapters);
    return await use(engine).finally(() => engine.free());
  } finally {
    await Promise.all(opened.map((adapter) => adapter.dispose()));
  }
}

/** The engine leaves its connections open, and on SQLite they hold the file. */
function remembering(
  factory: SqlMigrationAwareDriverAdapterFactory,
  opened: SqlDriverAdapter[],
): SqlMigrationAwareDriverAdapterFactory {
  const remember = async (connecting: Promise<SqlDriverAdapter>) => {
    const adapter = await connecting;
    opened.push(adapter);
    return adapter;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: () => remember(factory.connect()),
    connectToShadowDb: () => remember(factory.connectToShadowDb()),
  };
}
