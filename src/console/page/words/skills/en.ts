import type { SkillsWords } from "./zh.ts";

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const skills: SkillsWords = {
  title: "Skills",
  from: { own: "her own", shared: "shared with other agents", installed: "installed" },
  usual: {
    own: "By default: used when a message calls for it",
    shared: "By default: off until an owner says /skills on in a chat",
    installed: "By default: an owner is asked once in each chat",
  },
  missing: (what) => `Cannot be used, missing: ${what}`,
  in: (chat) => `In ${chat}`,
  choices: { on: "on", off: "off", auto: "default" },
  chosen: (skill, chat) => `${skill} is changed in ${chat}.`,
  findings: (count) => `The checks found ${plural(count, "thing", "things")}`,
  off: (problem) => `Off: ${problem}`,
  remove: "Remove…",
  sure: (skill) => `Remove ${skill}? Its files are deleted, and no chat can use it any more.`,
  yes: "Remove",
  no: "Never mind",
  removed: (skill) => `${skill} is removed.`,
  gone: "It is not there any more.",
  failed: "That did not work. Try again.",
  none: "No skills yet",
  noneHow: "Drop an archive above, or put a folder into config/skills.",
  archive: {
    title: "Install a skill",
    drop: "Drop an archive here (.skill, .zip, .tar.gz, 20 MB at most), or",
    choose: "choose a file",
    how: "You see what is inside before you decide. Nothing of it runs meanwhile.",
    reading: "Looking at it…",
    tooLarge: "The archive is larger than 20 MB.",
    files: (count) => plural(count, "file", "files"),
    clean: "The checks found nothing.",
    blocked:
      "The checks found what is known from bad skills, so it is not installed from here. If you are sure, use her machine:",
    changes: (version) => `Compared with the installed ${version}`,
    same: "The same as the installed one.",
    hash: (hash) => `Hash ${hash}`,
    install: "Install",
    update: "Replace it",
    cancel: "Do not install",
    done: (skill) => `${skill} is installed. An owner is asked once in each chat before it is used there.`,
    other: "This is not what was shown. Nothing was installed; drop the archive again.",
  },
};
