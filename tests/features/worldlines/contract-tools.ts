import { createDMailTool } from "../../../src/features/worldlines/dmail-tool.ts";

export const examples = { dmail: { checkpoint: 0, message: "The first file is the right one." } };
export const answersHere = ["dmail"];
export const create = () => [createDMailTool()];
