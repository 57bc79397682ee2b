import { defineFeature } from "../../src/kernel/feature/define-feature.ts";
import { rollDice } from "./roll-dice.ts";
import { diceWords } from "./words.ts";

/** Rolls dice: `/dice`, `/dice 2d6`. It has no hooks, no tables and no settings. */
export const dice = defineFeature({
  name: "dice",
  words: diceWords,
  make: () => ({ roll: rollDice }),
  commands: [
    {
      names: ["dice"],
      menu: { zh: diceWords.zh.menu, en: diceWords.en.menu, ja: diceWords.ja.menu },
      who: "everybody",
      inGroups: true,
      async answer({ roll }, { language, rest }) {
        const words = diceWords[language];
        const rolled = roll(rest);
        return { text: rolled ? words.rolled(rolled) : words.usage };
      },
    },
  ],
});
