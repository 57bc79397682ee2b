import type { Quirks } from "./quirks.ts";
import type { ServerRefusal } from "./wire/server-refusal.ts";

/** The request that the server refused. */
export interface SentRequest {
  readonly tools: readonly string[];
  readonly messages: number;
  /** Estimated tokens of messages and tools, and of the tools alone. */
  readonly tokens: number;
  readonly toolTokens: number;
  readonly hasCalls: boolean;
  /** The conversation cannot be cut any further. */
  readonly isShortest: boolean;
  /** Fields of providers that went back with earlier answers. */
  readonly kept: readonly string[];
  /** The request says how long the answer may be. */
  readonly limitsOutput: boolean;
}

/** Statuses that say that the request itself was not taken. */
const refusals = new Set([400, 404, 405, 411, 413, 414, 422]);
/** A chat template that fails is a 500 (llama.cpp, vLLM); so are a server's own faults, which are no refusals. */
const failures = new Set([500, 501]);
const ofTemplate =
  /jinja|template|must alternate|context (?:size|length|window)|does not support tools|image input|mmproj/i;
/** Limits of time and money, and the model's own slips, are nothing that a shorter or plainer request would mend. */
const ofAccount = /per (?:minute|second|hour|day|month)|rate.?limit|quota|daily|billing|套餐|余额|频率|限流/i;
const ofModel =
  /tool_use_failed|failed_generation|failed to call a function|tool call validation|content.?filter|moderation|safety/i;

/** Whether the server refused what the model wrote, whatever its status. */
export function isOfModel({ code, message }: ServerRefusal): boolean {
  return ofModel.test(`${message} ${code}`);
}

/** Whether a limit of the account was reached: it asks too often, or its credit is used up. */
export function isOfAccount({ code, message }: ServerRefusal): boolean {
  // Groq says so of a single request that exceeds the limit of a minute.
  return ofAccount.test(`${message} ${code}`) && !/request too large|reduce your message/i.test(message);
}

type Remedy = (words: string, context: Context) => Partial<Quirks> | undefined;

interface Context {
  readonly refusal: ServerRefusal;
  readonly sent: SentRequest;
  readonly quirks: Quirks;
}

/**
 * Fields to leave out of the next request, read from the refusal of this one; undefined when it names nothing that can
 * be left out. It counts for good only when the next request is answered.
 */
export function findRemedy(refusal: ServerRefusal, sent: SentRequest, quirks: Quirks): Quirks | undefined {
  const isTemplate = failures.has(refusal.status) && ofTemplate.test(refusal.message);
  if (!refusals.has(refusal.status) && !isTemplate) return undefined;
  if (isOfModel(refusal) || isOfAccount(refusal)) return undefined;
  // Further on some servers repeat the request, with words of people.
  const words = `${refusal.message.slice(0, 600)} ${refusal.code}`.replaceAll(/<\d{3}>/g, "");
  const context = { refusal, sent, quirks };
  for (const remedy of remedies) {
    const change = remedy(words, context);
    if (change !== undefined) return { ...quirks, ...change };
  }
  return undefined;
}

const remedies: readonly Remedy[] = [
  takeFieldsBack,
  takeTurns,
  leaveStreamOut,
  limitOutput,
  // Before the tools: a provider's own field may be called after them.
  leaveParameterOut,
  limitTools,
  leaveToolsOut,
  leaveOneToolOut,
  limitMessages,
  foldSystem,
  leaveEmptyOut,
  sendTextOnly,
  limitTokens,
];

