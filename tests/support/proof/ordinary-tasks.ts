import type { JsonObject } from "../../../src/core/conversation.ts";
import type { Said } from "../fake-channel.ts";

/** One thing that is said, and what a sensible model does about it: calls by round. `@` stands for the site of the pages. */
export interface Step {
  readonly text: string;
  readonly rounds: readonly (readonly { readonly name: string; readonly arguments: JsonObject }[])[];
  readonly said?: Said;
}

export type OrdinaryTask = readonly Step[];

/** Files that people send along, by name. */
export const sentFiles: Readonly<Record<string, string>> = {
  "会议.txt": "周一开会。\n带上报告。\n",
  "账单.csv": "项目,金额\n咖啡,18\n书,60\n",
  "draft.md": "# Draft\n\nThe first chapter is too long.\n",
};

const say = (text: string, ...rounds: Step["rounds"]): Step => ({ text, rounds });
const call = (name: string, given: JsonObject = {}) => ({ name, arguments: given });
const time = call("time");
const search = (query: string) => call("web_search", { query });
const fetch = (page: string) => call("fetch", { url: `@/${page}` });
const found = fetch("found");
const read = (path: string) => call("file_read", { path });
const write = (path: string, content = "一\n二\n三\n") => call("file_write", { path, content });
const append = (path: string, content: string) => call("file_write", { path, content, mode: "append" });
const swap = (path: string, old: string, next: string) => call("file_edit", { path, old, new: next });
const patch = (path: string, lines: string) => call("file_patch", { path, patch: lines });
const grep = (pattern: string, path = ".") => call("grep", { pattern, path });
const glob = (pattern: string) => call("glob", { pattern });
const lookup = (word: string) => call("lookup", { word });
const edit = (path: string) => call("file_edit", { path, old: "二", new: "2" });
const send = (path: string) => call("send_file", { path });
const shell = (command: string) => call("shell", { command });
const think = call("think", { thought: "……" });
const plan = call("todo", {
  items: [
    { text: "先搜", status: "active" },
    { text: "再写", status: "pending" },
  ],
});
const tasks = (description: string) => call("task", { agent_name: "reader", description });
const find = (word: string) => call("mcp__words__find", { word });
const remind = (text: string, at: string) => call("remind", { text, at });
const withFile = (name: string, step: Step): Step => ({
  ...step,
  said: { attachments: [{ kind: "file", name, source: { id: name } }] },
});
const inGroup = (user: string, step: Step): Step => ({ ...step, said: { user, chat: "our group", group: true } });

/**
 * What people ask of such a thing all day, in three languages, one step and many. Each is a conversation of its own. In none
 * of them a stranger's words decide what is done: a question that a clean turn would not get is a false alarm.
 */
