import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  compareWritesSortKeys,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
  TASKS,
  WRITES_IDX_MAP,
  writesSortKey,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import type { Store } from "../../store/open-store.ts";
import type { NewestState } from "../../store/turn-checkpoints.ts";
import type { CheckpointKey, StoredCheckpoint, StoredWrite } from "../../store/queries/checkpoint-writer.ts";
import {
  deleteCheckpoints,
  findCheckpoint,
  listCheckpoints,
  readCheckpointWrites,
} from "../../store/queries/checkpoints.ts";

type SaverStore = Pick<Store, "checkpoints" | "checkpointWriter" | "turnCheckpoints">;

const safeThread = /^[\w:.-]{1,128}$/;

/**
 * LangGraph checkpoints in our store. `prune` keeps only the newest checkpoint of a thread, because a turn never goes
 * back. `hold` does the same, but in memory until `flush` or the next read. `configurable.fence` is the turn's token; a
 * fenced thread refuses any other. LangGraph's own SqliteSaver is not used: it keeps whole histories and turns bytes
 * into text.
 */
export class StoreCheckpointSaver extends BaseCheckpointSaver {
  readonly #store: SaverStore;
  readonly #keep: "all" | "prune" | "hold";

  constructor(store: SaverStore, keep: "all" | "prune" | "hold") {
    super();
    this.serde = keepPlainData(this.serde);
    this.#store = store;
    this.#keep = keep;
  }

