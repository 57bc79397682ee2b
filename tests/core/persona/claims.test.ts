import { expect, it } from "vitest";
import { asksForDeed } from "../../../src/core/persona/asks-for-deed.ts";
import { claimsDeed, claimsOtherDeed } from "../../../src/core/persona/find-claims.ts";
import { blankQuotations, toPlainText } from "../../../src/core/persona/plain-text.ts";

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

const claimsOther = (reply: string, last: string, ...tools: readonly string[]): boolean =>
  claimsOtherDeed(toPlainText(blankQuotations(reply)), asksForDeed(toPlainText(last)), tools);

it.each([
  ["把 a.txt 删掉，再写个 b.txt", "我把 a.txt 删了。", "file_write"],
  ["把旧日志删掉", "删了，一个没留。", "remember"],
  ["写好以后发给老师", "我已经发给老师了。", "file_write"],
  ["麻烦重启一下服务器", "重启好了。", "file_edit"],
  ["八点提醒我，再记下来", "我已经把提醒设好了。", "remember"],
  ["delete the old log and note it down", "I've deleted the file.", "file_write"],
  ["write it and send it to Anna", "I've written it and sent it to Anna.", "file_write"],
  ["please restart nginx", "Restarted.", "file_edit"],
  ["レポートを書いて先生に送っておいて", "先生に送っておいたわ。", "file_write"],
  ["ログを消して、メモして", "消しといた。", "remember"],
])("claimsOther, asked %j, finds that %j after %s alone claims a deed that the tool cannot do", (last, reply, tool) => {
  expect(claimsOther(reply, last, tool)).toBe(true);
  expect(claimsOther(reply, last, tool, "shell")).toBe(false);
  expect(claimsOther(reply, last, tool, "mcp__mail__do")).toBe(false);
});

it.each([
  ["把 a.txt 删掉", "我把 a.txt 删了。", "file_delete"],
  ["把第二行删掉", "删了，第二行没了。", "file_write"],
  ["把这个删掉", "昨天已经删过了。", "file_write"],
  ["把 a.txt 删掉，写个 b.txt", "b.txt 写好了。a.txt 要我删吗？", "file_write"],
  ["把 a.txt 改一下", "你已经把 a.txt 删了，我另写了一份。", "file_write"],
  ["写进笔记", "上面写着「我已经删了」，我照抄了。", "file_write"],
  ["写个诗给我", "写好了，发给你了。", "file_write"],
  ["八点叫我", "我已经把提醒设好了。", "remind"],
  ["忘掉我的生日", "已经删了。", "forget"],
  ["write it to notes.txt", "I've written it. Did you send it to Anna?", "file_write"],
  ["write it to notes.txt", "You've deleted the old one, so I wrote a new one.", "file_write"],
  ["write it down", "I sent it to Anna yesterday.", "file_write"],
  ["write it down for me", "I've sent it to you as a note.", "file_write"],
  ["send the file", "Sent.", "send_file"],
  ["メモして", "昨日送っておいたわ。", "remember"],
  ["ファイルを消して", "消しといた。", "file_delete"],
  ["メモして", "あなたが消したんでしょ。書いておいたわ。", "file_write"],
  // Deeds that only describe what was written or sent.
  ["帮我写个安装说明", "安装说明写好了。", "file_write"],
  ["写封邮件给导师", "我把要发给导师的邮件写好了。", "file_write"],
  ["写进 README", "我已经把部署步骤写进 README 了。", "file_write"],
  ["写个寄存器说明", "我把寄存器说明写好了。", "file_write"],
  ["写进 todo.md", "我把提醒事项写进 todo.md 了。", "file_write"],
  ["写个清缓存的脚本", "我已经把删缓存的 clean.py 写好了。", "file_write"],
  ["把安装包发我", "我把安装包发给你了。", "send_file"],
  ["send me the list", "I've sent you the reminder list.", "send_file"],
  ["save it", "I've saved the list of installed packages.", "remember"],
  ["note it down", "I've written down which files were deleted.", "file_write"],
  ["save Anna's mail", "I've saved the email Anna sent.", "file_write"],
  ["保存して", "送ってくれた内容を保存しておいたわ。", "remember"],
  ["フォームを作って", "送信フォームを作っておいた。", "file_write"],
  ["手順を書いて", "ファイルの削除手順を保存しておいたわ。", "file_write"],
])("claimsOther, asked %j, finds no such claim in %j after %s alone", (last, reply, tool) => {
  expect(claimsOther(reply, last, tool)).toBe(false);
});
