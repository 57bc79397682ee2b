import type { Language } from "../../src/core/conversation.ts";
import type { Translated } from "../../src/core/words/dictionary.ts";
import type { Roll } from "./roll-dice.ts";

const zh = {
  menu: { menu: "掷骰子，比如 2d6", help: "/dice   掷骰子（/dice 2d6：两个六面的）" },
  rolled: ({ dice, eyes, sum }: Roll) =>
    eyes.length === 1 ? `${dice}：${sum}` : `${dice}：${eyes.join(" + ")} = ${sum}`,
  usage: "用法：/dice、/dice d20、/dice 2d6（最多 20 个，每个 2 到 1000 面）。",
};

const en: Translated<typeof zh> = {
  menu: { menu: "Roll dice, such as 2d6", help: "/dice   roll dice (/dice 2d6: two with six sides)" },
  rolled: ({ dice, eyes, sum }) => (eyes.length === 1 ? `${dice}: ${sum}` : `${dice}: ${eyes.join(" + ")} = ${sum}`),
  usage: "Usage: /dice, /dice d20, /dice 2d6 (at most 20 dice of 2 to 1000 sides).",
};

const ja: Translated<typeof zh> = {
  menu: { menu: "サイコロを振る（例：2d6）", help: "/dice   サイコロを振る（/dice 2d6：六面を二つ）" },
  rolled: ({ dice, eyes, sum }) => (eyes.length === 1 ? `${dice}：${sum}` : `${dice}：${eyes.join(" + ")} = ${sum}`),
  usage: "使い方：/dice、/dice d20、/dice 2d6（20個まで、2〜1000面）。",
};

export const diceWords: Readonly<Record<Language, Translated<typeof zh>>> = { zh, en, ja };
