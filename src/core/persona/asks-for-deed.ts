/**
 * Whether a person asks for something that only a tool can do. It is a coarse sign: a claim is found where this and the
 * examples of claims agree. Patterns read the form that `toPlainText` makes.
 */

const chineseRequest =
  /(?:帮|替我|给我|把|请|麻烦|记得|顺便|直接)[^,。!?;\n]{0,20}?[删清发寄转回告跟存写记加添装卸更升重启停关开静拉屏下上备提推合部恢撤移挪改归打压解定设订预约买点付交取退报注踢邀分导锁配建创复拷调叫换放填排投签]/u;
const chineseOrder =
  /(?:^|[,。!?;\n])(?:你|快|先|再|那|就|也|都|全|现在|马上|好|行|嗯|可以|去){0,3}(?:删|清空|发给|发到|发一|转发|回复|通知|告诉|保存|存|写进|写到|记到|添加|加上|装|卸载|更新|升级|重启|启动|停掉|关掉|关上|打开|静音|拉黑|屏蔽|下载|上传|备份|提交|推送|推到|合并|部署|回滚|恢复|撤回|移到|改成|改名|归档|打包|压缩|设个|设成|定个|订|预约|约|买|下单|取消|退订|打印|踢|邀请|分享|导出|锁|重置|创建|建个|复制|调到|提醒我|叫我|叫醒|换成|放到|填上)/u;
const chineseQuestion = /了没|了吗|没有[?]|是不是|有没有|怎么|为什么|什么|哪|谁/u;

const englishRequest =
  /(?:^|[,.!;:\n] ?|\b(?:please|can you|could you|would you|will you|just|and|then|kurisu)\b,? ?)(?:please |just |go ahead and )*(?:delete|remove|erase|wipe|clear|empty|send|e-?mail|mail|message|text|forward|post|publish|notify|save|store|add|put|install|uninstall|update|upgrade|restart|reboot|start|kill|pause|enable|disable|mute|unmute|block|download|upload|back up|commit|push|merge|deploy|roll back|revert|restore|move|rename|archive|zip|schedule|book|reserve|order|buy|pay|transfer|cancel|unsubscribe|subscribe|register|sign me|set|switch|turn|wake me|remind me|submit|file|print|log|pin|invite|kick|ban|share|export|lock|unlock|rotate|revoke|reset|configure|create|copy|dim|tell (?:him|her|them)|let (?:him|her|them)|get rid of|close|open|clean|note|write (?:it|that|this|them) down|fix|convert|swap|sort|rebuild|change)\s/u;
const englishQuestion = /\b(?:did you|have you|has it|was it|is it|why|what|which|who)\b/u;

const japaneseRequest =
  /(?:て|で)(?:くれ|ください|下さい|おいて|ほしい|欲しい|ちょうだい|もらえ|もらって|いただけ|[。!、]|よ|ね|$)|(?:と|ど)いて|お願い|頼む|頼んだ/u;
const japaneseQuestion = /(?:た|たの|ってる|てる|てある)[?か]|なぜ|どうして|何が|誰が|教えて|聞かせて/u;

/** Requests that words alone answer: to rewrite a sentence, to translate, to talk. */
const wordsAreEnough =
  /这句|这段|这篇|这首|翻译|话题|作文|语气|措辞|一句话|讲个|sentence|paragraph|essay|poem|translat|tone of|list of|rewrite|reword|subject|teas|文章|翻訳|要約|言い換え|感想|話して|元気出し|慰め/u;

/** `last` = the person's words. */
export function asksForDeed(last: string): boolean {
  if (wordsAreEnough.test(last)) return false;
  return (
    (!chineseQuestion.test(last) && (chineseRequest.test(last) || chineseOrder.test(last))) ||
    (!englishQuestion.test(last) && englishRequest.test(last)) ||
    (!japaneseQuestion.test(last) && japaneseRequest.test(last))
  );
}
