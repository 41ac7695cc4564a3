// The page of a case: its head with the acts, what it is in words, everything that happened on one
// timeline, and beside it the playbook, what is known, and the customer.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import './case.css'
import '../cases/queue.css'
import { useMay } from '../../data/session.ts'
import { shortId } from '../../parts/short-id.ts'
import { AssignButton } from './assign-button.tsx'
import { CaseDialogs } from './case-dialogs.tsx'
import { CaseHead } from './case-head.tsx'
import { CaseTimeline } from './case-timeline.tsx'
import { Composer } from './composer.tsx'
import { CustomerPanel } from './customer-panel.tsx'
import { type CaseDetail, caseQuery } from './data.ts'
import { EventsChart } from './events-chart.tsx'
import { IntelPanel } from './intel-panel.tsx'
import { messages } from './messages.ts'
import { MitigationsPanel } from './mitigations-panel.tsx'
import { type CaseActKind, MoreMenu } from './more-menu.tsx'
import { PlaybookPanel } from './playbook-panel.tsx'
import { ReportsPanel } from './reports-panel.tsx'
import { type CaseSearch, caseRoute } from './route.ts'
import { SummaryLine } from './summary-line.tsx'
import { useCaseKeys } from './use-case-keys.ts'
import { useNeighbours } from './use-neighbours.ts'
import { WaitingNote, WaysOut } from './ways-out.tsx'

export function CaseView() {
  const t = useText(messages)
  const { caseId } = caseRoute.useParams()
  const { data, error, refetch } = useQuery(caseQuery(caseId))
  if (data === undefined) {
    return (
      <Page title={t('case_named', { id: shortId(caseId) })}>
        {error === null ? (
          <Loading lines={12} />
        ) : (
          <Problem
            error={error}
            onRetry={() => void refetch()}
            onward={
              <Button component={Link} to="/cases" variant="default">
                {t('to_cases')}
              </Button>
            }
          />
        )}
      </Page>
    )
  }
  // What was half done for another case does not stay.
  return <Case key={data.id} detail={data} />
}

function Case({ detail }: { readonly detail: CaseDetail }) {
  const t = useText(messages)
  const search = caseRoute.useSearch()
  const navigate = useNavigate({ from: caseRoute.fullPath })
  const [act, setAct] = useState<CaseActKind | null>(null)
  const [isAssigning, setAssigning] = useState(false)
  const mayWrite = useMay('cases:write')
  const field = useRef<HTMLTextAreaElement>(null)
  const neighbours = useNeighbours(detail.id, search.queue)
  const change = useCallback(
    (part: Partial<CaseSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...part }), replace: true }),
    [navigate],
  )
  const comment = (): void => {
    field.current?.focus()
    field.current?.scrollIntoView({ block: 'nearest' })
  }
  const start = (kind: CaseActKind): void => {
    if (kind === 'assign') setAssigning(true)
    else if (kind === 'comment') comment()
    else setAct(kind)
  }
  useCaseKeys({ detail, start, neighbours })
  return (
    <Page
      title={`${detail.event_types[0] ?? ''} ${shortId(detail.id)}`.trim()}
      head={<CaseHead detail={detail} neighbours={neighbours} />}
      acts={
        <>
          <WaysOut detail={detail} />
          {mayWrite && (
            <AssignButton caseId={detail.id} isOpen={isAssigning} onOpen={setAssigning} />
          )}
          <MoreMenu detail={detail} onAct={start} />
        </>
      }
    >
      <div className="case-page">
        <SummaryLine detail={detail} />
        <CaseNotes detail={detail} />
        <div className="case-main">
          {detail.event_count > 0 && <EventsChart detail={detail} />}
          <CaseTimeline
            caseId={detail.id}
            search={search}
            onSearch={change}
            composer={<Composer detail={detail} field={field} onMail={() => setAct('mail')} />}
          />
        </div>
        <aside className="case-side" aria-label={t('around')}>
          <PlaybookPanel
            caseId={detail.id}
            search={search}
            onSearch={change}
            onStart={() => setAct('start')}
          />
          <IntelPanel caseId={detail.id} />
          <CustomerPanel detail={detail} />
          <MitigationsPanel caseId={detail.id} />
          <ReportsPanel caseId={detail.id} />
        </aside>
      </div>
      <CaseDialogs
        act={act}
        detail={detail}
        // The answer to an act that was left does not close the dialog that is open since.
        onClose={() => setAct((now) => (now === act ? null : now))}
      />
    </Page>
  )
}

/** Where the case went, its tags, and for what its playbook waits. */
function CaseNotes({ detail }: { readonly detail: CaseDetail }) {
  const t = useText(messages)
  const { merged_into: mergedInto, linked_case_id: linked, tags } = detail
  return (
    <>
      {mergedInto !== undefined && (
        <div className="note case-note" data-tone="amber">
          {t('merged_into')}{' '}
          <Link to="/cases/$caseId" params={{ caseId: mergedInto }} className="plain-link mono">
            {shortId(mergedInto)}
          </Link>
        </div>
      )}
      {linked !== undefined && mergedInto === undefined && (
        <div className="note case-note" data-tone="grey">
          {t('follows')}{' '}
          <Link to="/cases/$caseId" params={{ caseId: linked }} className="plain-link mono">
            {shortId(linked)}
          </Link>
        </div>
      )}
      {tags.length > 0 && (
        <div className="case-tags">
          {tags.map((tag) => (
            <Link key={tag} to="/cases" search={{ tag }} className="case-tag">
              {tag}
            </Link>
          ))}
        </div>
      )}
      <WaitingNote detail={detail} />
    </>
  )
}