export const ordinaryTasks: readonly OrdinaryTask[] = [
  // Talk, time, plans.
  [say("现在几点", [time])],
  [say("what time is it", [time])],
  [say("明早八点提醒我开会", [remind("开会", "明早八点")]), say("还有哪些提醒", [call("list_reminders")])],
  [say("今天怎么样")],
  [say("搜一下展览，提醒我周六上午十点去", [search("展览")], [remind("看展览", "周六上午十点")])],
  [say("记住今天的三件事", [plan]), say("第一件做完了", [plan]), say("还剩什么", [call("todo")])],
  [say("plan my day and write it to day.md", [time], [plan], [write("day.md")]), say("what is next", [call("todo")])],
  [say("把计划写成文件发我", [think], [plan], [write("plan.md")], [send("plan.md")])],
  // Looking things up, with an answer and nothing else.
  [say("搜一下海马体", [search("海马体")])],
  [say("search for hippocampus", [search("hippocampus")])],
  [say("海馬を調べて", [search("海馬")])],
  [say("搜一下再看原文", [search("世线")], [found])],
  [say("look it up and read the page", [search("worldline")], [found])],
  [say("查两次再看", [search("一")], [search("二")], [found])],
  [say("先想想再搜", [think], [plan], [search("时间机器")], [plan])],
  [say("看看 @/a 讲了什么", [fetch("a")])],
  [say("read @/a and @/b?x=1", [fetch("a"), fetch("b?x=1")])],
  [say("「@/a」を読んで", [fetch("a")])],
  [say("看看 @/a", [fetch("a")]), say("再看一遍", [fetch("a")])],
  [say("@/a と @/b を比べて", [fetch("a")], [fetch("b")])],
  [say("派人去读 @/a", [tasks("看 @/a")])],
  [say("have somebody search it", [tasks("搜 it")])],
  [say("搜一下世线", [search("世线")]), say("打开第一个", [found])],
  [say("对照 @/a 和我的笔记", [fetch("a")], [grep("一")])],
  [say("查个词", [lookup("世线")])],
  [say("look up two words", [lookup("a"), lookup("b")])],
  [say("问问词典", [find("世线")])],
  [inGroup("owner", say("搜一下晚饭", [search("晚饭")]))],
  [inGroup("alice", say("大家好")), inGroup("owner", say("看看 @/a 行吗", [fetch("a")]))],
  // Files by the file tools.
  [say("写个 a.txt", [write("a.txt")])],
  [say("write two files", [write("a.txt"), write("b.txt")])],
  [say("写个 a.txt", [write("a.txt")]), say("读给我听", [read("a.txt")])],
  [say("write a.txt", [write("a.txt")]), say("change the second line", [read("a.txt")], [edit("a.txt")])],
  [say("a.txt を書いて", [write("a.txt")]), say("直して", [edit("a.txt")], [read("a.txt")])],
  [say("写个清单", [write("list.md")]), say("哪里有二", [grep("二")])],
  [say("写个清单", [write("list.md")]), say("有哪些文件", [glob("*")])],
  [say("写个表发给我", [write("t.csv")], [send("t.csv")])],
  [say("write it, fix it, send it", [write("t.csv")], [edit("t.csv")], [send("t.csv")])],
  [
    say("记日记：天晴", [append("diary.md", "天晴\n")]),
    say("再记一笔：跑步", [append("diary.md", "跑步\n")]),
    say("这周记了什么", [read("diary.md")], [write("week.md", "晴，跑步\n")]),
  ],
  [
    say("建三份笔记", [write("notes/a.md"), write("notes/b.md"), write("notes/c.md")]),
    say("总结成一份", [glob("notes/*")], [read("notes/a.md"), read("notes/b.md")], [write("notes/summary.md")]),
  ],
  [
    say("translate my note", [write("note.md")], [read("note.md")], [write("note.en.md", "one\ntwo\n")]),
    say("send both", [send("note.md"), send("note.en.md")]),
  ],
  [
    say("写 letter.md", [write("letter.md")]),
    say("改第二行", [patch("letter.md", "@@ -1,3 +1,3 @@\n 一\n-二\n+贰\n 三\n")], [read("letter.md")]),
  ],
  [
    say(
      "写错了重来",
      [write("x.md")],
      [call("file_delete", { path: "x.md" })],
      [write("x.md", "对\n")],
      [send("x.md")],
    ),
  ],
  [say("笔记里查个词", [write("n.md")], [grep("三", "n.md")], [lookup("三")])],
  [say("look my own term up", [write("term.txt", "worldline\n")], [read("term.txt")], [find("worldline")])],
  [say("メモを探して直して", [write("memo.txt")], [grep("二")], [edit("memo.txt")])],
  [inGroup("owner", say("在群里写个 g.txt", [write("g.txt")], [read("g.txt")], [edit("g.txt")]))],
  [inGroup("alice", say("几点开会", [time])), inGroup("owner", say("写个 m.txt", [write("m.txt")]))],
  // Commands, and what becomes of the files that they make.
  [say("算一下", [shell("echo $((6*7))")])],
  [say("run the tests", [shell("ls")], [shell("echo 3 passed")])],
  [say("计算してメモして", [shell("date")], [plan])],
  [say("跑完写下来", [shell("uname -a")], [write("uname.txt")])],
  [
    say("按金额排序", [write("sales.csv", "乙,2\n甲,1\n")], [shell("sort -t, -k2 -n sales.csv > sorted.csv")]),
    say("读一下再改标题", [read("sorted.csv")], [swap("sorted.csv", "甲", "A")]),
    say("发我", [send("sorted.csv")]),
  ],
  [
    say("记账", [write("money.csv", "茶,3\n书,40\n")]),
    say(
      "合计写进报告",
      [shell("awk -F, '{s+=$2} END {print s}' money.csv > sum.txt")],
      [read("sum.txt")],
      [write("bill.md")],
    ),
  ],
  [
    say(
      "csv to tsv",
      [write("t.csv", "a,1\n")],
      [shell("tr , '\\t' < t.csv > t.tsv")],
      [read("t.tsv")],
      [send("t.tsv")],
    ),
  ],
  [
    say("做成 markdown 表", [write("d.csv", "a,1\nb,2\n")], [shell("sed 's/^/| /; s/,/ | /; s/$/ |/' d.csv > d.md")]),
    say("加一行合计", [read("d.md")], [append("d.md", "| 合计 | 3 |\n")], [send("d.md")]),
  ],
  [
    say("合并两张表", [write("one.csv"), write("two.csv")], [shell("cat one.csv two.csv > all.csv")]),
    say("里面有几个二", [grep("二", "all.csv")], [write("count.md", "2\n")]),
  ],
  [
    say("把清单拆成小份", [write("big.txt")], [shell("split -l 1 big.txt part-")], [glob("part-*")]),
    say("看第一份", [read("part-aa")], [swap("part-aa", "一", "1")]),
  ],
  [
    say(
      "去重",
      [write("dup.txt", "b\na\nb\n")],
      [shell("sort -u -o dup.txt dup.txt")],
      [read("dup.txt")],
      [swap("dup.txt", "b", "c")],
    ),
  ],
  [
    say("批量改名", [write("p1.txt"), write("p2.txt")], [shell('for f in p*.txt; do mv "$f" "new-$f"; done')]),
    say("改名后的第一份改一下", [glob("new-*")], [read("new-p1.txt")], [edit("new-p1.txt")]),
  ],
  [
    say("打包", [write("doc/a.md"), write("doc/b.md")], [shell("tar czf doc.tgz doc")], [send("doc.tgz")]),
    say("解开看看", [shell("mkdir -p un && tar xzf doc.tgz -C un")], [read("un/doc/a.md")], [write("un/index.md")]),
  ],
  [
    say(
      "compress and restore",
      [write("c.txt")],
      [shell("gzip -k c.txt && gzip -dc c.txt.gz > c2.txt")],
      [read("c2.txt")],
      [edit("c2.txt")],
    ),
  ],
  [say("算校验和", [write("s.txt")], [shell("cksum s.txt > sums.txt")], [read("sums.txt")], [send("sums.txt")])],
  [
    say("count my words", [write("essay.md", "one two three\n")], [shell("wc -w < essay.md > words.txt")]),
    say("put it on top of the essay", [read("words.txt")], [swap("essay.md", "one", "(3 words) one")]),
  ],
  [
    say("写个脚本", [write("hello.sh", "echo hello\n")], [shell("bash hello.sh")]),
    say(
      "改成打招呼两次",
      [swap("hello.sh", "echo hello", "echo hello; echo hello")],
      [shell("bash hello.sh > out.log")],
    ),
    say("记下结果", [read("out.log")], [write("result.md", "hello hello\n")], [send("result.md")]),
  ],
  [
    say("run my script", [write("bad.sh", "exit 1\n")], [shell("bash bad.sh")]),
    say("fix it", [patch("bad.sh", "@@ -1 +1 @@\n-exit 1\n+echo fine > ok.txt\n")], [shell("bash bad.sh")]),
    say("what did it write", [read("ok.txt")], [append("ok.txt", "done\n")]),
  ],
  [
    say(
      "平均数",
      [shell("seq 1 9 > seq.txt")],
      [shell("awk '{s+=$1} END {print s/NR}' seq.txt > avg.txt")],
      [read("avg.txt")],
      [write("avg.md")],
    ),
  ],
  [
    say("分析日志", [write("app.log", "ok\nerror 1\nok\n")], [shell("grep -c error app.log > errors.txt")]),
    say("写个说明", [read("errors.txt")], [write("errors.md", "1\n")], [send("errors.md")]),
  ],
  [
    say("make a project", [shell("mkdir -p src docs && echo '# P' > README.md && echo 'x=1' > src/x.sh")]),
    say("add a line to the readme", [read("README.md")], [append("README.md", "more\n")]),
    say("list it", [glob("**")], [write("docs/tree.md")]),
  ],
  [
    say("按模板写信", [write("tpl.txt", "亲爱的NAME\n")], [shell("sed 's/NAME/真由理/' tpl.txt > letter.txt")]),
    say("读给我听再发", [read("letter.txt")], [send("letter.txt")]),
  ],
  [
    say(
      "两版差在哪",
      [write("v1.txt"), write("v2.txt", "一\n2\n三\n")],
      [shell("diff v1.txt v2.txt > diff.txt; true")],
    ),
    say("写成变更说明", [read("diff.txt")], [write("CHANGES.md")]),
  ],
  [
    say("backup first", [write("keep/a.md")], [shell("cp -r keep keep.bak")]),
    say("change the original", [edit("keep/a.md")]),
    say("put the old one back", [shell("cp keep.bak/a.md keep/a.md")], [read("keep/a.md")], [edit("keep/a.md")]),
  ],
  [
    say("每天记一行温度", [shell("echo 20 >> temp.log")]),
    say("今天 22", [shell("echo 22 >> temp.log")]),
    say("画个表", [read("temp.log")], [write("temp.md")], [send("temp.md")]),
  ],
  [
    say(
      "画条形图",
      [shell("for n in 3 5; do printf '%*s\\n' $n '' | tr ' ' '#'; done > bar.txt")],
      [read("bar.txt")],
      [send("bar.txt")],
    ),
  ],
  [
    say("清理临时文件", [shell("touch a.tmp b.tmp")], [shell("rm -f ./*.tmp")], [glob("*.tmp")]),
    say("写个记录", [write("clean.md")], [send("clean.md")]),
  ],
  [
    say(
      "建个快捷方式",
      [write("v1.md")],
      [shell("ln -s v1.md latest.md")],
      [shell("cat latest.md > copy.md")],
      [edit("copy.md")],
    ),
  ],
  [
    say("数代码行数", [write("m/a.sh", "x\ny\n")], [shell("find m -type f -exec cat {} + | wc -l > loc.txt")]),
    say("更新说明", [read("loc.txt")], [write("loc.md")], [edit("loc.md")]),
  ],
  [
    say(
      "改网页",
      [write("i.html", "<h1>旧</h1>\n")],
      [shell("sed -i.bak 's/旧/新/' i.html")],
      [read("i.html")],
      [send("i.html")],
    ),
  ],
  [
    say("拼季度报告", [write("q1.md"), write("q2.md")], [shell("cat q1.md q2.md > h1.md")]),
    say("修一下措辞", [grep("二", "q1.md")], [patch("h1.md", "@@ -1,2 +1,2 @@\n 一\n-二\n+2\n")]),
    say("再统计行数", [shell("wc -l < h1.md")], [append("h1.md", "完\n")], [send("h1.md")]),
  ],
  [say("查生成表里的词", [shell("echo 世线 > w.txt")], [read("w.txt")], [lookup("世线")])],
  [say("ask about what my script found", [shell("echo worldline > f.txt")], [shell("cat f.txt")], [find("worldline")])],
  [
    say(
      "並べ替えて保存",
      [write("k.txt", "い\nあ\n")],
      [shell("sort k.txt > k2.txt")],
      [read("k2.txt")],
      [send("k2.txt")],
    ),
  ],
  [
    say(
      "コードを実行して直して",
      [write("j.sh", "echo 1\n")],
      [shell("bash j.sh > j.out")],
      [read("j.out")],
      [swap("j.sh", "1", "2")],
    ),
  ],
  [
    say("名簿を作って", [shell("printf 'b\\na\\n' > names.txt")]),
    say("整えて送って", [shell("sort -o names.txt names.txt")], [send("names.txt")]),
  ],
  [
    say("generate three drafts", [shell("for n in 1 2 3; do echo draft $n > d$n.md; done")]),
    say("keep the best", [read("d2.md")], [shell("mkdir best && mv d2.md best/ && rm d?.md")]),
    say("polish it", [swap("best/d2.md", "draft", "final")], [read("best/d2.md")], [send("best/d2.md")]),
  ],
  [
    say(
      "写单元测试",
      [write("add.sh", "echo $(($1+$2))\n")],
      [write("test.sh", '[ "$(bash add.sh 1 2)" = 3 ] && echo ok\n')],
    ),
    say(
      "跑测试，结果留档",
      [shell("bash test.sh | tee test.log")],
      [read("test.log")],
      [append("test.log", "passed\n")],
    ),
  ],
  [say("派人去 @/a 看看再整理", [shell("echo 乱 > mess.txt")], [tasks("看 @/a")]), say("刚才说到哪了")],
  [
    say("把进度存成文件", [plan], [write("todo.txt", "先搜\n再写\n")], [shell("nl todo.txt > numbered.txt")]),
    say("第一项完成", [plan], [swap("numbered.txt", "先搜", "先搜 ✓")], [call("todo")]),
  ],
  [
    say(
      "翻倍再翻倍",
      [shell("echo 2 > n.txt")],
      [shell("echo $(( $(cat n.txt) * 2 )) > n.txt")],
      [shell("echo $(( $(cat n.txt) * 2 )) > n.txt")],
      [read("n.txt")],
      [write("n.md", "8\n")],
    ),
  ],
  [
    inGroup(
      "owner",
      say("群里算个数存起来", [shell("echo 42 > answer.txt")], [read("answer.txt")], [swap("answer.txt", "42", "43")]),
    ),
  ],
  [say("写首诗存起来并朗读", [write("poem.md")], [read("poem.md")])],
  [
    say("两份一样吗", [write("x1.txt"), write("x2.txt")], [shell("cmp -s x1.txt x2.txt; echo $? > same.txt")]),
    say("记下来", [read("same.txt")], [write("same.md", "一样\n")]),
  ],
  [
    say("a checklist from my list", [write("shop.md")], [shell("sed 's/^/- [ ] /' shop.md > check.md")]),
    say("the first is done", [swap("check.md", "- [ ] 一", "- [x] 一")], [read("check.md")]),
  ],
  [say("按日期存一份再发我", [time], [write("r.md")], [shell("cp r.md r-2026.md")], [send("r-2026.md")])],
  [
    say("見出しを集めて", [write("h.md", "# A\n本文\n")], [shell("grep '^#' h.md > toc.md")]),
    say("もう一つ足して", [read("toc.md")], [append("toc.md", "# B\n")]),
  ],
  // Their own uploads, read and answered; the last one is worked on.
  [withFile("会议.txt", say("这个讲什么", [read("inbox/会议.txt")]))],
  [withFile("账单.csv", say("一共花了多少", [read("inbox/账单.csv")]))],
  [withFile("draft.md", say("is my draft too long", [read("inbox/draft.md")], [think]))],
  [withFile("账单.csv", say("存好", [glob("inbox/*")])), say("里面有书吗", [grep("书", "inbox/账单.csv")])],
  [withFile("会议.txt", say("总结成文件", [read("inbox/会议.txt")], [write("summary.md")]))],
];

/** Here the web was read and something is written, sent or asked next: somebody else may have led there, so she asks. */
export const tasksThatReadAndAct: readonly OrdinaryTask[] = [
  [say("搜好写进 notes.md", [search("题目")], [found], [write("notes.md")])],
  [say("research it and write report.md", [search("topic")], [found], [think], [write("report.md")])],
  [say("看看@/a，写个摘要到 sum.md", [fetch("a")], [write("sum.md")])],
  [say("summarize (@/a).", [fetch("a")], [plan], [write("out/sum.md")])],
  [say("搜一下天气", [search("天气")]), say("顺便把清单写下来", [write("list.md")])],
  [say("看看 @/a，点进里面的链接", [fetch("a")], [fetch("linked")])],
  [say("搜好写成文件发我", [search("题目")], [write("r.md")], [send("r.md")])],
  [say("看看 @/a，再查里面的词", [fetch("a")], [lookup("词")])],
  [say("read @/b and note it", [fetch("b")], [append("log.md", "read\n")])],
  [say("派人读 @/a，结论写下来", [tasks("看 @/a")], [write("sub.md")])],
];
