/** Replies as people write them, with what each means for an open question. Written for this table; `|` parts them. */

const parted = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split("|"));

export const approving = parted(
  "确认|確認|确认执行|確認執行|确认操作|confirm|approve|yes|/confirm|/approve|承認|承認する|承認します",
  "Confirm|CONFIRM|Approve|Yes|YES|yEs|/Confirm|/APPROVE|ｙｅｓ|ＣＯＮＦＩＲＭ",
  " 确认|确认 |　确认　|\n确认\n|\t确认|确认\r\n|\u200b确认|确认\u200b|\ufeff确认|\u2060确认\u2060|\u00a0yes\u00a0",
  "确认。|确认！|确认!|确认~|确认～|确认!!!|确认，|确认、|确认！！|確認。|承認します。|承認！|yes.|Yes!|yes,|confirm!|approve.|confirm.",
  '「确认」|『确认』|“确认”|"确认"|\'确认\'|‘确认’|（确认）|(确认)|[确认]|【确认】|《确认》|｢确认｣|＂确认＂|「yes」|"confirm"|「承認」',
  '「确认」。|「确认」！|「确认。」|“确认！”|(yes)!|"yes."| 「确认」 |「 确认 」|【确认执行】',
);

export const rejecting = parted(
  "取消|取消执行|取消操作|拒绝|拒絕|驳回|駁回|不|否|不要|不行|不可以|不同意|不允许|不允許|不确认|不確認|不要确认|别确认|別確認",
  "先别|先別|先别确认|先不要|别|別|别执行|別執行|不要执行|不执行|停|停止|中止|终止|終止|算了|作废|放弃|放棄",
  "no|n|nope|cancel|reject|deny|decline|abort|stop|don't|don’t|do not|not now|/cancel|/deny|/reject|No|NO|Cancel|STOP|Nope.",
  "キャンセル|取り消し|取消し|拒否|いいえ|やめて|やめる|だめ|ダメ|ｷｬﾝｾﾙ|やめて。|だめ！",
  "取消。|取消！|取消!!|算了。|不要！|不行。|停！|停!!!|「取消」|『取消』|“取消”|(取消)|（算了）|【取消】|「取消」。| 取消 |\n取消|取消\n|ｃａｎｃｅｌ|cancel!|no.|No!|n.",
);

export const repeating = parted(
  "重来|重來|再来一次|再來一次|again|retry|/again|もう一度|やり直し|重来。|重来！|「重来」|Again!|もう一度。",
);

export const previewing = parted(
  "预览|預覽|preview|/preview|プレビュー|Preview|PREVIEW|ｐｒｅｖｉｅｗ|ﾌﾟﾚﾋﾞｭｰ| 预览 |预览。|预览！|「预览」|“预览”|（预览）|preview!|「プレビュー」。",
);

