export interface PersonaFaultView {
  readonly place: { readonly file: string; readonly line: number; readonly column: number };
  /** `key: problem`. */
  readonly text: string;
}

/** The estimated size of the system prompt, which every turn begins with. */
export interface PersonaTokensView {
  readonly language: "zh" | "en" | "ja";
  readonly tokens: number;
}

interface PersonaChatView {
  readonly id: string;
  readonly name: string;
}

export interface PersonaRowView {
  readonly id: string;
  /** In the language of the page; the id of one with faults. */
  readonly name: string;
  readonly languages: readonly PersonaTokensView["language"][];
  /** Kurisu ships it: the first change copies it into the operator's folder. */
  readonly isShipped: boolean;
  /** It speaks wherever no other was chosen. */
  readonly isUsual: boolean;
  /** Conversations that chose it, the first of them. */
  readonly chats: readonly PersonaChatView[];
  readonly chatCount: number;
  readonly faults: readonly PersonaFaultView[];
}

export interface PersonasView {
  readonly items: readonly PersonaRowView[];
}

export interface PersonaFileView {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the stored file; empty when it is not there. */
  readonly was: string;
  /** The text shown is not the stored one: a secret was taken out, or it is no text. It cannot be saved then. */
  readonly isMasked: boolean;
}

export interface PersonaView {
  readonly id: string;
  readonly files: readonly PersonaFileView[];
  readonly faults: readonly PersonaFaultView[];
  /** None of a persona with faults. */
  readonly tokens: readonly PersonaTokensView[];
  readonly isWritable: boolean;
}

export interface PersonaCheckView {
  readonly faults: readonly PersonaFaultView[];
  readonly tokens: readonly PersonaTokensView[];
}

export interface PersonaSavedView {
  readonly was: string;
  /** refused = saved, and faults elsewhere keep it from coming into force. */
  readonly state: "in-force" | "refused";
  readonly faults: readonly PersonaFaultView[];
  /** It was copied from Kurisu's own folder into the operator's. */
  readonly isCopied: boolean;
}

/** Why a text was not saved. */
export type PersonaRefusalView =
  | { readonly kind: "faults"; readonly faults: readonly PersonaFaultView[] }
  /** The text, or the file as stored, holds a secret that is known. */
  | { readonly kind: "secret" }
  | { readonly kind: "unwritable"; readonly reason: string };
