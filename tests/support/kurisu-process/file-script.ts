import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "./scripted-model.ts";

/**
 * Reads the file that was sent when told 「读一下」, sends one when told 「发文件 PATH」, says what it was told of files else.
 * Everything else goes as usual.
 */
export const fileScript: ModelScript = (request) => {
  const said = lastWords(request);
  const [result] = resultsOfThisTurn(request);
  const path = /发文件 (\S+)/.exec(said)?.[1];
  if (path !== undefined) {
    return result === undefined
      ? callTools({ name: "send_file", arguments: { path } })
      : { content: wordResult(result) };
  }
  const [saved = ""] = /inbox\/[^（[\]]+/.exec(said) ?? [];
  if (/读一下/.test(said) && saved !== "") {
    if (result === undefined) return callTools({ name: "file_read", arguments: { path: saved } });
    const { output } = JSON.parse(result) as { output?: { content?: string } };
    return { content: `上面写着：${output?.content ?? "什么都没有"}` };
  }
  if (/\[(?:文件|图片|语音)/.test(said)) return { content: `收到的是 ${said.slice(said.indexOf("["))}` };
  return undefined;
};

function wordResult(result: string): string {
  const { ok, error } = JSON.parse(result) as { ok: boolean; error?: string };
  return ok ? "文件发过去了。" : `没发成：${error ?? ""}`;
}