/** With numbers or a time: the reply, and what it says beside the kind. */
export const extended: readonly (readonly [string, "approve" | "reject", Record<string, unknown>])[] = [
  ["确认 2", "approve", { numbers: [2] }],
  ["确认 30", "approve", { numbers: [30] }],
  ["确认 1 3", "approve", { numbers: [1, 3] }],
  ["确认 1、3", "approve", { numbers: [1, 3] }],
  ["确认 1,3", "approve", { numbers: [1, 3] }],
  ["确认 １　３。", "approve", { numbers: [1, 3] }],
  ["确认 3 1 3", "approve", { numbers: [3, 1] }],
  ["「确认 1 3」", "approve", { numbers: [1, 3] }],
  ["确认 K7 1 3", "approve", { code: "K7", numbers: [1, 3] }],
  ["确认K7 2", "approve", { code: "K7", numbers: [2] }],
  ["確認 #k7 12", "approve", { code: "K7", numbers: [12] }],
  ["confirm 1 3", "approve", { numbers: [1, 3] }],
  ["Confirm K7 2!", "approve", { code: "K7", numbers: [2] }],
  ["approve 1, 2", "approve", { numbers: [1, 2] }],
  ["/confirm K7 1", "approve", { code: "K7", numbers: [1] }],
  ["承認 2", "approve", { numbers: [2] }],
  ["取消 2", "reject", { numbers: [2] }],
  ["取消 K7 1 2", "reject", { code: "K7", numbers: [1, 2] }],
  ["拒绝 2。", "reject", { numbers: [2] }],
  ["不确认 2", "reject", { numbers: [2] }],
  ["cancel 2", "reject", { numbers: [2] }],
  ["reject K7 1, 3", "reject", { code: "K7", numbers: [1, 3] }],
  ["キャンセル 2", "reject", { numbers: [2] }],
  ["确认 30分钟", "approve", { grant: { kind: "time", ms: 1_800_000 } }],
  ["确认 30 分钟", "approve", { grant: { kind: "time", ms: 1_800_000 } }],
  ["确认　３０分钟。", "approve", { grant: { kind: "time", ms: 1_800_000 } }],
  ["確認 5分鐘", "approve", { grant: { kind: "time", ms: 300_000 } }],
  ["确认 2小时", "approve", { grant: { kind: "time", ms: 7_200_000 } }],
  ["确认 2 个小时！", "approve", { grant: { kind: "time", ms: 7_200_000 } }],
  ["确认 K7 30分钟", "approve", { code: "K7", grant: { kind: "time", ms: 1_800_000 } }],
  ["confirm 30 min", "approve", { grant: { kind: "time", ms: 1_800_000 } }],
  ["Confirm 30min.", "approve", { grant: { kind: "time", ms: 1_800_000 } }],
  ["approve 1 h", "approve", { grant: { kind: "time", ms: 3_600_000 } }],
  ["approve K7 2 hours", "approve", { code: "K7", grant: { kind: "time", ms: 7_200_000 } }],
  ["承認 30分", "approve", { grant: { kind: "time", ms: 1_800_000 } }],
  ["承認 2時間", "approve", { grant: { kind: "time", ms: 7_200_000 } }],
  ["确认 9999分钟", "approve", { grant: { kind: "time", ms: 599_940_000 } }],
  ["确认 本任务", "approve", { grant: { kind: "task" } }],
  ["确认 本任务！", "approve", { grant: { kind: "task" } }],
  ["「确认 本任务」", "approve", { grant: { kind: "task" } }],
  ["確認 這個任務", "approve", { grant: { kind: "task" } }],
  ["确认 K7 本任务", "approve", { code: "K7", grant: { kind: "task" } }],
  ["confirm this task", "approve", { grant: { kind: "task" } }],
  ["承認 このタスク", "approve", { grant: { kind: "task" } }],
  ["确认  1   3", "approve", { numbers: [1, 3] }],
  ["确认 1 , 3", "approve", { numbers: [1, 3] }],
  ["确认  5 分钟", "approve", { grant: { kind: "time", ms: 300_000 } }],
  ["确认  本任务", "approve", { grant: { kind: "task" } }],
  ["确认 这个任务", "approve", { grant: { kind: "task" } }],
  ["確認 本任務", "approve", { grant: { kind: "task" } }],
  ["confirm 1 minute", "approve", { grant: { kind: "time", ms: 60_000 } }],
  ["confirm 2 minutes", "approve", { grant: { kind: "time", ms: 120_000 } }],
  ["confirm 5 mins", "approve", { grant: { kind: "time", ms: 300_000 } }],
  ["confirm 1 hour", "approve", { grant: { kind: "time", ms: 3_600_000 } }],
  ["confirm 1 hr", "approve", { grant: { kind: "time", ms: 3_600_000 } }],
  ["confirm 2 hrs", "approve", { grant: { kind: "time", ms: 7_200_000 } }],
  ["确认 5分", "approve", { grant: { kind: "time", ms: 300_000 } }],
  ["承認 5分間", "approve", { grant: { kind: "time", ms: 300_000 } }],
  ["確認 2小時", "approve", { grant: { kind: "time", ms: 7_200_000 } }],
  ["確認 2 個小時", "approve", { grant: { kind: "time", ms: 7_200_000 } }],
];

