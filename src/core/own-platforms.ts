/** The owner's own chats in the web console. */
export const consolePlatform = "console";
/** Whoever is signed in to the web console as the owner: as an actor, and as the person of those chats. */
export const consoleOwner = "console:owner";

/** Chats there have names that people choose, not the ids of those who are in them; whoever uses them has this machine. */
export const isOwnPlatform = (platform: string): boolean => platform === "cli" || platform === consolePlatform;
