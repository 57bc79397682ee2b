import { kurisuCommand } from "../../kurisu-command.ts";

/** Why no model answered. Nothing is kept until it answers again, so each says whether to send it once more. */
export const outage = {
  unreachable: `The model cannot be reached, so this got no answer, and it is not kept. Send it again in a few minutes; if it stays like this, an administrator should run \`${kurisuCommand} doctor\`.`,
  limited:
    "The model's server says it was asked too often (429); it is not down. This got no answer: send it again in a few minutes.",
  keyRefused: `The key was refused (401). That is no network trouble, and sending it again will not help. Put a valid \`OPENAI_API_KEY\` (or your provider's key) in place and restart; \`${kurisuCommand} doctor\` tells which one.`,
  noCredit: `There is no credit left at the model's provider (402); sending it again will not help. Top it up and call me; \`${kurisuCommand} doctor\` tells which one.`,
  notFound:
    "The server knows no such model (404); sending it again will not help. Correct the name in `KURISU_MODEL` and call me.",
  tooMuch: "The model does not take this conversation; most likely it is too long. Send less, or start over with /new.",
  forOthers: "I can't answer right now; an administrator has to see to it. This is not kept: send it again later.",
  /** To owners in private, when it was somebody else's message. */
  toOwner: (cause: string) => `Somebody called me and I could not answer. ${cause}`,
  /** To an owner in private, once. */
  offlineModel: `One thing first: no real model is connected, so I only follow rules. Set \`OPENAI_API_KEY\` or start Ollama, then we can talk brain science; \`${kurisuCommand} doctor\` tells what is missing. (I say this once.)`,
} as const;
