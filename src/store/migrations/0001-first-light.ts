import { createAuditTriggers } from "./audit-triggers.ts";
import type { Engine } from "./engine.ts";

/** Every table of the main database; database.ts says what its columns hold. */
export function createTables(engine: Engine): readonly string[] {
  return [
    ...conversationTables(engine),
    ...approvalTables(engine),
    ...workTables(engine),
    ...createAuditTriggers(engine),
  ];
}

/** People, chats and what was said. */
function conversationTables({ text, counter }: Engine): string[] {
  return [
    `create table people (
      id ${text} primary key,
      name ${text} not null,
      role ${text} not null,
      created_at bigint not null
    )`,
    `create table pairings (
      person ${text} primary key,
      name ${text} not null,
      code ${text} not null unique,
      session ${text} not null,
      created_at bigint not null,
      expires_at bigint not null
    )`,
    `create table preferences (
      person ${text} not null,
      "key" ${text} not null,
      origin ${text} not null,
      text ${text} not null,
      kept integer not null,
      refused integer not null,
      created_at bigint not null,
      updated_at bigint not null,
      constraint preferences_key primary key (person, "key")
    )`,
    `create table private_chats (person ${text} primary key, session ${text} not null)`,
    `create table sessions (
      id ${text} primary key,
      platform ${text} not null,
      account ${text} not null,
      chat ${text} not null,
      thread ${text},
      chat_kind ${text} not null,
      branch ${text} not null,
      head bigint,
      start_position bigint not null,
      last_position bigint not null,
      points bigint not null default 0,
      language ${text} not null,
      mode ${text},
      created_at bigint not null
    )`,
    `create table branches (
      session ${text} not null,
      branch ${text} not null,
      number integer not null,
      parent ${text},
      fork_position bigint not null,
      head bigint,
      start_position bigint not null,
      last_position bigint not null,
      points bigint not null,
      created_at bigint not null,
      constraint branches_key primary key (session, branch)
    )`,
    `create table messages (
      id ${counter},
      session ${text} not null,
      branch ${text} not null,
      parent bigint,
      position bigint not null,
      point bigint,
      turn ${text},
      question ${text},
      role ${text} not null,
      content ${text} not null,
      taint ${text} not null,
      created_at bigint not null
    )`,
    `create unique index messages_window on messages (session, branch, position)`,
    `create index messages_points on messages (session, branch, point, position) where point is not null`,
    `create table inbox (
      seq ${counter},
      id ${text} not null unique,
      platform ${text} not null,
      account ${text} not null,
      event_key ${text} not null,
      session ${text} not null,
      requester ${text},
      kind ${text} not null,
      payload ${text} not null,
      state ${text} not null,
      attempts integer not null,
      created_at bigint not null,
      finished_at bigint,
      constraint inbox_event unique (platform, account, event_key)
    )`,
    `create index inbox_work on inbox (state, session, seq)`,
    `create table outbox (
      seq ${counter},
      id ${text} not null unique,
      session ${text} not null,
      turn ${text},
      cause ${text},
      state ${text} not null,
      payload ${text} not null,
      place bigint not null default 0,
      sent_parts ${text} not null,
      preview ${text},
      attempts integer not null,
      not_before bigint not null,
      reason ${text},
      created_at bigint not null,
      sent_at bigint
    )`,
    `create index outbox_work on outbox (state, session, seq)`,
  ];
}

/** Questions, answers, grants, and the record of what ran. */
function approvalTables({ text, counter }: Engine): string[] {
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
    // A preview may be asked for as often as people like, so its rows have keys of their own, not the ledger's.
    `create table previews (
      seq ${counter},
      preview ${text} not null,
      call ${text} not null,
      question ${text} not null,
      turn ${text} not null,
      tool ${text} not null,
      hash ${text} not null,
      actor ${text} not null,
      revision ${text} not null,
      state ${text} not null,
      outcome ${text},
      started_at bigint not null,
      finished_at bigint,
      constraint previews_call unique (preview, call)
    )`,
    `create index previews_question on previews (question, seq)`,
    `create table audit (
      seq ${counter},
      at bigint not null,
      actor ${text} not null,
      action ${text} not null,
      session ${text},
      turn ${text},
      call ${text},
      detail ${text} not null
    )`,
    `create index audit_turn on audit (turn, seq)`,
    `create table audit_chain (
      position bigint primary key,
      seq bigint not null unique,
      prev_hash ${text} not null,
      hash ${text} not null
    )`,
  ];
}

/** Turns, what their tools did, and what a session's work rests on. */
function workTables({ text }: Engine): string[] {
  return [
    `create table turns (
      id ${text} primary key,
      kind ${text} not null default 'chat',
      parent ${text},
      parent_call ${text},
      background integer not null default 0,
      waiting ${text},
      cause ${text},
      result ${text},
      session ${text} not null,
      inbox ${text} not null unique,
      state ${text} not null,
      outcome ${text},
      input ${text} not null,
      policy ${text} not null,
      owner ${text} not null,
      lease_until bigint not null,
      token bigint not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index turns_state on turns (state, session)`,
    `create unique index turns_parent on turns (parent, parent_call)`,
    `create table tool_ledger (
      turn ${text} not null,
      call ${text} not null,
      tool ${text} not null,
      hash ${text} not null,
      state ${text} not null,
      outcome ${text},
      token bigint not null,
      started_at bigint not null,
      finished_at bigint,
      constraint tool_ledger_key primary key (turn, call)
    )`,
    `create table todos (
      session ${text} primary key,
      items ${text} not null,
      taint ${text} not null,
      updated_at bigint not null
    )`,
    `create table known_contents (
      session ${text} not null,
      person ${text} not null,
      path ${text} not null,
      sha256 ${text} not null,
      created_at bigint not null,
      constraint known_contents_key primary key (session, person, path, sha256)
    )`,
    `create table skill_choices (
      session ${text} not null,
      skill ${text} not null,
      choice ${text} not null,
      constraint skill_choices_key primary key (session, skill)
    )`,
    `create table skill_topics (
      session ${text} primary key,
      turn ${text} not null,
      position bigint not null,
      "before" ${text} not null,
      "after" ${text} not null
    )`,
    `create table skill_admissions (
      session ${text} not null,
      skill ${text} not null,
      digest ${text} not null,
      person ${text} not null,
      at bigint not null,
      constraint skill_admissions_key primary key (session, skill)
    )`,
    `create table mcp_servers (server ${text} primary key, seen_at bigint not null)`,
    `create table mcp_pins (
      server ${text} not null,
      tool ${text} not null,
      place integer not null,
      definition ${text},
      hash ${text},
      pending ${text},
      pending_hash ${text},
      approved_by ${text},
      changed_at bigint not null,
      constraint mcp_pins_key primary key (server, tool)
    )`,
    `create table usage (
      day ${text} not null,
      person ${text} not null,
      model ${text} not null,
      calls bigint not null,
      estimated bigint not null,
      input bigint not null,
      output bigint not null,
      cached bigint not null,
      cost bigint not null,
      constraint usage_key primary key (day, person, model)
    )`,
    `create table pause (
      id integer primary key,
      since bigint not null,
      person ${text} not null,
      name ${text} not null
    )`,
    `create table suspects (
      "row" ${text} primary key,
      deaths integer not null,
      alone integer not null,
      run ${text} not null
    )`,
  ];
}
