import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { SessionSkills } from "../../skills/session-skills.ts";
import type { Store } from "../../store/open-store.ts";
import { requireHold } from "../../store/queries/turns.ts";
import { readRun } from "../run-context.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** What a turn needs of the skills. */
export type TurnSkills = Pick<SessionSkills, "activate" | "listHosts">;

/** Brings in what she knows how to do about this message, and keeps it for the topic. */
export function createSkillActivate(parts: { readonly skills: TurnSkills; readonly store: Pick<Store, "main"> }) {
  const { skills, store } = parts;
  return async (state: TurnStateValue, config: LangGraphRunnableConfig): Promise<TurnStateUpdate> => {
    const { hold } = readRun(config);
    const { session, turn, language, position, startPosition } = state.input;
    const utterance = readUtterance(state.input);
    const active = await skills.activate({ session, turn, utterance, language, position, startPosition }, (act) =>
      store.main.transaction().execute(async (tx) => {
        await requireHold(tx, hold);
        await act(tx);
      }),
    );
    const { text, examples, network, catalogue, suggested, untrusted } = active;
    return {
      knowledge: text,
      examples,
      network,
      skills: active.skills,
      skillCatalogue: catalogue,
      suggestedSkills: suggested,
      // What somebody else wrote is in the prompt now.
      ...(untrusted && { taint: "untrusted" as const }),
    };
  };
}

/** What skills are looked up by. A call that is asked again needs those it was asked with. */
function readUtterance({ text, utterance }: TurnStateValue["input"]): string {
  return utterance ?? text;
}
