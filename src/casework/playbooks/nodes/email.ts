// Email: sends a notice about the case to the customer, a reporter or an address, and waits until
// the relay has taken it.

import { type Static, Type } from 'typebox'
import { act, type ConfigReading, defineNodeKind } from '../node-kind.ts'
import { durationOf, readDuration } from './duration-config.ts'
import {
  ContactPurposeMember,
  choosePartyOf,
  NOTICE_MEMBERS,
  RecipientText,
  readNoticeContent,
  readRecipient,
  templateOf,
} from './notice-config.ts'
import { type NoticeNode, readEarlyLeave, sendNotices } from './send-notice.ts'
import { valueOf } from './value-config.ts'

const EmailConfig = Type.Object(
  {
    to: valueOf(
      RecipientText,
      '`customer`: its contact. `reporter`: the one of the newest event. Else an address.',
    ),
    template: templateOf('The name of a template of notices; that of a purpose is its purpose.'),
    contact_purpose: ContactPurposeMember,
    ...NOTICE_MEMBERS,
    bounce_within: Type.Optional(
      durationOf(
        'After the relay took the mail, the node waits so long whether it comes back. An answer or a trigger for the node behind `sent` ends this wait and is taken by that node. It needs CASEWORK_MAIL_DOMAIN.',
      ),
    ),
  },
  { additionalProperties: false },
)

const WORDS = ['customer', 'reporter'] as const

export const EMAIL = defineNodeKind({
  kind: 'email',
  title: 'Email',
  description:
    'Sends a notice by mail, and waits until the relay has taken it (path sent). A mail that comes back within `bounce_within` takes the path bounced. Without a relay or a recipient, for an address that gets no mail, and for a template that fails, the path is error. A notice that the limit of a day holds back counts as sent, with the state held.',
  config: EmailConfig,
  read: readEmail,
  paths: ({ bounceSeconds }) =>
    bounceSeconds === null ? ['sent', 'error'] : ['sent', 'bounced', 'error'],
  needsFacts: true,
  watchesCases: true,
  decide: act,
  apply: sendNotices,
  leavesEarly: readEarlyLeave,
  example: {
    config: {
      to: 'customer',
      template: 'notice',
      vars: { ticket: { cel: 'case.id' } },
      bounce_within: 'P1D',
    },
  },
})

function readEmail(config: Static<typeof EmailConfig>, reading: ConfigReading): NoticeNode | null {
  const { to, template, contact_purpose: contactPurpose, bounce_within: within } = config
  const recipient = readRecipient(to, WORDS, reading)
  const content = readNoticeContent(config, reading)
  const seconds = within === undefined ? null : readDuration(within)
  if (typeof seconds === 'string') return reading.refuse('bounce_within', seconds)
  if (contactPurpose !== undefined && typeof to === 'string' && to !== 'customer') {
    return reading.refuse('contact_purpose', 'belongs to the customer')
  }
  if (recipient === null || content === null) return null
  return {
    noticesMax: 1,
    bounceSeconds: seconds,
    plan: (values) => [
      {
        template,
        contactPurpose: contactPurpose ?? null,
        ...choosePartyOf(values.readText(recipient)),
        ...content(values),
      },
    ],
  }
}
