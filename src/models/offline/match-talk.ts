import type { PhraseKey } from "./phrases.ts";

/** Most specific first. `within` = only when the whole message is about this short. */
const forms: readonly { readonly key: PhraseKey; readonly words: RegExp; readonly within: number }[] = [
  {
    key: "help",
    within: 40,
    words:
      /你会什么|能做什么|会做什么|怎么用你|帮助|有什么(?:功能|工具)|有哪些工具|\/help|\bhelp\b|what can you do|what tools|何ができる|使い方|ヘルプ/i,
  },
  {
    key: "identity",
    within: 30,
    words: /你是谁|你叫什么|你是什么人|who are you|what are you|your name|誰(?:です|なの|だ)|あなたは誰|名前は/i,
  },
  { key: "thanks", within: 24, words: /谢谢|谢啦|感谢|多谢|辛苦了|\bthanks?\b|\bthx\b|ありがと|サンキュー|助かった/i },
  {
    key: "farewell",
    within: 20,
    words: /再见|拜拜|晚安|下次见|先走了|\bbye\b|good ?night|see you|さようなら|おやすみ|またね|じゃあね/i,
  },
  {
    key: "greeting",
    within: 20,
    words:
      /你好|您好|早上好|下午好|晚上好|早安|哈[喽啰]|^嗨|在吗|\b(?:hi|hello|hey|yo)\b|good (?:morning|evening|afternoon)|こんにち[はわ]|こんばんは|おはよう|やあ|もしもし/i,
  },
  {
    key: "praise",
    within: 30,
    words:
      /厉害|真棒|好可爱|天才|聪明|喜欢你|\b(?:great|awesome|genius|cute|smart|well done|good job)\b|すごい|かわいい|天才|賢い|好き/i,
  },
  {
    key: "question",
    within: Infinity,
    words:
      /[?？]\s*$|[吗呢]\s*[。！]?$|为什么|怎么|什么|如何|是不是|能不能|^(?:why|how|what|who|when|where|which|can|could|do|does|is|are)\b|なぜ|どうして|どうやって|ですか|かな/i,
  },
];

/** What kind of talk it is when there is nothing to do. */
export function matchTalk(text: string): PhraseKey {
  return forms.find(({ words, within }) => text.length <= within && words.test(text))?.key ?? "smallTalk";
}
