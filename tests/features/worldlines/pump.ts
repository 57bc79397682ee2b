import { chat } from "../../support/pump/chat-reason.ts";

export const exempt = { "features/worldlines/worldline-commands.ts": chat };
