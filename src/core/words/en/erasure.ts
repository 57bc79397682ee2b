import type { Words } from "../dictionary.ts";

const kinds: Words["memory"]["erasure"]["kinds"] = {
  talk: "what was said",
  memories: "memories",
  summaries: "summaries and sentences kept from them",
  reminders: "reminders",
  questions: "questions to you and records of what ran",
  files: "files",
  settings: "settings and preferences",
  traces: "other traces",
};

export const erasure: Words["memory"]["erasure"] = {
  begun: "I'll begin as soon as this is said, and give you the list when it's done.",
  kinds,
  receipt: ({ counts, isWhole }) => {
    const lines = Object.entries(kinds).flatMap(([kind, name]) => {
      const count = counts?.[kind as keyof typeof kinds] ?? 0;
      return count > 0 ? [`${name}: ${count}`] : [];
    });
    const list = lines.length > 0 ? `Erased:\n${lines.join("\n")}` : "There was nothing to erase.";
    const again = isWhole ? " This chat starts over. ...Nice to meet you, I suppose?" : "";
    return `Done, as promised: I don't remember you. ${counts ? list : ""}\nThe audit keeps that something happened, not what. Backups from before, logs, other people's own words and files shared in groups are out of my reach; your role (owner, member) stays.${again}`;
  },
};
