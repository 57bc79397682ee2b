import type {
  ConversationMessage,
  FileRecord,
  JsonObject,
  Language,
  Taint,
  ToolCall,
} from "../../core/conversation.ts";
import type { MessageWindow } from "../../store/queries/messages.ts";
import type { HistoryMessage } from "./history-label.ts";
import type { ProgressKind } from "../../core/persona/persona.ts";
import type { TurnLease } from "../../store/queries/turns.ts";
import type { GrantScope, Question } from "../../store/queries/questions.ts";
import type { ReachedLimit } from "../../models/limit-reached.ts";
import type { PassingOutage } from "../../models/no-model-answered.ts";
import type { ToolOutcome } from "../tools/types.ts";
import type { ApprovalTerms, AskReason, Person, Verdict } from "../gate/types.ts";

/** The input of a turn, stored with its row so that it can begin again after a crash. */
export interface TurnInput {
  readonly turn: string;
  readonly session: string;
  readonly chatKind: "private" | "group";
  readonly person: Person;
  readonly language: Language;
  /** IANA time zone. */
  readonly zone: string;
  /** The label of the sender and of the attachments; the conversation before it may be worse. */
  readonly taint: Taint;
  /** The sources that make it untrusted, and the web addresses in the person's own words. */
  readonly sources?: readonly string[];
  readonly named?: readonly string[];
  readonly text: string;
  /** Files that came with the message. */
  readonly files?: readonly FileRecord[];
  /** The person spoke; the text is a transcript. */
  readonly spoken?: true;
  /** In a group: the platform message that is answered. */
  readonly replyTo?: string;
  /** Position of the person's message in the session, and the start of the conversation. */
  readonly position: number;
  readonly startPosition: number;
  /** Version of the rules at the start of the turn. */
  readonly policy: string;
  /** The words that select skills, when they differ from `text`. */
  readonly utterance?: string;
  /**
   * Calls that are repeated (「重来」) or ordered by a command: the turn judges these instead of asking the model first.
   */
  readonly frozenCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /**
   * Set when 「改成 …」 withdrew a question. `call` is the changed call, present when the words can only mean one argument.
   */
  readonly change?: {
    readonly code: string;
    /** The calls of the question, named briefly for people. */
    readonly what: string;
    readonly call?: { readonly name: string; readonly arguments: JsonObject };
  };
  /** Set for a sub-agent, as configured when the task started. Tools are names or patterns. */
  readonly agent?: {
    readonly id: string;
    readonly prompt: string;
    readonly tools: readonly string[];
    readonly exclude: readonly string[];
    /** A tier, or a model's name. */
    readonly model: string;
    readonly rounds: number;
  };
  /** Set when the turn reports a finished background task: the id of that task. */
  readonly report?: string;
}

/** A call of the current round with its verdict. `hash` binds an approval; it is "" for a call that can never run. */
export interface JudgedCall extends ToolCall {
  readonly verdict: Verdict;
  readonly hash: string;
  /** The key argument, and everything that a person must see before approving. */
  readonly summary: string;
  readonly detail: string;
  /** Hosts it may reach. */
  readonly network: readonly string[];
  /** The scope of a grant for it; absent when none is possible. */
  readonly scope?: GrantScope;
  /** Its kind of work; absent for other work. */
  readonly kind?: ProgressKind;
  /** It is never shown. */
  readonly hidden?: boolean;
  /** It changes something outside the turn. */
  readonly effect?: boolean;
}

/** A question of a round: the unanswered *ask* calls that share their terms. */
export interface QuestionDraft {
  /** Absent for the default terms. */
  readonly terms?: ApprovalTerms;
  readonly calls: readonly {
    readonly call: string;
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly hash: string;
    readonly summary: string;
    readonly detail: string;
    readonly network: readonly string[];
    readonly because?: readonly AskReason[];
    readonly scope?: GrantScope;
  }[];
}

/** The calls of a round that started tasks; their parent waits for them. */
export interface AwaitedTasks {
  readonly tasks: readonly string[];
  readonly round: number;
}

/** A person's decision, as call ids; a call in neither list is asked again. */
export interface Answer {
  readonly approved: readonly string[];
  readonly rejected: readonly string[];
}

/** A call that the model is still writing, with its topic so far. None of it is judged. */
export interface DraftedCall extends Pick<JudgedCall, "kind"> {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
}

