import type { ConversationMessage, Language } from "../core/conversation.ts";
import type { ConfigFault } from "../core/yaml-file.ts";

export interface SkillLibrary {
  list(): readonly { id: string; name: string; version: string; type: string }[];
  match(utterance: string): readonly string[];
  recall(utterance: string, language: Language): { text: string; examples: readonly ConversationMessage[] };
}
export function loadSkillFolder(
  _folder: string,
  _environment: unknown,
): { kind: "loaded"; library: SkillLibrary } | { kind: "faulty"; faults: ConfigFault[] } {
  return { kind: "loaded", library: { list: () => [], match: () => [], recall: () => ({ text: "", examples: [] }) } };
}
