import type { Engine } from "./engine.ts";

/** Questions, answers, grants and verdicts: schema/question-tables.ts and schema/database.ts have the meaning. */
export function createQuestionTables({ text }: Engine): readonly string[] {
  return [
    `create table questions (
      id ${text} primary key,
      code ${text} not null,
      session ${text} not null,
      turn ${text} not null,
      interrupt ${text} not null,
      asker ${text} not null,
      asker_name ${text} not null,
      agent ${text},
      state ${text} not null,
      decision ${text},
      policy ${text} not null,
      prompt_message ${text},
      shown_after bigint,
      shown_at bigint,
      deadline bigint not null,
      created_at bigint not null,
      branch ${text},
      position bigint,
      closed_at bigint,
      closed_by ${text},
      closed_how ${text},
      terms ${text},
      constraint questions_interrupt unique (turn, interrupt)
    )`,
    `create index questions_open on questions (state, session)`,
    `create index questions_session on questions (session, closed_at)`,
    `create table question_calls (
      question ${text} not null,
      call ${text} not null,
      position integer not null,
      tool ${text} not null,
      arguments ${text} not null,
      hash ${text} not null,
      summary ${text} not null,
      detail ${text} not null,
      network ${text},
      because ${text},
      scope ${text},
      state ${text} not null,
      constraint question_calls_key primary key (question, call)
    )`,
    `create table question_prompts (
      question ${text} not null,
      session ${text} not null,
      prompt_message ${text},
      shown_after bigint,
      shown_at bigint,
      constraint question_prompts_key primary key (question, session)
    )`,
    `create table votes (
      question ${text} not null,
      person ${text} not null,
      name ${text} not null,
      how ${text} not null,
      voted_at bigint not null,
      constraint votes_key primary key (question, person)
    )`,
    `create table grants (
      id ${text} primary key,
      code ${text} not null,
      session ${text} not null,
      person ${text} not null,
      person_name ${text} not null,
      tool ${text} not null,
      pattern ${text} not null,
      policy ${text} not null,
      question ${text} not null,
      given_by ${text} not null,
      turn ${text},
      expires_at bigint not null,
      uses integer not null,
      state ${text} not null,
      created_at bigint not null,
      closed_at bigint,
      constraint grants_code unique (session, code)
    )`,
    `create index grants_live on grants (state, session, person)`,
    `create table decisions (
      turn ${text} not null,
      call ${text} not null,
      tool ${text} not null,
      hash ${text} not null,
      verdict ${text} not null,
      reason ${text} not null,
      policy ${text} not null,
      "grant" ${text},
      created_at bigint not null,
      constraint decisions_key primary key (turn, call)
    )`,
  ];
}

/** For those of all chats that closed last. */
export function indexClosedQuestions(): readonly string[] {
  return [`create index questions_closed on questions (closed_at)`];
}
