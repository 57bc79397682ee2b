import { foldText } from "../../../store/search/fold-text.ts";
import { toStem } from "../../../store/search/english-words.ts";

/**
 * Chinese and Japanese words for work that skills are made for, with the English words of descriptions. Most skills
 * that people share are described in English alone. The words of memories and of the chat log have separate tables.
 */
const table: readonly string[] = [
  // Documents
  "文档 文件稿 公文 文書 ドキュメント | document doc docx",
  "word文 word版 word档 word 合同 信函 报告书 契約書 | word docx",
  "目录 目次 | contents",
  "页码 ページ番号 | page",
  "标题 小标题 見出し | heading title",
  "修订 批注 留痕 変更履歴 | tracked comment",
  "替换 置換 | replace",
  "模板 模版 テンプレート | template",
  "排版 版式 格式 书式 レイアウト | format layout",
  "pdf | pdf",
  "合并 拼接 拼成 結合 | merge combine",
  "拆分 分割 拆成 | split",
  "旋转 回転 | rotate",
  "水印 透かし | watermark",
  "加密 密码保护 暗号化 | encrypt",
  "提取 抽取 摘出 抽出 | extract",
  "扫描 识别文字 文字识别 スキャン | ocr scan",
  "表单 填表 フォーム | form",
  "幻灯片 演示文稿 演示 汇报 路演 ppt スライド プレゼン | slide presentation pptx deck",
  "表格 电子表格 报表 excel 表計算 エクセル | spreadsheet xlsx excel table",
  "公式 求和 数式 | formula",
  "单元格 列 行列 セル | column cell",
  "图表 柱状图 折线图 饼图 グラフ | chart graph",
  "流程图 架构图 示意图 ダイアグラム | diagram flowchart",
  "数据分析 统计 分析 | analysi analyze data",
  "数据清洗 清洗 | clean data",
  // Looks
  "设计 好看 美观 デザイン | design",
  "首页 主页 落地页 着陆页 官网 | landing page website",
  "网页 网站 页面 站点 ウェブ サイト | web website page",
  "前端 界面 フロントエンド 画面 | frontend ui interface",
  "字体 フォント | font typography",
  "配色 颜色 色调 配色方案 色彩 | color colour palette",
  "主题 皮肤 テーマ | theme",
  "品牌 ブランド | brand",
  "海报 封面 ポスター | poster",
  "标志 图标 ロゴ | logo icon",
  "动图 动画 动态图 アニメ | gif animated animation",
  "表情包 表情 | gif emoji sticker",
  "图片 图像 照片 画像 | image picture",
  "视频 短片 動画 | video",
  "音频 语音 录音 音声 | audio speech",
  "字幕 | subtitle caption transcript",
  "艺术 画一幅 绘画 作画 アート | art",
  "粒子 パーティクル | particle",
  "生成艺术 算法艺术 用代码画 | generative algorithmic art",
  "组件 コンポーネント | component",
  "无障碍 アクセシビリティ | accessibility",
  // Software
  "测试 单元测试 用例 テスト | test testing",
  "先写测试 测试驱动 | tdd test-driven driven",
  "浏览器 ブラウザ | browser",
  "截图 截屏 スクリーンショット | screenshot",
  "本地网页 网页应用 web应用 | webapp",
  "调试 排查 排错 找bug 查bug デバッグ | debug bug",
  "报错 出错 错误 故障 异常 崩溃 闪退 失败 エラー バグ 不具合 | bug error failure crash unexpected",
  "原因 根因 根本原因 为什么会 | root cause",
  "修复 修好 修一下 修正 直す | fix",
  "代码 程序 编程 コード プログラム | code",
  "代码审查 审查 评审 走查 代码评审 レビュー | review reviewer",
  "合并之前 合并前 合并请求 合入 マージ | merge merging pull",
  "重构 リファクタ | refactor",
  "分支 工作树 ブランチ | branch worktree",
  "提交 コミット | commit",
  "版本 发布 发版 リリース | release version",
  "部署 上线 发布网站 デプロイ | deploy deployment",
  "服务器 服务端 サーバー | server",
  "接口 api インターフェース | api endpoint",
  "mcp | mcp",
  "数据库 データベース | database sql",
  "安全 漏洞 セキュリティ | security vulnerability",
  "性能 优化 变慢 太慢 性能優化 パフォーマンス | performance optimize",
  "日志 ログ | log",
  "脚本 スクリプト | script",
  "持续集成 流水线 | ci pipeline workflow",
  "手机应用 移动端 アプリ | mobile app",
  "智能体 代理 エージェント | agent",
  "提示词 プロンプト | prompt",
  "技能 スキル | skill-creator skill",
  // Work with words
  "头脑风暴 集思广益 出主意 点子 创意 ブレスト アイデア | brainstorm idea creative",
  "想法 构思 思路 | idea brainstorm",
  "需求 要件 | requirement spec",
  "新功能 功能 機能 | feature functionality",
  "计划 方案 规划 計画 | plan",
  "步骤 分步 手順 | step",
  "周报 日报 月报 进展汇报 汇报进度 报告 週報 レポート | report status update",
  "内部 公司内部 全员 社内 | internal company",
  "通讯 简报 公告 通知 ニュースレター | newsletter announcement communication",
  "邮件 邮箱 メール | email mail",
  "会议 纪要 会議 議事録 | meeting note minutes",
  "写作 文案 润色 改写 コピー 文章 | writing copywriting write",
  "翻译 译成 译文 翻訳 | translate translation",
  "总结 摘要 概括 要約 | summary summarize",
  "研究 调研 资料 调查 調査 リサーチ | research",
  "论文 文献 論文 | paper citation literature",
  "合规 法务 法律 条款 法務 | legal compliance contract",
  "投资 股票 财报 投資 決算 | invest stock earnings",
  "财务 记账 开销 预算 会计 経理 予算 | finance budget expense",
  "营销 推广 マーケティング | marketing",
  "客户 销售 営業 顧客 | customer sales",
  "简历 求职 履歴書 | resume job",
  "笔记 知识库 ノート | note knowledge",
  "日程 日历 カレンダー | calendar schedule",
  "课程 教学 学习 教材 授業 | course teaching learn",
  "问卷 アンケート | survey questionnaire",
];

export interface TaskBridge {
  /** As a query is folded. */
  readonly words: readonly string[];
  /** Stems. */
  readonly english: readonly string[];
}

const readSide = (side = ""): readonly string[] => side.trim().split(/\s+/);

export const taskBridges: readonly TaskBridge[] = table.map((line) => {
  const [words, english] = line.split("|");
  return { words: readSide(words).map(foldText), english: readSide(english).map(toStem) };
});
