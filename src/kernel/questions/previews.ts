import type { Language } from "../../core/conversation.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Person } from "../gate/types.ts";

export interface AskedPreview {
  readonly question: Question;
  readonly person: Person;
  /** The language of the request; absent for the language of the chat. */
  readonly language?: Language;
  /** The inbox row of the request, which is the cause of its result. */
  readonly cause: string;
  /** Announces the preview before its result can arrive. */
  readonly announce?: () => Promise<void>;
  /** Gets the result, which then is not sent to the chat. Called once after `started`; never throws. */
  readonly receive?: (result: PreviewResult) => Promise<void>;
}

/** `refused` = nothing was tried out, and the text says why; `stopped` and `broken` have no findings. */
interface PreviewResult {
  readonly kind: "ran" | "refused" | "stopped" | "broken";
  /** In the words of the chat, in Markdown. */
  readonly text: string;
}

/** The reply to a preview request. After `started`, the result arrives as a message of its own. */
export type PreviewStart =
  | { readonly kind: "started" }
  | { readonly kind: "running" }
  | { readonly kind: "unsupported"; readonly calls: string }
  | { readonly kind: "expired"; readonly told: boolean }
  | { readonly kind: "closed"; readonly question: Question };

/** Tries out calls that wait for approval, on a copy of the workspace. */
export interface Previews {
  /** Whether any of these tools can be tried out. */
  supports(tools: readonly string[]): boolean;
  begin(asked: AskedPreview): Promise<PreviewStart>;
  /** Whether calls of a session are being tried out, or it was announced that they will be. */
  isRunning(session: string): boolean;
  /** Ends the previews of a session without a result. Returns false when there were none. */
  abort(session: string): boolean;
  /** Whether the workspace changed since the question's last preview. Returns false when there was none. */
  isOutdated(question: Question): Promise<boolean>;
}

/** Without the preview feature, no call can be tried out. */
export const noPreviews: Previews = {
  supports: () => false,
  begin: ({ question }) =>
    Promise.resolve({ kind: "unsupported", calls: [...new Set(question.calls.map(({ tool }) => tool))].join(", ") }),
  isRunning: () => false,
  abort: () => false,
  isOutdated: () => Promise.resolve(false),
};
