import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { describe, test } from "vitest";
import { besideOthers } from "../support/keep-until.ts";
import { dockerIsThere } from "../support/docker.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { fileScript } from "../support/kurisu-process/file-script.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { lastWords, startScriptedModel } from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { createStorePlace, listUsualEngines, type EngineName } from "../support/store-engines.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const offline = { KURISU_MODEL: "offline" };

/** Most of it waits for programs that start. */
describe.concurrent("chat --once --json", () => {
  test(
    "0 with the lines of the contract, one JSON value each",
    besideOthers(async ({ expect }) => {
      const folder = createKurisuFolder();
      const { environment } = await startScriptedModel();
      const { code, lines } = await runOnce("现在几点", { folder, environment });
      expect(code).toBe(0);
      expect(lines.map((line) => line.type)).toEqual(["tool", "tool", "delta", "reply"]);
      expect(lines[0]).toEqual({ type: "tool", id: "1.1", name: "time", status: "started" });
      expect(lines[1]).toEqual({
        type: "tool",
        id: "1.1",
        name: "time",
        status: "done",
        ms: expect.any(Number) as number,
      });
      const text = "好了，我看过结果了。";
      expect(lines[2]).toEqual({ type: "delta", text });
      expect(lines[3]).toEqual({ type: "reply", text, turn: expect.stringMatching(/^turn_/) as string });
    }),
  );

  test(
    "a file is put where its person finds it, and the lines say where; again it is the same one",
    besideOthers(async ({ expect }) => {
      const folder = createKurisuFolder();
      const { environment } = await startScriptedModel(fileScript);
      const workspace = createWorkspace({ root: join(folder.home, "workspaces") });
      await workspace.writeBytes("cli:local:main", "图/a.bin", Buffer.from([0, 255]));
      for (const _ of [1, 2]) {
        const { code, lines, reply } = await runOnce("发文件 图/a.bin", { folder, environment });
        expect({ code, reply }).toEqual({ code: 0, reply: "文件发过去了。" });
        const path = join(folder.home, "received", "a.bin");
        expect(lines).toContainEqual({ type: "delta", text: `文件 a.bin：${path}\n` });
        expect(readFileSync(path)).toEqual(Buffer.from([0, 255]));
      }
      await workspace.writeBytes("cli:local:main", "图/a.bin", Buffer.from([1]));
      const child = spawnKurisu(["chat", "--once", "发文件 图/a.bin"], { folder, environment });
      expect((await child.ended()).code).toBe(0);
      expect(child.stdout()).toBe(`文件 a.bin：${join(folder.home, "received", "a (2).bin")}\n文件发过去了。\n`);
      // A person who is no owner is asked.
      const other = await runOnce("发文件 图/a.bin", { folder, environment, more: ["--user", "mayuri"] });
      expect(other).toMatchObject({ code: 3, approval: { calls: [{ tool: "send_file", summary: "图/a.bin" }] } });
    }),
  );

  test(
    "69 when no model can be reached, 78 for faulty arguments and configuration",
    besideOthers(async ({ expect }) => {
      const folder = createKurisuFolder({ "system/models.yaml": "limits: { retries: 0 }\n" });
      const dead = {
        KURISU_MODEL: "openai:test",
        OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
        OPENAI_API_KEY: "test-key",
      };
      const unreachable = await runOnce("在吗", { folder, environment: dead });
      expect(unreachable.lines.at(-1)).toMatchObject({ type: "error", code: "MODEL_UNAVAILABLE" });
      expect(unreachable.code).toBe(69);
      const usage = await runOnce("在吗", { folder, environment: offline, more: ["--session", "../x"] });
      expect(usage).toMatchObject({ code: 78, lines: [{ type: "error", code: "USAGE" }] });
      folder.configure("system/tools.yaml", "approval: { timeout: soon }\nwhat: 1\n");
      folder.configure("system/models.yaml", "limits: { retries: -1 }\n");
      const faulty = await runOnce("在吗", { folder, environment: { ...offline, KURISU_OWNERS: "nobody" } });
      expect(faulty).toMatchObject({ code: 78, lines: [{ type: "error", code: "CONFIG_INVALID" }] });
      const [line] = faulty.lines;
      const faults = line?.type === "error" ? line.message : "";
      for (const place of [
        /tools\.yaml:1:\d+ .*timeout/,
        /tools\.yaml:2:1 .*what/,
        /models\.yaml:1:\d+ .*retries/,
        /KURISU_OWNERS/,
      ]) {
        expect(faults).toMatch(place);
      }
    }),
  );

  test(
    "1 when the turn fails",
    besideOthers(async ({ expect }) => {
      const folder = createKurisuFolder();
      const { environment } = await startScriptedModel(() => ({ error: { message: "bad request" }, status: 400 }));
      const { code, lines } = await runOnce("在吗", { folder, environment });
      expect(lines.at(-1)?.type).toBe("error");
      expect([1, 69]).toContain(code);
    }),
  );

  test(
    "starts no channel: what waits at Telegram stays there",
    besideOthers(async ({ expect }) => {
      const story = await startTelegramStory();
      const { folder, fake, model } = story;
      const environment = { ...model.environment, TELEGRAM_BOT_TOKEN: fake.token, TELEGRAM_API_ROOT: fake.url };
      expect(await runOnce("在吗", { folder, environment })).toMatchObject({ code: 0, reply: "嗯，我在听。" });
      expect(fake.calls).toEqual([]);
    }),
  );

  test(
    "people and sessions are kept apart; a member may not do what an owner may",
    besideOthers(async ({ expect }) => {
      const folder = createKurisuFolder();
      const { environment, requests } = await startScriptedModel();
      await runOnce("记住：蓝色", { folder, environment, more: ["--session", "lab"] });
      await runOnce("在吗", { folder, environment, more: ["--session", "home"] });
      expect(JSON.stringify(requests.at(-1))).not.toContain("蓝色");
      await runOnce("在吗", { folder, environment, more: ["--session", "lab", "--user", "mayuri"] });
      expect(JSON.stringify(requests.at(-1))).toContain("蓝色");
      expect(JSON.stringify(requests.at(-1))).toContain("speaking: mayuri (member)");
    }),
  );
});

