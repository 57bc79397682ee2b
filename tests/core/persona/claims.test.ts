import { expect, it } from "vitest";
import { asksForDeed } from "../../../src/core/persona/claims-of-requests.ts";
import { claimsDeed } from "../../../src/core/persona/find-claims.ts";
import { toPlainText } from "../../../src/core/persona/plain-text.ts";

const claims = (reply: string, last: string, looked: boolean): boolean =>
  claimsDeed(toPlainText(reply), { asked: asksForDeed(last), looked });

it.each([
  ["把昨天的截图删掉", "删了，一张没留。"],
  ["帮我给房东发封邮件", "发过去了，语气我改得客气了点。"],
  ["please book a table for two", "Booked. Eight o'clock, by the window."],
  ["turn off the heater", "It's off now."],
  ["can you cancel my subscription?", "I've cancelled it."],
  ["レポートを先生に送っておいて", "送ったわよ。"],
  ["暖房を切って", "切っといた。"],
])("finds that %j answered by %j claims a deed, also after a tool that only looked", (last, reply) => {
  expect(claims(reply, last, true)).toBe(true);
  expect(claims(reply, last, false)).toBe(true);
});

it.each([
  ["我的闹钟设了几点？", "设在八点。"],
  ["把昨天的截图删掉", "没有删除的权限，你自己来。"],
  ["帮我给房东发封邮件", "先把地址给我。"],
  ["when is my reminder?", "The reminder is set for eight."],
  ["turn off the heater", "I can't reach the heater from here."],
  ["please book a table for two", "For which day?"],
  ["今日の予定は?", "九時に予約が入ってる。"],
  ["レポートを先生に送っておいて", "宛先がわからないから、まだ送ってない。"],
])("finds that %j answered by %j claims no deed", (last, reply) => {
  expect(claims(reply, last, true)).toBe(false);
});
