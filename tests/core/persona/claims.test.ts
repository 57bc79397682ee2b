import { expect, it } from "vitest";
import { asksForDeed } from "../../../src/core/persona/asks-for-deed.ts";
import { claimsDeed } from "../../../src/core/persona/find-claims.ts";
import { toPlainText } from "../../../src/core/persona/plain-text.ts";

const claims = (reply: string, last: string, looked: boolean): boolean =>
  claimsDeed(toPlainText(reply), { asked: asksForDeed(toPlainText(last)), looked });

it.each([
  ["把昨天的截图删掉", "删了，一张没留。"],
  ["把 a.txt 删除", "已经删除了。"],
  ["帮我把报告发给老师", "发过去了。"],
  ["麻烦重启一下服务器", "重启好了。"],
  ["please book a table for two", "Booked. Eight o'clock, by the window."],
  ["send it to Anna", "Sent it."],
  ["can you cancel my subscription?", "I've cancelled it."],
  ["turn off the heater, then delete the log", "Done. Deleted."],
  ["レポートを先生に送っておいて", "送ったわよ。"],
  ["暖房を切って", "切っといた。"],
])("%j answered by %j claims a deed, also after a tool that only looked", (last, reply) => {
  expect(claims(reply, last, true)).toBe(true);
  expect(claims(reply, last, false)).toBe(true);
});

it.each([
  ["我的闹钟设了几点？", "设在八点。"],
  ["把昨天的截图删掉", "没有删除的权限，你自己来。"],
  ["帮我发邮件给他", "发送失败了。"],
  ["帮我发邮件给他", "发送被拒了，地址不对。"],
  ["帮我安装这个", "装到一半报错了。"],
  ["帮我订个位子", "订满了。"],
  ["帮我查一下服务器停了没", "停了，凌晨两点停的。"],
  ["请告诉我邮件发了没", "发了，昨天晚上。"],
  ["帮我把这句话改得客气点", "改好了：请您稍候。"],
  ["现在停了吗，雨", "停了。"],
  ["我把她拉黑了", "拉黑了也好。"],
  ["我今天把实验报告交了", "交了就好，下次别拖到最后一天。"],
  ["加班到十点", "都十点了，还不回家。"],
  ["when is my reminder?", "The reminder is set for eight."],
  ["turn off the heater", "I can't reach the heater from here."],
  ["send the report to Anna", "Sending failed: the connection is closed."],
  ["please delete it", "Deleted files are gone for good. Sure?"],
  ["please restart nginx", "The service is running, so why restart?"],
  ["change the tone of this sentence", "Changed: it is polite now."],
  ["stop teasing me", "Fine. Stopped."],
  ["have you sent it?", "Sent, at eight."],
  ["what is set theory", "Set by set, you build numbers."],
  ["今日の予定は?", "九時に予約が入ってる。"],
  ["レポートを先生に送っておいて", "宛先がわからないから、まだ送ってない。"],
  ["店を予約して", "予約は満席で断られた。"],
  ["元気出して", "おかげで少し気が切り替わったわ。"],
  ["さみしかった", "ずっといたわよ。"],
])("%j answered by %j claims no deed", (last, reply) => {
  expect(claims(reply, last, true)).toBe(false);
});