describe.runIf(dockerIsThere()).concurrent("a question on the command line", () => {
  test.for(listUsualEngines())(
    "3, and a second process answers, on %s",
    besideOthers(async ({ expect }, engine: EngineName) => {
      const folder = createKurisuFolder();
      const model = await startScriptedModel();
      const { url } = await createStorePlace(engine);
      const environment = { ...model.environment, ...(url !== undefined && { DATABASE_URL: url }) };
      const asked = await runOnce("运行 echo one >> effect.txt", { folder, environment });
      expect(asked.code).toBe(3);
      expect(asked.lines).toEqual([asked.approval]);
      expect(asked.approval?.calls).toEqual([{ tool: "shell", summary: "echo one >> effect.txt" }]);
      expect(Date.parse(asked.approval?.expiresAt ?? "")).toBeGreaterThan(Date.now() + 500_000);
      expect(folder.workspaces()).toEqual([]);
      const elsewhere = await runOnce("确认", { folder, environment, more: ["--session", "other"] });
      expect(elsewhere.code).toBe(0);
      expect(folder.workspaces()).toEqual([]);
      const answered = await runOnce("确认", { folder, environment });
      expect(answered.code).toBe(0);
      expect(answered.lines.map((line) => (line.type === "tool" ? line.status : line.type))).toEqual([
        "started",
        "done",
        "delta",
        "reply",
      ]);
      expect(folder.workspaceLines("effect.txt")).toEqual(["one"]);
    }),
  );

  test(
    "the operator answers with `approvals`; it is carried out at the next start",
    besideOthers(async ({ expect }) => {
      const folder = createKurisuFolder();
      const { environment } = await startScriptedModel();
      const again = await runOnce("运行 echo two >> effect.txt", { folder, environment });
      const list = spawnKurisu(["approvals", "list", "--json"], { folder, environment });
      expect((await list.ended()).code).toBe(0);
      expect(JSON.parse(list.stdout())).toMatchObject({ code: again.approval?.code, session: "cli:local:main" });
      const approve = spawnKurisu(["approvals", "approve", again.approval?.code ?? ""], { folder, environment });
      expect((await approve.ended()).code).toBe(0);
      const next = await runOnce("在吗", { folder, environment });
      expect(next.code).toBe(0);
      expect(folder.workspaceLines("effect.txt")).toEqual(["two"]);
    }),
  );

  test(
    "the socket of a running start gives the same lines, and garbage on it does no harm",
    besideOthers(async ({ expect }) => {
      const folder = createKurisuFolder();
      const { environment } = await startScriptedModel();
      const kurisu = await startKurisu({ folder, environment });
      const garbage = createConnection(join(folder.home, "kurisu.sock"));
      await new Promise<void>((resolve) => garbage.end('{ no json\n\u0000\n{"kind":"nothing"}\n', resolve));
      const asked = await runOnce("运行 echo one >> effect.txt", { folder, environment });
      expect(asked).toMatchObject({ code: 3, lines: [{ type: "approval" }] });
      const answered = await runOnce("确认", { folder, environment });
      expect(answered).toMatchObject({ code: 0, reply: "好了，我看过结果了。" });
      expect(folder.workspaceLines("effect.txt")).toEqual(["one"]);
      const rejected = await runOnce("运行 echo two >> effect.txt", { folder, environment });
      expect(rejected.code).toBe(3);
      const decide = spawnKurisu(["approvals", "deny", rejected.approval?.code ?? ""], { folder, environment });
      expect((await decide.ended()).code).toBe(0);
      const [late, other] = await Promise.all([
        runOnce("在吗", { folder, environment }),
        runOnce("在吗", { folder, environment, more: ["--session", "side"] }),
      ]);
      expect([late.code, other.code]).toEqual([0, 0]);
      expect(folder.workspaceLines("effect.txt")).toEqual(["one"]);
      expect(kurisu.exit()).toBeUndefined();
      expect((await kurisu.stop()).code).toBe(0);
      expect(await lookIntoStore(folder, "select distinct state from turns")).toEqual([{ state: "ended" }]);
    }),
  );

  test(
    "a person learns that an approval was stopped before it was acted on",
    besideOthers(async ({ expect }) => {
      const folder = createKurisuFolder();
      const busy = Promise.withResolvers<void>();
      const { environment, requests } = await startScriptedModel(async (request) => {
        if (lastWords(request) === "想一想") await busy.promise;
        return undefined;
      });
      const kurisu = await startKurisu({ folder, environment });
      const asked = await runOnce("运行 echo one >> effect.txt", { folder, environment });
      const thinking = runOnce("想一想", { folder, environment });
      await expect.poll(() => requests.length).toBe(2);
      const approving = runOnce(`确认 ${asked.approval?.code}`, { folder, environment });
      const decided = () => lookIntoStore(folder, "select decision from questions");
      await expect.poll(decided).toEqual([{ decision: "approved" }]);
      const stopping = await runOnce("/stop", { folder, environment });
      expect(stopping.reply).toContain(asked.approval?.code);
      busy.resolve();
      const approved = await approving;
      expect(approved.lines).toMatchObject([{ type: "error", code: "TURN_STOPPED" }]);
      expect(approved.code).toBe(1);
      await thinking;
      expect((await kurisu.stop()).code).toBe(0);
      expect(folder.workspaces()).toEqual([]);
    }),
  );
});
