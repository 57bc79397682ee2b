// full: processes tell each other of a choice through a Postgres database
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createChosenPersonas } from "../../src/core/persona/chosen-personas.ts";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { createLog } from "../../src/core/log.ts";
import { sharePersonas } from "../../src/kernel/claims/share-personas.ts";
import { setSessionPersona } from "../../src/store/queries/sessions.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { joinCluster } from "../support/join-cluster.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { readPersona } from "../support/read-persona.ts";
import { createStorePlace } from "../support/store-engines.ts";
import { addSession, openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const log = createLog({ level: "silent", secrets: createKnownSecrets([]) });
const find = (id: string) => readPersona(join(import.meta.dirname, "../../config/personas", id));
const configured = { persona: find("kurisu"), personas: [find("kurisu"), find("default")] };

async function openTwo() {
  const place = await createStorePlace("postgres");
  const open = async () => {
    const store = await openTestStore(place);
    const cluster = await joinCluster(place, store, "worker");
    if (cluster === undefined) throw new Error("this store has no cluster");
    untilTestEnds(() => cluster.close());
    const { signals } = cluster;
    const personas = sharePersonas(
      createChosenPersonas(() => configured, new Map()),
      { store, signals, log },
    );
    return { personas, store };
  };
  return [await open(), await open()] as const;
}

describe.runIf(postgresIsThere())("the persona of a conversation", () => {
  it("speaks at every process as soon as it was chosen at one, and no more once it was taken back", async () => {
    const [one, other] = await openTwo();
    const session = await addSession(one.store, "s");
    const speaks = () => other.personas.of(session).id;
    expect(speaks()).toBe("kurisu");
    const choose = async (id: string | undefined) => {
      await setSessionPersona(one.store.main, session, id ?? null);
      one.personas.choose(session, id);
    };
    await choose("default");
    await waitUntil("the chosen persona", () => speaks() === "default");
    await choose(undefined);
    await waitUntil("the usual persona", () => speaks() === "kurisu");
  });

  it("a process that takes the conversation up reads its persona, should the hint have been lost", async () => {
    const [one, other] = await openTwo();
    const session = await addSession(one.store, "s");
    await setSessionPersona(one.store.main, session, "default");
    await other.personas.refresh?.(session);
    expect(other.personas.of(session).id).toBe("default");
  });
});
