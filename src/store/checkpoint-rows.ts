// Converts LangGraph's checkpoints to rows and back: one blob per version of a channel, the rest as JSON text.
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { z } from "zod";
import type { Row } from "./sql.ts";

const Name = z.string().min(1).optional().catch(undefined);
const Configurable = z.object({ thread_id: Name, checkpoint_ns: z.string().optional(), checkpoint_id: Name });

type CheckpointThread = { readonly thread_id: string; readonly ns: string };

/** The key of a checkpoint in a config; undefined where the config has no value. */
export function keyOf({ configurable = {} }: RunnableConfig) {
  const { thread_id, checkpoint_ns: ns, checkpoint_id } = Configurable.parse(configurable);
  return { thread_id, ns, checkpoint_id };
}

const configOf = ({ thread_id, ns }: CheckpointThread, checkpoint_id: string): RunnableConfig => ({
  configurable: { thread_id, checkpoint_ns: ns, checkpoint_id },
});

/** One row per channel with a new version, also for a channel without a value. */
export function blobRows(
  thread: CheckpointThread,
  values: object,
  versions: ChannelVersions,
  serde: SerializerProtocol,
) {
  const held = new Map(Object.entries(values));
  const rows = Object.entries(versions).map(async ([channel, version]): Promise<Row> => {
    const [type, data] = held.has(channel) ? await serde.dumpsTyped(held.get(channel)) : ["empty", null];
    return { ...thread, channel, version: String(version), type, data };
  });
  return Promise.all(rows);
}

type NewCheckpoint = {
  readonly thread: CheckpointThread;
  readonly parent_id: string | null;
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
};

export async function checkpointRow(
  { thread, parent_id, checkpoint: { channel_values: _inBlobs, ...body }, metadata }: NewCheckpoint,
  serde: SerializerProtocol,
): Promise<Row> {
  const [, bytes] = await serde.dumpsTyped(metadata);
  const text = Buffer.from(bytes).toString("utf8");
  return { ...thread, checkpoint_id: body.id, parent_id, body: JSON.stringify(body), metadata: text };
}

type WriteKey = CheckpointThread & { readonly checkpoint_id: string; readonly task_id: string };

/** `idx` is below zero for the special channels; a task has one write for each of them. */
export function writeRows(key: WriteKey, writes: readonly PendingWrite[], serde: SerializerProtocol) {
  const special = new Map(Object.entries(WRITES_IDX_MAP));
  const rows = writes.map(async ([channel, value], position) => {
    const [type, data] = await serde.dumpsTyped(value);
    return { ...key, idx: special.get(channel) ?? position, channel, type, data };
  });
  return Promise.all(rows);
}

const Bytes = z.instanceof(Uint8Array);
const Parts = z.array(
  z.discriminatedUnion("part", [
    z.object({ part: z.literal("blob"), a: z.string(), type: z.string(), data: Bytes.nullable() }),
    z.object({
      part: z.literal("checkpoint"),
      a: z.string(),
      b: z.string().nullable(),
      c: z.string(),
      type: z.string(),
    }),
    z.object({ part: z.literal("write"), a: z.string(), b: z.string(), type: z.string(), data: Bytes }),
  ]),
);
type Part<P extends string> = Extract<z.infer<typeof Parts>[number], { part: P }>;

/** Builds a tuple from the rows of the statement `checkpointTuple`; undefined when there is no such checkpoint. */
export async function readTuple(
  thread: CheckpointThread,
  selected: unknown,
  serde: SerializerProtocol,
): Promise<CheckpointTuple | undefined> {
  const parts = Parts.parse(selected);
  const head = parts.find((part) => part.part === "checkpoint");
  if (head === undefined) return undefined;
  const values = parts.flatMap((part) => (part.part === "blob" ? [readBlob(part, serde)] : []));
  const writes = parts.flatMap((part) => (part.part === "write" ? [readWrite(part, serde)] : []));
  const channel_values = Object.fromEntries((await Promise.all(values)).flat());
  return {
    config: configOf(thread, head.a),
    checkpoint: { ...JSON.parse(head.c), channel_values },
    metadata: await serde.loadsTyped("json", head.type),
    pendingWrites: await Promise.all(writes),
    ...(head.b === null ? {} : { parentConfig: configOf(thread, head.b) }),
  };
}

async function readBlob({ a, type, data }: Part<"blob">, serde: SerializerProtocol): Promise<[string, unknown][]> {
  return data === null ? [] : [[a, await serde.loadsTyped(type, data)]];
}

async function readWrite({ a, b, type, data }: Part<"write">, serde: SerializerProtocol) {
  const write: CheckpointPendingWrite = [a, b, await serde.loadsTyped(type, data)];
  return write;
}

const Sends = z.array(z.object({ type: z.string(), data: Bytes }));

export const readSends = (selected: unknown, serde: SerializerProtocol): Promise<unknown[]> =>
  Promise.all(Sends.parse(selected).map(({ type, data }) => serde.loadsTyped(type, data)));

const Heads = z.array(
  z.object({ thread_id: z.string(), ns: z.string(), checkpoint_id: z.string(), metadata: z.string() }),
);

export const readHeads = (selected: unknown) => Heads.parse(selected);