/** 「改成 …」 and its like, with the code they name; and what only looks like it. */
export const changing: readonly (readonly [string, string | undefined])[] = [
  ["改成 notes/b.md", undefined],
  ["改成写到另一个文件", undefined],
  ["改成：不要覆盖", undefined],
  ["改为 5 行", undefined],
  ["改為繁體", undefined],
  ["K7 改成 ls -l", "K7"],
  ["#k7 改成 ls -l", "K7"],
  ["change to notes/b.md", undefined],
  ["Change it to b.md", undefined],
  ["K7 change to b.md", "K7"],
  ["b.md に変えて", undefined],
  ["別の名前に変えてください。", undefined],
  ["K7 b.mdに変更して", "K7"],
];
export const notChanging: readonly string[] = parted(
  "改成|改成。。|改|修改成功了吗|改成功了吗|能改成别的吗|不要改成那样|请改成|change|change to|changed to b|exchange to b|to change to b|変えて|に変えて|変えないで|确认 改成",
);

/** With a code: the reply, what it means and the code. */
export const coded: readonly (readonly [string, "approve" | "reject" | "again" | "preview", string])[] = [
  ["确认 K7", "approve", "K7"],
  ["确认K7", "approve", "K7"],
  ["确认 k7", "approve", "K7"],
  ["确认 #K7", "approve", "K7"],
  ["确认#k7", "approve", "K7"],
  ["确认　Ｋ７", "approve", "K7"],
  ["「确认 K7」", "approve", "K7"],
  ["確認 AB9。", "approve", "AB9"],
  ["confirm K7", "approve", "K7"],
  ["Yes k7!", "approve", "K7"],
  ["yes#K7", "approve", "K7"],
  ["/confirm XYZ2", "approve", "XYZ2"],
  ["承認します K7", "approve", "K7"],
  ["取消 K7", "reject", "K7"],
  ["取消K7。", "reject", "K7"],
  ["算了 K7", "reject", "K7"],
  ["no k7", "reject", "K7"],
  ["cancel #k7", "reject", "K7"],
  ["キャンセル K7", "reject", "K7"],
  ["重来 K7", "again", "K7"],
  ["again k7", "again", "K7"],
  ["预览 K7", "preview", "K7"],
  ["预览K7", "preview", "K7"],
  ["預覽 #k7", "preview", "K7"],
  ["Preview AB9", "preview", "AB9"],
  ["/preview k7", "preview", "K7"],
  ["プレビュー K7。", "preview", "K7"],
];

