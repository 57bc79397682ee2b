import type { Language } from "../../conversation.ts";
import { detectLanguage } from "../../words/detect-language.ts";
import type { CharacterCard } from "./character-card.ts";
import { fillAround, fillPlaceholders, otherPerson } from "./fill-placeholders.ts";

/** The texts of a persona's folder that a card stands for. */
export interface PersonaOfCard {
  readonly language: Language;
  /** What it is called in the chat. */
  readonly name: string;
  readonly soul: string;
  /** The card's own instructions that `soul` begins and ends with; "" = none, or not approved. */
  readonly before: string;
  readonly after: string;
  readonly greetings: readonly string[];
}

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
 * `prompts` = the owner approved the card's own instructions, which then stand around its description: {{original}} in one of
 * them is the description, else it follows the system_prompt. Our rules follow in any case. `random` decides {{random:…}} once,
 * so that the prompt stays the same from turn to turn.
 */
export function personaOfCard(
  card: CharacterCard,
  { prompts, random }: { readonly prompts: boolean; readonly random: () => number },
): PersonaOfCard {
  const name = card.nickname || card.name;
  const language = detectLanguage(`${card.description}\n${card.firstMessage}\n${card.personality}`, undefined, "en");
  const names = { char: name, user: otherPerson[language], random };
  const fill = (text: string): string => fillPlaceholders(text, names).trim();
  const words = headings[language];
  const section = (heading: string, text: string): string => (text === "" ? "" : `# ${heading}\n\n${text}`);
  const plain = [
    section(name, fill(card.description)),
    section(words.personality, fill(card.personality)),
    section(words.scenario, fill(card.scenario)),
    section(words.examples, fill(card.examples.replaceAll(/<START>/gi, "---"))),
  ];
  const around = prompts
    ? surround(fillAround(card.systemPrompt, names), fillAround(card.postHistory, names))
    : noneAround;
  const greetings = [card.firstMessage, ...card.alternateGreetings]
    .slice(0, maxGreetings)
    .map((greeting) => fillPlaceholders(cutGreeting(greeting), { ...names, user: you[language] }).trim())
    .filter((greeting) => greeting !== "");
  const soul = join([around.before, ...plain, around.after]);
  return { language, name, soul: soul === "" ? `# ${name}` : soul, ...around, greetings };
}

const noneAround = { before: "", after: "" };

/** Puts the description where the first {{original}} asks for it; any other {{original}} is empty. */
function surround(system: ReturnType<typeof fillAround>, history: ReturnType<typeof fillAround>): typeof noneAround {
  const [before, behind] = system;
  const [above, below] = history;
  if (behind !== undefined) return { before: before.trim(), after: join([behind.trim(), history.join("").trim()]) };
  if (below !== undefined) return { before: join([before.trim(), above.trim()]), after: below.trim() };
  return { before: before.trim(), after: above.trim() };
}

const join = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

/** A greeting is one message of a chat; card.json keeps all of a longer one. */
const maxGreeting = 3_000;
const maxGreetings = 100;

function cutGreeting(greeting: string): string {
  if (greeting.length <= maxGreeting) return greeting;
  const paragraph = greeting.lastIndexOf("\n", maxGreeting);
  return `${greeting.slice(0, paragraph > maxGreeting / 2 ? paragraph : maxGreeting).trimEnd()}…`;
}
