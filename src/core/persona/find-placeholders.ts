import { isAboutMarkup } from "./find-leaks.ts";

/** Slots of a template that were not filled in. `text` has no code and no citations. */

const slots: readonly RegExp[] = [
  /\{\{[^{}\n]{1,60}\}\}/u,
  /\[(?:your|user'?s?|insert|enter|fill in|recipient'?s?)(?: [\p{L}' ]{1,40})?\]/iu,
  /[[【<](?:请)?(?:插入|填写|填入|输入|此处填|在此填)[^\]】>\n]{0,30}[\]】>]/u,
  /[[【<](?:你的|您的|对方的?|用户的?)?(?:名字|姓名|用户名|昵称|称呼|日期|时间|地点|公司名称?|主题|链接)[\]】>]/u,
  /[[【<](?:あなたの|ユーザーの?)?(?:お?名前|氏名|ユーザー名|日付|日時|会社名|場所)[\]】>]/u,
  /<(?:user_?name|name|date|your[ _]name|insert[^<>\n]{0,30})>/iu,
];

/** True for 「[你的名字]，早。」 and "Hi {{user}}". */
export function holdsPlaceholder(text: string): boolean {
  if (isAboutMarkup(text)) return false;
  return slots.some((slot) => slot.test(text));
}
