/**
 * How one implementation of OneBot 11 differs from the others, by its own source: NapCatQQ af07479, LuckyLilliaBot
 * 75532e2, Lagrange.OneBot 0599035 (V1), go-cqhttp abd3255. The implementation names itself (`get_version_info`); an
 * unknown one gets what the specification says, and an action that it lacks is asked for once.
 */
export interface Dialect {
  readonly name: "NapCat" | "LLBot" | "Lagrange" | "go-cqhttp" | "unknown";
  /** How it writes ids, and so how we write them. */
  readonly ids: "number" | "string";
  /** Codes that say: there is no such action. */
  readonly noSuchAction: readonly number[];
  /** The field of a history call, and of its messages, by which one reads on backwards. */
  readonly historyPlace: "message_seq" | "message_id";
  /** The field that names a merged forward when it is read. */
  readonly forwardId: "id" | "message_id";
  /** The fields of a node that name its writer. */
  readonly nodeWriter: { readonly id: "user_id" | "uin"; readonly name: "nickname" | "name" };
  /** Files are a segment of a message, or have an action of their own. */
  readonly files: "segment" | "upload";
  /** It can show that the bot is typing (`set_input_status`). False when it is not asked; unknown ones are, once. */
  readonly typing: boolean;
  /** The action that puts a face under a message of a group; none = it has none. */
  readonly reaction: "set_msg_emoji_like" | "set_group_reaction" | "none";
  /** It takes a file in pieces (`upload_file_stream`), onto its own disk. */
  readonly streams: boolean;
}

/** OneBot 11 by the book (communication/ws.md, api/public.md), with the extensions of go-cqhttp that all have taken over. */
export const unknownDialect: Dialect = {
  name: "unknown",
  ids: "number",
  noSuchAction: [1404],
  historyPlace: "message_seq",
  forwardId: "id",
  nodeWriter: { id: "user_id", name: "nickname" },
  files: "segment",
  typing: true,
  reaction: "set_msg_emoji_like",
  streams: false,
};

const dialects: readonly { readonly appName: RegExp; readonly dialect: Dialect }[] = [
  {
    appName: /^napcat/i,
    dialect: { ...unknownDialect, name: "NapCat", forwardId: "message_id", streams: true },
  },
  {
    appName: /^(?:llonebot|llbot|luckylillia)/i,
    dialect: { ...unknownDialect, name: "LLBot", forwardId: "message_id" },
  },
  {
    appName: /^lagrange/i,
    dialect: {
      ...unknownDialect,
      name: "Lagrange",
      // Anything else that fails is 200 there.
      noSuchAction: [404, 1404],
      historyPlace: "message_id",
      files: "upload",
      typing: false,
      reaction: "set_group_reaction",
    },
  },
  {
    appName: /^go-cqhttp/i,
    dialect: {
      ...unknownDialect,
      name: "go-cqhttp",
      noSuchAction: [404, 1404],
      forwardId: "message_id",
      nodeWriter: { id: "uin", name: "name" },
      files: "upload",
      typing: false,
      reaction: "none",
    },
  },
];

/** By what `get_version_info` calls it. */
export function chooseDialect(appName: string): Dialect {
  return dialects.find((one) => one.appName.test(appName.trim()))?.dialect ?? unknownDialect;
}

const idFields: ReadonlySet<string> = new Set(["user_id", "group_id", "message_id", "message_seq"]);

/** The parameters of a call with its ids as this implementation writes them. */
export function writeIds(params: object, { ids }: Pick<Dialect, "ids">): object {
  if (ids === "number") return params;
  const entries = Object.entries(params) as readonly (readonly [string, unknown])[];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, idFields.has(name) && typeof value === "number" ? String(value) : value]),
  );
}
