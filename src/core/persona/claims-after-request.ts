/**
 * Claims in few words: "Booked.", 「删了。」, 「送ったわ」. They are looked for only where the person has asked for a deed and no
 * tool has done one. A failure, a refusal and a question back are no claims. Patterns read a clause as `toPlainText`
 * makes it.
 */

const chineseExcuse =
  /失败|被拒|拒绝|报错|出错|断|卡|满|光了|一半|[没未别无不吗么吧?谁他她它年]|如果|要是|假如|的话|才|刚才|之前|上次|昨天|今早|以前|那次|确认|查|看|搜|等|(?<![帮替给为跟])你(?![的那姐妈爸家导])/u;
const chineseClaim =
  /(?:删|清|发|寄|传|转|存|写进|写到|记下|记进|记到|加|添|填|装|卸载|更新|升级|重启|启动|停|关|开|静音|拉黑|屏蔽|下载|备份|提交|推|合并|部署|回滚|恢复|撤|移|挪|改|归档|打包|压缩|解压|设|订|约|买|下单|付|取消|退|注册|打印|踢|分享|导出|锁|重置|配置|建|复制|拷|调|换|划掉|排|办|搞定|弄)[^,。!?了]{0,6}了(?!吗|没|也|就)/u;

const deeds =
  "deleted removed erased wiped cleared emptied sent emailed mailed messaged texted forwarded posted published notified saved stored added installed uninstalled updated upgraded restarted rebooted launched started killed paused enabled disabled muted unmuted blocked unblocked downloaded uploaded committed pushed merged deployed reverted restored moved renamed archived scheduled rescheduled booked reserved ordered bought paid transferred cancelled canceled unsubscribed subscribed registered set switched turned swapped submitted filed printed pinned invited kicked banned shared exported locked unlocked rotated revoked reset configured created copied cleaned told fixed converted replaced rebuilt done";
const englishDeeds: ReadonlySet<string> = new Set(deeds.split(" "));
const englishExcuse =
  /\b(?:fail\w*|error|denied|refused|blocked by|out of|if|once|after|before|until|when|not|never|yesterday|earlier|last|ago|used to|would|could|should|you've|you have|he|she|they|who|was|were|no|need|for good)\b|n't\b|\?/u;
/** Words that may precede the deed: with any other word the sentence is about something else. */
const lead: ReadonlySet<string> = new Set(
  "i i've have it's it is they're that's all just now already right ok okay fine yes and then there both everything done".split(
    " ",
  ),
);

const japaneseExcuse =
  /失敗|エラー|満席|断られ|弾かれ|途中|落ち|ない|なかった|ません|たら|れば|なら|[?か]$|昨日|前に|以前|あなたが|あんたが|君が|誰|調べ|確認|読ん|見|探し|思っ|言った|聞い/u;
const japaneseClaim =
  /(?:消し|削除し|送っ|送信し|返信し|保存し|書き込ん|書き足し|追加し|足し|入れ|インストールし|更新し|再起動し|起動し|止め|停止し|切っ|つけ|点け|オフにし|オンにし|ミュートし|ブロックし|ダウンロードし|アップロードし|バックアップし|コミットし|プッシュし|マージし|デプロイし|戻し|移し|移動し|リネームし|圧縮し|設定し|セットし|予約し|取っ|押さえ|注文し|買っ|払っ|振り込ん|キャンセルし|取り消し|解約し|登録し|申し込ん|提出し|印刷し|招待し|共有し|ロックし|リセットし|作成し|作っ|コピーし|変更し|変え|伝え|連絡し|知らせ|閉め|かけ|投稿し|片付け)(?:といた|ておいた|でおいた|ておきました|てある|た|だ|ました)(?:わ|よ|わよ|から|の|ぞ)?[。!]?$/u;

/** A claim is short. */
const maxCharacters = 120;

/** True when a clause says that the deed which was asked for is done. */
export function claimsRequestedDeed(clause: string): boolean {
  if (clause.length > maxCharacters) return false;
  return clause.split(/[,、:;]/u).some((given) => {
    const part = given.trim();
    return (
      (!chineseExcuse.test(part) && chineseClaim.test(part)) ||
      (!englishExcuse.test(part) && claimsInEnglish(part)) ||
      (!japaneseExcuse.test(part) && japaneseClaim.test(part))
    );
  });
}

function claimsInEnglish(part: string): boolean {
  const words = part.match(/[a-z']+/g) ?? [];
  const at = words.findIndex((word) => !lead.has(word) || englishDeeds.has(word));
  const deed = words[at] ?? "";
  // "Deleted files are gone": here the deed is a participle before its noun.
  return englishDeeds.has(deed) && !/^(?:files|mails?|is|are)$/.test(words[at + 1] ?? "");
}
