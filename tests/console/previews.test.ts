import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type {
  PreviewView,
  QuestionsView,
  QuestionView,
  RefusedDecision,
} from "../../src/console/views/question-views.ts";
import { defaultTerms } from "../../src/kernel/gate/approval-terms.ts";
import { insertPause } from "../../src/store/queries/pause.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { asPage } from "../support/console/console-server.ts";
import { openStream } from "../support/console/open-stream.ts";
import { effectRules } from "../support/effect-tools.ts";
import { Gate } from "../support/gate.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function begin(engine: "sqlite" | "postgres" = "sqlite") {
  kurisu = new TestGateway({ place: await createStorePlace(engine) });
  await kurisu.start();
  const server = await startConsoleBeside(kurisu);
  const cookie = await server.addLogin("owner");
  const headers = { ...asPage(`127.0.0.1:${server.port}`), cookie };
  async function only(): Promise<QuestionView> {
    const { open } = JSON.parse((await server.send({ path: "/api/questions", headers })).text) as QuestionsView;
    const [question, ...others] = open;
    if (!question || others.length > 0) throw new Error(`${open.length} questions are open`);
    return question;
  }
  return {
    server,
    headers,
    only,
    async preview({ calls, id }: Pick<QuestionView, "calls" | "id">) {
      const body = { calls: calls.map(({ call, hash }) => ({ call, hash })) };
      const { status, text } = await server.send({
        method: "POST",
        path: `/api/questions/${id}/preview`,
        headers,
        body,
      });
      return { status, view: JSON.parse(text) as QuestionView & RefusedDecision };
    },
    /** Waits for the result of the only question. */
    async result(): Promise<PreviewView | undefined> {
      await kurisu.until(async () => ((await only()).preview?.kind ?? "running") !== "running");
      return (await only()).preview;
    },
  };
}

const sent = () => kurisu.channel.sent.map(({ message }) => message.id).filter((id) => id.endsWith(".preview"));

/** Previews wait at the gate. */
function holdPreviews(): Gate {
  const gate = new Gate();
  kurisu.onPreview = async (_, { signal }) => {
    await gate.pass(signal);
    return { ok: true, output: "" };
  };
  return gate;
}

describe.each(listUsualEngines())("previews in the console on %s:", (engine) => {
  it("the result comes to the card and not to the chat, and pages are told to read it", async () => {
    const { headers, only, preview, result, server } = await begin(engine);
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    expect(question).toMatchObject({ canPreview: true });
    expect(question.preview).toBeUndefined();
    const stream = await openStream(server, headers.cookie);
    const isTold = () =>
      stream.events.filter(({ data }) => data["topic"] === "questions" && data["id"] === question.id);
    const before = isTold().length;
    expect((await preview(question)).status).toBe(202);
    const found = await result();
    expect(found?.kind).toBe("ran");
    expect(JSON.stringify(found)).toContain("+poked a");
    expect(JSON.stringify(found)).toContain("真正的工作区没有变");
    await kurisu.until(() => isTold().length > before);
    expect({ sent: sent(), did: kurisu.did() }).toEqual({ sent: [], did: [] });
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "preview.asked", actor: "console:owner", login: "login_owner" }),
    );
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "preview.done", actor: "console:owner" }),
    );
  });
});

describe("a preview that the console asked for", () => {
  it("a preview is shown as running, and a second one is refused until it has ended", async () => {
    const { only, preview, result } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const gate = holdPreviews();
    const first = await preview(await only());
    expect([first.status, first.view.preview?.kind]).toEqual([202, "running"]);
    const second = await preview(await only());
    expect([second.status, second.view.code]).toEqual([409, "running"]);
    gate.open();
    expect((await result())?.kind).toBe("ran");
    expect((await preview(await only())).status).toBe(202);
    expect((await result())?.kind).toBe("ran");
  });

  it("the reason of a call that would fail is a finding; a preview that broke says so and can be asked for again", async () => {
    const { only, preview, result } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    kurisu.onPreview = async () => ({ ok: false, error: "it does not work" });
    await preview(await only());
    const failed = await result();
    expect([failed?.kind, JSON.stringify(failed)]).toEqual(["ran", expect.stringContaining("it does not work")]);
    await sql`alter table previews rename to away`.execute(kurisu.store.main);
    await preview(await only());
    expect((await result())?.kind).toBe("broken");
    expect(kurisu.faults.splice(0)).toEqual([expect.stringContaining("a preview failed")]);
    await sql`alter table away rename to previews`.execute(kurisu.store.main);
    await preview(await only());
    expect((await result())?.kind).toBe("ran");
  });

  it("its result goes with /stop, which ends the question", async () => {
    const { only, preview } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const gate = holdPreviews();
    await preview(await only());
    await kurisu.until(() => gate.waiting === 1);
    await kurisu.say("/stop", { user: "alice" });
    expect(await kurisu.questions()).toEqual([]);
    expect(sent()).toEqual([]);
  });

  it("the result of one question is not shown with another, and goes when its question ends", async () => {
    const { only, preview, result, server, headers } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    await preview(question);
    await result();
    await kurisu.store.main
      .updateTable("question_calls")
      .set({ hash: "another" })
      .where("question", "=", question.id)
      .execute();
    expect((await only()).preview).toBeUndefined();
    const changed = await preview(question);
    expect([changed.status, changed.view.code]).toEqual([409, "changed"]);
    await kurisu.store.main
      .updateTable("question_calls")
      .set({ hash: question.calls[0]?.hash ?? "" })
      .where("question", "=", question.id)
      .execute();
    expect((await only()).preview?.kind).toBe("ran");
    await kurisu.say("取消", { user: "alice" });
    const closed = await server.send({ path: `/api/questions/${question.id}`, headers });
    expect(JSON.parse(closed.text)).not.toHaveProperty("preview");
    const late = await preview(question);
    expect([late.status, late.view.code]).toEqual([409, "closed"]);
  });

  it("nothing is tried out for who may not approve, while everything is paused, after the deadline, or without calls", async () => {
    const { headers, only, preview, server } = await begin();
    kurisu.rules.current = {
      ...effectRules,
      rules: [{ tool: "poke", level: "confirm", approval: { ...defaultTerms, approvers: ["fake:bob"] } }],
    };
    await kurisu.say("poke a", { user: "alice" });
    const others = await only();
    expect(others.canPreview).toBe(false);
    expect((await preview(others)).status).toBe(403);
    kurisu.rules.current = effectRules;
    await kurisu.say("取消", { user: "alice" });
    await kurisu.say("poke b", { user: "alice" });
    const question = await only();
    const path = `/api/questions/${question.id}/preview`;
    expect((await server.send({ method: "POST", path, headers, body: {} })).status).toBe(400);
    expect((await preview({ ...question, id: "q_none" })).status).toBe(404);
    await insertPause(kurisu.store.main, { since: kurisu.clock.now(), person: "fake:owner", name: "owner" });
    expect((await preview(question)).status).toBe(423);
    await kurisu.store.main.deleteFrom("pause").execute();
    kurisu.clock.advance(600_000);
    expect((await preview(question)).status).toBe(410);
    expect(kurisu.previews).toEqual([]);
  });
});