  /** Resolves when everything of the thread is on disk. */
  async flush(thread: string): Promise<void> {
    await this.#store.turnCheckpoints.flush(thread);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.["thread_id"] === undefined) return undefined;
    const thread = readThread(config);
    const [namespace, id] = [readNamespace(config), getCheckpointId(config) || undefined];
    const read = async () => {
      const row = await findCheckpoint(this.#store.checkpoints, thread, namespace, id);
      return row && { row, writes: await readCheckpointWrites(this.#store.checkpoints, row) };
    };
    if (this.#keep !== "hold") return this.#toTuple(await read());
    const { turnCheckpoints } = this.#store;
    if (turnCheckpoints.isEmpty(thread)) return undefined;
    await this.flush(thread);
    const isNewest = namespace === "" && id === undefined;
    return this.#toTuple(await (isNewest ? turnCheckpoints.readNewest(thread, read) : read()));
  }

  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const rows = await listCheckpoints(this.#store.checkpoints, {
      thread: config.configurable?.["thread_id"] === undefined ? undefined : readThread(config),
      namespace: readOptional(config, "checkpoint_ns"),
      id: readOptional(config, "checkpoint_id"),
      before: options.before && readOptional(options.before, "checkpoint_id"),
    });
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for (const row of rows) {
      if (left <= 0) return;
      const tuple = await this.#toTuple({ row, writes: await readCheckpointWrites(this.#store.checkpoints, row) });
      const metadata = tuple.metadata as Record<string, unknown> | undefined;
      if (!Object.entries(options.filter ?? {}).every(([key, value]) => metadata?.[key] === value)) continue;
      left -= 1;
      yield tuple;
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    _newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const key: CheckpointKey = { thread: readThread(config), namespace: readNamespace(config), id: checkpoint.id };
    const [copied, parent, token] = [copyCheckpoint(checkpoint), getCheckpointId(config) || null, readFence(config)];
    const toRow = async (): Promise<StoredCheckpoint> => {
      const [format, value] = await this.serde.dumpsTyped(copied);
      const [, describing] = await this.serde.dumpsTyped(metadata);
      return { ...key, parent, format, checkpoint: value, metadata: describing };
    };
    if (this.#keep === "hold") this.#store.turnCheckpoints.hold(key.thread, token, { toRow });
    else await this.#store.checkpointWriter.put(await toRow(), { prune: this.#keep === "prune", token });
    return { configurable: { thread_id: key.thread, checkpoint_ns: key.namespace, checkpoint_id: key.id } };
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void> {
    const id = readOptional(config, "checkpoint_id");
    if (id === undefined) throw new Error("putWrites needs configurable.checkpoint_id");
    const toRows = (): Promise<readonly StoredWrite[]> =>
      Promise.all(
        writes.map(async ([channel, value], index) => {
          const [format, bytes] = await this.serde.dumpsTyped(value);
          const position = WRITES_IDX_MAP[channel] ?? index;
          return { task: taskId, position, channel, format, value: bytes, taskPath: taskPath ?? "" };
        }),
      );
    const key: CheckpointKey = { thread: readThread(config), namespace: readNamespace(config), id };
    const token = readFence(config);
    if (this.#keep === "hold") this.#store.turnCheckpoints.holdWrites(key.thread, token, { key, toRows });
    else await this.#store.checkpointWriter.putWrites(key, await toRows(), token);
  }

  override async deleteThread(threadId: string): Promise<void> {
    await deleteCheckpoints(this.#store.checkpoints, threadId);
  }

  async #toTuple(state: NewestState): Promise<CheckpointTuple>;
  async #toTuple(state: NewestState | undefined): Promise<CheckpointTuple | undefined>;
  async #toTuple(state: NewestState | undefined): Promise<CheckpointTuple | undefined> {
    if (state === undefined) return undefined;
    const { row, writes } = state;
    const checkpoint = (await this.serde.loadsTyped(row.format, row.checkpoint)) as Checkpoint;
    if (checkpoint.v < 4 && row.parent !== null) await this.#attachPendingSends(checkpoint, row, row.parent);
    const place = { thread_id: row.thread, checkpoint_ns: row.namespace };
    return {
      config: { configurable: { ...place, checkpoint_id: row.id } },
      checkpoint,
      metadata: (await this.serde.loadsTyped(row.format, row.metadata)) as CheckpointMetadata,
      pendingWrites: await this.#loadWrites(writes),
      ...(row.parent === null ? {} : { parentConfig: { configurable: { ...place, checkpoint_id: row.parent } } }),
    };
  }

  async #loadWrites(writes: readonly StoredWrite[]): Promise<[string, string, unknown][]> {
    const order = (write: StoredWrite) => writesSortKey(write.taskPath, write.task, write.position);
    return Promise.all(
      writes
        .toSorted((a, b) => compareWritesSortKeys(order(a), order(b)))
        .map(async (write): Promise<[string, string, unknown]> => [
          write.task,
          write.channel,
          await this.serde.loadsTyped(write.format, write.value),
        ]),
    );
  }

  /** Before format 4, the tasks sent by a step were stored among the writes of its parent. */
  async #attachPendingSends(checkpoint: Checkpoint, key: CheckpointKey, parent: string): Promise<void> {
    const stored = await readCheckpointWrites(this.#store.checkpoints, { ...key, id: parent });
    const writes = await this.#loadWrites(stored);
    const versions = Object.values(checkpoint.channel_versions) as number[];
    checkpoint.channel_values[TASKS] = writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }
}

function readThread(config: RunnableConfig): string {
  const thread: unknown = config.configurable?.["thread_id"];
  // Savers of other databases had injections through objects and patterns here; ours accepts plain names only.
  if (typeof thread !== "string" || !safeThread.test(thread)) {
    throw new Error('configurable.thread_id must be a name of letters, digits, "_", ":", "." and "-"');
  }
  return thread;
}

function readNamespace(config: RunnableConfig): string {
  return readOptional(config, "checkpoint_ns") ?? "";
}

function readOptional(config: RunnableConfig, key: "checkpoint_ns" | "checkpoint_id"): string | undefined {
  const value: unknown = config.configurable?.[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new Error(`configurable.${key} must be text`);
  return value;
}

function readFence(config: RunnableConfig): number | undefined {
  const fence: unknown = config.configurable?.["fence"];
  return typeof fence === "number" ? fence : undefined;
}

/**
 * Restores stored values as plain data. LangGraph instantiates records with a key `lc`, and a model writes the
 * arguments of a call: that key is stored under another name, so no record of ours is instantiated.
 */
function keepPlainData(serializer: SerializerProtocol): SerializerProtocol {
  return {
    dumpsTyped: (value: unknown) => serializer.dumpsTyped(renameKeys(value, hide)),
    loadsTyped: async (type, bytes) => renameKeys(await serializer.loadsTyped(type, bytes), show),
  };
}

const hide = (key: string): string => (/^\$*lc$/.test(key) ? `$${key}` : key);
const show = (key: string): string => (/^\$+lc$/.test(key) ? key.slice(1) : key);

/** Renames in arrays and plain objects; class instances are LangGraph's own. */
function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), renameKeys(item, rename)]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