const isRefused =
  /unknown|unrecogni[sz]ed|unsupported|unexpected|not (?:supported|permitted|allowed|recogni[sz]ed|available|enabled|valid)|(?:do|does|did)(?: not|n't) support|invalid|extra[_ ](?:inputs?|fields?|forbidden)|additional propert|no such|cannot be used|not_supported|only allowed|remove|不支持|不允许|未知|无效|非法/i;

/** Parameters of ours that a server may do without. */
const optional = ["stream_options", "include_usage", "cache_control"];

/** With its names inside of ours: `stream_options.include_usage`. */
const belongsTo: Readonly<Record<string, string>> = { include_usage: "stream_options" };

function leaveParameterOut(words: string, { quirks, refusal, sent }: Context): Partial<Quirks> | undefined {
  if (!isRefused.test(words)) return undefined;
  const text = `${words} ${refusal.param}`;
  const name = [...optional, ...sent.kept].find((one) => findWords(text, one).length > 0);
  if (name === undefined) return undefined;
  const left = belongsTo[name] ?? name;
  return quirks.omitted.has(left) ? undefined : { omitted: new Set([...quirks.omitted, left]) };
}

/** "streaming is not supported", "tools are not supported when streaming": a whole answer will do. */
function leaveStreamOut(words: string, { quirks, refusal }: Context): Partial<Quirks> | undefined {
  const isAboutStream =
    refusal.param === "stream" ||
    /['"`]stream['"`]|\bstream(?:ing)? (?:is )?(?:not|un)|(?:not|n't) support(?:ed|s)? (?:for )?stream(?:ing)?\b|(?:tools?|tool use|functions?)\b.{0,60}(?:in|when|while|with) stream/i.test(
      words,
    );
  if (!isAboutStream || !isRefused.test(words) || quirks.omitted.has("stream")) return undefined;
  return { omitted: new Set([...quirks.omitted, "stream"]) };
}

/** A message that has calls and no words. */
function leaveEmptyOut(words: string, { quirks, sent }: Context): Partial<Quirks> | undefined {
  const isAboutEmpty = /(?:content|text|message).{0,80}(?:blank|empty|non-?empty)|(?:不能为空|为空)/i;
  return sent.hasCalls && isAboutEmpty.test(words) && quirks.nullContent !== true ? { nullContent: true } : undefined;
}

/** It wants back what came with the calls (DeepSeek, Kimi, Gemini, Anthropic), and those are calls of another model. */
function takeFieldsBack(_words: string, { quirks, refusal, sent }: Context): Partial<Quirks> | undefined {
  const words = refusal.message;
  if (
    /(?:invalid|corrupt|expired|not valid).{0,40}signature.{0,60}(?:think|thought|block)|(?:think|thought|block).{0,60}signature.{0,60}(?:invalid|not valid|could not)|(?:thought|thinking|reasoning).{0,60}decrypt/i.test(
      words,
    )
  )
    return quirks.forgets === true ? tellAll(quirks, sent) : { forgets: true };
  const isWanted =
    /(?:reasoning_content|reasoning|thinking|thought|signature).{0,120}(?:pass(?:ed)? back|required|missing|must|\bexpected)|(?:missing|\bexpected|must).{0,80}(?:reasoning|thinking|thought)/i;
  const isUnwanted =
    /unknown|unrecogni[sz]ed|unexpected|extra|unsupported|not (?:supported|permitted|allowed)|enable_thinking/i;
  if (!isWanted.test(words) || isUnwanted.test(words)) return undefined;
  const field = /\breasoning_content\b/.exec(words)?.[0];
  if (field !== undefined && !quirks.demanded.has(field) && !quirks.omitted.has(field))
    return { demanded: new Set([...quirks.demanded, field]) };
  return quirks.toldCalls === undefined && sent.hasCalls ? { toldCalls: "foreign" } : tellAll(quirks, sent);
}

function tellAll({ toldCalls }: Quirks, { hasCalls }: SentRequest): Partial<Quirks> | undefined {
  return toldCalls === "all" || !hasCalls ? undefined : { toldCalls: "all" };
}

/** `max_tokens: 16384 > 8192`, or together with the prompt more than the context, which says nothing of the next prompt. */
function limitOutput(words: string, { quirks, sent }: Context): Partial<Quirks> | undefined {
  if (!sent.limitsOutput || !/max_(?:completion_|output_)?tokens/i.test(words)) return undefined;
  const sum = /(\d+)\s*\+\s*(\d+)\s*>\s*(\d+)/.exec(words);
  if (sum) {
    const left = Number(sum[3]) - Number(sum[1]);
    return left >= 256 && left < (quirks.outputOnce ?? Number(sum[2])) ? { outputOnce: left } : undefined;
  }
  const least = Math.min(...listNumbers(words).filter((one) => one >= 256));
  return Number.isFinite(least) && least < (quirks.maxOutputTokens ?? Number.POSITIVE_INFINITY)
    ? { maxOutputTokens: least }
    : undefined;
}

const noTools =
  /\b(?:tool|function)[\s_-]?(?:s|use|calls?|calling|choice)?\b.{0,60}(?:not (?:be )?(?:supported|available|allowed|enabled|permitted)|unsupported)|(?:does(?: not|n't)|do not|don't|not|without) support(?:s|ed|ing)? (?:the )?(?:`|'|")?(?:tools?|functions?|function[\s_]call|use of (?:tools|functions))|no endpoints? found that support (?:tool|function)|enable-auto-tool-choice|requires? --jinja|unsupported.{0,30}\btools?\b|(?:unknown|unrecognized|unexpected)(?! role)[^.]{0,25}['"`]?tools?['"`]?(?![\w[.])|不支持.{0,12}(?:工具|函数|tool|function)|(?:工具|函数|tool|function).{0,12}不支持/i;

function leaveToolsOut(words: string, { quirks, refusal, sent }: Context): Partial<Quirks> | undefined {
  if (
    /must define tools|`?tools=`? param|tools.{0,20}(?:must be|is) (?:set|provided|specified|required)/i.test(words) &&
    sent.tools.length === 0
  )
    return quirks.toldCalls === undefined ? { toldCalls: "toolless" } : undefined;
  if (sent.tools.length === 0 || quirks.maxTools === 0) return undefined;
  if (/parallel|tool_choice|\bstrict\b/i.test(words) && !/enable-auto-tool-choice/.test(words)) return undefined;
  if (namesTool(words, sent.tools) !== undefined || /schema|pattern|propert/i.test(words)) return undefined;
  const isNamed = refusal.param === "tools" && isRefused.test(words) && listNumbers(words).length === 0;
  return isNamed || noTools.test(words) ? { maxTools: 0 } : undefined;
}

/** "array too long. Expected an array with maximum length 128, but got an array with length 157" */
function limitTools(words: string, { quirks, refusal, sent }: Context): Partial<Quirks> | undefined {
  const isAboutTools =
    /\b(?:tools?|functions?|function[_ ]declarations?)\b/i.test(`${words} ${refusal.param}`) || /工具|函数/.test(words);
  const isTooMany =
    /too (?:many|long)|max(?:imum|_length|_items)?\b|at most|more than|exceed|above_max|up to|limit|no greater|最多|超过|上限/i;
  if (!isAboutTools || sent.tools.length < 2 || !isTooMany.test(words)) return undefined;
  if (
    /token|context|schema|depth|nest|retries|arguments|messages?\[|(?:name|description).{0,30}(?:long|length|characters)/i.test(
      words,
    )
  )
    return undefined;
  const stated = listNumbers(words).filter((one) => one > 0 && one < sent.tools.length);
  const most = stated.length > 0 ? Math.max(...stated) : Math.floor(sent.tools.length / 2);
  return most < (quirks.maxTools ?? Number.POSITIVE_INFINITY) ? { maxTools: most } : undefined;
}

/** A single tool's schema is refused: the server names it, or gives its index. */
function leaveOneToolOut(words: string, { quirks, refusal, sent }: Context): Partial<Quirks> | undefined {
  if (sent.tools.length === 0) return undefined;
  const text = `${words} ${refusal.param}`;
  // The innermost place: Gemini counts declarations within tools.
  const place = [...text.matchAll(/\b(?:tools?|functions?|function_declarations)\b\s*(?:\[(\d+)\]|\.(\d+)\b)/gi)].at(
    -1,
  );
  const isAboutSchema =
    /schema|parameters|propert|pattern|regex|\btype\b|\bitems\b|\benum\b|\brequired\b|ref|description|name/i.test(
      text,
    ) && /tool|function|declaration/i.test(text);
  const isTooDeep = /too many states|nesting depth/i.test(text);
  if (!isAboutSchema && !isTooDeep) return undefined;
  const counted = place ? sent.tools[Number(place[1] ?? place[2])] : undefined;
  const name = namesTool(words, sent.tools) ?? counted;
  if (name !== undefined) return { refusedTools: new Set([...quirks.refusedTools, name]) };
  if (!isTooDeep && !/schema|pattern|propert|declaration/i.test(words)) return undefined;
  // It does not say which: those of others first, then all.
  const own = sent.tools.filter((one) => !one.startsWith("mcp__"));
  if (own.length < sent.tools.length)
    return { refusedTools: new Set([...quirks.refusedTools, ...sent.tools.filter((one) => one.startsWith("mcp__"))]) };
  return { maxTools: 0 };
}

/** A tool's name as a name: quoted, behind the word, or such as no sentence holds by chance. */
function namesTool(words: string, tools: readonly string[]): string | undefined {
  const longestFirst = tools.toSorted((a, b) => b.length - a.length);
  return longestFirst.find((name) =>
    findWords(words, name).some(
      (at) =>
        name.includes("_") || /(?:['"`‘“:]|(?:function|tool)\s{1,4})$/i.test(words.slice(Math.max(0, at - 12), at)),
    ),
  );
}

/** Where a text holds a word, not as part of another. */
function findWords(text: string, word: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (!/[\w-]/.test(text[at - 1] ?? "") && !/[\w-]/.test(text[at + word.length] ?? "")) found.push(at);
  }
  return found;
}

function limitMessages(words: string, { quirks, sent }: Context): Partial<Quirks> | undefined {
  if (!/\bmessages?\b|消息|历史|轮/i.test(words) || /token|context.?(?:length|window)/i.test(words)) return undefined;
  if (!/too (?:many|long)|limit|max(?:imum)?|at most|more than|exceed|above_max|最多|超过|上限/i.test(words))
    return undefined;
  // `messages.3: …` and "message is too long" speak of one.
  if (/messages?[.[]\d|message (?:is )?too (?:long|large)|characters|bytes/i.test(words)) return undefined;
  const now = Math.min(quirks.maxMessages ?? sent.messages, sent.messages);
  const stated = listNumbers(words).filter((one) => one > 1 && one < sent.messages);
  const most = stated.length > 0 ? Math.max(...stated) : Math.floor(now / 2);
  return most >= 2 && most < (quirks.maxMessages ?? Number.POSITIVE_INFINITY) ? { maxMessages: most } : undefined;
}

function takeTurns(words: string, { quirks }: Context): Partial<Quirks> | undefined {
  const isAboutTurns =
    /alternat|consecutive|in a row|(?:unexpected|expected|invalid).{0,30}\brole\b|after role|roles? .{0,40}(?:order|sequence|repeated)|(?:first|last) message.{0,60}(?:user|role)|must (?:start|begin|end) with|交替|连续/i;
  if (!isAboutTurns.test(words) || /tool_call_id|tool_calls? must/i.test(words)) return undefined;
  if (quirks.alternates !== true) return { alternates: true };
  return /(?:start|begin)\w* with/i.test(words) && quirks.foldsSystem !== true ? { foldsSystem: true } : undefined;
}

function foldSystem(words: string, { quirks }: Context): Partial<Quirks> | undefined {
  const isAboutSystem =
    /(?:system|developer).{0,60}(?:not (?:be )?(?:supported|allowed|enabled|permitted)|unsupported)|(?:does not|doesn't|not|only).{0,20}support.{0,60}(?:system|developer|user.{0,20}assistant)|(?:invalid|unknown|unsupported|unexpected).{0,30}(?:system|developer)/i;
  return isAboutSystem.test(words) && quirks.foldsSystem !== true ? { foldsSystem: true } : undefined;
}

function sendTextOnly(words: string, { quirks }: Context): Partial<Quirks> | undefined {
  const isAboutForm =
    /content.{0,80}(?:must be|should be|expected|is not|valid).{0,30}str(?:ing)?\b|(?:str(?:ing)?|string_type).{0,60}(?:expected|content)|cannot unmarshal array|(?:list|array|sequence).{0,40}content|only (?:supports? )?text|content.{0,40}(?:only|text-only)/i;
  if (/\bnull\b|too long/i.test(words)) return undefined;
  return isAboutForm.test(words) && quirks.textOnly !== true ? { textOnly: true } : undefined;
}

/** Whether the server says that the request is too long. */
export function isTooLong({ code, message, status }: ServerRefusal): boolean {
  if (/image|picture|audio|\bfile\b|media/i.test(message) && !/token|context/i.test(message)) return false;
  return (
    status === 413 ||
    /context.?(?:length|window|size)|context_length|maximum (?:context|input|prompt)|too (?:long|large|many (?:input )?tokens)|reduce the (?:length|size)|exceed.{0,60}(?:token|context|length|limit)|tokens?.{0,60}(?:exceed|limit|maximum)|上下文|过长|超长|must have less than|max_new_tokens must|input length should be|max_tokens must be at least|超出.{0,20}(?:长度|限制)|超过.{0,20}(?:长度|token)|最大长度/i.test(
      `${message} ${code}`,
    )
  );
}

/** At least a quarter goes each time, half where the server does not report by how much it is exceeded. */
function limitTokens(_words: string, { quirks, refusal, sent }: Context): Partial<Quirks> | undefined {
  if (!isTooLong(refusal)) return undefined;
  if (sent.isShortest) {
    // The rest is mostly tools: send fewer of them.
    const fewer = Math.floor(sent.tools.length / 2);
    return sent.toolTokens > 1_000 && fewer < (quirks.maxTools ?? sent.tools.length) ? { maxTools: fewer } : undefined;
  }
  const limit = readStated(refusal.message, statedLimits);
  const asked = limit && Math.max(...listNumbers(refusal.message).filter((one) => one > limit));
  const isStated = limit !== undefined && asked !== undefined && Number.isFinite(asked);
  const share = isStated ? Math.min(0.75, Math.max(0.1, (limit / asked) * 0.9)) : 0.5;
  const most = Math.max(sent.toolTokens + minPrompt, Math.floor(sent.tokens * share));
  return most < (quirks.maxPromptTokens ?? Number.POSITIVE_INFINITY) ? { maxPromptTokens: most } : undefined;
}

/** System text and the newest message need so much at least. */
const minPrompt = 400;

const statedLimits: readonly RegExp[] = [
  /(?:maximum|max)\b[^.\d]{0,50}?(\d[\d,]{2,9})/i,
  />\s{0,3}(\d[\d,]{2,9})/,
  /limit[^.\d]{0,30}?(\d[\d,]{2,9})/i,
  /(?:less than|at most|up to|should be \[1,)\s{0,3}(\d[\d,]{2,9})/i,
  /context (?:size|length|window)[^.\d]{0,30}?(\d[\d,]{2,9})/i,
];

function readStated(text: string, forms: readonly RegExp[]): number | undefined {
  for (const form of forms) {
    const stated = Number(form.exec(text)?.[1]?.replaceAll(",", ""));
    if (stated >= 256) return stated;
  }
  return undefined;
}

function listNumbers(words: string): readonly number[] {
  return [...words.matchAll(/(?<![\w.])\d{1,3}(?:,\d{3})+(?!\d)|(?<![\w.])\d{1,9}(?![\w.]*\d)/g)].map(([text]) =>
    Number(text.replaceAll(",", "")),
  );
}
