import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { createId } from "../../core/ids.ts";
import type { Store } from "../../store/open-store.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { findDecision } from "../../store/queries/decisions.ts";
import { findLastPreview, finishPreviewRow, startPreviewRow } from "./queries/previews.ts";
import type { AskedCall, Question } from "../../store/queries/questions.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { assessCall, readCall } from "../../kernel/gate/assess-call.ts";
import { bindCallNow } from "../../kernel/gate/call-hash.ts";
import type { PermissionRules } from "../../kernel/gate/permission.ts";
import type { ToolRegistry } from "../../kernel/tools/registry.ts";
import { cutLongTexts } from "../../kernel/tools/cut-long-texts.ts";
import { runTool } from "../../kernel/tools/run-tool.ts";
import { createSemaphore } from "../../core/semaphore.ts";
import type { ToolContext, ToolResult } from "../../kernel/tools/types.ts";
import type { KnownTool, Person } from "../../kernel/gate/types.ts";
import type { CopyUse, ThrowAwayCopies } from "./trees/throw-away-copies.ts";
import type { Workspace } from "../../workspace/types.ts";

interface PreviewRequest {
  readonly question: Question;
  /** The person who asked for it. */
  readonly person: Person;
  readonly language: Language;
  readonly zone: string;
  readonly signal: AbortSignal;
}

/** The effect of one call on the copy. */
export type CallPreview =
  | { readonly kind: "ran"; readonly tool: string; readonly result: ToolResult; readonly timingMs: number }
  | { readonly kind: "unsupported"; readonly tool: string }
  /** The gate would not let it run by now. */
  | { readonly kind: "refused"; readonly tool: string };

export type PreviewReport = CopyUse<readonly CallPreview[]> | { readonly kind: "stopped" };

/** Tries calls out that wait for approval, on a copy of the workspace. */
export interface ToolPreviewer {
  /** Whether any of these tools can be tried out. */
  supports(tools: readonly string[]): boolean;
  preview(request: PreviewRequest): Promise<PreviewReport>;
  /** The last preview of this question began and never came to its end. */
  wasCutOff(question: Question): Promise<boolean>;
  /** The workspace has changed since the last preview of this question, or that cannot be determined. */
  isOutdated(question: Question, signal: AbortSignal): Promise<boolean>;
}

/** Each holds a whole copy. */
const previewsAtOnce = 2;

/**
 * A preview is never an execution: it uses no approval up, writes to a separate table, and the tool it runs was made
 * for the copy, so that it knows no way to the workspace. The gate judges first all the same. The calls of a question
 * run one after the other on one copy, as they would after approval, but never with a network.
 */
