import type { ReasonWords } from "./reason-words.ts";

/** Reasons of files and the search in them. */
export const fileReasons: readonly ReasonWords[] = [
  [
    'There is no "{}" in the workspace; look for it with glob or "ls".',
    "工作区里没有 `{}`。",
    "ワークスペースに `{}` はない。",
  ],
  [
    'A part of "{}" is not a folder, or is a link; links are not followed. Use the real path.',
    "`{}` 中间有一段不是文件夹，或者是链接；链接我不跟。",
    "`{}` の途中がフォルダーではないか、リンク。リンクはたどらない。",
  ],
  [
    '"{}" is a link, and links are not followed. Use the path of the file itself.',
    "`{}` 是个链接，我不跟链接。给我文件本身的路径。",
    "`{}` はリンク。リンクはたどらないので、ファイル自体のパスを。",
  ],
  [
    '"{}" is a folder; name a file in it.',
    "`{}` 是文件夹，说里面的哪个文件。",
    "`{}` はフォルダー。中のファイルを指定して。",
  ],
  [
    '"{}" came into being at the same moment; try again.',
    "`{}` 刚好同时冒出来，再试一次。",
    "`{}` が同時に現れた。もう一度。",
  ],
  [
    '"{}" is not a regular file; only regular files can be used.',
    "`{}` 不是普通文件，用不了。",
    "`{}` は普通のファイルではないので使えない。",
  ],
  [
    '"{}" is one file under several names (a hard link); copy it first.',
    "`{}` 是硬链接，先复制一份。",
    "`{}` はハードリンク。先にコピーして。",
  ],
  [
    '"{}" has changed in between, so nothing was written; read it again and repeat the change.',
    "`{}` 中途被改过，什么都没写。重新读一遍再改。",
    "`{}` は途中で変わったので何も書いていない。読み直してから。",
  ],
  [
    '"{}" is larger than {}; look at parts of it in the shell (head, tail, grep).',
    "`{}` 超过 {}，太大了；可以用命令看一部分。",
    "`{}` は {} を超えている。コマンドで一部を見て。",
  ],
  ['A name in "{}" is too long; use shorter names.', "`{}` 里有名字太长了。", "`{}` に長すぎる名前がある。"],
  [
    'The permissions of "{}" do not allow this; change them with chmod in the shell.',
    "`{}` 的权限不允许。",
    "`{}` の権限が足りない。",
  ],
  ["The disk is full; delete something first.", "磁盘满了，先删点东西。", "ディスクがいっぱい。先に何か消して。"],
  [
    "The disk quota is used up; delete something first.",
    "磁盘配额用完了，先删点东西。",
    "ディスクの割り当てを使い切った。先に何か消して。",
  ],
  [
    '"{}" would grow beyond {}; start another file.',
    "`{}` 会超过 {}，换个文件写。",
    "`{}` が {} を超えてしまう。別のファイルに。",
  ],
  [
    "The workspace is read-only; tell the operator.",
    "工作区是只读的，得告诉管理员。",
    "ワークスペースは読み取り専用。管理者に伝えて。",
  ],
  [
    "The workspace has no room for this: its limit is {}. Delete what is not needed.",
    "工作区放不下了，上限 {}，先删点不要的。",
    "ワークスペースに入らない（上限 {}）。いらないものを消して。",
  ],
  [
    "That is the workspace folder itself; name a file in it.",
    "这是工作区文件夹本身，说里面的哪个文件。",
    "それはワークスペースそのもの。中のファイルを指定して。",
  ],
  [
    "The content is larger than {} MiB; write it in parts.",
    "内容超过 {} MiB，分几次写。",
    "内容が {} MiB を超えている。分けて書いて。",
  ],
  [
    '"{}" is not a text file that can be used: it is UTF-16; {}.',
    "`{}` 是 UTF-16，不是我能用的文本。",
    "`{}` は UTF-16 で、使えるテキストではない。",
  ],
  [
    '"{}" is not a text file ({} bytes that are no UTF-8); look at it in the shell (file, xxd, iconv).',
    "`{}` 不是文本文件（{} 字节）。",
    "`{}` はテキストファイルではない（{} バイト）。",
  ],
  ["The file has one line; use an offset below that.", "这个文件只有 1 行。", "ファイルは 1 行しかない。"],
  ["The file has {} lines; use an offset below that.", "文件只有 {} 行。", "ファイルは {} 行しかない。"],
  [
    '"{}" is a picture of more than 5 MiB; make it smaller in the shell before you look at it.',
    "`{}` 是超过 5 MiB 的图片，先缩小。",
    "`{}` は 5 MiB を超える画像。先に小さくして。",
  ],
  ['"{}" is empty; nothing can be sent.', "`{}` 是空的，没什么可发。", "`{}` は空で、送るものがない。"],
  [
    '"{}" has changed since it was asked for; ask once more.',
    "`{}` 在问过之后变了，没有发。要的话再说一次。",
    "`{}` は聞いたあとで変わったので送っていない。もう一度言って。",
  ],
  ["{~} Files of at most {} can be sent.", "{~}最大只能发 {}。", "{~}送れるのは {} まで。"],
  [
    "It may have arrived or not. Ask the person to look; do not send it again by yourself.",
    "可能到了，也可能没到，你看一眼。我没有再发。",
    "届いたかどうかわからない。見てみて。再送はしていない。",
  ],
  [
    "The conversation's container is busy with a command; try again when that has ended.",
    "容器正在跑别的命令，等它结束再试。",
    "コンテナは別のコマンドの実行中。終わってからもう一度。",
  ],
  [
    "There is more than can be answered at once; ask for less.",
    "一次给不了这么多，缩小一点范围。",
    "一度に返せる量を超えている。範囲を狭めて。",
  ],
  [
    "The trash is on another disk than the workspace; remove it in the shell, which cannot be undone.",
    "回收站和工作区不在一块盘上，删不了。",
    "ごみ箱が別のディスクにあって消せない。",
  ],
  [
    'The text is {} times in "{}", in lines {}. Add lines around it until it is there once, or set all.',
    "这段文字在 `{1}` 里有 {0} 处（第 {2} 行），不知道改哪一处。",
    "その文字列は `{1}` に {0} か所（{2} 行目）。どれか決められない。",
  ],
  [
    'The text is not in "{}" exactly like that; nothing was changed. {}',
    "`{}` 里没有一模一样的这段文字，什么都没改。",
    "`{}` にその通りの文字列はない。何も変えていない。",
  ],
  [
    'The text is not in "{}" exactly like that; nothing was changed.',
    "`{}` 里没有一模一样的这段文字，什么都没改。",
    "`{}` にその通りの文字列はない。何も変えていない。",
  ],
  ["{~} Read the file and copy the text from it.", "{~}", "{~}"],
  [
    "{~} Line {} is like it: {}. Copy it exactly, spaces included.",
    "{~}第 {} 行最像：`{}`",
    "{~}いちばん近いのは {} 行目：`{}`",
  ],
  ['There is a "{}" already; patch it as it is, or delete it first.', "已经有 `{}` 了。", "`{}` はもうある。"],
  [
    'The patch leaves lines of "{}", so it was not deleted.',
    "补丁没有删光 `{}` 的内容，所以没删。",
    "パッチは `{}` の行を残すので消していない。",
  ],
  [
    "Hunk {} ({}) does not fit: its lines are not in the file like that. Nothing was changed; read the file and make the patch anew.",
    "补丁第 {} 段对不上，什么都没改。",
    "パッチの {} 番目が合わない。何も変えていない。",
  ],
  ["This is not a patch that can be used: {}.", "这个补丁用不了：`{}`", "このパッチは使えない：`{}`"],
  ["The search was stopped.", "搜索被叫停了。", "検索は止められた。"],
  [
    '"{}" was not searched: it is no text file of at most 2 MiB with one name. Use grep in the shell for it.',
    "`{}` 没搜：不是 2 MiB 以内的文本文件。",
    "`{}` は検索していない。2 MiB 以内のテキストではない。",
  ],
  ['"{}": {~}', "`{}`：{~}", "`{}`：{~}"],
  [
    '"{}" leads out of the workspace; use a pattern relative to it, such as **/*.md.',
    "`{}` 跑到工作区外面去了。",
    "`{}` はワークスペースの外に出る。",
  ],
  [
    "It takes too long; use a simpler pattern or fewer files.",
    "太慢了，换个简单点的写法，或者少搜几个文件。",
    "時間がかかりすぎる。もっと単純にするか、ファイルを減らして。",
  ],
  ["It cannot be searched: {}", "搜不了：`{}`", "検索できない：`{}`"],
  [
    "The path {}. Use a path relative to the workspace, such as notes/today.md.",
    "这个路径不行，要用工作区里的相对路径，比如 `notes/today.md`。",
    "このパスは使えない。`notes/today.md` のようなワークスペース内の相対パスで。",
  ],
];
