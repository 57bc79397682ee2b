import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addLogChat, appendToLog } from "../../src/features/chatlog/queries/append-to-log.ts";
import { countLog } from "../../src/features/chatlog/queries/chat-log-search.ts";
import { foldText } from "../../src/store/search/fold-text.ts";
import { holdsPhrase, listTokens, readPhrase } from "../../src/store/search/tokenise.ts";
import { createTestStore } from "../support/test-store.ts";

describe("tokens of a text", () => {
  it.each([
    ["我们搬家", "我们 们搬 搬家 家"],
    ["学python吧", "学 python 吧"],
    ["慌的deadline！", "慌的 的 deadline"],
    ["你好，世界", "你好 好 世界 界"],
    ["ＦＵＬＬ　Ｗｉｄｔｈ１２３", "full width123"],
    ["後來發現臺灣", "后来 来发 发现 现台 台湾 湾"],
    ["国立図書館の桜", "国立 立图 图书 书馆 馆の の樱 樱"],
    ["ｶﾞﾝﾀﾞﾑ", "ガン ンダ ダム ム"],
    ["안녕 세계", "안녕 녕 세계 계"],
    ["𠮷野家𠮷", "𠮷野 野家 家𠮷 𠮷"],
    ["哈哈😀👍🏽", "哈哈 哈 😀 👍"],
    ["猫\u200b咪\u00ad", "猫咪 咪"],
    ["\ud800半个", "半个 个"],
    ["C++，node.js", "c node js"],
    ["？！…", ""],
    ["", ""],
  ])("listTokens(%j) gives %j", (text, tokens) => {
    expect(listTokens(text).join(" ")).toBe(tokens);
  });

  it("hold what a person looks for, whatever stands beside it", () => {
    // Strings that other programs' indexes of Chinese did not find.
    const texts = ["数据库迁移方案讨论", "今天天气真好", "用户反馈搜索不到中文", "我想吃火锅，你呢？", "v2.0版本发布"];
    const found = (word: string) => {
      const phrase = readPhrase(word);
      return texts.filter((text) => phrase && holdsPhrase(listTokens(text), phrase));
    };
    for (const text of texts) {
      const letters = Array.from(text).filter((letter) => /[\u4e00-\u9fff]/.test(letter));
      for (const letter of letters) expect(found(letter)).toContain(text);
      for (const word of text.match(/[\u4e00-\u9fff]{2}/g) ?? []) expect(found(word)).toContain(text);
    }
    expect(found("移方")).toEqual(["数据库迁移方案讨论"]);
    expect(found("2.0版")).toEqual(["v2.0版本发布"].slice(1));
    expect(found("v2.0版")).toEqual(["v2.0版本发布"]);
    expect(found("遷移")).toEqual(["数据库迁移方案讨论"]);
    expect(found("？")).toEqual([]);
  });

  it("the tokens are the same when the text was folded before", () => {
    for (const text of ["臺灣ＡＢＣ", "ﷺ", "İstanbul ΟΔΟΣ", "\u1112\u1161\u11ab", "麼後裏", "e\u0301"]) {
      expect(foldText(foldText(text))).toBe(foldText(text));
      expect(listTokens(foldText(text))).toEqual(listTokens(text));
    }
  });
});

it("the words of a message that was taken out are in no file any more", async () => {
  const store = await createTestStore("sqlite");
  const [kept, gone] = ["abracadabra 留下", "xylophonequartz 秘密"];
  const chat = await store.main.transaction().execute(async (tx) => {
    const id = await addLogChat(tx, { name: "", kind: "import", readers: [], now: 0 });
    const entry = { chat: id, sender: { person: "", name: "" }, role: "person", taint: "user", saidAt: 1 } as const;
    await appendToLog(
      tx,
      [kept, gone].map((text, index) => ({ ...entry, text, key: `${index}` })),
    );
    return id;
  });
  await store.main.deleteFrom("log_messages").where("key", "=", "1").execute();
  expect(await countLog(store.main, { chats: [chat], any: ["秘密", "xylophonequartz", "留下"] })).toBe(1);
  await store.close();
  const bytes = readFileSync(join(store.home, "kurisu.db")).toString("latin1");
  expect(bytes).toContain("abracadabra");
  expect(bytes).not.toContain("xylophonequartz");
  expect(bytes).not.toContain("ylophonequart");
});