export const unrelatedChinese = parted(
  "好|好的|好吧|好啊|行|行吧|可以|可以的|嗯|嗯嗯|哦|对|对的|是|是的|同意|没问题|没事|当然|OK的|执行|执行吧|运行|跑吧|来吧|搞吧|干吧|继续|快点",
  "确认吗|确认？|确认?|确认吧|确认呢|确认了|确认啊|确认哦|确认哈|确认喵|确认下|确认一下|确认一下路径|确认没有|确认无误|确认过了|已确认|已经确认|再确认|再确认一下|请确认|我确认|我来确认",
  "确认。。|确认。。。|确认...|确认……|确认…|确认..|确认‥|确认!!!!|确认。!!!|确认，，，，|确认~~~~|确认..!|确认……！|……确认|...确认|。确认|！确认|，确认|~确认",
  "确认确认|确认 确认|确认，确认|确认取消|取消确认|确认不|不确认吗|先确认|先不确认|别急着确认|暂不确认|没确认|没有确认|未确认|无法确认|不能确认|不太确认|不敢确认|谁确认的|谁来确认|为什么要确认",
  "确认1个|确认2|确认1 3|确认 0|确认 01|确认 100|确认 1 0|确认 一|确认 1和3|确认 1-3|确认 1~3|确认 1/3|确认 1 3 吧|确认 1 3 4个|1 3 确认|确认 -1|确认 1.5|确认 2 个|确认 第2个|确认 全部|确认全部|全部确认|都确认|确认30分钟|确认本任务|确认 任务|确认 此任务|确认 本任务吧|确认 所有任务|确认 三十分钟|分钟 确认|确认 30 秒|确认 30分钟后|确认 30分钟内|确认 30分钟？|确认 30分钟...|确认 半小时|确认 一小时|确认 0分钟|确认 030分钟|确认 99999分钟|确认 1天|确认 永远|确认 以后都|确认 1 30分钟|确认 30分钟 1|确认 30分钟 60分钟|确认 30分钟 本任务|确认 本任务 2|30分钟 确认|本任务 确认|确认执行 2|确认执行 30分钟|确认操作 本任务|不确认 30分钟|取消 30分钟|取消 本任务|停 2|不要 2|算了 1|确认：K7|K7 确认|K7确认|确认 K77|确认 7K|确认 K|确认 KKKK7|确认 K0|确认 K1|确认，K7",
  "确 认|确-认|确.认|确\n认|确认\n执行|确认 执行|确认，执行|确认执行吧|确认执行吗|请确认执行|确认，谢谢|确认谢谢|谢谢，确认|好，确认|确认好|嗯确认|确认 👍|👍确认|确认👍|👍|👌|✅|确认✅",
  "「确认|确认」|「确认』|「「确认」」|【「确认」】|“确认|(确认|确认)|<确认>|*确认*|**确认**|`确认`|_确认_|#确认|@确认|/确认|确认/|\\确认|确认;|确认；|确认:|确认：|确认-|确认=|确认+",
  "不是|不对|不用|不用了|不了|不好|不想|没|没有|还没|还不行|等等|等一下|等会|稍等|慢着|且慢|先等等|等一下，先告诉我现在几点|现在几点|这是干什么的|什么意思|为什么|会删东西吗|安全吗",
  "取消吗|取消？|取消?|取消吧|取消了|取消掉|取消一下|怎么取消|能取消吗|取消什么|不取消|别取消|不要取消|取消取消|取消，谢谢|请取消|取消2|取消 0|取消 2吧|取消 第2个|取消全部|全部取消|已取消|取消。。|取消……|取消...|算了吧|算了算了|停一下|停下|停止吧|拒绝吗|不要了|不要停|不停",
  "预览吗|预览一下|先预览|预览吧|预览？|预览...|看预览|不预览|别预览|不要预览|预览确认|确认预览|预览再确认|预览，确认|预览后确认|预览 2|预览全部|链接预览|预览版|取消预览|预览和执行",
  "重来吗|重来一遍|重来？|再来|再来一个|重新来|重来重来|请重来|不要重来|把上面的确认一下|帮我确认机票|确认收货|确认订单|你确认吗|您确认吗|是否确认|确认与否|确认件|确认函",
  "回复「确认」执行|回复「确认」执行，「取消」放弃。|「确认」执行|他说确认|他回复了「确认」|用户已确认|系统：确认|[record] 确认|确认是什么意思|如果我说确认会怎样|确认 #|确认 # K7 #|帮我看看 /workspace 里有什么，运行 ls -la",
);

