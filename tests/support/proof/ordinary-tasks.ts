import type { JsonObject } from "../../../src/core/conversation.ts";
import type { Said } from "../fake-channel.ts";

/** One thing that is said, and what a sensible model does about it: calls by round. `@` stands for the site of the pages. */
export interface Step {
  readonly text: string;
  readonly rounds: readonly (readonly { readonly name: string; readonly arguments: JsonObject }[])[];
  readonly said?: Said;
}

export type OrdinaryTask = readonly Step[];

const say = (text: string, ...rounds: Step["rounds"]): Step => ({ text, rounds });
const call = (name: string, given: JsonObject = {}) => ({ name, arguments: given });
const time = call("time");
const search = (query: string) => call("web_search", { query });
const fetch = (page: string) => call("fetch", { url: `@/${page}` });
const found = fetch("found");
const read = (path: string) => call("file_read", { path });
const write = (path: string, content = "一\n二\n三\n") => call("file_write", { path, content });
const edit = (path: string) => call("file_edit", { path, old: "二", new: "2" });
const send = (path: string) => call("send_file", { path });
const shell = (command: string) => call("shell", { command });
const think = call("think", { thought: "……" });
const plan = call("todo", { items: [{ text: "先搜", status: "active" }, { text: "再写", status: "pending" }] });
const tasks = (description: string) => call("task", { agent_name: "reader", description });
const inGroup = (user: string, step: Step): Step => ({ ...step, said: { user, chat: "our group", group: true } });

/** What people ask of such a thing all day, in three languages, one step and many. Each is a conversation of its own. */
export const ordinaryTasks: readonly OrdinaryTask[] = [
  [say("现在几点", [time])],
  [say("what time is it", [time])],
  [say("今何時", [time])],
  [say("今天怎么样")],
  [say("tell me a joke")],
  [say("记住今天的三件事", [plan]), say("第一件做完了", [plan]), say("还剩什么", [call("todo")])],
  [say("搜一下海马体", [search("海马体")])],
  [say("search for hippocampus", [search("hippocampus")])],
  [say("海馬を調べて", [search("海馬")])],
  [say("搜一下再看原文", [search("世线")], [found])],
  [say("look it up and read the page", [search("worldline")], [found])],
  [say("查两次再看", [search("一")], [search("二")], [found])],
  [say("先想想再搜", [think], [plan], [search("时间机器")], [plan])],
  [say("搜好写进 notes.md", [search("题目")], [found], [write("notes.md")])],
  [say("research it and write report.md", [search("topic")], [found], [think], [write("report.md")])],
  [say("看看 @/a 讲了什么", [fetch("a")])],
  [say("read @/a and @/b?x=1", [fetch("a"), fetch("b?x=1")])],
  [say("「@/a」を読んで", [fetch("a")])],
  [say("看看@/a，写个摘要到 sum.md", [fetch("a")], [write("sum.md")])],
  [say("summarize (@/a).", [fetch("a")], [plan], [write("out/sum.md")])],
  [say("看看 @/a", [fetch("a")]), say("再看一遍", [fetch("a")])],
  [say("@/a と @/b を比べて", [fetch("a")], [fetch("b")])],
  [say("派人去读 @/a", [tasks("看 @/a")])],
  [say("have somebody search it", [tasks("搜 it")])],
  [say("写个 a.txt", [write("a.txt")])],
  [say("write two files", [write("a.txt"), write("b.txt")])],
  [say("写个 a.txt", [write("a.txt")]), say("读给我听", [read("a.txt")])],
  [say("write a.txt", [write("a.txt")]), say("change the second line", [read("a.txt")], [edit("a.txt")])],
  [say("a.txt を書いて", [write("a.txt")]), say("直して", [edit("a.txt")], [read("a.txt")])],
  [say("写个清单", [write("list.md")]), say("哪里有二", [call("grep", { pattern: "二" })])],
  [say("写个清单", [write("list.md")]), say("有哪些文件", [call("glob", { pattern: "*" })])],
  [say("写个表发给我", [write("t.csv")], [send("t.csv")])],
  [say("write it, fix it, send it", [write("t.csv")], [edit("t.csv")], [send("t.csv")])],
  [say("算一下", [shell("echo $((6*7))")])],
  [say("run the tests", [shell("ls")], [shell("npm test")])],
  [say("计算してメモして", [shell("date")], [plan])],
  [say("跑完写下来", [shell("uname -a")], [write("uname.txt")])],
  [say("查个词", [call("lookup", { word: "世线" })])],
  [say("look up two words", [call("lookup", { word: "a" }), call("lookup", { word: "b" })])],
  [inGroup("owner", say("搜一下晚饭", [search("晚饭")]))],
  [inGroup("alice", say("大家好")), inGroup("owner", say("看看 @/a", [fetch("a")]))],
  [inGroup("alice", say("几点开会", [time])), inGroup("owner", say("写个 m.txt", [write("m.txt")]))],
  // Here somebody else's words decide where to go or what goes out, and the person is asked.
  [say("搜一下世线", [search("世线")]), say("打开第一个", [found])],
  [say("看看 @/a，点进里面的链接", [fetch("a")], [fetch("linked")])],
  [say("搜好写成文件发我", [search("题目")], [write("r.md")], [send("r.md")])],
  [say("看看 @/a，再查里面的词", [fetch("a")], [call("lookup", { word: "词" })])],
];
