import type { ReasonWords } from "./reason-words.ts";

/** Reasons of the shell and its container. */
export const sandboxReasons: readonly ReasonWords[] = [
  [
    "The command was stopped before it ended; part of it may have happened in the workspace.",
    "命令没跑完就被叫停了，可能做了一部分。",
    "コマンドは途中で止められた。一部は実行されたかもしれない。",
  ],
  [
    "{} commands of this chat go on already. End one with shell_output first.",
    "这个聊天里已经有 {} 条命令在后台跑，先结束一条。",
    "このチャットではもう {} 件のコマンドが動いている。先に一つ終わらせて。",
  ],
  [
    "{} commands of all chats go on already. Wait until one has ended.",
    "后台已经有 {} 条命令在跑，等一条结束再试。",
    "もう {} 件のコマンドが動いている。一つ終わるまで待って。",
  ],
  ["{~} The command did not run.", "{~}命令没有执行。", "{~}コマンドは実行していない。"],
  [
    "A command that may reach hosts cannot be followed. Run it without follow.",
    "能访问主机的命令不能放在后台跟着看。",
    "ホストにつながるコマンドは追いかけられない。",
  ],
  [
    "A sub-agent cannot follow a command. Run it without follow.",
    "助手不能把命令放在后台跟着看。",
    "補助エージェントはコマンドを追いかけられない。",
  ],
  [
    "This chat has no command {}. If there was one, it was ended with a restart; run it again if it is still wanted.",
    "这个聊天里没有命令 `{}`；要是有过，重启时已经结束了，还要的话再跑一次。",
    "このチャットにコマンド `{}` はない。あったなら再起動で終わっている。まだ要るならもう一度実行して。",
  ],
  ["It was stopped.", "已经停下了。", "止めた。"],
  ["It was stopped with the chat's work.", "和这个聊天的活一起停下了。", "このチャットの作業と一緒に止めた。"],
  ["It was stopped with all work.", "和所有的活一起停下了。", "すべての作業と一緒に止めた。"],
  [
    "It was stopped: the sandbox was switched off.",
    "沙箱关掉了，命令也停下了。",
    "サンドボックスが切られたので止めた。",
  ],
  ["It was ended: it had written too much.", "输出太多，结束了。", "出力が多すぎて終わらせた。"],
  ["It was ended after {} s, its time limit.", "跑了 {} 秒，到时限了，已结束。", "{} 秒の制限時間で終わらせた。"],
  [
    "It was ended from outside: its container is gone.",
    "容器没了，命令被外面结束了。",
    "コンテナがなくなり、外から終わらされた。",
  ],
  ["The command was stopped before it began.", "命令还没开始就被叫停了。", "コマンドは始まる前に止められた。"],
  [
    "{~} Part of the command may have happened; look at the workspace before running it again.",
    "{~}可能做了一部分，再跑之前先看看工作区。",
    "{~}一部は実行されたかもしれない。やり直す前に確認して。",
  ],
  ["{~} The command did not run. {}", "{~}命令没有执行。", "{~}コマンドは実行していない。"],
  ["The sandbox is switched off.", "沙箱关着。", "サンドボックスは切られている。"],
  [
    "The container engine has not been looked at yet.",
    "还没看过容器引擎，等一下再试。",
    "コンテナエンジンはまだ確認中。少し待って。",
  ],
  [
    "This process may not use the container engine at {}.",
    "没有权限用容器引擎。",
    "コンテナエンジンを使う権限がない。",
  ],
  [
    "The container engine at {} does not answer in time.",
    "容器引擎没有及时回应。",
    "コンテナエンジンが時間内に応答しない。",
  ],
  [
    "No container engine answers at {} ({}).",
    "容器引擎没有回应，沙箱开不了。",
    "コンテナエンジンが応答しない。サンドボックスが使えない。",
  ],
  ["The container engine has no image {}.", "容器引擎里没有镜像 `{}`。", "コンテナエンジンにイメージ `{}` がない。"],
  ["The engine guard refused ({}).", "引擎守卫拒绝了：`{}`", "エンジンガードが拒否した：`{}`"],
  [
    "The container was removed by somebody else while it was in use.",
    "容器用到一半被别人删了。",
    "コンテナが使用中に誰かに消された。",
  ],
  [
    "The container was removed by somebody else while the command ran.",
    "命令跑到一半容器被别人删了。",
    "コマンドの途中でコンテナが誰かに消された。",
  ],
  [
    "The container engine does not see the workspace folder.",
    "容器引擎看不到工作区文件夹。",
    "コンテナエンジンからワークスペースが見えない。",
  ],
  [
    "The container engine cannot load the system call filter ({}).",
    "容器引擎加载不了系统调用过滤器：`{}`",
    "コンテナエンジンがシステムコールフィルターを読み込めない：`{}`",
  ],
  [
    "The container engine does not know the runtime that is set ({}).",
    "容器引擎不认识设定的运行时：`{}`",
    "コンテナエンジンが設定されたランタイムを知らない：`{}`",
  ],
  ["The container could not be started ({}).", "容器起不来：`{}`", "コンテナを起動できない：`{}`"],
  ["The container engine refused ({}).", "容器引擎拒绝了：`{}`", "コンテナエンジンが拒否した：`{}`"],
  [
    "The container engine was lost while the command ran.",
    "命令跑到一半，容器引擎断了。",
    "コマンドの途中でコンテナエンジンが切れた。",
  ],
  [
    "The container engine was lost while the command began.",
    "命令刚开始，容器引擎就断了。",
    "コマンドを始めたところでコンテナエンジンが切れた。",
  ],
  [
    "The container ended, or was removed by somebody else, while the command ran.",
    "命令跑到一半，容器没了。",
    "コマンドの途中でコンテナがなくなった。",
  ],
  [
    "The container ran out of memory and ended.",
    "容器内存用完了，被结束了。",
    "コンテナのメモリが足りなくなって終了した。",
  ],
  ["The container is lost: {}.", "容器丢了：`{}`", "コンテナが失われた：`{}`"],
  ["The runner in the container is lost: {}.", "容器里的执行器丢了：`{}`", "コンテナの実行役が失われた：`{}`"],
  [
    "The command could not be started in the container ({}).",
    "命令在容器里起不来：`{}`",
    "コンテナでコマンドを開始できない：`{}`",
  ],
  [
    "Another command is at work in this container.",
    "这个容器里还有别的命令在跑。",
    "このコンテナでは別のコマンドが実行中。",
  ],
  ["The command holds a NUL character.", "命令里有 NUL 字符。", "コマンドに NUL 文字がある。"],
  [
    "The command is too long, or holds a NUL character.",
    "命令太长，或者里面有 NUL 字符。",
    "コマンドが長すぎるか、NUL 文字がある。",
  ],
  [
    "The sandbox image holds no runner of this version, so nothing can be handed to a command.",
    "沙箱镜像的版本不对，要重新构建。",
    "サンドボックスのイメージの版が合わない。作り直しが必要。",
  ],
  ["Commands reach no network here.", "这里的命令不能联网。", "ここではコマンドはネットワークにつながらない。"],
  [
    "The sandbox image is too old for a command with a network.",
    "沙箱镜像太旧，不能跑要联网的命令。",
    "サンドボックスのイメージが古くて、ネットワークを使えない。",
  ],
  [
    "The folder of the command's network could not be made: {}.",
    "联网用的文件夹建不出来：`{}`",
    "ネットワーク用のフォルダーを作れない：`{}`",
  ],
  ["Kurisu is being stopped.", "我正在停下。", "今停止しているところ。"],
];