export function createToolPreviewer(parts: {
  readonly store: Store;
  readonly findTool: ToolRegistry["find"];
  readonly copies: ThrowAwayCopies;
  readonly rules: () => PermissionRules;
  readonly clock: Clock;
  readonly log: Logger;
}): ToolPreviewer {
  const { store, findTool, copies, clock } = parts;
  const places = createSemaphore(previewsAtOnce);

  async function runCalls(request: PreviewRequest, copy: Workspace, revision: string): Promise<CallPreview[]> {
    const preview = createId("p", clock.now());
    const done: CallPreview[] = [];
    for (const call of request.question.calls) {
      request.signal.throwIfAborted();
      done.push(await runCall(request, call, copy, { preview, revision }));
    }
    return done;
  }

  async function runCall(
    request: PreviewRequest,
    call: AskedCall,
    copy: Workspace,
    of: { readonly preview: string; readonly revision: string },
  ): Promise<CallPreview> {
    const { question, person } = request;
    const tool = findTool(call.tool);
    if (!tool?.onCopy) return { kind: "unsupported", tool: call.tool };
    const judged = await judge(tool, call, request);
    if (judged === undefined) return { kind: "refused", tool: call.tool };
    const about = { ...of, call: call.call, question: question.id, turn: question.turn, tool: tool.name };
    const started = clock.now();
    await store.main.transaction().execute(async (tx) => {
      await startPreviewRow(tx, { ...about, hash: call.hash, actor: person.id, now: started });
      await audit(tx, request, call, "preview.started", of);
    });
    const seen = await runTool(
      tool.onCopy(copy),
      judged.input,
      { ...toContext(request, call, started), ...judged.bound },
      parts.log,
    );
    const result = await shorten(seen.result);
    await store.main.transaction().execute(async (tx) => {
      await finishPreviewRow(tx, { ...about, outcome: JSON.stringify(result), now: clock.now() });
      await audit(tx, request, call, result.ok ? "preview.done" : "preview.failed", of);
    });
    return { kind: "ran", tool: tool.name, result, timingMs: clock.now() - started };
  }

  /** The arguments, if they are still the ones that were asked for and the rules still let them be asked for. */
  async function judge(tool: KnownTool, call: AskedCall, { question, person }: PreviewRequest) {
    const { policy, session, turn } = question;
    const read = readCall({
      tool,
      arguments: call.arguments,
      session,
      policy,
      rules: parts.rules(),
      hosts: call.network,
    });
    if (!read.ok) return undefined;
    const { input, network } = read.call;
    const chatKind = (await findSession(store.main, session))?.chat_kind as "private" | "group" | undefined;
    // Plan mode does not matter here: a copy changes nothing, and the approved call is assessed again.
    const { verdict } = assessCall(read.call, { person, chatKind, mode: { kind: "act" }, taint: "user" });
    if (verdict.kind === "deny") return undefined;
    const { hash, ...bound } = await bindCallNow(tool, { input, session, policy, network });
    const decision = await findDecision(store.main, turn, call.call);
    return hash === call.hash && hash === decision?.hash && decision.verdict === "ask" ? { input, bound } : undefined;
  }

  function toContext({ question, person, language, zone, signal }: PreviewRequest, call: AskedCall, now: number) {
    const { session, turn } = question;
    const progress = (): void => undefined;
    // The result is for people, not the model, so it labels nothing.
    const about = { session, turn, call: call.call, taint: "user" } as const;
    return { ...about, person, language, zone, now, signal, progress } satisfies ToolContext;
  }

  function audit(
    db: Store["main"],
    { question, person }: PreviewRequest,
    call: AskedCall,
    action: string,
    of: { readonly preview: string; readonly revision: string },
  ): Promise<void> {
    return appendAudit(db, {
      actor: person.id,
      action,
      session: question.session,
      turn: question.turn,
      call: call.call,
      detail: { question: question.id, code: question.code, tool: call.tool, hash: call.hash, ...of },
      now: clock.now(),
    });
  }

  return {
    supports: (tools) => tools.some((name) => findTool(name)?.onCopy !== undefined),
    async preview(request) {
      const release = await places.acquire(request.signal);
      if (release === undefined) return { kind: "stopped" };
      try {
        const used = await copies.use(request.question.session, request.signal, (copy, revision) =>
          runCalls(request, copy, revision),
        );
        return request.signal.aborted ? { kind: "stopped" } : used;
      } catch (error) {
        if (request.signal.aborted) return { kind: "stopped" };
        throw error;
      } finally {
        release();
      }
    },
    wasCutOff: async (question) => (await findLastPreview(store.main, question.id))?.finished === false,
    async isOutdated(question, signal) {
      const last = await findLastPreview(store.main, question.id);
      if (last === undefined) return false;
      try {
        return (await copies.readRevision(question.session, signal)) !== last.revision;
      } catch (error) {
        if (!signal.aborted) parts.log.warn({ err: error }, "a workspace could not be compared with its preview");
        return true;
      }
    },
  };
}

/** Characters of what was seen on a copy that are kept; the whole goes with the copy. */
const maxKept = 30_000;

async function shorten(result: ToolResult): Promise<ToolResult> {
  if (result.output === undefined) return result;
  return { ...result, output: await cutLongTexts(result.output, maxKept, () => Promise.resolve(undefined)) };
}