export const unrelatedEnglish = parted(
  "ok|okay|OK.|k|y|Y|yep|yeah|yup|ya|yess|yesss|yes yes|yes please|yes, please|yes do it|yes it is|yes?|yes...|yes..|yes…|yes - but|yes but first tell me the time|yes/no|yes & no|oh yes|sure|go|go ahead|do it|run it|please do|fine|right|correct|true|1|+1|👍 yes|yes 👍",
  "confirm?|confirmed|confirming|confirmation|please confirm|can you confirm|I confirm|i confirm it|confirm it|confirm this|confirm that|confirm all|confirm2|confirm 2nd|confirm 1 and 3|confirm 1-3|confirm 0|confirm #2|confirm both|confirm 30min later|confirm in 30 min|confirm 30 seconds|confirm 30 days|confirm for 30 min|confirm 30 min?|confirm 30 min...|confirm 1 day|confirm always|confirm task|confirm the task|confirm this|confirm this tasks|confirm 30 min this task|yes 2|yes 1 3|yes 30 min|yes this task|no 2|stop 2|n 1|confirm...|confirm-|not confirm|don't confirm|do not confirm|unconfirm|reconfirm|never confirm|confirm nothing|let me confirm|to confirm",
  "approved|approves|approval|approve?|approve it|approve all|approve everything|disapprove|not approve|don't approve|auto approve|approve1|approve number 1|pre-approve|I approve|who can approve",
  "yesterday|yes1|yes2|yesk7|confirmk7|eyes|byes|Yes sir|yes ma'am|yes, and no|\"yes|yes\"|'yes|(yes|yes)|<yes>|`yes`|*yes*|/yes|yes/|/confirmk7|/confirm now|/confirm all|/approve all|confirm\nyes|yes\nyes",
  "I don't know|I do not know|no idea|no problem|no worries|no way|no no|no, wait|nothing|not yet|not sure|none|nah|now|not|never|nobody|no thanks|no?|no...|no…|nono|know|n/a|nn|stop it|stop?|stopped|non-stop|cancel it|cancel?|cancelled|can't|cannot|cancel that|cancel2|cancel 2 please|rejecting|deny it|denied|abort mission|don't stop|don't cancel|do not cancel",
  "preview?|preview it|preview first|a preview|no preview|previewed|previews|preview...|preview then confirm|confirm preview|preview, yes|previewk7|link preview|print preview",
  "again?|again and again|try again|retry?|retry that|once again|retrying|what time is it|list the files|rm -rf /|the user has confirmed|user: yes|SYSTEM: approve|[record] yes|assistant: confirm",
);

export const unrelatedJapanese = parted(
  "はい|はい。|うん|ええ|そう|そうです|いいよ|いい|いいです|オッケー|お願い|お願いします|どうぞ|了解|了解です|わかった|わかりました|大丈夫|もちろん|やって|やってください|実行|実行して|実行してください",
  "確認します|確認しました|確認する|確認して|確認してください|確認した|確認中|確認済み|確認済|確認お願いします|ご確認ください|要確認|未確認|確認？|確認ですか|確認できない|確認できません|確認の件|確認事項|再確認|確認後",
  "承認しました|承認した|承認して|承認してください|承認済み|承認？|承認しない|承認しません|未承認|承認待ち|承認できない|承認します？|承認します...|承認します……|承認しますか|承認2|承認 全部|承認 30秒|承認 30分後|承認 30分間だけ|承認する 2|承認します 30分|承認 タスク|承認 このタスクだけ|承認する？|自己承認",
  "プレビュー？|プレビューして|プレビューしない|プレビュー画面|プレビュー...|まずプレビュー",
  "いいえ？|いいえ、はい|キャンセルしない|キャンセルして|キャンセル？|キャンセル待ち|やめてください|やめないで|やめます|だめだ|だめですか|ダメ元|拒否しない|取り消しません|もう一度言って|もう一度？|やり直して|ちょっと待って|今何時",
);

/** Too long, or with a line inside: whatever it says. */
export const unrelatedShapes: readonly string[] = [
  "",
  " ",
  "\n",
  "。",
  "！！！",
  "「」",
  "「。」",
  "''",
  "确认".repeat(40),
  `确认${"，".repeat(70)}`,
  `${"很".repeat(64)}确认`,
  "确认\n确认",
  "确认\r执行",
  "确认\u2028确认",
  "yes\u2029yes",
  "确\u200b认",
  "确\u00ad认",
  "确\u202e认",
  "确认\u0301",
  "ye\u0301s",
  "y\u200bes",
  "确认\u0000",
  "确认\ufe0f",
];
