// Notices on the wire.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { EvidenceFile } from './notice.ts'
import type { ReplyRecord } from './notice-reply-store.ts'
import type { AttemptRecord, NoticeDetail, NoticeRecord } from './notice-store.ts'
import { Language, Purpose, TemplateName } from './template-wire.ts'

export const NoticeStateMember = named(
  'NoticeState',
  Type.Union(
    [
      Type.Literal('waiting'),
      Type.Literal('sent'),
      Type.Literal('bounced'),
      Type.Literal('failed'),
      Type.Literal('suppressed'),
      Type.Literal('held'),
    ],
    {
      description:
        'waiting: for its first or next attempt. sent: the relay took it. bounced: it came back. failed: the relay refused it, or all attempts failed. suppressed: its recipient gets no mail, or it was cancelled. held: no relay is set, or the limit of the recipient is reached; a digest sends it.',
    },
  ),
)

export const PartyMember = named(
  'NoticeParty',
  Type.Union([Type.Literal('customer'), Type.Literal('reporter'), Type.Literal('other')], {
    description:
      'customer: the contact of its customer, by purpose. reporter: of the newest event, or the one of `address`. other: the one of `address`.',
  }),
)

export const NewNoticeBody = named(
  'NewNotice',
  Type.Object(
    {
      template: Type.Union([TemplateName], {
        description: 'The name of a template; that of a purpose is its purpose.',
      }),
      party: PartyMember,
      address: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
      language: Type.Optional(Language),
      contact_purpose: Type.Optional(
        Type.String({ minLength: 1, maxLength: 50, description: 'abuse when left out.' }),
      ),
      text: Type.Optional(
        Type.String({ maxLength: 10_000, description: 'Shown where the template has `text`.' }),
      ),
      reasons: Type.Optional(
        Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: 5_000 }), {
          description: 'For a statement of reasons: restriction, ground, facts and the like.',
        }),
      ),
      evidence: Type.Optional(
        Type.Boolean({
          description:
            'True: what the newest reports enclose or attach goes with it as text, redacted by the profile of the template.',
        }),
      ),
      urgent: Type.Optional(
        Type.Boolean({ description: 'True: the limit of the recipient does not hold it.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

const MEMBERS = {
  id: Type.String({ format: 'uuid' }),
  case_id: Type.Optional(Type.String({ description: 'Absent for a digest.' })),
  purpose: Purpose,
  template: Type.String(),
  language: Type.String(),
  party: PartyMember,
  customer_id: Type.Optional(Type.String({ description: 'Of a notice to a customer.' })),
  recipient: Type.String(),
  subject: Type.String(),
  state: NoticeStateMember,
  reason: Type.Optional(
    Type.String({
      description:
        'One stable word, where the state has one. suppressed: on_list, own_address, system_address, automatic_mail, sender_not_proven, too_many, cancelled. held: no_relay, throttled, in_digest. failed: refused_by_relay, all_attempts_failed, recipient_erased, demo. sent: in_digest, when a digest told it.',
    }),
  ),
  attempts: Type.Integer(),
  digest_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'The digest that took it up.' }),
  ),
  message_id: Type.String(),
  thread: Type.String({ description: 'The Message-ID with which its thread began.' }),
  created_at: Type.String({ format: 'date-time' }),
  created_by: Type.String({ description: 'Id of the token, or `<run id>:<node id>`.' }),
  sent_at: Type.Optional(Type.String({ format: 'date-time' })),
  next_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When its next attempt is due.' }),
  ),
}

const Notice = named('Notice', Type.Object(MEMBERS))
export const NoticeList = pageOf(Notice)

export function presentNotice(notice: NoticeRecord): Static<typeof Notice> {
  return omitNulls<Static<typeof Notice>>({
    id: notice.id,
    case_id: notice.caseId,
    purpose: notice.purpose,
    template: notice.template,
    language: notice.language,
    party: notice.party,
    customer_id: notice.customerId,
    recipient: notice.recipient,
    subject: notice.subject,
    state: notice.state,
    reason: notice.reason,
    attempts: notice.attempts,
    digest_id: notice.digestId,
    message_id: notice.messageId,
    thread: notice.thread,
    created_at: notice.createdAt.toISOString(),
    created_by: notice.createdBy,
    sent_at: notice.sentAt?.toISOString() ?? null,
    next_at: notice.nextAt?.toISOString() ?? null,
  })
}

