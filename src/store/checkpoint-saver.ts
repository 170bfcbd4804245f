// Stores LangGraph's checkpoints in the database: one blob per version of a channel, so that a checkpoint costs what
// changed (D-045, D-165). The class implements the interface of LangGraph.
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  maxChannelVersion,
  type PendingWrite,
  TASKS,
} from "@langchain/langgraph-checkpoint";
import { blobRows, checkpointRow, keyOf, readHeads, readSends, readTuple, writeRows } from "./checkpoint-rows.ts";
import type { Database } from "./database.ts";
import { unusable } from "./fault.ts";
import * as sql from "./sql.ts";

type SaverOptions = {
  /** True when the checkpoints of a thread are about to be deleted; no more are written (D-048). */
  readonly isEnded?: (thread_id: string) => boolean;
};

export class PrismaSaver extends BaseCheckpointSaver {
  readonly #database: Database;
  readonly #isEnded: (thread_id: string) => boolean;

  constructor(database: Database, { isEnded = () => false }: SaverOptions = {}) {
    super();
    this.#database = database;
    this.#isEnded = isEnded;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, ns = "", checkpoint_id } = keyOf(config);
    if (thread_id === undefined) return undefined;
    const selected = await this.#read(sql.checkpointTuple(this.#database.provider, { thread_id, ns, checkpoint_id }));
    const tuple = await readTuple({ thread_id, ns }, selected, this.serde);
    if (tuple !== undefined && tuple.checkpoint.v < 4) await this.#addPendingSends(tuple);
    return tuple;
  }

  override async *list(
    config: RunnableConfig,
    { limit, before, filter = {} }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
    const key = { ...keyOf(config), before: before && keyOf(before).checkpoint_id };
    // The filter is applied below and the limit counts what passes it, so SQL may limit only without a filter.
    const selected = await this.#read(sql.checkpointKeys(key, wanted.length === 0 ? limit : undefined));
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (const { thread_id, ns, checkpoint_id, metadata } of readHeads(selected)) {
      if (left <= 0) return;
      const held = new Map(Object.entries(await this.serde.loadsTyped("json", metadata)));
      if (!wanted.every(([name, value]) => held.get(name) === value)) continue;
      const tuple = await this.getTuple({ configurable: { thread_id, checkpoint_ns: ns, checkpoint_id } });
      if (tuple === undefined) continue;
      left -= 1;
      yield tuple;
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { thread_id, ns = "", checkpoint_id: parent_id = null } = keyOf(config);
    if (thread_id === undefined) throw new Error("a checkpoint needs a thread_id in its config");
    const thread = { thread_id, ns };
    if (!this.#isEnded(thread_id)) {
      const blobs = await blobRows(thread, checkpoint.channel_values, newVersions, this.serde);
      const row = await checkpointRow({ thread, parent_id, checkpoint, metadata }, this.serde);
      await this.#write([...(blobs.length === 0 ? [] : [sql.insertBlobs(blobs)]), sql.insertCheckpoint(row)]);
    }
    return { configurable: { thread_id, checkpoint_ns: ns, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id, ns = "", checkpoint_id } = keyOf(config);
    if (thread_id === undefined || checkpoint_id === undefined) {
      throw new Error("pending writes need a thread_id and a checkpoint_id in their config");
    }
    if (writes.length === 0 || this.#isEnded(thread_id)) return;
    const rows = await writeRows({ thread_id, ns, checkpoint_id, task_id: taskId }, writes, this.serde);
    const allSpecial = rows.every(({ idx }) => idx < 0);
    await this.#write([sql.insertWrites(rows, allSpecial)]);
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.#write(sql.deleteCheckpoints(threadId));
  }

  /** Deletes the checkpoints of every thread that has ended. */
  async sweep(): Promise<void> {
    await this.#write(sql.sweepCheckpoints);
  }

  /** Keeps what resuming needs and deletes the history. Call it only while no other code works on the thread. */
  async prune(thread_id: string): Promise<void> {
    await this.#write(sql.pruneCheckpoints(this.#database.provider, thread_id));
  }

  /** Checkpoints from before version 4 stored what was sent to tasks with their parent. */
  async #addPendingSends({ checkpoint, parentConfig }: CheckpointTuple): Promise<void> {
    if (parentConfig === undefined) return;
    const { thread_id = "", ns = "", checkpoint_id = "" } = keyOf(parentConfig);
    const selected = await this.#read(sql.pendingSends({ thread_id, ns, checkpoint_id }, TASKS));
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = await readSends(selected, this.serde);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async #read(statement: sql.Statement): Promise<unknown> {
    try {
      return await this.#database.query(statement);
    } catch (error) {
      throw unusable(error);
    }
  }

  /** Writes all or nothing. A single statement is a transaction by itself. */
  async #write(statements: readonly sql.Statement[]): Promise<void> {
    const { client, execute } = this.#database;
    const writes = statements.map((statement) => execute(statement));
    try {
      await (writes.length === 1 ? writes[0] : client.$transaction(writes));
    } catch (error) {
      throw unusable(error);
    }
  }
}
