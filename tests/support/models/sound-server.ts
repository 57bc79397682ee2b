import type { ServerResponse } from "node:http";
import { untilTestEnds, type KeepUntil } from "../keep-until.ts";
import { serveRequests, type GivenRequest } from "./serve-requests.ts";

type Mood =
  | "well"
  /** Status 503. */
  | "failing"
  /** It takes the request and never answers. */
  | "silent"
  /** 200 with a body that is neither a transcript nor a sound. */
  | "nonsense";

interface SpokenWords {
  readonly input: string;
  readonly format: string;
  /** Of a request that asks for another voice than SPEECH_VOICE, another pace, or a way of speaking. */
  readonly voice?: string;
  readonly speed?: unknown;
  readonly instructions?: unknown;
}

export interface SoundServer {
  readonly url: string;
  /** The variables that make Kurisu ask it to listen, and to speak. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it was given to hear, as bytes. */
  readonly heard: readonly Buffer[];
  /** What it was asked to say. */
  readonly spoken: readonly SpokenWords[];
  /** Requests that it refused, with the reason. */
  readonly refused: readonly string[];
  be(mood: Mood): void;
}

/** A canary: it must never be seen anywhere but in the header of a request. */
export const soundKey = "sk-canary-99cc88bb77aa-sounds";
const models = { hear: "test-ears", speak: "test-mouth" };
const voice = "amadeus";
const otherVoice = "lab-member";
const known = ["model", "voice", "input", "response_format", "speed", "instructions"];
const maxInputLength = 4_096;
const extensions = ["flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "oga", "wav", "webm"];

/** Where the header of a sound ends and its words begin. */
const mark = "\0\u0002";

/** A voice message of Telegram that says these words: an Ogg page as far as its first bytes tell. */
export const speak = (words: string): Buffer => Buffer.from(`OggS${mark}${words}`);
/** The words of what the server spoke. */
export const listen = (content: Uint8Array | undefined): string =>
  Buffer.from(content ?? [])
    .toString()
    .split(mark)
    .at(-1) ?? "";

/**
 * POST /v1/audio/transcriptions and /v1/audio/speech as OpenAI documents them, and nothing else: it refuses a wrong key, model,
 * form, extension or format as that server does.
 */
export async function startSoundServer(keep: KeepUntil = untilTestEnds): Promise<SoundServer> {
  const heard: Buffer[] = [];
  const spoken: SpokenWords[] = [];
  const refused: string[] = [];
  const state = { mood: "well" as Mood };

  async function answer({ request, response, body, send }: GivenRequest): Promise<void> {
    const refuse = (status: number, message: string) => {
      refused.push(message);
      send(status, { error: { message, type: "invalid_request_error", code: null } });
    };
    const type = request.headers["content-type"] ?? "";
    if (request.headers.authorization !== `Bearer ${soundKey}`) return refuse(401, "Incorrect API key provided");
    if (request.method !== "POST") return refuse(405, "Not allowed");
    if (request.url === "/v1/audio/transcriptions") {
      if (!type.startsWith("multipart/form-data")) return refuse(400, "expected multipart/form-data");
      const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
      const file = form.get("file");
      if (form.get("model") !== models.hear) return refuse(404, "The model does not exist");
      if (!(file instanceof File)) return refuse(400, "file: field required");
      if (!extensions.includes(file.name.split(".").at(-1) ?? "")) return refuse(400, "Unrecognized file format");
      const content = Buffer.from(await file.arrayBuffer());
      if (content.length === 0) return refuse(400, "Audio file is too short");
      heard.push(content);
      if (await isMoody(response)) return undefined;
      return send(200, state.mood === "nonsense" ? { words: 1 } : { text: ` ${listen(content)}\n` });
    }
    if (request.url === "/v1/audio/speech") {
      if (!type.startsWith("application/json")) return refuse(400, "expected application/json");
      const asked = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
      const { input, response_format: format = "mp3" } = asked;
      if (asked["model"] !== models.speak) return refuse(404, "The model does not exist");
      if (asked["voice"] !== voice && asked["voice"] !== otherVoice) return refuse(400, "Invalid value for voice");
      const { speed = 1, instructions = "" } = asked;
      if (typeof speed !== "number" || speed < 0.25 || speed > 4) return refuse(400, "Invalid value for speed");
      if (typeof instructions !== "string") return refuse(400, "Invalid value for instructions");
      const strange = Object.keys(asked).filter((key) => !known.includes(key));
      if (strange.length > 0) return refuse(400, `Unrecognized request argument: ${strange.join()}`);
      if (typeof input !== "string" || input === "" || input.length > maxInputLength)
        return refuse(400, "input: string of 1 to 4096 characters");
      if (format !== "opus" && format !== "mp3") return refuse(400, "Invalid value for response_format");
      spoken.push({
        input,
        format,
        ...(asked["voice"] === otherVoice && { voice: otherVoice }),
        ...(speed !== 1 && { speed }),
        ...(instructions !== "" && { instructions }),
      });
      if (await isMoody(response)) return undefined;
      const sound = `${format === "opus" ? "OggS" : "ID3"}${mark}${input}`;
      response
        .writeHead(200, { "content-type": format === "opus" ? "audio/opus" : "audio/mpeg" })
        .end(state.mood === "nonsense" ? "<html>" : sound);
      return undefined;
    }
    return refuse(404, `unknown url ${request.url ?? ""}`);
  }

  /** It has answered, or never will. */
  async function isMoody(response: ServerResponse): Promise<boolean> {
    if (state.mood === "failing") response.writeHead(503).end();
    return state.mood === "failing" || state.mood === "silent";
  }

  const url = await serveRequests(answer, keep);
  return {
    url,
    environment: {
      TRANSCRIBE_BASE_URL: url,
      TRANSCRIBE_API_KEY: soundKey,
      TRANSCRIBE_MODEL: models.hear,
      SPEECH_BASE_URL: url,
      SPEECH_API_KEY: soundKey,
      SPEECH_MODEL: models.speak,
      SPEECH_VOICE: voice,
    },
    heard,
    spoken,
    refused,
    be: (mood) => void (state.mood = mood),
  };
}
