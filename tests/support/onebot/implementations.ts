import type { FakeImplementation } from "./onebot-types.ts";

/** In what the implementations differ, by their own source (src/channels/onebot/dialect.ts names the versions). */
export interface FakeTraits {
  readonly appName: string;
  /** The code for an action it does not have. */
  readonly unknownAction: number;
  readonly lacks: readonly string[];
  /** The parameter by which its histories page; any other is not looked at. */
  readonly historyPlace: "message_seq" | "message_id";
  /** message_seq is the message's id, or its number within the chat. */
  readonly seqIsId: boolean;
  /** The parameters that may name a forward. */
  readonly forwardIds: readonly string[];
  /** The shape of what a forward holds. */
  readonly forwardAnswer: "events" | "contents" | "nodes";
  /** The fields of a node that name its writer. */
  readonly nodeWriter: readonly [string, string];
  /** Files are taken as segments. */
  readonly fileSegments: boolean;
}

const onlyLagrange = ["set_group_reaction"];
const onlyNapCat = ["get_recent_contact", "upload_file_stream", "get_guild_service_profile"];

export const fakeTraits: Readonly<Record<FakeImplementation, FakeTraits>> = {
  napcat: {
    appName: "NapCat.Onebot",
    unknownAction: 1404,
    lacks: onlyLagrange,
    historyPlace: "message_seq",
    seqIsId: true,
    forwardIds: ["message_id", "id"],
    forwardAnswer: "events",
    nodeWriter: ["user_id", "nickname"],
    fileSegments: true,
  },
  llbot: {
    appName: "LLOneBot",
    unknownAction: 1404,
    lacks: [...onlyNapCat, ...onlyLagrange],
    historyPlace: "message_seq",
    seqIsId: false,
    forwardIds: ["message_id"],
    forwardAnswer: "contents",
    nodeWriter: ["user_id", "nickname"],
    fileSegments: true,
  },
  lagrange: {
    appName: "Lagrange.OneBot",
    unknownAction: 404,
    lacks: [...onlyNapCat, "set_input_status", "set_msg_emoji_like"],
    historyPlace: "message_id",
    seqIsId: false,
    forwardIds: ["id"],
    forwardAnswer: "nodes",
    nodeWriter: ["user_id", "nickname"],
    fileSegments: false,
  },
  gocqhttp: {
    appName: "go-cqhttp",
    unknownAction: 404,
    lacks: [...onlyNapCat, ...onlyLagrange, "set_input_status", "set_msg_emoji_like", "get_friend_msg_history"],
    historyPlace: "message_seq",
    seqIsId: false,
    forwardIds: ["message_id"],
    forwardAnswer: "contents",
    nodeWriter: ["uin", "name"],
    fileSegments: false,
  },
};
