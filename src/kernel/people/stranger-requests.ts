import type { ContactRequestEvent } from "../../channels/types.ts";
import type { Language } from "../../core/conversation.ts";
import type { Person } from "../gate/types.ts";

/** A request that a platform made for a stranger, which waits for an owner. */
interface StrangerRequest {
  readonly id: string;
  readonly code: string;
  readonly platform: string;
  /** The private chat, or the group it is about. */
  readonly chat: string;
  /** The platform's own user id. */
  readonly person: string;
  readonly kind: ContactRequestEvent["request"];
  /** One line, written by a stranger. */
  readonly comment: string;
  readonly expiresAt: number;
}

/** The requests of strangers that a feature keeps. */
export interface StrangerRequests {
  list(): Promise<readonly StrangerRequest[]>;
  /** Acts on an owner's answer, once, and says in words what came of it. `cause` = what identifies the answer. */
  answer(given: {
    readonly request: { readonly id: string };
    readonly accept: boolean;
    readonly by: Person;
    readonly cause: string;
    readonly session: string;
    readonly language: Language;
  }): Promise<string>;
}
