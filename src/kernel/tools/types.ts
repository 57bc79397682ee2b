import type { Language, Taint } from "../../core/conversation.ts";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { MediaPart, StoredPart } from "../../core/content-part.ts";
import type { KnownTool, Person, ToolSource } from "../gate/types.ts";
import type { Workspace } from "../../workspace/types.ts";

/** The facts that a tool gets of the turn that calls it. */
export interface ToolContext {
  readonly session: string;
  readonly turn: string;
  readonly call: string;
  readonly person: Person;
  readonly language: Language;
  /** IANA time zone of the person. */
  readonly zone: string;
  readonly now: number;
  /** Hosts that a command of this call may reach; only for tools that take it (`reachesHosts`). */
  readonly network?: readonly string[];
  /** The turn's label so far, and what it comes from. */
  readonly taint: Taint;
  readonly sources?: readonly string[];
  /** Web addresses that the person named, or a search of the turn found. */
  readonly addresses?: readonly string[];
  /** The sub-agent that calls it, and the only tools it has; absent = the turn that talks to people. */
  readonly agent?: { readonly id: string; readonly tools: readonly string[] };
  readonly signal: AbortSignal;
  /** Shows people what a long call is at: a few words or the newest output. Best effort; it replaces what was shown before. */
  readonly progress: (text: string) => void;
  /** Where the person is; absent = not known. */
  readonly chatKind?: "private" | "group";
  /** The text that the person approved; absent = nobody was asked. */
  readonly shown?: string;
  /** The tool's `binding` when the hash of this call was computed: it runs in that and in nothing else. */
  readonly binding?: JsonValue;
}

/**
 * The view of a call that is done, once and short. Nothing in it is ours: it is shown as a quotation, never as
 * Markdown. `left` = lines or rows that did not fit.
 */
export type ToolDisplay =
  /** As `diff -u` writes it, with the lines that name the file. */
  | { readonly kind: "diff"; readonly text: string; readonly left?: number }
  | {
      readonly kind: "table";
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly left?: number;
    }
  /** The last picture of the call. The executor adds where it lies, and whether the person said yes to the call. */
  | {
      readonly kind: "image";
      readonly title: string;
      readonly confirmed?: boolean;
      readonly file?: { readonly path: string; readonly bytes: number; readonly sha256: string };
    };

/**
 * The result of a tool. `output` is for the model, `message` for the log, `display` for the chat. `parts` are pictures and
 * files the model gets beside the output.
 */
export type ToolResult =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      readonly parts?: readonly MediaPart[];
      readonly message?: string;
      readonly display?: ToolDisplay;
      /** The label of this one result; absent = the tool's. */
      readonly taint?: Taint;
      /** Where its untrusted content is from, for people; absent = what the call reaches, else the tool's name. */
      readonly sources?: readonly string[];
      /** Web addresses that the operator's search engine answered: the turn may read these pages. */
      readonly found?: readonly string[];
      /** The id of a skill that it made part of the turn; counts of built-in tools only. */
      readonly activates?: string;
      /** Names of tools whose definitions the model gets from now on; counts of built-in tools only. */
      readonly loads?: readonly string[];
    }
  | {
      readonly ok: false;
      /** One sentence that says what to do. */
      readonly error: string;
      /** As of a result that is ok. */
      readonly taint?: Taint;
      readonly sources?: readonly string[];
      readonly output?: JsonValue;
      readonly message?: string;
      readonly display?: ToolDisplay;
    };

/** A result that fits a prompt: long texts cut, media kept in the workspace. */
export type FittedResult =
  | (Omit<ToolResult & { readonly ok: true }, "parts"> & { readonly parts?: readonly StoredPart[] })
  | (ToolResult & { readonly ok: false });

/** The envelope every call ends in: the result and how it came about. */
type ToolEnvelope = FittedResult & {
  readonly meta: {
    readonly timingMs: number;
    readonly source: ToolSource;
    readonly taint?: Taint;
    readonly sources?: readonly string[];
    readonly found?: readonly string[];
  };
};

/** A tool as it is defined. Once it is in the registry nobody but `runTool` gets at `run`. */
export interface Tool<Input = unknown> extends KnownTool<Input> {
  readonly run: (input: Input, context: ToolContext) => Promise<ToolResult>;
  /**
   * The same tool on a copy of the workspace, for previews. Only for tools that can reach nothing but the workspace;
   * absent = it cannot be previewed.
   */
  readonly onCopy?: (copy: Workspace) => Tool<Input>;
}

/** How a call ended. unknown = it may or may not have happened; it is never repeated by itself. */
export type ToolOutcome =
  | { readonly kind: "done"; readonly envelope: ToolEnvelope & { readonly ok: true } }
  | { readonly kind: "failed"; readonly envelope: ToolEnvelope & { readonly ok: false } }
  | { readonly kind: "denied"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };
