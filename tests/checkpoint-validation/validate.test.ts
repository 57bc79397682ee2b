// LangGraph's own suite on our saver. Pruning is off: the suite walks back through a thread, which a turn never does.
// Its delta-channel suite is not part of `validate`: a beta channel that no state of ours uses.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate, type CheckpointSaverTestInitializer } from "@langchain/langgraph-checkpoint-validation";
import { inject } from "vitest";
import { StoreCheckpointSaver } from "../../src/kernel/agent/checkpoint-saver.ts";
import type { StorePlace } from "../../src/store/open-store.ts";
import { openStore } from "../support/open-store.ts";
import { createDatabase } from "../support/postgres-server.ts";

interface Place {
  readonly place: StorePlace;
  remove(): Promise<void>;
}

function initialize(
  engine: string,
  makePlace: () => Promise<Place>,
): CheckpointSaverTestInitializer<StoreCheckpointSaver> {
  const opened = new Map<StoreCheckpointSaver, () => Promise<void>>();
  return {
    checkpointerName: `StoreCheckpointSaver on ${engine}`,
    async createCheckpointer() {
      const { place, remove } = await makePlace();
      const store = await openStore(place);
      const saver = new StoreCheckpointSaver(store, "all");
      opened.set(saver, async () => {
        await store.close();
        await remove();
      });
      return saver;
    },
    async destroyCheckpointer(saver) {
      await opened.get(saver)?.();
      opened.delete(saver);
    },
  };
}

validate(
  initialize("SQLite", async () => {
    const home = mkdtempSync(join(tmpdir(), "kurisu-checkpoints-"));
    return { place: { home }, remove: async () => rmSync(home, { recursive: true }) };
  }),
);

const server = inject("postgresUrl");
if (server !== "") {
  validate(
    initialize("Postgres", async () => {
      const { url, drop } = await createDatabase(server);
      return { place: { home: tmpdir(), url }, remove: drop };
    }),
  );
}
