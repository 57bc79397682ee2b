import type { Language } from "../../core/conversation.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Person } from "../gate/types.ts";

interface AskedPreview {
  readonly question: Question;
  readonly person: Person;
  /** The language of the wish; absent = the chat's. */
  readonly language?: Language;
  /** The inbox row of the wish; its result is caused by it. */
  readonly cause: string;
  /** Says that it begins, before the result can come. */
  readonly announce?: () => Promise<void>;
}

/** The answer to the wish for a preview. started = the result comes as a message of its own. */
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
  /** Ends those of a session without a result. false = there were none. */
  abort(session: string): boolean;
  /** Whether the workspace is another one than the question's last preview ran on; false when there was none. */
  isOutdated(question: Question): Promise<boolean>;
}

/** Without a feature that does it, no call can be tried out. */
export const noPreviews: Previews = {
  supports: () => false,
  begin: ({ question }) =>
    Promise.resolve({ kind: "unsupported", calls: [...new Set(question.calls.map(({ tool }) => tool))].join(", ") }),
  isRunning: () => false,
  abort: () => false,
  isOutdated: () => Promise.resolve(false),
};
