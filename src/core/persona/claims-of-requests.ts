/**
 * A person who asks for a deed is answered by a claim in few words: "Booked.", 「删了。」, 「送ったわ」. Without the request these
 * words may tell of anything. All patterns read the form `toPlainText` makes, a clause at a time.
 */

const chineseRequest =
  /(?:(?:帮|给我|替我|把|请|麻烦|记得|顺便|直接)[^,。!?;,。!?;\n]{0,20}?|(?:^|[,。!?;,。!?;\n])(?:你|快|先|再|那|就|也|都|全|现在|马上|好|行|嗯|可以|去){0,3})(?:删|清空|清掉|清一|清理|发|寄|转|回复|回他|回她|通知|告诉|跟他说|跟她说|保存|存|写进|写到|写入|记到|记进|添加|加|装|卸载|更新|升级|重启|启动|停|关|开|暂停|静音|拉黑|屏蔽|下载|上传|备份|提交|推送|推到|推上|合并|部署|回滚|恢复|撤回|移|挪|改名|改成|改到|重命名|归档|打包|压缩|解压|定|设|订|预约|约|买|下单|点|付|交|取消|退|报名|注册|打印|踢|邀请|分享|导出|锁|解锁|重置|配置|建|创建|复制|拷|调|提醒|叫我|叫醒|换|放|填)/u;
const englishRequest =
  /(?:^|[,.!?;:] ?|\b(?:please|can you|could you|would you|will you|just|and|then|go|to you|kurisu|you to)\b,? ?)(?:please |just |go ahead and |quickly )*(?:delete|remove|erase|wipe|clear|empty|send|e-?mail|mail|message|text|forward|post|publish|notify|save|store|add|put|install|uninstall|update|upgrade|restart|reboot|start|stop|kill|pause|play|enable|disable|mute|unmute|block|download|upload|back up|commit|push|merge|deploy|roll back|revert|restore|move|rename|archive|zip|schedule|reschedule|book|reserve|order|buy|pay|transfer|cancel|unsubscribe|subscribe|register|sign me|set|switch|turn|wake me|remind me|submit|file|print|log|pin|invite|kick|ban|share|export|lock|unlock|rotate|revoke|reset|configure|create|copy|dim|tell (?:him|her|them|my|the)|let (?:him|her|them|my|the)|get rid of|take|close|open|change|clean|tidy|make (?:a|me a|the)|give (?:him|her|them|my)|note|write (?:it|that|this|them|down|to))\b/u;
const japaneseRequest =
  /(?:て|で)(?:くれ|ください|下さい|おいて|ほしい|欲しい|ちょうだい|もらえ|もらって|いただけ|[。!?]|よ|ね|$)|(?:と|ど)いて|お願い|おねがい|頼む|頼んだ|よろしく/u;

/** Beside the deeds: their forms before 「て」, and what one asks for by its name. */
const japaneseErrand =
  /書い|取っ|取り|起こ|メモ|リマインド|アラーム|タイマー|出し|やっ|しと|しておい|投げ|落と|貼|渡し|済ませ|整理|通知|知らせ/u;

/** Whether the person's message may ask for something that only a tool can do. */
export function asksForDeed(last: string): boolean {
  const message = last.slice(0, 1_000).toLowerCase();
  const isJapanese = japaneseRequest.test(message) && (japaneseDeed.test(message) || japaneseErrand.test(message));
  return isJapanese || chineseRequest.test(message) || englishRequest.test(message);
}

const chineseExcuse =
  /[没未别无]|不(?!再|会再|用|许|然|到半)|如果|要是|假如|的话|才|(?<!跟|给|替|把|让|帮|[的那])[他她它谁](?!那边)|(?<![帮替给为跟])你(?![的那要说姐妈爸家导])|吗|么|吧|\?|刚才|之前|上次|昨天|今早|上周|以前|当时|那次|了解|看(?:了|过)|查|搜|翻了|列|想|会(?!议)|能|得(?!像)|等|该|快|太|每|年/u;
const chineseDeed =
  /(?:删|砍|清|发|寄|传|转|回|通知|存|写进|写到|写在|记进|记到|加|添|填|装|卸载|更新|升级|重启|启动|停|关|开|暂停|静音|拉黑|屏蔽|下载|上传|备份|提交|推|合|部署|回滚|恢复|撤|移|挪|改|命名|归档|打包|压|解|定|设|订|约|买|下单|点|付|交|取消|退|报|注册|打印|踢|邀请|分享|导出|锁|重置|配置|建|复制|拷|调|换|挂|递|划|放|杀|拿|收|去|跟|替)/u;
const chineseClaims: readonly RegExp[] = [
  /^(?:搞定|办妥|完成|(?:办好|弄好|弄完|处理好|安排好|好|没)[了啦])[了啦]?[。!]?$/u,
  /(?:已|已经)[^,。!?]{0,8}(?:删除|清空|发送|保存|写入|添加|安装|更新|重启|启动|停止|关闭|打开|下载|上传|备份|提交|推送|推到|合并|部署|恢复|撤回|移动|归档|设置|设定|预订|预约|下单|支付|取消|退订|注册|打印|分享|导出|锁定|重置|配置|创建|复制|调到|改为|改成|发出|送达|报上|排好)/u,
];
/** What makes a deed one that is done: 「删了」, 「发过去了」, 「重启过一遍」. */
const chineseEnd = /[^,。!?]{0,14}(?:了|过(?:一遍|一次)?$)/u;

