import { expect, test } from "vitest";
import { formatMessages, logFormats } from "../../../src/features/chatlog/format-messages.ts";

const messages = Array.from({ length: 40 }, (_, id) => ({ id, from: "a", text: "b", saidAt: id * 1_000 }));

test.each(logFormats)("messages that are laid out as %s never exceed the room there is", (format) => {
  for (let maxLength = 100; maxLength < 400; maxLength += 7) {
    const { shown, text } = formatMessages(messages, { format, maxLength, zone: "UTC", language: "en" });
    expect(text.length).toBeLessThanOrEqual(maxLength);
    expect(shown).toBeGreaterThan(0);
  }
});
