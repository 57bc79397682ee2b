import { findPerson } from "../gate/find-person.ts";
import type { Person } from "../gate/types.ts";
import type { Store } from "../../store/open-store.ts";
import { listOpenQuestions } from "../../store/queries/questions.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { ParkedTurns } from "./parked-turns.ts";
import type { QuestionCards } from "./question-cards.ts";

type EndedQuestions =
  /** The codes of the questions. */
  | { readonly kind: "ended"; readonly codes: readonly string[] }
  /** One question belongs to another person, so none was ended. */
  | { readonly kind: "refused"; readonly askerName: string };

/**
 * Ends every turn of a session that waits for an answer, with its sub-agents and previews, because a person switches to
 * another branch. Members can end only their own, owners all.
 */
export type EndOpenQuestions = (session: string, person: Person) => Promise<EndedQuestions>;

export function createEndOpenQuestions(parts: {
  readonly store: Store;
  readonly parked: Pick<ParkedTurns, "end">;
  readonly cards: Pick<QuestionCards, "showOutcome">;
  readonly tasks: Pick<Tasks, "stopAll">;
  readonly abortPreviews: (session: string) => void;
}): EndOpenQuestions {
  const { store, parked, cards } = parts;
  return async (session, person) => {
    const open = await listOpenQuestions(store.main, session);
    const { accounts } = await findPerson(store.main, person.id);
    const foreign = open.find(({ asker }) => !accounts.includes(asker) && person.role !== "owner");
    if (foreign) return { kind: "refused", askerName: foreign.askerName };
    parts.abortPreviews(session);
    // A turn that waits for sub-agents has no question of its own. The branch that the conversation leaves gets no
    // later messages.
    const { closed } = await parts.tasks.stopAll(session, person, "worldline");
    for (const question of closed) await cards.showOutcome(question);
    const codes = closed.map(({ code }) => code);
    for (const question of open) if (await parked.end(question, "worldline", person.id)) codes.push(question.code);
    return { kind: "ended", codes };
  };
}
