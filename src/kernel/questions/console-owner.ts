/** Whoever is signed in to the web console as the owner, as an actor. No account of a platform has this id. */
export const consoleOwner = "console:owner";
