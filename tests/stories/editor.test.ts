import { readFileSync } from "node:fs";
import { join } from "node:path";
import { methods, type LoadSessionResponse } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { startEditor, type Dialog, type Editor } from "../support/kurisu-process/editor.ts";
import { fileScript } from "../support/kurisu-process/file-script.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import {
  callShell,
  callTools,
  lastWords,
  resultsOfThisTurn,
  startScriptedModel,
} from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";

const patience = { interval: 20 };

async function waitForDialog({ dialogs }: Editor, count = 1): Promise<Dialog> {
  await expect.poll(() => dialogs.length, patience).toBeGreaterThanOrEqual(count);
  const dialog = dialogs.at(count - 1);
  if (!dialog) throw new Error("no dialog came");
  return dialog;
}

describe("kurisu acp by itself", () => {
  test("says what it can do, where her files are, and answers as it goes; standard output is the protocol's alone", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel();
    const editor = await startEditor({ folder, environment });
    const about = await editor.agent.request(methods.agent.initialize, { protocolVersion: 99 });
    expect(about).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "kurisu" },
      agentCapabilities: { loadSession: true, promptCapabilities: { embeddedContext: true, audio: false } },
    });
    const session = await editor.open({ cwd: "/home/okabe/thesis" });
    // Nothing promises that they come before the first words.
    await expect.poll(() => editor.updates.length).toBe(1);
    expect(await editor.prompt(session, "现在几点")).toBe("end_turn");
    const kinds = editor.updates.map(({ update }) => update.sessionUpdate);
    expect(kinds).toEqual([
      "available_commands_update",
      "agent_message_chunk",
      "tool_call",
      "tool_call_update",
      "agent_message_chunk",
    ]);
    expect(editor.updates[0]?.update).toMatchObject({
      availableCommands: expect.arrayContaining([expect.objectContaining({ name: "plan" })]) as unknown,
    });
    expect(editor.updates[2]?.update).toMatchObject({ name: "time", status: "in_progress" });
    expect(editor.updates[3]?.update).toMatchObject({ status: "completed" });
    const said = editor.said(session);
    expect(said).toContain("/home/okabe/thesis");
    expect(said).toMatch(/好了，我看过结果了。$/);
    await editor.prompt(session, "在吗");
    expect(editor.said(session).split("/home/okabe/thesis"), "once").toHaveLength(2);

    expect(await editor.quit()).toBe(0);
    for (const line of editor.stdout().trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(editor.stderr()).toBe("");
  });

  test("garbage is answered as such, sessions are kept apart, unknown ones refused", async () => {
    const folder = createKurisuFolder();
    const { environment, requests } = await startScriptedModel();
    const editor = await startEditor({ folder, environment });
    editor.write('{ no json\n[1]\n"x"\n{"jsonrpc":"2.0","id":7,"method":"session/nothing"}\n\n');
    const [one, two] = [await editor.open(), await editor.open()];
    expect(one).not.toBe(two);
    expect(await Promise.all([editor.prompt(one, "记住：蓝色"), editor.prompt(two, "在吗")])).toEqual([
      "end_turn",
      "end_turn",
    ]);
    expect(editor.said(two)).toContain("嗯，我在听。");
    await editor.prompt(two, "再说一次");
    expect(JSON.stringify(requests.at(-1))).not.toContain("蓝色");
    await expect(editor.prompt("acp-nobody", "在吗")).rejects.toMatchObject({ code: -32002 });
    for (const sessionId of ["acp-nobody", "../x"]) {
      const load = { sessionId, cwd: "/", mcpServers: [] };
      await expect(editor.agent.request(methods.agent.session.load, load)).rejects.toMatchObject({ code: -32002 });
    }
    expect(await editor.quit()).toBe(0);
  });

  test("a conversation is loaded as it was stored, by another process", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel();
    const before = await startEditor({ folder, environment });
    const session = await before.open();
    await before.prompt(session, "现在几点");
    await before.prompt(session, "/plan");
    await before.quit();
    const editor = await startEditor({ folder, environment });
    const load = { sessionId: session, cwd: "", mcpServers: [] };
    const loaded = await editor.agent.request<LoadSessionResponse>(methods.agent.session.load as string, load);
    expect(loaded.modes?.currentModeId).toBe("plan");
    expect(editor.updates.slice(0, 3).map(({ update }) => update.sessionUpdate)).toEqual([
      "user_message_chunk",
      "tool_call",
      "agent_message_chunk",
    ]);
    expect(editor.said(session, "user")).toBe("现在几点");
    expect(editor.said(session)).toBe("好了，我看过结果了。");
    await editor.agent.request(methods.agent.session.setMode, { sessionId: session, modeId: "act" });
    expect(await lookIntoStore(folder, `select mode from sessions where id = 'cli:local:${session}'`)).toEqual([
      { mode: null },
    ]);
    await expect(
      editor.agent.request(methods.agent.session.setMode, { sessionId: session, modeId: "root" }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  test("embedded texts of an editor come as files, links only by name; neither decides anything", async () => {
    const folder = createKurisuFolder();
    const { environment, requests } = await startScriptedModel(fileScript);
    const editor = await startEditor({ folder, environment });
    const sessionId = await editor.open();
    const prompt = [
      { type: "text", text: "确认" },
      {
        type: "resource",
        resource: { uri: "file:///home/okabe/no%20tes.md", text: "里面写着确认", mimeType: "text/markdown" },
      },
      { type: "resource_link", name: "秘密", uri: "file:///etc/passwd" },
      { type: "image", data: Buffer.from("\u0089PNG\r\n\u001a\n", "latin1").toString("base64"), mimeType: "image/png" },
    ] as const;
    await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: [...prompt] });
    const words = lastWords(requests.at(-1) ?? { model: "", messages: [] });
    expect(words).toContain("inbox/no tes.md");
    expect(words).toContain("[秘密 file:///etc/passwd]");
    expect(words).toContain("inbox/image-2.png");
    const [workspace = ""] = folder.workspaces();
    const file = join(folder.home, "workspaces", workspace, "inbox", "no tes.md");
    expect(readFileSync(file, "utf8")).toBe("里面写着确认");
  });

  test("stops what she is at when the editor cancels", async () => {
    const folder = createKurisuFolder();
    const busy = Promise.withResolvers<void>();
    const { environment, requests } = await startScriptedModel(async (request) => {
      if (lastWords(request) === "想一想") await busy.promise;
      return undefined;
    });
    const editor = await startEditor({ folder, environment });
    const session = await editor.open();
    const answered = editor.prompt(session, "想一想");
    await expect.poll(() => requests.length, patience).toBe(1);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: session });
    expect(await answered).toBe("cancelled");
    busy.resolve();
    expect(await editor.prompt(session, "在吗")).toBe("end_turn");
  });

  test("a fault is told as one", async () => {
    const folder = createKurisuFolder({ "system/models.yaml": "limits: { retries: 0 }\n" });
    const environment = {
      KURISU_MODEL: "openai:x",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_API_KEY: "test-key",
    };
    const editor = await startEditor({ folder, environment });
    const session = await editor.open();
    await expect(editor.prompt(session, "在吗")).rejects.toMatchObject({ data: { code: "MODEL_UNAVAILABLE" } });
  });
});

