import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";

const zh = {
  menu: { menu: "用语音回答：on、off、auto", help: "/voice   也用语音回答（on 每次，auto 听到语音才用，off 不用）" },
  on: "好，每次回答都再说一遍语音。/voice off 关掉。",
  auto: "好，你发语音，我也用语音再说一遍。/voice off 关掉。",
  off: "现在只用文字回答。/voice on 打开语音，/voice auto 只在你发语音时用。",
  usage: "用法：/voice on、/voice off、/voice auto。",
  notHere: "在这里我发不了语音。",
  noEndpoint: "没有配置语音合成（SPEECH_BASE_URL），我说不出来。",
  /** Behind an answer that was to be spoken. */
  failed: "（这次没能说出来，语音合成没有答上来。）",
  /** For the model, behind where the voice message was put. */
  note: (why: string) => `；听不了：${why}，照实说，不要猜`,
  refusal: (voice: { readonly why: string; readonly path: string }) =>
    `这条语音我听不了：${voice.why}。文件在 ${voice.path}，要紧的话打字告诉我。`,
  unheard: {
    noEndpoint: "没有配置语音听写（TRANSCRIBE_BASE_URL）",
    format: "听写服务不认这种格式",
    tooLarge: "文件太大",
    tooLong: "超过 10 分钟",
    silent: "里面没有听出话来",
    failed: "听写服务没有答上来",
  },
};

const en: Translated<typeof zh> = {
  menu: {
    menu: "Answer by voice, too: on, off, auto",
    help: "/voice   answer by voice, too (on: always, auto: to voice messages, off)",
  },
  on: "Fine: every answer comes as a voice message, too. /voice off ends it.",
  auto: "Fine: when you speak, I answer by voice, too. /voice off ends it.",
  off: "I answer in text only. /voice on for voice, /voice auto for voice when you speak.",
  usage: "Usage: /voice on, /voice off, /voice auto.",
  notHere: "I cannot send voice messages here.",
  noEndpoint: "No speech is set up (SPEECH_BASE_URL), so I cannot speak.",
  failed: "(I could not say it this time: the speech service did not answer.)",
  note: (why) => `; not heard: ${why}. Say so, and do not guess`,
  refusal: (voice) =>
    `I cannot listen to this voice message: ${voice.why}. The file is ${voice.path}. If it matters, type it.`,
  unheard: {
    noEndpoint: "no transcription is set up (TRANSCRIBE_BASE_URL)",
    format: "the transcription service does not know this format",
    tooLarge: "the file is too large",
    tooLong: "it is longer than 10 minutes",
    silent: "there were no words in it",
    failed: "the transcription service did not answer",
  },
};

const ja: Translated<typeof zh> = {
  menu: {
    menu: "音声でも答える：on、off、auto",
    help: "/voice   音声でも答える（on 毎回、auto 音声への返事だけ、off）",
  },
  on: "わかりました。毎回、音声でも答えます。/voice off で終わり。",
  auto: "わかりました。音声で話しかけられたら、音声でも答えます。/voice off で終わり。",
  off: "今は文字だけで答えます。/voice on で音声、/voice auto で音声への返事だけ。",
  usage: "使い方：/voice on、/voice off、/voice auto。",
  notHere: "ここでは音声を送れません。",
  noEndpoint: "音声合成が設定されていないので（SPEECH_BASE_URL）、話せません。",
  failed: "（今回は話せませんでした。音声合成が応答しませんでした。）",
  note: (why) => `；聞き取れません：${why}。正直に伝え、推測しないこと`,
  refusal: (voice) =>
    `この音声は聞けません：${voice.why}。ファイルは ${voice.path} にあります。大事な話なら文字でどうぞ。`,
  unheard: {
    noEndpoint: "文字起こしが設定されていません（TRANSCRIBE_BASE_URL）",
    format: "文字起こしサービスが対応していない形式です",
    tooLarge: "ファイルが大きすぎます",
    tooLong: "10分を超えています",
    silent: "言葉が聞き取れませんでした",
    failed: "文字起こしサービスが応答しませんでした",
  },
};

export const voiceWords: Readonly<Record<Language, Translated<typeof zh>>> = { zh, en, ja };
