// The harness's own ceiling: one turn's requests and nothing else. It polls, streams an answer and sends it.
import { Agent, request } from "undici";

const { TELEGRAM_BOT_TOKEN: token = "", TELEGRAM_API_ROOT: root = "", OPENAI_BASE_URL: model = "" } = process.env;
const dispatcher = new Agent({ connections: 64 });

interface Update {
  readonly update_id: number;
  readonly message: { readonly text: string; readonly chat: { readonly id: number } };
}

async function post(url: string, body: object): Promise<string> {
  const headers = { "content-type": "application/json" };
  const answer = await request(url, { method: "POST", headers, body: JSON.stringify(body), dispatcher });
  return answer.body.text();
}

async function reply({ text, chat }: Update["message"]): Promise<void> {
  const stream = await post(`${model}/chat/completions`, { stream: true, messages: [{ role: "user", content: text }] });
  const said = stream.split("\n\n").map((event) => /"content":"([^"]*)"/.exec(event)?.[1] ?? "");
  await post(`${root}/bot${token}/sendMessage`, { chat_id: chat.id, text: said.join("") });
}

const lanes = new Map<number, Promise<void>>();
let offset = 0;
for (;;) {
  const answer = await post(`${root}/bot${token}/getUpdates`, { offset, timeout: 25, allowed_updates: ["message"] });
  const { result } = JSON.parse(answer) as { result: readonly Update[] };
  for (const { update_id, message } of result) {
    offset = update_id + 1;
    lanes.set(
      message.chat.id,
      (lanes.get(message.chat.id) ?? Promise.resolve()).then(() => reply(message)),
    );
  }
}