/** A step of a turn, for its live view. Text is only ever appended. */
export type TurnProgress =
  /** `linked` as in TurnResult. */
  | { readonly kind: "text"; readonly text: string; readonly linked: readonly string[] }
  /** All drafts at present. Empty once the answer is complete, because the steps of a call then report its fate. */
  | {
      readonly kind: "draft";
      readonly calls: readonly DraftedCall[];
      /** The sub-agent that writes them, and the turn of its task. */
      readonly agent?: string;
      readonly task?: string;
    }
  | {
      readonly kind: "tool";
      readonly call: ToolCall & Pick<JudgedCall, "hidden" | "kind">;
      readonly summary: string;
      /** The sub-agent that made the call. */
      readonly agent?: string;
      readonly outcome?: ToolOutcome;
      /** Its newest step, while it runs. */
      readonly note?: string;
    };

/** A message of the person from after the turn's beginning, as the conversation stores it. */
export interface LaterWords {
  readonly message: Extract<ConversationMessage, { role: "user" }>;
  readonly taint: Taint;
}

/** How a turn came to rest. */
export type TurnResult =
  | {
      readonly kind: "replied";
      readonly text: string;
      /** The messages that the turn adds to the conversation, its reply last. */
      readonly messages: readonly ConversationMessage[];
      /** The model answered more than once: calls may have run, and tasks may have begun. */
      readonly acted: boolean;
      /** The conversation may now be too long for a prompt. */
      readonly isLong: boolean;
      readonly taint: Taint;
      readonly linked: readonly string[];
    }
  | {
      readonly kind: "awaitingApproval";
      readonly interrupt: string;
      readonly question: QuestionDraft;
      /** The text written before the question. */
      readonly shown: string;
      readonly taint: Taint;
      readonly sources: readonly string[];
      /** Web addresses that may remain links in the shown text. */
      readonly linked: readonly string[];
    }
  | {
      readonly kind: "awaitingTasks";
      readonly round: number;
      readonly taint: Taint;
      readonly linked: readonly string[];
      /** The text written before the tasks. */
      readonly shown: string;
    }
  /** A sub-agent's end; `capped` means that its rounds were used up. */
  | {
      readonly kind: "reported";
      readonly text: string;
      readonly capped: boolean;
      readonly taint: Taint;
      readonly sources: readonly string[];
      readonly tokens: { readonly input: number; readonly output: number };
    }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly reached?: ReachedLimit }
  /**
   * No model answers, which may be temporary: the turn can resume from here. `answered` means that one did in this run.
   */
  | {
      readonly kind: "outage";
      readonly code: string;
      readonly message: string;
      readonly outage: PassingOutage;
      readonly answered: boolean;
    };

/** The conversation that a run of a turn sees, oldest first. */
export type ReadHistory = (run: TurnRun, session: string, window: MessageWindow) => Promise<readonly HistoryMessage[]>;

/** One run of a turn: from its start, its answer or its last checkpoint until it rests. */
export interface TurnRun {
  readonly lease: TurnLease;
  /** A process died while it ran the turn. */
  readonly wasCut: boolean;
  /** The round whose model request that process may have made. Set by `advance`. */
  readonly repeatedRound?: number;
  /** The model that the chat currently prefers. */
  readonly model: string | undefined;
  /** The question whose decision brought the turn back. */
  readonly answered: Question | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TurnProgress) => void;
  /** Tasks were stored and can begin. */
  readonly onTasks: () => void;
  /**
   * Returns new messages that belong to this turn, except the `known` ones it has. Each is taken for good, and a run
   * after a crash gets the same ones again. `round` counts earlier model requests.
   */
  readonly takeLaterWords: (known: number, round: number) => Promise<readonly LaterWords[]>;
  /** Calls `tell` when more of the same burst arrives before any answer is visible. The answer ends that. */
  readonly onBurst: (tell: () => void) => () => void;
}

/** Texts for the prompt of a turn; "" for none. */
export interface TurnContext {
  /** The person's preferences. */
  readonly preferences: string;
  /** Facts about the person and their surroundings. */
  readonly remembered: string;
  /** Sentences from before the window that the model sees. */
  readonly recalled: string;
}

/** Finds context for a turn, and omits anything less trusted than `taint`. */
export type FindContext = (
  input: TurnInput,
  seen: { readonly window: MessageWindow; readonly taint: Taint },
) => Promise<TurnContext>;
