/** The answers of /api, as the page reads them. Times are milliseconds since 1970. */

export interface MeView {
  readonly authed: boolean;
  readonly person?: string;
  readonly role?: "owner" | "member";
  /** All accounts of a member. */
  readonly accounts?: readonly string[];
  /** The way in that the start screen names. */
  readonly door: "code" | "password";
  readonly language: string;
  readonly zone: string;
  /** Only for those who are signed in. */
  readonly version?: string;
}

/** `wait` = milliseconds until the next attempt is taken. */
export interface RefusedLogin {
  readonly code: "wrong" | "expired" | "wait";
  readonly message: string;
  readonly wait: number;
}

export interface LoginView {
  readonly id: string;
  readonly since: number;
  readonly seen: number;
  readonly browser: string;
  /** The member, or the owner's account, that it was opened for by a code from a chat; for the owner alone. */
  readonly person?: { readonly name: string; readonly account: string };
  /** The login that sent the request. */
  readonly here: boolean;
}

export interface LoginsView {
  readonly items: readonly LoginView[];
}
