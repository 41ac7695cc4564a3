// Notify Reporter: tells the reporters of the case how it goes, each by a mail in the thread of the
// own report.

import { type Static, Type } from 'typebox'
import { act, type ConfigReading, defineNodeKind } from '../node-kind.ts'
import { NOTICE_MEMBERS, readNoticeContent, templateOf } from './notice-config.ts'
import { type NoticeNode, sendNotices } from './send-notice.ts'

// A case of many feeds has a hundred; the first of them are told.
const REPORTERS_MAX = 20
const ERASED = /@erased\.invalid$/

const NotifyReporterConfig = Type.Object(
  {
    template: Type.Optional(
      templateOf('The name of a template of notices; `outcome` when left out.'),
    ),
    reporters: Type.Optional(
      Type.Union([Type.Literal('all'), Type.Literal('newest')], {
        description:
          'all: every reporter of the case, the first 20 at most. newest: the one of the newest event. all when left out.',
      }),
    ),
    ...NOTICE_MEMBERS,
  },
  { additionalProperties: false },
)

export const NOTIFY_REPORTER = defineNodeKind({
  kind: 'notify_reporter',
  title: 'Notify Reporter',
  description:
    'Sends a notice to the reporters of the case, by a template that shows nothing of the customer. The path is sent when one mail at least went out. A reporter whose mail was written by a program or is not proven gets none.',
  config: NotifyReporterConfig,
  read: readNotifyReporter,
  paths: () => ['sent', 'error'],
  needsFacts: true,
  watchesCases: true,
  decide: act,
  apply: sendNotices,
  example: { config: { template: 'outcome', text: 'The page was taken down.' } },
})

function readNotifyReporter(
  config: Static<typeof NotifyReporterConfig>,
  reading: ConfigReading,
): NoticeNode | null {
  const { template = 'outcome', reporters = 'all' } = config
  const content = readNoticeContent(config, reading)
  if (content === null) return null
  return {
    noticesMax: reporters === 'all' ? REPORTERS_MAX : 1,
    bounceSeconds: null,
    plan(values, facts) {
      const shared = { template, party: 'reporter' as const, ...content(values) }
      if (reporters === 'newest') return [shared]
      const addresses = facts.case.event_reporters.filter((one) => !ERASED.test(one))
      return addresses.slice(0, REPORTERS_MAX).map((recipient) => ({ ...shared, recipient }))
    },
  }
}
