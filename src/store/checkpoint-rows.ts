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
import type { CheckpointBlob, Checkpoint as CheckpointRow, CheckpointWrite } from "./generated/sqlite/client.ts";
import { isWhole, withSum } from "./row-sum.ts";
import { altered } from "./rows.ts";

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
  const rows = Object.entries(versions).map(async ([channel, version]): Promise<CheckpointBlob> => {
    const key = { ...thread, channel, version: String(version) };
    if (!held.has(channel)) return withSum({ ...key, type: "empty", data: null });
    const [type, data] = await serde.dumpsTyped(held.get(channel));
    return withSum({ ...key, type, data: Buffer.from(data) });
  });
  return Promise.all(rows);
}

type NewCheckpoint = {
  readonly thread: CheckpointThread;
  readonly parent_id: string | null;
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  /** The version that writes it; null where none is named. */
  readonly written_by: string | null;
};

export async function checkpointRow(
  { thread, parent_id, checkpoint: { channel_values: _inBlobs, ...body }, metadata, written_by }: NewCheckpoint,
  serde: SerializerProtocol,
): Promise<CheckpointRow> {
  const [, bytes] = await serde.dumpsTyped(metadata);
  const text = Buffer.from(bytes).toString("utf8");
  const place = { ...thread, checkpoint_id: body.id, parent_id };
  return withSum({ ...place, body: JSON.stringify(body), metadata: text, written_by });
}

type WriteKey = CheckpointThread & { readonly checkpoint_id: string; readonly task_id: string };

/** `idx` is below zero for the special channels; a task has one write for each of them. */
export function writeRows(key: WriteKey, writes: readonly PendingWrite[], serde: SerializerProtocol) {
  const special = new Map(Object.entries(WRITES_IDX_MAP));
  const rows = writes.map(async ([channel, value], position): Promise<CheckpointWrite> => {
    const [type, data] = await serde.dumpsTyped(value);
    return withSum({ ...key, idx: special.get(channel) ?? position, channel, type, data: Buffer.from(data) });
  });
  return Promise.all(rows);
}

const Body = z.object({ channel_versions: z.record(z.string(), z.union([z.string(), z.number()])) });

/** The version of each channel that the body of a checkpoint names; a blob holds its value. */
export const versionsIn = (body: string): Map<string, string> =>
  new Map(
    Object.entries(Body.parse(JSON.parse(body)).channel_versions).map(([channel, version]) => [
      channel,
      String(version),
    ]),
  );

type CheckpointParts = {
  readonly row: CheckpointRow;
  readonly blobs: readonly CheckpointBlob[];
  readonly writes: readonly CheckpointWrite[];
};

export async function readTuple(
  { row, blobs, writes }: CheckpointParts,
  serde: SerializerProtocol,
): Promise<CheckpointTuple> {
  const { thread_id, ns, checkpoint_id, parent_id, body, metadata } = row;
  const versions = versionsIn(body);
  const named = blobs.filter(({ channel, version }) => versions.get(channel) === version);
  if (![row, ...named, ...writes].every(isWhole)) throw altered(`the checkpoint of ${thread_id}`);
  const values = named.map((blob) => readBlob(blob, serde));
  const pending = writes.map(async ({ task_id, channel, type, data }): Promise<CheckpointPendingWrite> => {
    return [task_id, channel, await serde.loadsTyped(type, data)];
  });
  return {
    config: configOf({ thread_id, ns }, checkpoint_id),
    checkpoint: { ...JSON.parse(body), channel_values: Object.fromEntries((await Promise.all(values)).flat()) },
    metadata: await serde.loadsTyped("json", metadata),
    pendingWrites: await Promise.all(pending),
    ...(parent_id === null ? {} : { parentConfig: configOf({ thread_id, ns }, parent_id) }),
  };
}

async function readBlob({ channel, type, data }: CheckpointBlob, serde: SerializerProtocol) {
  return data === null ? [] : [[channel, await serde.loadsTyped(type, data)] as const];
}
