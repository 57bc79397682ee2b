import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Logger } from "pino";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type SpanContext,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace";
import type { Happening, Meter, RunBegan, RunName } from "../../core/meter.ts";

/** Traces of turns on their way to a collector. */
export interface OpenTracer {
  readonly meter: Meter;
  /** Sends what is ready; waits two seconds at most. */
  close(): Promise<void>;
}

/** An export that takes longer is given up, so that it cannot delay the end of the process. */
const maxExportMs = 2_000;
const maxCloseMs = 2_000;

/**
 * One trace for each run of a turn, by the GenAI conventions of OpenTelemetry (semantic-conventions-genai,
 * gen-ai-agent-spans.md). A trace holds names, levels, outcomes, times and tokens, never a text: not of a person, not of
 * a model, no arguments and no results.
 */
export function openTracer(parts: {
  /** The base address of an OTLP collector. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  readonly log: Pick<Logger, "warn">;
}): OpenTracer {
  const ids = createRunIds();
  const exporter = new OTLPTraceExporter({
    url: `${parts.endpoint}/v1/traces`,
    headers: { ...parts.headers },
    timeoutMillis: maxExportMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "kurisu", "service.version": parts.version }),
    idGenerator: ids.generator,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logFailures(exporter, parts.log),
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: maxExportMs,
      }),
    ],
  });
  const tracer = provider.getTracer("kurisu", parts.version);
  /** The key is lost with the process: a collector cannot tell which account a conversation belongs to. */
  const key = randomBytes(32);
  const hashSession = (session: string) => createHmac("sha256", key).update(session).digest("hex").slice(0, 32);
  /** By turn: a turn has one run at a time. */
  const running = new Map<string, { readonly span: Span; readonly context: Context }>();

  const contextOf = (turn: string | undefined): Context =>
    (turn === undefined ? undefined : running.get(turn)?.context) ?? ROOT_CONTEXT;

  function begin({ run, session, agent, decision, at }: RunBegan): void {
    const name = agent ?? "Kurisu";
    ids.useFor(run);
    const span = tracer.startSpan(
      `invoke_agent ${name}`,
      {
        kind: SpanKind.INTERNAL,
        root: true,
        startTime: at,
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.provider.name": "kurisu",
          "gen_ai.agent.name": name,
          "gen_ai.conversation.id": hashSession(session),
          "kurisu.turn.id": run.turn,
        },
        links: run.token > 1 ? [{ context: nameRootSpan({ ...run, token: run.token - 1 }) }] : [],
      },
      ROOT_CONTEXT,
    );
    if (decision) span.addEvent("kurisu.question.decided", { "kurisu.question.decision": decision }, at);
    running.set(run.turn, { span, context: trace.setSpan(ROOT_CONTEXT, span) });
  }

  function addRequest(asked: Extract<Happening, { kind: "model-asked" }>): void {
    const { input, model, ms, outcome, output, startedAt, turn } = asked;
    const { provider: server, name } = splitModel(model);
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": server,
      "gen_ai.request.model": name,
      ...(input > 0 && { "gen_ai.usage.input_tokens": input }),
      ...(output > 0 && { "gen_ai.usage.output_tokens": output }),
      "kurisu.model.outcome": outcome,
    };
    const times = { startTime: startedAt, endTime: startedAt + ms };
    addSpan(
      `chat ${name}`,
      { kind: SpanKind.CLIENT, attributes, ...times, turn },
      outcome === "answered" ? "" : outcome,
    );
  }

  function addCall(called: Extract<Happening, { kind: "tool-called" }>): void {
    const { at, call, level, ms, outcome, tool = "unknown", turn } = called;
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": call,
      "gen_ai.tool.type": "function",
      "kurisu.tool.level": level,
      "kurisu.tool.outcome": outcome,
    };
    const times = { startTime: at - ms, endTime: at };
    addSpan(
      `execute_tool ${tool}`,
      { kind: SpanKind.INTERNAL, attributes, ...times, turn },
      outcome === "ok" ? "" : outcome,
    );
  }

  /** `error` is "" for success. */
  function addSpan(
    name: string,
    about: {
      readonly kind: SpanKind;
      readonly attributes: Readonly<Record<string, string | number>>;
      readonly startTime: number;
      readonly endTime: number;
      readonly turn: string | undefined;
    },
    error: string,
  ): void {
    const { endTime, turn, ...options } = about;
    const span = tracer.startSpan(name, options, contextOf(turn));
    if (error !== "") fail(span, error);
    span.end(endTime);
  }

  function end({ run, outcome, code, at }: Extract<Happening, { kind: "turn-ended" }>): void {
    const known = running.get(run.turn);
    running.delete(run.turn);
    if (!known) return;
    known.span.setAttribute("kurisu.turn.outcome", outcome);
    if (outcome === "failed") fail(known.span, code ?? "_OTHER");
    known.span.end(at);
  }

  return {
    meter(happening) {
      switch (happening.kind) {
        case "turn-began":
          return begin(happening);
        case "turn-seen":
          running.get(happening.run.turn)?.span.addEvent("kurisu.turn.seen", happening.at);
          return;
        case "turn-ended":
          return end(happening);
        case "model-asked":
          return addRequest(happening);
        case "tool-called":
          return addCall(happening);
        case "question-asked": {
          const { at, calls, turn } = happening;
          running.get(turn)?.span.addEvent("kurisu.question.asked", { "kurisu.question.calls": calls }, at);
          return;
        }
        // The decision is an event of the run that it begins.
        case "question-closed":
        case "store-failed":
          return;
      }
    },
    async close() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, maxCloseMs);
      await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
      clearTimeout(timer);
    },
  };
}

function fail(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The name of an Ollama model has colons of its own. */
function splitModel(model: string): { readonly provider: string; readonly name: string } {
  const colon = model.indexOf(":");
  return colon === -1
    ? { provider: model, name: model }
    : { provider: model.slice(0, colon), name: model.slice(colon + 1) };
}

/** The ids of a run follow from its name: the next run links to it, also after a restart and in another process. */
function nameRootSpan({ turn, token }: RunName): SpanContext {
  const hash = createHash("sha256").update(`${turn} ${token}`).digest("hex");
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

/** The root span of a run gets the ids of its name, and every other span random ones. */
function createRunIds() {
  const random = new RandomIdGenerator();
  let next: Partial<Pick<SpanContext, "spanId" | "traceId">> = {};
  return {
    /** For the span that is started now. */
    useFor(run: RunName): void {
      next = nameRootSpan(run);
    },
    generator: {
      generateTraceId() {
        const { traceId = random.generateTraceId(), ...others } = next;
        next = others;
        return traceId;
      },
      generateSpanId() {
        const { spanId = random.generateSpanId(), ...others } = next;
        next = others;
        return spanId;
      },
    },
  };
}

const logEveryMs = 10 * 60_000;

/** A collector that is away costs its spans and one line in ten minutes, and no turn. */
function logFailures(exporter: SpanExporter, log: Pick<Logger, "warn">): SpanExporter {
  let lost = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans, tell) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) lost += spans.length;
        if (lost > 0 && performance.now() - loggedAt > logEveryMs) {
          log.warn({ lost, reason: result.error?.message }, "the OpenTelemetry collector did not take spans");
          loggedAt = performance.now();
          lost = 0;
        }
        tell(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
