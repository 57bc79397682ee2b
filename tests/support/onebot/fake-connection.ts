import type { WebSocket } from "ws";
import {
  OneBotRefusal,
  sendTimedOut,
  type FakeOneBotCall,
  type FakeOneBotFault,
  type FakeOneBotSettings,
  type FakeParams,
} from "./onebot-types.ts";
import { writeIdsAsStrings } from "./write-event.ts";

export interface FakeConnection {
  readonly id: number;
  readonly side: "forward" | "reverse";
  readonly path: string;
  /** Takes calls and answers them. */
  readonly apis: boolean;
  /** Is sent events. */
  readonly events: boolean;
  /** Answers whether it went out. */
  push(event: FakeParams): boolean;
  sendFrame(frame: string): void;
  /** From now on as if the line were dead, without an end: nothing is read, nothing is said. */
  freeze(): void;
  /** Ends without a word. */
  cut(): void;
  close(code?: number): void;
}

export interface FakeConnectionParts {
  readonly settings: FakeOneBotSettings;
  readonly calls: FakeOneBotCall[];
  readonly violations: string[];
  /** Answers at once, or later what has to be fetched first. */
  act(action: string, params: FakeParams): unknown;
  /** The planned fault of the next call of this action, taken off the plan. */
  takeFault(action: string): FakeOneBotFault | undefined;
  onChange(): void;
}

/** One open WebSocket, whoever opened it: calls come in, answers and events go out. */
export function serveConnection(
  socket: WebSocket,
  place: Pick<FakeConnection, "id" | "side" | "path" | "apis" | "events">,
  parts: FakeConnectionParts,
): FakeConnection {
  let frozen = false;

  function write(value: unknown): boolean {
    if (frozen || socket.readyState !== socket.OPEN) return false;
    socket.send(JSON.stringify(parts.settings.ids === "string" ? writeIdsAsStrings(value) : value));
    return true;
  }

  async function answer(frame: string): Promise<void> {
    const request = readRequest(frame, parts.violations);
    if (request === undefined) {
      write(describeAnswer(1400, "json解析失败,请检查数据格式", null, undefined));
      return;
    }
    const { action, params, echo } = request;
    const call: FakeOneBotCall = { action, params, echo, connection: place.id, retcode: undefined, message: "" };
    parts.calls.push(call);
    const fault = parts.takeFault(action);
    const tried = fault !== undefined && !hasEffect(fault) ? { data: null } : tryCall(() => parts.act(action, params));
    // Only what really waits may be overtaken.
    const result = tried.data instanceof Promise ? await tryLater(tried.data) : tried;
    if (fault?.kind === "swallow") return;
    if (fault?.kind === "close") {
      socket.terminate();
      return;
    }
    const { refusal, data } = fault?.kind === "refuse" ? { refusal: refuse(fault), data: null } : result;
    if (fault?.kind === "late") await fault.until;
    const { retcode, message } = refusal ?? { retcode: 0, message: "" };
    const answered = describeAnswer(retcode, message, data, fault?.kind === "wrongEcho" ? `not-${String(echo)}` : echo);
    const written = action.endsWith("_stream") ? { ...answered, stream: "stream-action" } : answered;
    if (!write(written) || fault?.kind === "wrongEcho") return;
    if (fault?.kind === "double") write(written);
    call.retcode = retcode;
    call.message = message;
  }

  if (place.apis) {
    socket.on("message", (data, isBinary) => {
      // A paused socket hands over its rest when it closes; a dead line never does.
      if (frozen) return;
      if (isBinary) parts.violations.push("a binary frame");
      // ws hands over one Buffer by default.
      void answer((data as Buffer).toString()).finally(() => parts.onChange());
    });
  }
  return {
    ...place,
    push: write,
    sendFrame(frame) {
      if (socket.readyState === socket.OPEN) socket.send(frame);
    },
    freeze() {
      frozen = true;
      socket.pause();
    },
    cut: () => socket.terminate(),
    close: (code) => socket.close(code),
  };
}

/** NapCat's shape of an answer. */
export function describeAnswer(retcode: number, message: string, data: unknown, echo: unknown): FakeParams {
  const status = retcode === 0 ? "ok" : "failed";
  return { status, retcode, data, message, wording: message, echo: echo ?? "", stream: "normal-action" };
}

function readRequest(
  frame: string,
  violations: string[],
): { readonly action: string; readonly params: FakeParams; readonly echo: unknown } | undefined {
  try {
    const { action, params, echo } = JSON.parse(frame) as FakeParams;
    if (typeof action !== "string") violations.push(`no action in ${frame}`);
    if (echo === undefined) violations.push(`no echo in ${frame}`);
    return { action: String(action), params: (params ?? {}) as FakeParams, echo };
  } catch {
    violations.push(`not JSON: ${frame}`);
    return undefined;
  }
}

function hasEffect(fault: FakeOneBotFault): boolean {
  return !("taken" in fault || fault.kind === "refuse") || fault.taken === true;
}

function refuse({ retcode, message }: { readonly retcode: number; readonly message?: string }): OneBotRefusal {
  return new OneBotRefusal(retcode, message ?? (retcode === 1200 ? sendTimedOut : "planned fault"));
}

async function tryLater(work: Promise<unknown>): Promise<{ readonly refusal?: OneBotRefusal; readonly data: unknown }> {
  try {
    return { data: await work };
  } catch (error) {
    return { refusal: error instanceof OneBotRefusal ? error : new OneBotRefusal(1200, String(error)), data: null };
  }
}

function tryCall(act: () => unknown): { readonly refusal?: OneBotRefusal; readonly data: unknown } {
  try {
    return { data: act() };
  } catch (error) {
    const refusal = error instanceof OneBotRefusal ? error : new OneBotRefusal(1200, String(error));
    return { refusal, data: null };
  }
}
