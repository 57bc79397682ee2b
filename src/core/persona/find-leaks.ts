/** Machinery that must not reach the chat: tool calls written as text, templates, traces, reasoning. */

export type LeakKind = "tool-json" | "reasoning-leak" | "prompt-leak";

const callInText =
  /["“]?(?:name|tool|tool_name|function|function_name|action)["”]?\s*:\s*["“][\w.:-]+["”]\s*,\s*["“]?(?:arguments|parameters|args|input|action_input|tool_input|params|kwargs)["”]?\s*:/iu;
const traces =
  /^\s*at (?:async )?(?:[\w$.<>[\] ]+ )?\(?(?:file:\/\/|node:|\/|[A-Za-z]:\\|webpack:)[^\s)]*:\d+(?::\d+)?\)?\s*$|^\s*Traceback \(most recent call last\)|^\s*File "[^"\n]+", line \d+|^\s*(?:goroutine \d+ \[|Exception in thread "|Caused by: [\w.]+(?:Exception|Error))/u;
const templates =
  /\{\{\s*(?:char|user|original|persona|scenario|random:|pick:|roll:|\/\/|hidden_key:|comment:)[^}]*\}\}|<(?:BOT|USER|START)>/u;
const actionLines = /^\s*(?:action input|action)\s*:\s*(?:[\w-]+\s*$|\{)|^\s*observation\s*:\s*\{/iu;
const recordForms = /^\s*\[record\]|<\/?context>/iu;
const specialToken = /<[|｜][\p{L}\p{N}_▁ ]{1,40}[|｜]>|\[\/?(?:INST|TOOL_CALLS|AVAILABLE_TOOLS)\]|<<\/?SYS>>/u;
const tags =
  /<\/?(?:[a-z]{1,20}:)?(think|thinking|thoughts?|reasoning|reflection|scratchpad|inner_monologue|tool_calls?|tool_use|tool_code|tool_response|tool_result|function_calls?|function|invoke|parameter)\b[^>\n]{0,200}>/iu;
const thoughtLabel =
  /^\s*(?:reasoning|thoughts?|chain of thought|internal monologue|thinking process|思考过程|推理过程|思维链|内心独白|内心活动|思考プロセス|推論過程)\s*:/iu;
const promptTalk =
  /(?:我的|以下是(?:我的)?|这(?:就)?是(?:我的)?)(?:系统提示词?|系统提示语|提示词|system prompt|系统设定|系统指令)(?:如下|是|为|里写|的内容|:|,|。|$)|\b(?:my|here is (?:my|the)|here are my) (?:system prompt|system message|system instructions)(?: is| says| reads| tells|:| are|,|\.|$)|(?:私の)システム(?:プロンプト|メッセージ)(?:は(?!ない|秘密|教え)|を(?:以下|そのまま)|:)/iu;

/** Finds what a sentence gives away. `text` has no invisible characters but keeps its case; citations are blanked out. */
export function findLeaks(text: string): readonly LeakKind[] {
  const kinds = new Set<LeakKind>();
  const isAbout = isAboutMarkup(text);
  const tag = tags.exec(text)?.[1];
  if (tag !== undefined && !isAbout) kinds.add(leakOfTag(tag));
  const token = specialToken.exec(text)?.[0];
  if (token !== undefined) kinds.add(leakOfTag(token));
  if (thoughtLabel.test(text)) kinds.add("reasoning-leak");
  if (callInText.test(text) || (templates.test(text) && !isAbout) || traces.test(text) || actionLines.test(text))
    kinds.add("tool-json");
  if (promptTalk.test(text) || recordForms.test(text)) kinds.add("prompt-leak");
  return [...kinds];
}

/** A sentence about tags and templates may name them. */
export function isAboutMarkup(text: string): boolean {
  return /标签|标记|模板|占位|变量|宏|语法|字段|角色卡|提示词|替换|换成|包(?:住|裹|在|起来)|\b(?:tags?|templates?|placeholders?|variables?|macros?|markup|syntax|tokens?|elements?|fields?|cards?|replaced?|wrap(?:s|ped)?)\b|タグ|テンプレート|プレースホルダ|変数|マクロ|記法|置き換/iu.test(
    text,
  );
}

/** Tags and tokens that carry calls leak tools; the others leak thoughts. */
export function leakOfTag(name: string): LeakKind {
  return /tool|function|invoke|parameter|inst|sys/i.test(name) ? "tool-json" : "reasoning-leak";
}

/** JSON that is a tool call, whole or cut off; any other JSON may be an answer. */
export function isToolCallJson(text: string): boolean {
  if (callInText.test(text)) return true;
  return /^\s*[[{][\s{]*["“](?:tool_calls?|function_call|tool_use)["”]\s*:|["“]type["”]\s*:\s*["“](?:function|tool_use|tool_call|function_call)["”]/iu.test(
    text,
  );
}

/** A fence whose info string says that it holds a call, as some models write them. */
export function isToolCallFence(text: string): boolean {
  return /^\s*(?:`{3,}|~{3,})\s*(?:tool_?(?:call|code|request|use)s?|function_?calls?)\b/i.test(text);
}
