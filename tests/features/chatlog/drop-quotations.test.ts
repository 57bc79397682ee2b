import { expect, it } from "vitest";
import { dropQuotations } from "../../../src/features/chatlog/drop-quotations.ts";

it.each([
  ["你说过「海马体」，我记得", "你说过 ，我记得"],
  ["she said “green tea” twice", "she said   twice"],
  ["> 海马体\n论文写完了", "论文写完了"],
  ["找到 1 条：\n```\n海马体\n```\n就这些", "找到 1 条：\n就这些"],
  ["没有收尾的「引号", "没有收尾的「引号"],
  ["plain words", "plain words"],
])("%j without its quotations is %j", (text, own) => expect(dropQuotations(text)).toBe(own));
