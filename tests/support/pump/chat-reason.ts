/** Why the words of a command need no pump of their own. */
export const chat =
  "an anchored command of a message, whose length the door limits; its words are read by command readers that are pumped";
