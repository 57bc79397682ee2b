/** Conversations as the page reads them. What others wrote is visible text; nothing in it is markup. */

export interface SessionView {
  readonly id: string;
  readonly name: string;
  readonly platform: string;
  readonly kind: "private" | "group" | "terminal" | "api" | "console";
  readonly lastAt: number;
  /** The last words, one line, cut. */
  readonly words: string;
  /** The speaker, where that is not obvious. */
  readonly speaker?: string;
  readonly state: "waits" | "working" | "none";
  /** Questions that wait for an answer. */
  readonly open: number;
  /** People talk there without calling her. */
  readonly onlyHeard?: true;
}

export interface SessionsView {
  readonly now: number;
  readonly items: readonly SessionView[];
  readonly next?: string;
  /** Only on the first page. */
  readonly platforms?: readonly string[];
}

export interface WholeSessionView extends SessionView {
  readonly mode: "act" | "plan";
  readonly language: string;
  /** Messages on the current line. */
  readonly total: number;
  readonly branch: number;
  readonly branches: number;
  readonly grants: number;
  /** The console's own chat. */
  readonly own: boolean;
  /** The newest one. */
  readonly turn?: string;
}

/** null = as it is without a choice. */
export interface SessionSettingsView {
  readonly mode: "act" | "plan";
  readonly language: "zh" | "en" | "ja" | null;
  readonly model: string | null;
  /** The models to choose from, the default first. */
  readonly models: readonly string[];
  /** The fate of a message that comes while she works; null = as configured. */
  readonly busy: "queue" | "steer" | "interrupt" | null;
  readonly canSteer: boolean;
}

/** A branch of a conversation. */
export interface LineView {
  readonly number: number;
  /** A letter. */
  readonly name: string;
  /** The line that it left, and the last point that they have in common. */
  readonly from?: { readonly line: number; readonly point: number };
  /** The last words of a person on it. */
  readonly last?: { readonly point: number; readonly text: string; readonly at: number };
  readonly isCurrent: boolean;
}

/** By number; empty when it never forked. */
export interface LinesView {
  readonly items: readonly LineView[];
}

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "strong" | "em" | "del"; readonly inside: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly inside: readonly Inline[] };

export type Block =
  | { readonly kind: "paragraph"; readonly inside: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "list"; readonly start?: number; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: "table";
      readonly header: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: "rule" };

/** A tool call. Its arguments and its result are another read. */
export interface StepView {
  readonly call: string;
  readonly tool: string;
  /** The one that says most, one line, cut. */
  readonly argument: string;
  readonly verdict?: "allow" | "ask" | "deny";
  readonly answer?: "asked" | "approved" | "rejected";
  readonly state: "done" | "failed" | "open";
  readonly ms?: number;
}

export interface FileView {
  readonly name: string;
  readonly bytes: number;
  readonly type: string;
  /** It can be fetched by it. */
  readonly id?: string;
}

/**
 * A message; or, with an id below zero, a row outside the conversation's history: a command, a waiting message, a notice,
 * a file. Such a row has the position of the message above it.
 */
export interface MessageView {
  readonly position: number;
  readonly id: number;
  readonly at: number;
  readonly who: { readonly kind: "person"; readonly name: string } | { readonly kind: "her" | "notice" };
  readonly turn: string | null;
  readonly blocks: readonly Block[];
  /** How many characters the whole text has, when it is cut here. */
  readonly cutFrom?: number;
  readonly files: readonly FileView[];
  readonly steps: readonly StepView[];
  /** The sources of outside content that she read. */
  readonly sources: readonly string[];
  /** It waits for its turn, or to be sent. */
  readonly isWaiting?: true;
}

/** Messages of the current line after `first` - 1 up to and including `last`. Results of tools are in the steps. */
export interface MessagesView {
  readonly rows: readonly MessageView[];
  readonly first: number;
  readonly last: number;
  readonly total: number;
  /** The conversation begins after this position (/new). */
  readonly start: number;
  /** The place that was asked for. */
  readonly at?: number;
}

/** Each cut at 64 kB. */
export interface CallView {
  readonly tool: string;
  readonly arguments: string;
  readonly result?: string;
  readonly isCut: boolean;
}

export interface HitView {
  readonly hit: number;
  readonly session?: string;
  readonly chat: string;
  readonly who: { readonly kind: "person"; readonly name: string } | { readonly kind: "her" };
  readonly at: number;
  readonly text: string;
  /** Begin and end of the words in it. */
  readonly marks: readonly (readonly [number, number])[];
}

export interface HitsView {
  readonly items: readonly HitView[];
  /** words = each of these is in it; near = nothing has all of them, these come closest. */
  readonly by: "words" | "near";
  readonly searched: { readonly words: readonly string[]; readonly chats: number; readonly since?: number };
}
