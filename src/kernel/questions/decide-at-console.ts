import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { findPause } from "../../store/queries/pause.ts";
import { findQuestion, type AskedCall, type Question } from "../../store/queries/questions.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { ApprovalDecision } from "../gate/approval-manager.ts";
import { aloneAs, type LinkedPerson } from "../gate/find-person.ts";
import { mayDecide, type Decider } from "../gate/may-decide.ts";
import type { DecisionFault } from "../gate/types.ts";
import type { Roles } from "../people/find-role.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { DecideQuestion } from "./decide-question.ts";

/** A decision about the calls that a page showed. */
interface ConsoleDecision extends Pick<ApprovalDecision, "decision" | "numbers" | "grant"> {
  readonly question: string;
  /** All calls as the page showed them. */
  readonly shown: readonly Pick<AskedCall, "call" | "hash">[];
  /** The id of the login. */
  readonly login: string;
}

/** `changed`: the page showed other calls. The rest as in DecisionResult. */
export type ConsoleDecided =
  | { readonly kind: "unknown" | "paused" }
  | {
      readonly kind: "decided" | "voted" | "closed" | "expired" | "forbidden" | "changed";
      readonly question: Question;
    }
  | { readonly kind: "refused"; readonly question: Question; readonly why: DecisionFault };

export interface ConsoleDecisions {
  readonly decide: (decision: ConsoleDecision) => Promise<ConsoleDecided>;
  readonly mayApprove: (question: Question) => Promise<boolean>;
}

/** An owner decides in the web console. */
export function createConsoleDecisions(parts: {
  readonly store: Pick<Store, "main">;
  readonly decide: DecideQuestion;
  readonly roles: Pick<Roles, "base">;
}): ConsoleDecisions {
  const { store } = parts;

  /** An owner who asked may be the very one who sits here: where askers have no say, they have none here either. */
  async function findDecider(question: Question): Promise<Decider> {
    const [platform = "", ...user] = question.asker.split(":");
    const isOwners =
      question.terms?.askerMayApprove === false &&
      (await parts.roles.base(platform, user.join(":"), store.main)) === "owner";
    const alone = aloneAs(consoleOwner);
    const person: LinkedPerson = isOwners ? { ...alone, since: (at) => [...alone.since(at), question.asker] } : alone;
    return { id: consoleOwner, role: "owner", person, place: "console" };
  }

  return {
    async decide({ question: id, shown, ...wish }) {
      const question = await findQuestion(store.main, id);
      if (!question) return { kind: "unknown" };
      if (await findPause(store.main)) return { kind: "paused" };
      if (!isSame(shown, question.calls)) return { kind: "changed", question };
      const session = await findSession(store.main, question.session);
      const { atConsole } = wordsFor((session?.language ?? "zh") as Language).approval;
      const by = { ...(await findDecider(question)), name: atConsole };
      const decided = await parts.decide({ ...wish, question, by, how: "console", cause: `console:${id}` });
      return decided.kind === "expired" ? { kind: "expired", question } : decided;
    },
    mayApprove: async (question) => mayDecide(question, await findDecider(question), "approved"),
  };
}

function isSame(shown: ConsoleDecision["shown"], calls: Question["calls"]): boolean {
  if (shown.length !== calls.length) return false;
  return calls.every(({ call, hash }, index) => shown[index]?.call === call && shown[index].hash === hash);
}
