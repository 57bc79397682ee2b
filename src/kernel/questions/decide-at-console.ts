import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { findPause } from "../../store/queries/pause.ts";
import { findQuestion, type AskedCall, type Question } from "../../store/queries/questions.ts";
import { findNames } from "../../store/queries/people.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { ApprovalDecision } from "../gate/approval-manager.ts";
import { aloneAs, findPerson, type LinkedPerson } from "../gate/find-person.ts";
import { mayDecide, placeOf, type Decider } from "../gate/may-decide.ts";
import type { DecisionFault } from "../gate/types.ts";
import type { Roles } from "../people/find-role.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { DecideQuestion } from "./decide-question.ts";
import type { AskedPreview, Previews } from "./previews.ts";

/** A decision about the calls that a page showed. */
interface ConsoleDecision extends Pick<ApprovalDecision, "decision" | "numbers" | "grant"> {
  readonly question: string;
  /** All calls as the page showed them. */
  readonly shown: readonly Pick<AskedCall, "call" | "hash">[];
  /** The id of the login. */
  readonly login: string;
  readonly by: ConsoleDecider;
}

/**
 * The owner, under the chat account with which they signed in, if any; or a member. `accounts` are all accounts of the
 * member, who sees only questions that one of them asked.
 */
export type ConsoleDecider =
  | { readonly kind: "owner"; readonly account: string }
  | { readonly kind: "member"; readonly account: string; readonly accounts: readonly string[] };

/** `changed`: the page showed other calls. The rest as in DecisionResult. */
export type ConsoleDecided =
  | { readonly kind: "unknown" | "paused" }
  | {
      readonly kind: "decided" | "voted" | "closed" | "expired" | "forbidden" | "changed";
      readonly question: Question;
    }
  | { readonly kind: "refused"; readonly question: Question; readonly why: DecisionFault };

/** A request to try out the calls that a page showed; `receive` gets the result. */
interface ConsolePreview extends Required<Pick<AskedPreview, "language" | "announce" | "receive">> {
  readonly question: string;
  readonly shown: ConsoleDecision["shown"];
}

/** `running`: the one before it has not ended. The rest as in ConsoleDecided. */
export type ConsolePreviewStart =
  | { readonly kind: "unknown" | "paused" }
  | { readonly kind: "started" | "running" | "unsupported"; readonly question: Question }
  | { readonly kind: "closed" | "expired" | "forbidden" | "changed"; readonly question: Question };

export interface ConsoleDecisions {
  readonly decide: (decision: ConsoleDecision) => Promise<ConsoleDecided>;
  readonly mayApprove: (question: Question, by: ConsoleDecider) => Promise<boolean>;
  readonly preview: (wish: ConsolePreview) => Promise<ConsolePreviewStart>;
  /** Whether some of its calls can be tried out. */
  readonly supportsPreview: (question: Pick<Question, "calls">) => boolean;
}

/** Decisions in the web console: an owner's, and those of members about what they asked for. */
export function createConsoleDecisions(parts: {
  readonly store: Pick<Store, "main">;
  readonly decide: DecideQuestion;
  readonly previews: Pick<Previews, "begin" | "supports">;
  readonly roles: Pick<Roles, "anywhere" | "base">;
}): ConsoleDecisions {
  const { previews, store } = parts;

  /**
   * The owner at the console may be the person who asked: where the asker may not approve, an owner who asked may not
   * approve here either. An owner who signed in from a chat votes with that account, so that a vote there and one here
   * count once; questions asked in the console's own chats may also be theirs.
   */
  async function findOwner(question: Question, account: string): Promise<Decider> {
    if (account !== consoleOwner) {
      const found = await findPerson(store.main, account);
      const person: LinkedPerson = { ...found, since: (at) => [...found.since(at), consoleOwner] };
      return { id: account, role: "owner", person, place: "console" };
    }
    const isOwners =
      question.terms?.askerMayApprove === false && (await parts.roles.base(question.asker, store.main)) === "owner";
    const alone = aloneAs(consoleOwner);
    const person: LinkedPerson = isOwners ? { ...alone, since: (at) => [...alone.since(at), question.asker] } : alone;
    return { id: consoleOwner, role: "owner", person, place: "console" };
  }

  /** A question asked in the console's own chats belongs to `console:owner`: a chat account could add a second vote. */
  const mayVoteTwice = ({ asker, terms }: Question, by: ConsoleDecider): boolean =>
    by.kind === "owner" && by.account !== consoleOwner && asker === consoleOwner && (terms?.votes ?? 1) > 1;

  /** A member has the same rights here as in the chat where they asked. */
  async function findDecider(question: Question, by: ConsoleDecider): Promise<Decider> {
    if (by.kind === "owner") return findOwner(question, by.account);
    const { account: id } = by;
    const role = await parts.roles.anywhere(id, question.session);
    return { id, role, person: await findPerson(store.main, id), place: placeOf(question, question.session) };
  }

  async function findName(by: ConsoleDecider, question: Question): Promise<string> {
    const name = (await findNames(store.main, [by.account])).get(by.account);
    if (by.kind === "member") return name ?? question.askerName;
    if (by.account !== consoleOwner && name !== undefined) return name;
    const session = await findSession(store.main, question.session);
    return wordsFor((session?.language ?? "zh") as Language).approval.atConsole;
  }

  /** The question with the calls that were shown. */
  async function findShown(
    id: string,
    shown: ConsoleDecision["shown"],
    by: ConsoleDecider,
  ): Promise<
    | { readonly kind: "unknown" | "paused" }
    | { readonly kind: "changed"; readonly question: Question }
    | { readonly kind: "same"; readonly question: Question }
  > {
    const question = await findQuestion(store.main, id);
    if (!question || (by.kind === "member" && !by.accounts.includes(question.asker))) return { kind: "unknown" };
    if (await findPause(store.main)) return { kind: "paused" };
    return { kind: isSame(shown, question.calls) ? "same" : "changed", question };
  }

  const mayApprove: ConsoleDecisions["mayApprove"] = async (question, by) =>
    !mayVoteTwice(question, by) && mayDecide(question, await findDecider(question, by), "approved");

  return {
    async decide({ by: asked, question: id, shown, ...wish }) {
      const found = await findShown(id, shown, asked);
      if (found.kind !== "same") return found;
      const { question } = found;
      if (wish.decision === "approved" && mayVoteTwice(question, asked)) return { kind: "forbidden", question };
      const by = { ...(await findDecider(question, asked)), name: await findName(asked, question) };
      const decided = await parts.decide({ ...wish, question, by, how: "console", cause: `console:${id}` });
      return decided.kind === "expired" ? { kind: "expired", question } : decided;
    },
    mayApprove,
    async preview({ question: id, shown, ...wish }) {
      const owner = { kind: "owner", account: consoleOwner } as const;
      const found = await findShown(id, shown, owner);
      if (found.kind !== "same") return found;
      const { question } = found;
      if (question.state === "open" && !(await mayApprove(question, owner))) return { kind: "forbidden", question };
      const person = { id: consoleOwner, name: wordsFor(wish.language).approval.atConsole, role: "owner" } as const;
      const start = await previews.begin({ ...wish, question, person, cause: `console:${id}` });
      return { kind: start.kind, question };
    },
    supportsPreview: ({ calls }) => previews.supports([...new Set(calls.map(({ tool }) => tool))]),
  };
}

function isSame(shown: ConsoleDecision["shown"], calls: Question["calls"]): boolean {
  if (shown.length !== calls.length) return false;
  return calls.every(({ call, hash }, index) => shown[index]?.call === call && shown[index].hash === hash);
}
