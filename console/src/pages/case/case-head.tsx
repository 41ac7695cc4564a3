// The head of the page: which case, how bad, where it stands, until when, and the cases before and
// behind it in the queue.

import { ActionIcon, Tooltip } from '@mantine/core'
import { ChevronLeft, ChevronRight, Lock } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Badge, SeverityBadge, StateBadge } from '../../parts/badges.tsx'
import { copyAndSay } from '../../parts/copy-text.ts'
import { messages as partMessages } from '../../parts/messages.ts'
import { shortId } from '../../parts/short-id.ts'
import { DueTime } from '../cases/due-time.tsx'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import type { CaseDetail } from './data.ts'
import { messages } from './messages.ts'
import type { Neighbours } from './use-neighbours.ts'

export function CaseHead({
  detail,
  neighbours,
}: {
  readonly detail: CaseDetail
  readonly neighbours: Neighbours | null
}) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const { severity, state, due_at: due } = detail
  return (
    <span className="case-head">
      <CaseId id={detail.id} />
      {severity !== undefined && (
        <span className="case-head-part">
          <SeverityBadge severity={severity} />
        </span>
      )}
      <span className="case-head-part">
        <StateBadge state={state} />
      </span>
      {due !== undefined && (
        <span className="case-head-part case-head-due">
          <span className="dim">{t('due')}</span> <DueTime at={due} />
        </span>
      )}
      {detail.legal_hold && (
        <span className="case-head-part">
          <Badge tone="amber" icon={Lock}>
            {t('on_hold')}
          </Badge>
        </span>
      )}
      <span className="case-head-part dim">
        {detail.assignee_user_id === undefined
          ? t('unassigned')
          : (detail.assignee_name ?? detail.assignee_user_id)}
        {detail.waiting_on !== 'none' &&
          ` · ${t('waits_on', { party: ts(`waiting_${detail.waiting_on}`) })}`}
      </span>
      {neighbours !== null && <Steps {...neighbours} />}
    </span>
  )
}

/** The first characters are enough for people; the button copies it whole. */
function CaseId({ id }: { readonly id: string }) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const copy = (): Promise<void> => copyAndSay(id, tp('copied'))
  return (
    <Tooltip label={t('copy_id', { id })}>
      <button
        type="button"
        className="case-id mono"
        aria-label={`${shortId(id)}, ${t('copy_id', { id })}`}
        onClick={() => void copy()}
      >
        {shortId(id)}
      </button>
    </Tooltip>
  )
}

function Steps({ place, count, goBack, goOn }: Neighbours) {
  const t = useText(messages)
  return (
    <span className="case-steps">
      <ActionIcon
        aria-label={t('case_before')}
        disabled={goBack === null}
        onClick={() => goBack?.()}
      >
        <ChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <span className="dim small number">{t('place', { place, count })}</span>
      <ActionIcon aria-label={t('case_behind')} disabled={goOn === null} onClick={() => goOn?.()}>
        <ChevronRight size={18} aria-hidden />
      </ActionIcon>
    </span>
  )
}