const Attempt = named(
  'NoticeAttempt',
  Type.Object({
    attempt: Type.Integer(),
    started_at: Type.String({ format: 'date-time' }),
    duration_ms: Type.Integer(),
    outcome: Type.Union([Type.Literal('sent'), Type.Literal('postponed'), Type.Literal('failed')]),
    reply_code: Type.Optional(Type.Integer({ description: 'Of the reply of the relay.' })),
    failure: Type.Optional(Type.String()),
  }),
)

const Reply = named(
  'NoticeReply',
  Type.Object({
    kind: Type.Union(
      [
        Type.Literal('answer'),
        Type.Literal('automatic'),
        Type.Literal('bounce'),
        Type.Literal('delay'),
        Type.Literal('delivery'),
        Type.Literal('complaint'),
      ],
      {
        description:
          'answer: of a person. automatic: of a program. bounce: it did not arrive. delay: it has not arrived yet. delivery: it arrived. complaint: the recipient reported it as unwanted.',
      },
    ),
    received_at: Type.String({ format: 'date-time' }),
    report_id: Type.String({ format: 'uuid', description: 'The mail, kept like a report.' }),
    comment_id: Type.Optional(Type.String({ format: 'uuid' })),
    status: Type.Optional(Type.String({ description: 'Of a bounce or delay, by RFC 3463.' })),
  }),
)

export const NoticeWithAttempts = named(
  'NoticeDetail',
  Type.Object({
    ...MEMBERS,
    text: Type.String({ description: 'Exactly what is sent.' }),
    attempt_list: Type.Array(Attempt, { description: 'Attempts that have ended, in their order.' }),
    evidence: Type.Optional(
      Type.Array(Type.Object({ file_name: Type.String(), text: Type.String() }), {
        description: 'The texts that go with it; left out before the first attempt.',
      }),
    ),
    replies: Type.Array(Reply, { description: 'What came back by mail, the newest first.' }),
  }),
)

export const NoticePreview = named(
  'NoticePreview',
  Type.Object({
    template: Type.String({ description: 'The name of the template.' }),
    language: Type.String({ description: 'A BCP 47 tag, such as de.' }),
    party: PartyMember,
    recipient: Type.String({ description: 'The address that it would go to.' }),
    subject: Type.String({ description: 'The subject of the mail.' }),
    text: Type.String({ description: 'The text of the mail.' }),
    state: NoticeStateMember,
    reason: Type.Optional(
      Type.String({ description: 'Why it would not go out now, as a notice has it.' }),
    ),
    evidence: Type.Optional(
      Type.Array(Type.Object({ file_name: Type.String(), text: Type.String() }), {
        description: 'What would go with it, redacted.',
      }),
    ),
  }),
)

export function presentNoticePreview(notice: NoticeDetail): Static<typeof NoticePreview> {
  const { template, language, party, recipient, subject, text, state, reason, evidence } = notice
  return {
    template,
    language,
    party,
    recipient,
    subject,
    text,
    state,
    ...(reason === null ? {} : { reason }),
    ...(evidence === null ? {} : { evidence: presentEvidence(evidence) }),
  }
}

function presentEvidence(files: readonly EvidenceFile[]) {
  return files.map(({ fileName, text }) => ({ file_name: fileName, text }))
}

export function presentNoticeDetail(
  notice: NoticeDetail,
  attempts: readonly AttemptRecord[],
  replies: readonly ReplyRecord[],
): Static<typeof NoticeWithAttempts> {
  return {
    ...presentNotice(notice),
    text: notice.text,
    ...(notice.evidence === null ? {} : { evidence: presentEvidence(notice.evidence) }),
    replies: replies.map(({ kind, receivedAt, reportId, commentId, status }) => ({
      kind,
      received_at: receivedAt.toISOString(),
      report_id: reportId,
      ...(commentId === null ? {} : { comment_id: commentId }),
      ...(status === null ? {} : { status }),
    })),
    attempt_list: attempts.map(
      ({ attempt, startedAt, durationMs, outcome, replyCode, failure }) => ({
        attempt,
        started_at: startedAt.toISOString(),
        duration_ms: durationMs,
        outcome,
        ...(replyCode === null ? {} : { reply_code: replyCode }),
        ...(failure === null ? {} : { failure }),
      }),
    ),
  }
}
