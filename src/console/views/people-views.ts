import type { TodayView } from "./today-views.ts";

export interface AccountView {
  readonly id: string;
  /** The id, in visible characters. */
  readonly shown: string;
  readonly platform: string;
  readonly name: string;
  /** Stored: given by a code, by the owner's code, or by /trust. */
  readonly stored?: "owner" | "trusted" | "member";
  /** Written in the configuration. */
  readonly configured?: "owner" | "trusted" | "member";
  /** The time of the stored role. */
  readonly since?: number;
  /** Linked with the other accounts of this person; `private` = roles and private data are shared with them. */
  readonly link?: { readonly at: number; readonly private: boolean };
}

export interface PersonView {
  /** The account whose role is changed. A role is taken away from every account. */
  readonly id: string;
  readonly name: string;
  readonly role: "owner" | "trusted" | "member";
  readonly accounts: readonly AccountView[];
}

export interface GroupView {
  readonly id: string;
  readonly platform: string;
  readonly name: string;
  /** By /pair in the group, or by the configuration. */
  readonly by: "pair" | "configuration";
  readonly since?: number;
}

/** The rules of the configuration for a whole platform. */
export interface PlatformGrantView {
  readonly platform: string;
  /** Each person who writes there is a member. */
  readonly everybody: boolean;
  /** All groups are open. */
  readonly everyGroup: boolean;
  /** The role to which a group raises its administrators. */
  readonly admins?: "trusted" | "member";
}

/** The people who may talk to her, and their roles. */
export interface PeopleView extends Pick<TodayView, "now" | "strangers" | "requests"> {
  readonly people: readonly PersonView[];
  readonly groups: readonly GroupView[];
  readonly platforms: readonly PlatformGrantView[];
  readonly canUnlink: boolean;
}

export interface RoleRequest {
  readonly role: "trusted" | "member" | "none";
}

/** The role that a person has after the change. */
export interface RoleAnswerView {
  readonly role: "owner" | "trusted" | "member" | "guest";
}