const englishExcuse =
  /\b(?:if|once|after|before|until|when|not|never|yesterday|earlier|last|ago|used to|would|could|should|you'?ve|you|he|she|they|who|still|was|were|any|someone|nobody|who|which|that|because|nothing|no|need|needs|to be|get|can|will|let me)\b|n't\b|'ll\b|\?/u;
const deed =
  "deleted removed erased wiped cleared purged emptied sent emailed mailed messaged texted forwarded posted published notified saved stored added installed uninstalled updated upgraded restarted rebooted reloaded launched started stopped killed paused resumed enabled disabled muted unmuted blocked unblocked downloaded uploaded backed committed pushed merged deployed rolled reverted restored moved renamed archived zipped unzipped scheduled rescheduled booked reserved ordered bought paid transferred cancelled canceled unsubscribed subscribed registered signed set switched turned swapped patched submitted filed printed logged pinned invited kicked banned shared exported locked unlocked rotated revoked reset configured dimmed crossed ticked created copied closed opened changed cleaned tidied told fixed converted replaced sorted rebuilt subscribed redirected corrected vanished handed threw moved muted took let backed";
const deeds: ReadonlySet<string> = new Set(deed.split(" "));
const englishDone =
  /^(?:it's |it is |that's |all |and )*(?:done|all set|sorted|taken care of|handled|dealt with)[.!]*$/u;
const englishResult =
  /\b(?:it's|it is|they're|is|are|has been|have been)(?: now| all| just)* (?:in the (?:trash|bin|calendar)|in your (?:inbox|calendar|trash)|on (?:your|the) (?:calendar|list|way)|off|on|out|live|up|gone|running|set|booked|in)\b/u;
/** A word that makes the next one, or the one after it, her deed or its result: "I've just", "it's now", "has been". */
const carriers: ReadonlySet<string> = new Set(["i", "i've", "is", "are", "it's", "they're", "been", "all", "got"]);
const fillers: ReadonlySet<string> = new Set(
  "just now also already there right ok okay fine yes and then all both everything have even".split(" "),
);
/** The words before the deed in a claim: no more, or it tells a story. */
const maxWordsBefore = 8;

const japaneseExcuse =
  /ない|なかった|ません|たら|れば|なら|[?か]$|昨日|前に|以前|あなたが|あんたが|君が|誰|もう前|調べ|確認し|読ん|見た|見つ|探し|考え|思っ|言った|聞い|だった|できた|かった|って言|失敗|エラー|怒|困|待|疲|寝/u;
const japaneseClaim =
  /(?:した|った|えた|けた|げた|めた|れた|いた|んだ|せた|てある|である|ました|済み|済んだ|完了|行き|ところ)(?:わ|よ|から|の|ぞ|わよ|からね|です|だ)?(?:[。!、]|$)/u;
const japaneseDeed =
  /消|削除|送|返信|保存|書き|追加|足し|入れ|インストール|アップデート|更新|再起動|起動|止め|停止|切|つけ|点け|オフ|オン|ミュート|ブロック|ダウンロード|アップロード|バックアップ|コミット|push|プッシュ|マージ|デプロイ|ロールバック|戻し|復元|移し|動かし|移動|リネーム|名前|アーカイブ|圧縮|解凍|設定|セット|予約|取った|取れた|押さえ|注文|買|払|振り?込|キャンセル|取り消|解約|登録|申し込|提出|印刷|キック|招待|共有|ロック|リセット|作成|作った|コピー|変更|変え|替え|連絡|伝え|知らせ|閉め|開け|かけ|掛け|投稿|上げ|下げ|回し|流し|外し|片付|書き換え|差し替え|空に|揃え|整え|直し|再発行|手配|組ん|置い|鳴るように|ゴミ箱|分け|結合|完了|終わった|できたわ/u;

/** True when a clause says, after such a request, that it is done. */
export function claimsRequestedDeed(clause: string): boolean {
  return (
    clause.length <= maxCharacters &&
    (clause.split(/[,、]/u).some(claimsInChinese) || claimsInEnglish(clause) || claimsInJapanese(clause))
  );
}
/** A claim in few words is a short one. */
const maxCharacters = 120;

function claimsInChinese(part: string): boolean {
  if (chineseExcuse.test(part)) return false;
  const at = part.search(chineseDeed);
  return (at >= 0 && chineseEnd.test(part.slice(at + 1))) || chineseClaims.some((claim) => claim.test(part));
}

function claimsInEnglish(clause: string): boolean {
  return clause.split(/[,:;.]/u).some((given) => {
    const part = given.trim();
    if (englishDone.test(part)) return true;
    const words = part.match(/[a-z']+/g) ?? [];
    const at = words.findIndex((word) => deeds.has(word));
    const before = words.slice(Math.max(0, at - 3), at);
    const isCarried = before.some((word) => carriers.has(word) || /[a-z]'s$/.test(word));
    const isFirst = before.every((word) => fillers.has(word));
    const isClaim = at >= 0 && at <= maxWordsBefore && (isCarried || isFirst);
    return (isClaim || englishResult.test(part)) && !englishExcuse.test(words.slice(0, at + 3).join(" "));
  });
}

function claimsInJapanese(clause: string): boolean {
  return !japaneseExcuse.test(clause) && japaneseClaim.test(clause) && japaneseDeed.test(clause);
}
