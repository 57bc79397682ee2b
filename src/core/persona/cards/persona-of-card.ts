import type { Language } from "../../conversation.ts";
import { detectLanguage } from "../../words/detect-language.ts";
import type { CharacterCard } from "./character-card.ts";
import { fillPlaceholders } from "./fill-placeholders.ts";

/** The texts of a persona's folder that a card stands for. */
export interface PersonaOfCard {
  readonly language: Language;
  /** What it is called in the chat. */
  readonly name: string;
  readonly soul: string;
  readonly greetings: readonly string[];
}

/** The one whom the card speaks about, in its language; nobody's name is known when a card is imported. */
const someone: Readonly<Record<Language, string>> = { zh: "对方", en: "the other person", ja: "相手" };
const you: Readonly<Record<Language, string>> = { zh: "你", en: "you", ja: "あなた" };

const headings: Readonly<Record<Language, Readonly<Record<"personality" | "scenario" | "examples", string>>>> = {
  zh: { personality: "性格", scenario: "场景", examples: "对话示例（只看说话方式，内容没有发生过）" },
  en: {
    personality: "Personality",
    scenario: "Scenario",
    examples: "Example talk (its manner counts; it never happened)",
  },
  ja: { personality: "性格", scenario: "場面", examples: "会話の例（話し方の手本。実際にはなかったこと）" },
};

/**
 * `prompts` = the owner said yes to the card's own instructions, which then stand before and after its description. Ours
 * follow in any case. `random` decides {{random:…}} once, so that the prompt stays the same from turn to turn.
 */
export function personaOfCard(
  card: CharacterCard,
  { prompts, random }: { readonly prompts: boolean; readonly random: () => number },
): PersonaOfCard {
  const name = card.nickname || card.name;
  const language = detectLanguage(`${card.description}\n${card.firstMessage}\n${card.personality}`, undefined, "en");
  const fill = (text: string): string => fillPlaceholders(text, { char: name, user: someone[language], random }).trim();
  const words = headings[language];
  const section = (heading: string, text: string): string => (text === "" ? "" : `# ${heading}\n\n${text}`);
  const parts = [
    prompts ? fill(card.systemPrompt) : "",
    section(name, fill(card.description)),
    section(words.personality, fill(card.personality)),
    section(words.scenario, fill(card.scenario)),
    section(words.examples, fill(card.examples.replaceAll(/<START>/gi, "---"))),
    prompts ? fill(card.postHistory) : "",
  ];
  const greetings = [card.firstMessage, ...card.alternateGreetings]
    .slice(0, maxGreetings)
    .map((greeting) => fillPlaceholders(cutGreeting(greeting), { char: name, user: you[language], random }).trim())
    .filter((greeting) => greeting !== "");
  const soul = parts.filter((part) => part !== "").join("\n\n");
  return { language, name, soul: soul === "" ? `# ${name}` : soul, greetings };
}

/** A greeting is one message of a chat; card.json keeps all of a longer one. */
const maxGreeting = 3_000;
const maxGreetings = 100;

function cutGreeting(greeting: string): string {
  if (greeting.length <= maxGreeting) return greeting;
  const paragraph = greeting.lastIndexOf("\n", maxGreeting);
  return `${greeting.slice(0, paragraph > maxGreeting / 2 ? paragraph : maxGreeting).trimEnd()}…`;
}
