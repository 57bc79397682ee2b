import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { FindVoice } from "../tools/persona-wrapper.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

const examples = ["clock", "files", "command"] as const satisfies readonly (keyof Words["welcome"]["examples"])[];

/**
 * /start: a greeting in character, the two words to know, and example requests that work here, as buttons where
 * possible.
 */
export function createGreet(voice: FindVoice, canRunCommands: () => boolean): (call: CommandCall) => CommandAnswer {
  return ({ session, language, words }) => {
    const shown = examples.filter((name) => name !== "command" || canRunCommands());
    const { how, tryOne, helpLine, examples: texts } = words.welcome;
    const greeting = voice(session).outcome({ chat: session, language }, "greeting");
    const listed = shown.map((name) => `· ${texts[name]}`);
    return {
      text: [greeting, "", how, "", tryOne, ...listed, "", helpLine].join("\n"),
      choices: shown.map((name) => ({ label: texts[name], data: `e:${language}:${name}`, style: "plain" })),
    };
  };
}

/** The request of a pressed example button, in the language it was shown in. Returns undefined for other buttons. */
export function readExample(data: string): string | undefined {
  const [, language, asked] = /^e:(zh|en|ja):([a-z]+)$/.exec(data) ?? [];
  const name = examples.find((one) => one === asked);
  return name && wordsFor(language as Language).welcome.examples[name];
}
