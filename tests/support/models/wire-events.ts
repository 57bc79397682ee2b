/** Server-sent events as OpenAI's chat completions and Anthropic's messages send them. */

export function openaiDelta(delta: object, finish: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finish };
  return `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m", choices: [choice] })}\n\n`;
}

export function openaiText(content: string): string {
  return openaiDelta({ role: "assistant", content });
}

export function openaiCall(piece: { index?: number; id?: string; name?: string; arguments?: string }): string {
  const { index = 0, id, name, arguments: written } = piece;
  const call = { index, ...(id && { id, type: "function" }), function: { name, arguments: written } };
  return openaiDelta({ role: "assistant", tool_calls: [call] });
}

export function openaiFinish(reason: string): string {
  return openaiDelta({}, reason);
}

export const openaiDone = "data: [DONE]\n\n";

export function openaiUsage(input: number, output: number, cached: number): string {
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
  return `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m", choices: [], usage })}\n\n`;
}

export function anthropicEvent(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

export function anthropicStart(): string {
  return anthropicEvent("message_start", {
    message: {
      id: "m1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      usage: { input_tokens: 12, output_tokens: 1 },
    },
  });
}

export function anthropicStop(reason: string): string {
  return (
    anthropicEvent("message_delta", {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 7 },
    }) + anthropicEvent("message_stop")
  );
}

export function anthropicText(index: number, text: string): string {
  return (
    anthropicEvent("content_block_start", { index, content_block: { type: "text", text: "" } }) +
    anthropicEvent("content_block_delta", { index, delta: { type: "text_delta", text } }) +
    anthropicEvent("content_block_stop", { index })
  );
}

export function anthropicCall(index: number, name: string, ...pieces: readonly string[]): string {
  return [
    anthropicEvent("content_block_start", {
      index,
      content_block: { type: "tool_use", id: `tu${index}`, name, input: {} },
    }),
    ...pieces.map((piece) =>
      anthropicEvent("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: piece } }),
    ),
    anthropicEvent("content_block_stop", { index }),
  ].join("");
}
