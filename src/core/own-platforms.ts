/** The owner's own chats in the web console. */
export const consolePlatform = "console";
/** The owner who is signed in to the web console: as an actor, and as the person of those chats. */
export const consoleOwner = "console:owner";

/** Chats there have names that people choose, not the ids of those who are in them; their users have this machine. */
export const isOwnPlatform = (platform: string): boolean => platform === "cli" || platform === consolePlatform;