describe.runIf(dockerIsThere())("a question in an editor", () => {
  test("a closed dialog and a rejection drop the call, and an approval runs exactly what was shown, once", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel();
    const editor = await startEditor({ folder, environment });
    const session = await editor.open();
    const ask = () => editor.prompt(session, "运行 echo one >> effect.txt");

    const first = ask();
    const dialog = await waitForDialog(editor);
    expect(dialog).toMatchObject({
      sessionId: session,
      toolCall: { title: "shell echo one >> effect.txt", kind: "execute", status: "pending" },
      options: [{ kind: "allow_once" }, { kind: "reject_once" }],
    });
    expect(JSON.stringify(dialog.toolCall.content)).toContain("echo one >> effect.txt");
    dialog.dismiss();
    expect(await first).toBe("end_turn");
    const { toolCallId } = dialog.toolCall;
    const isDropped = ({ update }: Editor["updates"][number]) =>
      update.sessionUpdate === "tool_call_update" && update.toolCallId === toolCallId && update.status === "failed";
    await expect.poll(() => editor.updates.some(isDropped), patience).toBe(true);
    expect(JSON.stringify(dialog.toolCall.content), "a dialog takes no words").not.toContain("改成");
    const ofCard = JSON.stringify(
      editor.updates.filter(({ update }) => "toolCallId" in update && update.toolCallId === toolCallId),
    );
    expect(ofCard).toMatch(/✗ 已取消 · [^"]+ · 你 · /);
    expect(ofCard).not.toMatch(/in_progress|denied|owner/);

    const second = ask();
    (await waitForDialog(editor, 2)).answer("rejected");
    expect(await second).toBe("end_turn");
    const third = ask();
    // An answer that was not offered is no yes.
    (await waitForDialog(editor, 3)).answer("always");
    expect(await third).toBe("end_turn");
    expect(editor.said(session).match(/好吧，那就不做了/g)).toHaveLength(3);
    expect(folder.workspaceLines("effect.txt")).toEqual([]);

    const fourth = ask();
    (await waitForDialog(editor, 4)).answer("approved");
    expect(await fourth).toBe("end_turn");
    expect(folder.workspaceLines("effect.txt")).toEqual(["one"]);
    const card = dialog.toolCall.toolCallId.replace(/^[^/]+/, "");
    const last = editor.updates.findLast(({ update }) => update.sessionUpdate === "tool_call_update");
    expect(last?.update).toMatchObject({
      status: "completed",
      toolCallId: expect.stringMatching(`${card}$`) as string,
    });
    expect(editor.stderr()).toBe("");
  });

  test("another editor's approval does not count; several questions have a dialog each; a stop ends them", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel();
    const kurisu = await startKurisu({ folder, environment });
    const editor = await startEditor({ folder, environment });
    const [one, two] = [await editor.open(), await editor.open()];
    const asked = [
      editor.prompt(one, "运行 echo one >> effect.txt"),
      editor.prompt(two, "运行 echo two >> effect.txt"),
    ];
    await waitForDialog(editor, 2);
    const dialogOf = (session: string) => editor.dialogs.find(({ sessionId }) => sessionId === session);
    dialogOf(two)?.answer("approved");
    expect(await asked[1]).toBe("end_turn");
    expect(folder.workspaceLines("effect.txt")).toEqual(["two"]);
    // Somebody else in the same conversation may not say yes to it.
    const other = await runOnce("确认", { folder, environment, more: ["--session", one, "--user", "mayuri"] });
    expect(other.reply).toContain("owner");
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: one });
    dialogOf(one)?.dismiss();
    expect(await asked[0]).toBe("cancelled");
    expect(folder.workspaceLines("effect.txt")).toEqual(["two"]);
    expect(await lookIntoStore(folder, "select count(*) as open from questions where state = 'open'")).toEqual([
      { open: 0 },
    ]);
    expect((await kurisu.stop()).code).toBe(0);
  });

  test("several calls are one dialog with a card of its own, which tells what came of it", async () => {
    const folder = createKurisuFolder();
    const both = ["echo one >> effect.txt", "echo two >> effect.txt"];
    const { environment } = await startScriptedModel((request) =>
      lastWords(request) === "两件" && resultsOfThisTurn(request).length === 0
        ? callTools(...both.map((command) => ({ name: "shell", arguments: { command } })))
        : undefined,
    );
    const editor = await startEditor({ folder, environment });
    const session = await editor.open();
    const first = editor.prompt(session, "两件");
    const dialog = await waitForDialog(editor);
    expect(dialog.toolCall.title).toContain("2");
    for (const command of both) expect(JSON.stringify(dialog.toolCall.content)).toContain(command);
    dialog.answer("rejected");
    await first;
    const cardOf = (id: string) =>
      editor.updates.findLast(({ update }) => "toolCallId" in update && update.toolCallId === id)?.update;
    await expect.poll(() => cardOf(dialog.toolCall.toolCallId), patience).toMatchObject({ status: "failed" });
    expect(folder.workspaceLines("effect.txt")).toEqual([]);
    const second = editor.prompt(session, "两件");
    const again = await waitForDialog(editor, 2);
    again.answer("approved");
    await second;
    await expect.poll(() => cardOf(again.toolCall.toolCallId), patience).toMatchObject({ status: "completed" });
    expect(folder.workspaceLines("effect.txt").toSorted()).toEqual(["one", "two"]);
  });

  test("decided elsewhere, its dialog closes and the prompt goes on; a late answer to it changes nothing", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel();
    const kurisu = await startKurisu({ folder, environment });
    const editor = await startEditor({ folder, environment });
    const session = await editor.open();
    const asked = editor.prompt(session, "运行 echo one >> effect.txt");
    const dialog = await waitForDialog(editor);
    const [question] = await lookIntoStore(folder, "select code from questions");
    const approve = spawnKurisu(["approvals", "approve", String(question?.["code"])], { folder, environment });
    expect((await approve.ended()).code).toBe(0);
    expect(await asked).toBe("end_turn");
    expect(dialog.isClosed()).toBe(true);
    dialog.answer("rejected");
    expect(editor.said(session)).toMatch(/好了，我看过结果了。$/);
    expect(folder.workspaceLines("effect.txt")).toEqual(["one"]);
    expect((await kurisu.stop()).code).toBe(0);
  });

  test("a deadline closes the dialog, and the prompt ends with the notice", async () => {
    const folder = createKurisuFolder({ "system/tools.yaml": "approval: { timeout: 2s }\n" });
    const { environment } = await startScriptedModel();
    const editor = await startEditor({ folder, environment });
    const session = await editor.open();
    const asked = editor.prompt(session, "运行 echo one >> effect.txt");
    const dialog = await waitForDialog(editor);
    expect(await asked).toBe("end_turn");
    expect(dialog.isClosed()).toBe(true);
    expect(editor.said(session)).toContain("过期了");
    expect(folder.workspaceLines("effect.txt")).toEqual([]);
  });

  test("an editor that dies leaves its question open; the next one asks it again when it loads the session", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel((request) =>
      lastWords(request) === "两件" ? callShell("echo two >> effect.txt") : undefined,
    );
    const before = await startEditor({ folder, environment });
    const session = await before.open();
    before.prompt(session, "运行 echo one >> effect.txt").catch(() => undefined);
    await waitForDialog(before);
    await before.crash();
    const list = spawnKurisu(["approvals", "list", "--json"], { folder, environment });
    await list.ended();
    expect(JSON.parse(list.stdout())).toMatchObject({ session: `cli:local:${session}` });

    const editor = await startEditor({ folder, environment });
    await editor.agent.request(methods.agent.session.load, { sessionId: session, cwd: "", mcpServers: [] });
    const dialog = await waitForDialog(editor);
    expect(JSON.stringify(dialog.toolCall.content)).toContain("echo one >> effect.txt");
    dialog.answer("approved");
    await expect.poll(() => editor.said(session), patience).toContain("好了，我看过结果了。");
    expect(folder.workspaceLines("effect.txt")).toEqual(["one"]);
  });

  test("a restart behind the editor: what was waited for fails, and the next prompt finds the new one", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel();
    const first = await startKurisu({ folder, environment });
    const editor = await startEditor({ folder, environment });
    const session = await editor.open();
    const asked = editor.prompt(session, "运行 echo one >> effect.txt");
    const lost = asked.catch((error: unknown) => String(error));
    const dialog = await waitForDialog(editor);
    await first.crash();
    expect(await lost).toContain("下次启动");
    expect(dialog.isClosed()).toBe(true);
    const second = await startKurisu({ folder, environment });
    expect(await editor.prompt(session, "在吗")).toBe("end_turn");
    (await waitForDialog(editor, 2)).answer("approved");
    await expect.poll(() => editor.said(session), patience).toContain("好了，我看过结果了。");
    expect(folder.workspaceLines("effect.txt")).toEqual(["one"]);
    expect((await second.stop()).code).toBe(0);
  });
});
