import type { Words } from "../dictionary.ts";
import { persona } from "./persona.ts";

export const choices: Words["choices"] = {
  persona,
  languageChosen: "了解、ここではこれから日本語で。/lang auto なら、書いた言葉に合わせる。",
  languageIs: "ここは日本語に決まっている。/lang zh で中国語、/lang en で英語、/lang auto なら書いた言葉に合わせる。",
  languageFollows: "書いた言葉に合わせて答える。決めたいなら /lang zh、/lang en、/lang ja。",
  languageUsage: "使い方：/lang zh、/lang en、/lang ja、/lang auto。",
  modelUsual: (model) => `ここはいつもの順番で、最初に ${model} に聞く。`,
  modelChosen: (model) => `ここでは最初に ${model} に聞く。答えなければ、いつもの順番でほかに聞く。`,
  modelUnknown: "そのモデルは設定されていない。あるのはこれ：",
  modelFailing: "（今は答えない）",
  modelUsage: "/model 名前 で変える、/model auto でいつもの順番に戻す。",
};
