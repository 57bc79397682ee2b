import { claimsRequestedDeed } from "./claims-after-request.ts";
import { isBeyondTools } from "./deed-kinds.ts";

/** Claims that something was done, as only a tool can do it: 「已经删了」, "I've sent it", 「消しておいた」. */

/** Another person did it, it is not so, it is asked, or it was before this turn. */
const chineseExcuse =
  /[没未别不]|如果|要是|假如|等我|等你|的话|才能|[你您他她它谁们]|吗|么|吧|\?|刚才|之前|上次|昨天|早就|今早|上周|以前|当时|那次/u;
const chineseClaims: readonly RegExp[] = [
  /^(?:好[了,]?)?(?:我)?(?:都|全)?(?:已经|已)(?:经)?(?:帮|替|给|为|把|将)?[^,。!?]{0,16}?(?:删|清空|发送|发出|发给|发过去|保存|存好|存进|写进|写入|写好|创建|新建|建好|安装|装好|重启|下载|上传|备份|提交|推送|转发|移动|移到|改名|改好|设好|设置好|定好|记进|记到)/u,
  /^(?:好[了,]?)?我?(?:把|将|给)[^,。!?]{1,24}?(?:删|清空|发送|发|保存|存|写|装|下载|上传|备份|提交|推送|转发|移|改|设)(?:除|掉|到|进|出去|过去|好|完|成功)?[^,。!?了]{0,10}了[,。!~]*$/u,
  /^[^,。!?]{0,6}(?:文件|提醒|邮件|消息|日志|备份|脚本|容器|图片|代码|任务)(?:都|也|全)?(?:已经|已)(?:删|清空|发|保存|存|写|创建|建|装|重启|下载|上传|备份|提交|推|转发|移|改|设|定)/u,
  /^(?:好[了,]?)?(?:全|都)?(?:删掉|删好|删完|删除|清空|发出去|发过去|保存好|保存|存好|写好|写进去|建好|创建好|装好|安装好|重启好|重启完|下载好|下载完|上传好|备份好|提交好|推上去|转发|改好|改完|设好|设置好|搞定)了[,。!~]*$/u,
];
/** The person appears as the one it is done for, which is no other doer. */
const forThePerson = /(?:帮|替|给|为)[你您]们?/gu;

const englishExcuse =
  /\b(?:if|once|after|before|until|when|not|n't|never|yesterday|earlier|last (?:time|week|night|year)|ago|used to|would|could|you'?ve|he|she|they)\b|n't\b|\?/u;
const englishClaims: readonly RegExp[] = [
  /\bi(?:'ve| have)(?: just| already| now)* (?:deleted|removed|erased|wiped|sent|emailed|saved|written|created|installed|restarted|rebooted|downloaded|uploaded|backed up|committed|pushed|moved|renamed|updated|scheduled|set (?:up )?(?:a |the |your )|forwarded|posted)\b/u,
  /\bi (?:just |already )(?:deleted|removed|erased|wiped|sent|emailed|saved|created|installed|restarted|rebooted|downloaded|uploaded|committed|pushed|moved|renamed|scheduled|forwarded|posted)\b/u,
  /\b(?:file|files|folder|message|email|mail|reminder|backup|container|server|service|package) (?:has|have) been (?:deleted|removed|erased|sent|saved|created|installed|restarted|downloaded|uploaded|moved|renamed|scheduled|set)\b/u,
  /^(?:ok(?:ay)?|done|there|right|fine|all set)?[,.!:]? ?(?:deleted|removed|sent|saved|installed|restarted|uploaded|downloaded|backed up|reminder set)(?: it| them| that)?[.!]*$/u,
];

const japaneseExcuse = /ない|なかった|ません|たら|れば|なら|[?か]$|昨日|さっき|前に|以前|あなたが|君が|誰/u;
const japaneseClaims: readonly RegExp[] = [
  /(?:消し|削除し|送っ|送信し|保存し|書き込ん|作っ|作成し|インストールし|入れ|再起動し|ダウンロードし|アップロードし|移し|設定し|予約し|登録し|転送し)(?:て|で)(?:おいた|おきました|おいたわ|あげた)/u,
  /(?:削除|送信|保存|作成|インストール|再起動|ダウンロード|アップロード|設定|登録|転送)(?:を)?(?:完了しました|完了した|完了よ|しました[。!]*$|済み(?:よ|だ|です)?[。!]*$)/u,
];

/** She says of herself that she did it. Without these a sentence may report what she has found: 「提醒已经设了」. */
const ofHerself = /我|把|\bi(?:'ve)?\b|おいた|おきました/u;

interface ClaimTurn {
  /** A tool that only looks has succeeded: what something is like is no claim. */
  readonly looked: boolean;
  /** The person has asked for a deed: few words answer that it is done. */
  readonly asked: boolean;
}

/** True when a clause of the sentence says that she did something now. `plain` comes from `toPlainText`. */
export function claimsDeed(plain: string, turn: ClaimTurn): boolean {
  return clauses(plain).some((clause) => claims(clause.replace(forThePerson, "给"), turn));
}

/** True when a clause says that she did what none of `tools`, which have succeeded in this turn, can have done. */
export function claimsOtherDeed(plain: string, asked: boolean, tools: readonly string[]): boolean {
  return clauses(plain).some(
    (clause) => isBeyondTools(clause, tools) && claims(clause.replace(forThePerson, "给"), { asked, looked: true }),
  );
}

function claims(clause: string, { asked, looked }: ClaimTurn): boolean {
  return (
    ((!looked || ofHerself.test(clause)) &&
      (says(clause, chineseClaims, chineseExcuse) ||
        says(clause, englishClaims, englishExcuse) ||
        says(clause, japaneseClaims, japaneseExcuse))) ||
    (asked && claimsRequestedDeed(clause))
  );
}

function says(clause: string, claims: readonly RegExp[], excuse: RegExp): boolean {
  return !excuse.test(clause) && claims.some((claim) => claim.test(clause));
}

/** The text between full stops, and after 「好，」 and its like, the rest. */
function clauses(plain: string): readonly string[] {
  return plain
    .split(/(?<=[。!;\n])/u)
    .map((clause) => clause.trim().replace(/^(?:好|嗯|行|ok|okay|done|はい|うん)[,.、。! ]+/u, ""));
}
