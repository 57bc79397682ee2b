import { describe, expect, it } from "vitest";
import { findSlot } from "../../../../src/features/memory/people/find-slot.ts";

const read = (content: string, key?: string, value?: string) => findSlot({ content, key, value, name: "Okabe" });

describe("the subject of a sentence, so that a newer one takes its place:", () => {
  it.each([
    ["我住在上海", "home"],
    ["我搬家了，现在住杭州", "home"],
    ["搬到北京了", "home"],
    ["Okabe 住在秋叶原", "home"],
    ["用户目前定居南京", "home"],
    ["我現在住在臺北", "home"],
    ["I live in Berlin", "home"],
    ["I've just moved to Lisbon", "home"],
    ["東京に住んでいます", "home"],
    ["我在谷歌上班", "employer"],
    ["我是一名护士", "occupation"],
    ["I work as a nurse", "occupation"],
    ["我的生日是三月五号", "birthday"],
    ["誕生日は3月5日です", "birthday"],
    ["叫我老王就好", "nickname"],
    ["我叫王小明", "name"],
    ["我今年 30 岁", "age"],
    ["我单身", "partner"],
    ["我最喜欢喝茶", "favourite:drink"],
    ["我喜欢咖啡", "likes:咖啡"],
    ["我不喜欢咖啡了", "likes:咖啡"],
    ["我讨厌咖啡", "likes:咖啡"],
    ["我喜欢喝茶", "likes:茶"],
    ["I don't like coffee anymore", "likes:coffee"],
    ["I love coffee", "likes:coffee"],
    ["紅茶が好き", "likes:红茶"],
    ["我其实不喜欢火锅了", "likes:火锅"],
    ["我不喜欢喝茶了", "likes:茶"],
    ["我不住北京了", "home"],
    ["我分手了", "partner"],
    ["I got married", "partner"],
    ["We broke up", "partner"],
    ["好きな色は緑です", "favourite:colour"],
    // About somebody else: theirs, never the speaker's own.
    ["我妈住在南京", "妈:home"],
    ["我女朋友喜欢咖啡", "女朋友:likes:咖啡"],
    ["我的猫今年 3 岁", "猫:age"],
  ])("%s → %s", (content, slot) => {
    expect(read(content)).toBe(slot);
  });

  it.each([
    "小明住在北京",
    "我住院了",
    "我住不惯",
    "I work as a barista on weekends",
    "我周末在咖啡馆工作",
    "这周住在酒店",
    "我想搬到大理",
    "我以前住在西安",
    "我对花生过敏",
    "我对海鲜过敏",
    "我不吃花生，过敏",
    "我不喝牛奶，因为乳糖過敏",
    "I don't like peanuts, I'm allergic to them",
    "ピーナッツが嫌い、アレルギーだから",
    "今天实验又失败了",
    "如果我住在海边就好了",
    "I might move to Paris",
  ])("%s contradicts nothing", (content) => {
    expect(read(content)).toBeNull();
  });

  it("a key counts before the words, whatever it is called; of what people have several its value is a part", () => {
    expect(read("x", "Residence")).toBe("home");
    expect(read("x", "住址")).toBe("home");
    expect(read("x", "職業")).toBe("occupation");
    for (const key of ["favourite 颜色", "favourite 色", "favorite color"])
      expect([key, read("x", key, "green")]).toEqual([key, "favourite:colour"]);
    expect(read("x", "partner", "married")).toBe("partner");
    expect(read("x", "shoe size")).toBe("key:shoe_size");
    for (const key of ["allergy", "Allergies", "food_allergy", "allergic to", "過敏", "食物过敏", "アレルギー"]) {
      expect(read("x", key, "花生"), `the key ${key}`).toBe("key:allergy:花生");
      expect(read("我不吃花生", key), `the key ${key}`).toBeNull();
    }
    expect([read("x", "likes", "Tea"), read("x", "dislikes", "tea")]).toEqual(["likes:tea", "likes:tea"]);
  });
});
