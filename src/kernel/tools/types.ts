import type { Language, Taint } from "../../core/conversation.ts";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { MediaPart, StoredPart } from "../../core/content-part.ts";
import type { KnownTool, Person, ToolSource } from "../gate/types.ts";
import type { Workspace } from "../../workspace/types.ts";

/** The facts about the calling turn that a tool receives. */
export interface ToolContext {
  readonly session: string;
  readonly turn: string;
  readonly call: string;
  readonly person: Person;
  readonly language: Language;
  /** IANA time zone of the person. */
  readonly zone: string;
  readonly now: number;
  /** Hosts that a command of this call may reach; only for tools with `reachesHosts`. */
  readonly network?: readonly string[];
  /** The turn's label so far, and its sources. */
  readonly taint: Taint;
  readonly sources?: readonly string[];
  /** Web addresses that the person named or a search of the turn found. */
  readonly addresses?: readonly string[];
  /** The calling sub-agent and the only tools it has; absent for a turn that talks to people. */
  readonly agent?: { readonly id: string; readonly tools: readonly string[] };
  readonly signal: AbortSignal;
  /** Shows the progress of a long call: a few words or the newest output. Best effort; replaces the previous text. */
  readonly progress: (text: string) => void;
  /** The kind of the person's chat; absent when unknown. */
  readonly chatKind?: "private" | "group";
  /** The text that the person approved; absent when no approval was needed. */
  readonly shown?: string;
  /** The tool's `binding` when this call was hashed; the call runs in that environment only. */
  readonly binding?: JsonValue;
}

/**
 * The short view of a completed call. Its content is foreign: it is shown as a quotation, never as Markdown. `left`
 * counts lines or rows that did not fit.
 */
export type ToolDisplay =
  /** In the format of `diff -u`, with the lines that name the file. */
  | { readonly kind: "diff"; readonly text: string; readonly left?: number }
  | {
      readonly kind: "table";
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly left?: number;
    }
  /** The last picture of the call. The executor adds its path, and whether the person approved the call. */
  | {
      readonly kind: "image";
      readonly title: string;
      readonly confirmed?: boolean;
      readonly file?: { readonly path: string; readonly bytes: number; readonly sha256: string };
    };

/**
 * The result of a tool. `output` is for the model, `message` for the log, `display` for the chat. `parts` are pictures
 * and files that accompany the output.
 */
export type ToolResult =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      readonly parts?: readonly MediaPart[];
      readonly message?: string;
      readonly display?: ToolDisplay;
      /** The label of this result; absent for the tool's. */
      readonly taint?: Taint;
      /** The sources of its untrusted content, for people; absent for the addresses of the call, or the tool's name. */
      readonly sources?: readonly string[];
      /** Web addresses from the operator's search engine: the turn may read these pages. */
      readonly found?: readonly string[];
      /** The id of a skill that it activated; only built-in tools may set it. */
      readonly activates?: string;
      /** Names of tools whose definitions the model gets from now on; only built-in tools may set it. */
      readonly loads?: readonly string[];
    }
  | {
      readonly ok: false;
      /** One sentence with the remedy. */
      readonly error: string;
      /** As in a successful result. */
      readonly taint?: Taint;
      readonly sources?: readonly string[];
      readonly output?: JsonValue;
      readonly message?: string;
      readonly display?: ToolDisplay;
    };

/** A result that fits a prompt: long texts cut, media stored in the workspace. */
export type FittedResult =
  | (Omit<ToolResult & { readonly ok: true }, "parts"> & { readonly parts?: readonly StoredPart[] })
  | (ToolResult & { readonly ok: false });

/** The envelope of every call: the result and its metadata. */
type ToolEnvelope = FittedResult & {
  readonly meta: {
    readonly timingMs: number;
    readonly source: ToolSource;
    readonly taint?: Taint;
    readonly sources?: readonly string[];
    readonly found?: readonly string[];
  };
};

/** A tool as defined. Once it is in the registry, only `runTool` has access to `run`. */
export interface Tool<Input = unknown> extends KnownTool<Input> {
  readonly run: (input: Input, context: ToolContext) => Promise<ToolResult>;
  /**
   * The same tool on a copy of the workspace, for previews. Only for tools that reach nothing but the workspace; absent
   * when it cannot be previewed.
   */
  readonly onCopy?: (copy: Workspace) => Tool<Input>;
}

/** How a call ended. `unknown`: it may or may not have happened; it is never repeated automatically. */
export type ToolOutcome =
  | { readonly kind: "done"; readonly envelope: ToolEnvelope & { readonly ok: true } }
  | { readonly kind: "failed"; readonly envelope: ToolEnvelope & { readonly ok: false } }
  | { readonly kind: "denied"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };
