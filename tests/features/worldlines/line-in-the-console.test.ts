import { describe, expect, it } from "vitest";
import type { ConversationMessage } from "../../../src/core/conversation.ts";
import type { MessagesView, WholeSessionView } from "../../../src/console/views/chats-views.ts";
import { forkBranch } from "../../../src/features/worldlines/branches.ts";
import { appendPoint } from "../../../src/store/queries/messages.ts";
import { addChat, say } from "../../support/console/add-chat.ts";
import { openConsole, pathOf } from "../../support/console/open-console.ts";
import { listEngines } from "../../support/store-engines.ts";

const own = "telegram:bot:7";

describe.each(listEngines())("a conversation in the console on %s", (engine) => {
  it("only the current line is shown, and the branch has its number", async () => {
    const { read, store } = await openConsole(engine);
    await addChat(store, { id: own });
    const add = (text: string) =>
      store.main.transaction().execute((tx) =>
        appendPoint(tx, {
          session: own,
          turn: null,
          taint: "user",
          message: say(text) as Extract<ConversationMessage, { role: "user" }>,
          now: 1,
        }),
      );
    for (const text of ["a", "b", "c"]) await add(text);
    await store.main.transaction().execute((tx) => forkBranch(tx, own, { position: 1, point: 0, now: 2 }));
    await add("d");
    const { rows } = await read<MessagesView>(pathOf(own, "/messages"));
    expect(rows.map(({ blocks }) => blocks)).toMatchObject([
      [{ inside: [{ text: "a" }] }],
      [{ inside: [{ text: "d" }] }],
    ]);
    expect(await read<WholeSessionView>(pathOf(own))).toMatchObject({ branch: 2, branches: 2, total: 2, grants: 0 });
  });
});
