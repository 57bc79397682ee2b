// LangGraph's own suite on our saver. Pruning is off: the suite walks back through a thread, which a turn never does.
// Its delta-channel suite is not part of `validate`: a beta channel that no state of ours uses.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate, type CheckpointSaverTestInitializer } from "@langchain/langgraph-checkpoint-validation";
import { StoreCheckpointSaver } from "../../src/agents/checkpoint-saver.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";

const opened = new Map<StoreCheckpointSaver, { store: Store; folder: string }>();

const initializer: CheckpointSaverTestInitializer<StoreCheckpointSaver> = {
  checkpointerName: "StoreCheckpointSaver on SQLite",
  async createCheckpointer() {
    const folder = mkdtempSync(join(tmpdir(), "kurisu-checkpoints-"));
    const store = await openStore(folder);
    const saver = new StoreCheckpointSaver(store.checkpoints, { prune: false });
    opened.set(saver, { store, folder });
    return saver;
  },
  async destroyCheckpointer(saver) {
    const place = opened.get(saver);
    opened.delete(saver);
    await place?.store.close();
    if (place) rmSync(place.folder, { recursive: true });
  },
};

validate(initializer);
