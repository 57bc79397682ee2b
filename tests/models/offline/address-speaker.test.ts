import { expect, it } from "vitest";
import { addressSpeaker } from "../../../src/models/offline/address-speaker.ts";

it.each([
  ["我叫阿光", "你叫阿光"],
  ["我们家在杭州，我的猫叫麻薯", "你们家在杭州，你的猫叫麻薯"],
  ["我喜欢你", "你喜欢我"],
  ["我常做自我介绍", "你常做自我介绍"],
  ["我的口头禅是「我知道」", "你的口头禅是「我知道」"],
  ["I live in Hangzhou and I'm happy", "You live in Hangzhou and you're happy"],
  ["I am allergic to peanuts", "You are allergic to peanuts"],
  ["my cat is called Mochi", "your cat is called Mochi"],
  ["I like you", "You like me"],
  ["The cat is mine", "The cat is yours"],
  ["私は東京に住んでいます", "あなたは東京に住んでいます"],
  ["僕の猫はミケ", "あなたの猫はミケ"],
  ["Café in Milan", "Café in Milan"],
  ["「没有收尾", "「没有收尾"],
])("%j is said to its speaker as %j", (said, told) => expect(addressSpeaker(said)).toBe(told));
