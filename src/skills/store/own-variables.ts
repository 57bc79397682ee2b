/** Kurisu's own variables. Nothing that comes from elsewhere is ever given one of them, whoever says yes. */
const own =
  /^(?:KURISU_|OPENAI_|ANTHROPIC_|OLLAMA_|TELEGRAM_|ONEBOT_|QQ_|SEARXNG_|TAVILY_|BRAVE_|EMBEDDINGS_|TRANSCRIBE_|OTEL_|DATABASE_URL$|DOCKER_HOST$|LOG_LEVEL$|SSH_AUTH_SOCK$)/i;

export function isOwnVariable(name: string): boolean {
  return own.test(name);
}
