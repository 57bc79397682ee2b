import { describeDuration } from "./describe-duration.ts";
import type { Words } from "./dictionary.ts";
import { busy, choices } from "./ja/choices.ts";
import { approval, nearNo, nearYes, sources } from "./ja/approval.ts";
import { commandMenu, welcome } from "./ja/command-menu.ts";
import { times } from "./ja/times.ts";
import { toolNames } from "./ja/tool-names.ts";
import { cli, editor } from "./ja/cli.ts";
import { start } from "./ja/start.ts";
import { setup } from "./ja/setup.ts";
import { control, outage, trust } from "./ja/control.ts";
import { kurisuCommand } from "../kurisu-command.ts";

/**
 * The gateway's fixed texts in Japanese. The words that people can type come first: 承認 and キャンセル, along with 「确认」 and
 * 「取消」.
 */
export const ja = {
  duration: (milliseconds) => describeDuration(milliseconds, "ja"),
  question: {
    heading: (count) =>
      count === 1 ? "実行しようとしているのはこれです。" : `実行しようとしているのは次の ${count} 件です。`,
    placeSandbox: (limits) =>
      `サンドボックスのコンテナ内、${limits.network ? "ネットワークは下のホストだけ" : "ネットワークなし"}、システムは読み取り専用、最長 ${limits.seconds} 秒`,
    canReach: (reach) =>
      `${reach.calls > 1 ? "これらのコマンド" : "このコマンド"}がアクセスできるのは：${reach.hosts.join("、")}。作業フォルダの中身もそこへ送れます。`,
    placeWorkspace: "このセッションの作業フォルダの中だけ",
    placeNetwork: "ネットワークにアクセスします",
    placeGateway: "サンドボックスを通さず、こちらで直接行います",
    askedByAgent: (agent) => `手分けしてもらっている ${agent} がやろうとしていること。`,
    afterReading: ({ sources, more }) =>
      `さっき ${sources.join("、")}${more > 0 ? ` など ${sources.length + more} 件` : ""} を読んだので、本人の確認が必要です。`,
    afterEarlier: ({ sources, more }) =>
      `この会話で前に ${sources.join("、")}${more > 0 ? ` など ${sources.length + more} 件` : ""} を読んだので、本人の確認が必要です。`,
    waysToAnswer: (ways) => `${ways.join("；")}。`,
    howToAnswer: "「承認」（「确认」）で実行、「キャンセル」（「取消」）で中止",
    howToAnswerInGroup: (who) =>
      `${who.asker} さん、このメッセージに返信で「承認」（「确认」）か「キャンセル」（「取消」）、または「承認 ${who.code}」「キャンセル ${who.code}」と送ってください`,
    approveButton: "承認",
    rejectButton: "キャンセル",
    previewButton: "プレビュー",
    howToPreview: "「プレビュー」で先にコピーの上で試す",
    waitingNote: (what) =>
      `確認済みの質問です。番号 ${what.code}、返事待ち：${what.calls}。もう一度始めたり、実行済みとして扱ったりしないこと。`,
  },
  outcome: {
    approved: "✓ 承認済み",
    rejected: "✗ キャンセル",
    expired: "⌛ 期限切れ、実行していません",
    voided: "⊘ 無効、実行していません",
  },
  decision: {
    expiredNotice: ({ code, what }) =>
      `さっきの ${code}（${what}）は期限切れで、実行していません。まだ必要なら「もう一度」と言ってください。`,
    lateForExpired: (code) => `${code} はもう期限切れです。承認するものはありません。`,
    lateForApproved: (code) => `${code} はすでに承認済みです。二度は実行しません。`,
    lateForRejected: (code) => `${code} はキャンセル済みで、実行していません。`,
    lateForVoided: (code) => `${code} は無効になっていて、実行していません。`,
    noneOpen: "いま返事を待っているものはありません。",
    severalOpen: ({ codes, example }) =>
      `${codes.length} 件が返事待ちです：${codes.join("、")}。どれのことか、「${example}」のように番号を付けてください。`,
    codeNeeded: ({ example }) =>
      `ほかの件が終わったばかりなので念のため。これのことなら「${example}」と送るか、そのメッセージに返信してください。`,
    nearYes,
    nearNo,
    noForApproved: (code) => `${code} はすでに承認済みで、取り消せません。まだ実行中なら /stop で止められます。`,
    alreadyExpired: (code) => `${code} はもう期限切れで、実行していません。`,
    unknownCode: (code) => `${code} という番号で返事を待っているものはありません。`,
    notSentYet: ({ code, example }) =>
      `${code} を送る前の発言なので、返事にはなりません。まず中身を見て、「${example}」と送るか、そのメッセージに返信してください。`,
    notYours: (asker) => `これは ${asker} さんの依頼なので、本人の返事が必要です。`,
    notAllowed: "この種類の操作を承認する権限がありません。管理者に頼んでください。",
    wrongChat: "このチャットで聞いた件ではありません",
    quoteThePrompt: "返信先が確認のメッセージではありません。そのメッセージに返信するか、番号を付けてください。",
    editedIgnored: "編集したメッセージは返事になりません。新しく送ってください。",
    forwardedIgnored: "転送されたメッセージは返事になりません。ご自分で送ってください。",
    captionIgnored: "画像やファイルの説明文は返事になりません。テキストだけで送ってください。",
    voiceIgnored: "音声メッセージは返事になりません。文字で送ってください。",
    policyChanged: (code) =>
      `権限かツールの設定が変わったので、${code} は無効になり、実行していません。必要ならもう一度頼んでください。`,
    cancelledByStop: (codes) => `${codes.join("、")} も無効にしました。実行していません。`,
    takenBack: (code) => `${code} は実行する前に止められました。何もしていません。`,
    stillWaiting: (question) => `再起動しました。${question.code} はまだ返事待ちです。残り ${question.term}。`,
    decidedToast: "受け付けました",
  },
  display: {
    more: (count) => `ほか ${count} 件の結果は表示していない。`,
    left: (count) => `ほかに ${count} 行あります。`,
  },
  previews: {
    cannotPreview: (code) => `${code} はサーバーからの質問で、試せるものはない。`,
    startedToast: "コピーの上で試します",
    started: (code) => `はい、${code} をまず作業フォルダのコピーの上で試します。`,
    running: (code) => `${code} のプレビューはまだ終わっていません。少し待ってください。`,
    unsupported: (what) =>
      `${what.code} はプレビューできません：${what.calls} は作業フォルダのファイルを変えるだけではありません。`,
    outdated: (code) =>
      `${code} のプレビューは以前の作業フォルダでのものです。その後変わった（または比べられない）ので、実際の結果は違うかもしれません。`,
  },
  turn: {
    stopped: "止めました。",
    unfinished: "（途中で止めました。）",
    droppedBehind: (count) => `後ろで待っていた ${count} 件も取り下げました。`,
    nothingToStop: "いま動いているものはありません。",
    newConversation: "はい、最初から始めましょう。これまでの話は脇に置きます。覚えたことは残っています。",
    continueOffer: "ここまでで、まだ終わっていません。続けるなら「続けて」と言ってください。",
    putAside: (id) =>
      `これに触れるたびに落ちてしまうので、脇に置きました。もう試しません。言い方を変えて送り直してください。番号 ${id}、管理者は ${kurisuCommand} audit show ${id} で確認できます。`,
    failed: (id) =>
      `うまくいきませんでした。原因はこちら側です。番号 ${id}、管理者は ${kurisuCommand} audit show ${id} で確認できます。`,
    unknownOutcome: (call) =>
      `少しの間、止まっていました。${call} は実行されたかもしれないし、されていないかもしれません。再実行はしていません。結果を見てみますか？`,
  },
  todo: {
    empty: "ToDo は空です。",
    heading: (sum) => `ToDo、${sum.done}/${sum.all} 件完了：`,
  },
  mode: {
    plan: "計画モードにしたわ。見るだけで何も変えない。実行していいときは /act と言って。",
    planWithin: (paths: readonly string[]) =>
      `計画モード：変えるのは ${paths.join("、")} の中だけ、ほかは見るだけ。/act で戻る。`,
    act: "計画モードは終わり。確認が要るものは、今までどおり確認してもらうわ。",
    wrongPath: (path: string) =>
      `「${path}」はワークスペースのパスじゃないわ。使い方：/plan、または /plan notes drafts。`,
    status: (paths: readonly string[]) =>
      paths.length === 0
        ? "計画モード：見るだけ（/act で終了）"
        : `計画モード：変えるのは ${paths.join("、")} だけ（/act で終了）`,
  },
  message: {
    empty: "メッセージが空です。",
    tooLong: (size) =>
      `${size.length} 文字あります。上限は ${size.limit} 文字です。分けるか、ファイルで送ってください。`,
    wholeInFile: "（長すぎるので、全文は下のファイルにある。）",
    moreWaits: "（まだ続きがあります。何かひとこと返してくれたら、続けて送ります。）",
    attachmentOnly: (what) =>
      `受け取りました（${what}）が、この種類は読めません。してほしいことを言葉で教えてください。`,
  },
  busy,
  attachment: {
    kinds: {
      file: "ファイル",
      image: "画像",
      voice: "ボイスメッセージ",
      audio: "音声",
      video: "動画",
      animation: "アニメーション",
      sticker: "スタンプ",
      contact: "連絡先",
      location: "位置情報",
      poll: "投票",
      dice: "サイコロ",
      card: "カード",
      forward: "転送されたトーク",
      share: "共有リンク",
      music: "音楽",
      other: "その他",
    },
    seconds: (length) => `${length.seconds} 秒`,
    saved: (file) => `ワークスペースの ${file.path} に保存済み（${file.type}、${file.size}）`,
    lost: (what) => `取得できませんでした：${what.why}`,
    tooLarge: (size) => `上限の ${size.limit} を超えています`,
    tooMany: (most) => `1件のメッセージで受け取れるファイルは ${most.count} 個までです`,
    shareFull: (size) => `このグループでの本人の割り当て（${size.limit}）がいっぱいです。先に何か削除してください`,
    guest: "グループではゲストのファイルを保存しません。先にオーナーの許可が必要です",
    workspaceFull: "ワークスペースがいっぱいです。先に何か削除してください",
    unavailable: "プラットフォームから取得する方法がありません",
    stopped: "止められました",
  },
  file: {
    delivered: (file) => `ファイル ${file.name}：${file.path}`,
  },
  access: {
    noOwner:
      "まだ管理者がいないの。わたしを立ち上げたのがあなたなら、起動画面のペアリングコードを個人チャットで送って。",
    strangerHint: (code) => `まだあなたを知りません。管理者にこのペアリングコードを承認してもらってください：${code}`,
    ownerWelcome: (name) => `ペアリングできました、${name} さん。これから管理者です。/help でできることが見られます。`,
    memberWelcome: (name) => `${name} さん、管理者の承認が出ました。/help でできることが見られます。`,
    wrongCode: "ペアリングコードが違うか、期限切れです。",
    personApproved: (name) => `はい、${name} さんと話せるようにしました。`,
    groupOff: "このグループはまだ有効になっていません。/pair を送れば有効になります。",
    chatGone: ({ chat, reason }) =>
      `${chat} では、もう話せない（${reason}）。届いていない分はここまで。もう一度招待するか、ブロックを外せば戻るわ。`,
    givenUp: ({ session, reason }) =>
      `${session} 宛のメッセージがずっと届かないから、諦めた（${reason}）。この知らせは一日に一度だけ。`,
    filesStay:
      "このチャットのファイルは、ほかのマシンへ持っていける量（64 MiB、1 万個）を超えたので、これからは 1 台にだけ残るわ。要らないものを消せば、また一緒に持っていく。",
    chatsGone: "この一時間で話せなくなったチャットが多すぎる。残りは一つずつは知らせないわ。",
    groupOn:
      "このグループを有効にした。メンションするか、返信してくれれば答える。コマンドにもメンションを付けて：「@私 /status」。",
    ownerOnly: "このコマンドは管理者だけが使えます。",
    pairUsage: "使い方：/pair コード",
  },
  command: {
    helpIntro:
      "普通に話しかけてください。危険な操作は先に内容を見せます。「承認」と返事があれば実行し、「キャンセル」なら中止します。",
    helpAll: "/help all  すべてのコマンド",
    helpOutro:
      "迷ったら「プレビュー」、コピーで先に試します。途中で止まったときは「続けて」、期限切れのものは「もう一度」。",
    unknown: (name) => `${name} というコマンドはありません。/help all に全部ある。`,
    undone: (path) => `元に戻しました：${path}`,
    trashEmpty: "ゴミ箱は空です。",
    trashHas: (items) => `その番号のものはありません。ゴミ箱にあるもの：\n${items.slice(0, 10).join("\n")}`,
    undoOccupied: (path) => `${path} にはもう何かあります。先に名前を変えるか、消してください。`,
    undoFailed: (reason) => `元に戻せませんでした。${reason}`,
    statusModel: (model) => `モデル：${model}`,
    statusSandbox: (state) => `サンドボックス：${state}`,
    statusBusy: "前のメッセージに取り組んでいます。",
    statusIdle: "いまは手が空いています。",
    statusTasksHeading: (count) => `任せている仕事が ${count} 件あります：`,
    statusTask: (task) =>
      `${task.agent}：${task.what}${task.background ? "（裏で）" : ""}${task.code === undefined ? "" : `（${task.code} の返事待ち）`}`,
    statusNoneOpen: "返事待ちの件はありません。",
    statusOpenHeading: (count) => `返事待ちが ${count} 件あります。`,
    statusOpenItem: (item) => `${item.code}  ${item.summary}（残り ${item.term}）`,
  },
  cli,
  start,
  /** To people who talk by another program. */
  program: {
    goesOn: "まだ作業中だけど、このリクエストの時間は切れた。あとで何か送って。結果を先に渡すから。",
    noAnswer: "これへの返事はないわ。止められたか、全部止めてあるか、一分のあいだに話しすぎたか。",
  },
  payload: {
    whole: (size) =>
      `（全文は次のとおり、${size.lines} 行、${size.total} 文字、SHA-256 ${size.digest}。「┆」で始まる行は前の行の続き）`,
    cut: (part) => `（途中 ${part.omitted} 文字を省略、全 ${part.total} 文字、SHA-256 ${part.digest}）`,
    hiddenCharacters: "見えない文字が含まれています。⟨U+…⟩ で示しました。",
  },
  approval,
  choices,
  commandMenu,
  editor,
  toolNames,
  /** A mention that a group refused. */
  refusedMention: {
    here: (text: string) => `グループで言うはずだったけど、受け取ってもらえなかったので、ここで言う：\n${text}`,
    toOwners: ({ who, text, reason }: { readonly who: string; readonly text: string; readonly reason: string }) =>
      `${who} への話が届かなかった（${reason}）。伝えておいて：\n${text}`,
  },
  /** Above memories of the same words when one is forgotten. */
  stillRemembered: "同じ言葉を含むこれらはまだ覚えている：",
  times,
  outage,
  control,
  sources,
  trust,
  /** Too much was written while she was away. */
  missed: {
    there: (chat) => `いない間に ${chat} の書き込みが多すぎた。直近の 250 件ほどまでしか読めず、その前は見ていない。`,
    here: "いない間にここの書き込みが多すぎた。直近の 250 件ほどまでしか読めず、その前は見ていない。大事なことはもう一度言って。",
  },
  setup,
  welcome,
} satisfies Words;
