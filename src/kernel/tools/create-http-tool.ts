import type { JsonValue } from "../../core/canonical-json.ts";
import { buildInput } from "./plain-arguments.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool, ToolResult } from "./types.ts";
import { askEndpoint } from "../../web/ask-endpoint.ts";
import { fillAddress, fillTemplate, type TemplateValues } from "./fill-template.ts";
import type { HttpToolOptions } from "./http-tool-options.ts";

/** A tool declared in tools.yaml: one request to one server that the operator chose. */
export function createHttpTool(name: string, options: HttpToolOptions): Tool {
  const { method, endpoint, query, headers, body } = options;
  const reads = method === "GET";
  const address = (values: TemplateValues) => fillAddress(endpoint, query, values);
  const fill = (values: TemplateValues) => (body === undefined ? undefined : fillTemplate(body, values));

  const tool = defineTool({
    name,
    description: options.description,
    input: buildInput(options.arguments),
    level: options.level ?? (reads ? "safe" : "confirm"),
    readOnly: reads,
    idempotent: reads,
    place: "network",
    taint: "untrusted",
    // The approval was for this server and request; after a restart the file may name another.
    binding: async () => JSON.parse(JSON.stringify(options)) as JsonValue,
    summarize: (values) => `${method} ${address(values)?.href ?? endpoint}`,
    reaches: (values) => [address(values)?.href ?? endpoint],
    detail(values) {
      const sent = fill(values);
      const request = `${method} ${address(values)?.href ?? endpoint}`;
      return sent === undefined ? request : `${request}\n${JSON.stringify(sent, null, 2)}`;
    },
    async run(values, { signal }) {
      const url = address(values);
      if (!url) return { ok: false, error: `An argument in the path of ${name} must be more than dots.` };
      const sent = fill(values);
      const answer = await askEndpoint({ url, method, headers, ...(sent !== undefined && { body: sent }), signal });
      if (answer.kind === "failed") return { ok: false, error: `${url.host} ${answer.reason}.` };
      return toResult(answer.status, answer.body, options.output, url.host);
    },
  });
  return { ...tool, source: "http" } as Tool;
}

function toResult(status: number, body: unknown, path: string | undefined, host: string): ToolResult {
  if (status >= 400) {
    const output = body === undefined ? {} : { output: body as JsonValue };
    return { ok: false, error: `${host} answered ${status}.`, ...output };
  }
  if (body === undefined)
    return status === 204
      ? { ok: true, output: { status } }
      : { ok: false, error: `${host} answered ${status}, but no JSON.` };
  const found = path === undefined ? body : pick(body, path.split("."));
  if (found === undefined)
    return { ok: false, error: `The answer of ${host} has no ${path}.`, output: body as JsonValue };
  return { ok: true, output: found as JsonValue, message: `HTTP ${status}` };
}

function pick(value: unknown, [key, ...path]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return pick((value as Record<string, unknown>)[key], path);
}
