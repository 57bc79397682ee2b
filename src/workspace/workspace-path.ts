import { z } from "zod";
import { parseWorkspacePath } from "./parse-workspace-path.ts";

/** An argument that is a path of the workspace: an invalid one is refused before the user is asked to approve it. */
export const workspacePath = z
  .string()
  .min(1)
  .max(1024)
  .superRefine((path, context) => {
    const parsed = parseWorkspacePath(path);
    if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.error });
  });
