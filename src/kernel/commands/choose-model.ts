import { findSession, setSessionModel } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { ModelStatus } from "../../models/types.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { tellAs } from "../outbox/tell-as.ts";

/** `/model`, `/model NAME`, `/model auto`: the first model for a chat. Only an owner may choose. */
export function createChooseModel(parts: {
  readonly store: Store;
  /** `provider:name`, the default one first. */
  readonly listChoices: () => readonly string[];
  readonly modelStatus: () => readonly ModelStatus[];
}) {
  const { store } = parts;

  return async ({ language, session, person, rest, words }: CommandCall): Promise<CommandAnswer> => {
    const texts = words.choices;
    const choices = parts.listChoices();
    const wanted = rest.trim().toLowerCase();
    if (wanted !== "" && person.role !== "owner") return tellAs("denied", language, words.access.ownerOnly);
    if (wanted === "auto") {
      await setSessionModel(store.main, session, null);
      return { text: texts.modelUsual(choices[0] ?? "") };
    }
    if (wanted !== "") {
      const found = findChoice(choices, wanted);
      if (found === undefined) return { text: [texts.modelUnknown, ...list(choices, undefined)].join("\n") };
      await setSessionModel(store.main, session, found);
      return { text: texts.modelChosen(found) };
    }
    const chosen = (await findSession(store.main, session))?.model ?? undefined;
    // A model that the owner has removed since no longer counts.
    const inForce = choices.find((choice) => choice === chosen);
    const first = inForce ?? choices[0] ?? "";
    const lines = [inForce === undefined ? texts.modelUsual(first) : texts.modelChosen(first), ...list(choices, first)];
    return { text: [...lines, ...(person.role === "owner" ? [texts.modelUsage] : [])].join("\n") };

    function list(all: readonly string[], marked: string | undefined): readonly string[] {
      const failing = parts.modelStatus().filter(({ state }) => state === "failing");
      return all.map((choice) => {
        const isFailing = failing.some(({ model }) => model === choice);
        return `${choice === marked ? "▸" : "·"} ${choice}${isFailing ? texts.modelFailing : ""}`;
      });
    }
  };
}

/** Matches the whole name, or the part after the provider if it is unique. */
function findChoice(choices: readonly string[], wanted: string): string | undefined {
  const whole = choices.find((choice) => choice.toLowerCase() === wanted);
  const short = choices.filter((choice) => choice.slice(choice.indexOf(":") + 1).toLowerCase() === wanted);
  return whole ?? (short.length === 1 ? short[0] : undefined);
}
