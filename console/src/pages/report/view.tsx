// One report: left the text as it came, right what was read out of it and why.

import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeft, ChevronDown, ChevronUp, Ellipsis, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useActs } from '../../keys/acts.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { pickReportFilters } from '../reports/reports-search.ts'
import { Corrections } from './corrections.tsx'
import {
  type ReportDetail,
  type ReportReading,
  readingQuery,
  reportEventsQuery,
  reportQuery,
} from './data.ts'
import { EventReading, type ShownEvent, type Wrong } from './event-reading.tsx'
import { listShownEvents } from './list-shown-events.ts'
import { MailText } from './mail-text.tsx'
import { type FindingKey, markId } from './marked-lines.ts'
import { messages } from './messages.ts'
import { PassedOver } from './passed-over.tsx'
import './report.css'
import { type ReportAct, ReportDialogs } from './report-dialogs.tsx'
import { ReportFacts } from './report-facts.tsx'
import { reportRoute } from './route.ts'
import { useNeighbours } from './use-neighbours.ts'
import { useReportActs } from './use-report-acts.ts'
import { Verdict } from './verdict.tsx'

export function ReportView() {
  const { reportId } = reportRoute.useParams()
  // Each report begins with nothing chosen and no dialog open.
  return <OneReport key={reportId} reportId={reportId} />
}

function OneReport({ reportId }: { readonly reportId: string }) {
  const t = useText(messages)
  const search = reportRoute.useSearch()
  const navigate = useNavigate({ from: reportRoute.fullPath })
  const report = useQuery(reportQuery(reportId))
  const neighbours = useNeighbours(reportId, search)
  const [act, setAct] = useState<ReportAct | null>(null)
  const open = (id: string | null): void => {
    if (id !== null) void navigate({ to: '/reports/$reportId', params: { reportId: id }, search })
  }
  const acts = useReportActs(reportId, () => open(neighbours.next))
  const may = useReportRights()
  const { data } = report
  const isReadable = data !== undefined && data.unread !== true
  const canReplay = may.replay && isReadable && data.version === 1 && data.raw_removed !== true
  const canReject = may.correct && isReadable && data.state !== 'rejected'
  const canCorrect = may.correct && isReadable
  const events = useQuery({ ...reportEventsQuery(reportId), enabled: data !== undefined })
  const startCorrect = (): void => {
    const [first] = events.data?.items ?? []
    setAct({ kind: 'correct', eventId: first?.event_id ?? null, focus: 'type' })
  }
  const back = (): void => void navigate({ to: '/reports', search: pickReportFilters(search) })
  useKeys(t('keys'), [
    { keys: 'n', title: t('next'), run: () => open(neighbours.next) },
    { keys: 'p', title: t('former'), run: () => open(neighbours.former) },
    { keys: 'j', title: t('next'), run: () => open(neighbours.next) },
    { keys: 'k', title: t('former'), run: () => open(neighbours.former) },
    { keys: 'u', title: t('back'), run: back },
    ...(canReplay ? [{ keys: 'r', title: t('replay'), run: () => acts.replay.mutate(null) }] : []),
    ...(canCorrect ? [{ keys: 'c', title: t('correct_event'), run: startCorrect }] : []),
    ...(canReject
      ? [{ keys: 'x', title: t('reject'), run: () => setAct({ kind: 'reject' }) }]
      : []),
  ])
  useActs(
    canReplay
      ? [{ id: 'replay', title: t('replay'), keys: 'r', run: () => acts.replay.mutate(null) }]
      : [],
  )
  return (
    <Page
      title={t('title')}
      lede={<QueueLine neighbours={neighbours} onBack={back} onOpen={open} />}
      acts={
        data !== undefined && (
          <>
            {canReject && (
              <Button variant="default" onClick={() => setAct({ kind: 'reject' })}>
                {t(data.event_count === 0 ? 'reject' : 'no_report')}
              </Button>
            )}
            {canCorrect && (
              <Button
                variant="default"
                onClick={() => setAct({ kind: 'correct', eventId: null, focus: 'type' })}
              >
                {t('add_event')}
              </Button>
            )}
            {canReplay && (
              <Button
                leftSection={<RotateCw size={16} aria-hidden />}
                loading={acts.replay.isPending}
                onClick={() => acts.replay.mutate(null)}
              >
                {t('replay')}
              </Button>
            )}
            <MoreActs report={data} may={may} onAnswer={() => setAct({ kind: 'answer' })} />
          </>
        )
      }
    >
      {report.error !== null && data === undefined && (
        <Problem
          error={report.error}
          onRetry={() => void report.refetch()}
          onward={
            <PathLink path="/reports" className="text-link">
              {t('to_reports')}
            </PathLink>
          }
        />
      )}
      {data === undefined && report.error === null && <Loading lines={12} />}
      {data !== undefined && (
        <Sides
          report={data}
          events={events}
          mayRead={may.read}
          onWrong={canCorrect ? (event, wrong) => setAct(chooseAct(event, wrong)) : undefined}
        />
      )}
      {act !== null && data !== undefined && (
        <ReportDialogs
          report={data}
          act={act}
          acts={acts}
          onClose={() => {
            // Their refusals are not those of what is done next.
            acts.correct.reset()
            acts.takeAnswer.reset()
            setAct(null)
          }}
        />
      )}
    </Page>
  )
}

function chooseAct({ eventId, type, ip, domain }: ShownEvent, wrong: Wrong): ReportAct | null {
  if (eventId === null) return null
  if (wrong !== 'withdraw') return { kind: 'correct', eventId, focus: wrong }
  return { kind: 'withdraw', eventId, label: [type, ip ?? domain].filter(Boolean).join(' ') }
}

function useReportRights() {
  return {
    read: useMay('events:raw'),
    correct: useMay('cases:write'),
    replay: useMay('events:ingest'),
  }
}

interface QueueLineProps {
  readonly neighbours: ReturnType<typeof useNeighbours>
  readonly onBack: () => void
  readonly onOpen: (id: string | null) => void
}

function QueueLine({ neighbours, onBack, onOpen }: QueueLineProps) {
  const t = useText(messages)
  const { position, total, hasMore, former, next } = neighbours
  return (
    <span className="row-of queue-line">
      <button type="button" className="back-link" onClick={onBack}>
        <ArrowLeft size={14} aria-hidden /> {t('back')}
      </button>
      {position !== null && (
        <>
          <span>{t('position', { position, total: `${total}${hasMore ? '+' : ''}` })}</span>
          <ActionIcon
            aria-label={t('former')}
            title={`${t('former')} (p)`}
            disabled={former === null}
            onClick={() => onOpen(former)}
          >
            <ChevronUp size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            aria-label={t('next')}
            title={`${t('next')} (n)`}
            disabled={next === null}
            onClick={() => onOpen(next)}
          >
            <ChevronDown size={18} aria-hidden />
          </ActionIcon>
        </>
      )}
    </span>
  )
}

interface MoreActsProps {
  readonly report: ReportDetail
  readonly may: ReturnType<typeof useReportRights>
  readonly onAnswer: () => void
}

function MoreActs({ report, may, onAnswer }: MoreActsProps) {
  const t = useText(messages)
  if (!may.read) return null
  const isKept = report.raw_removed !== true
  const isWaiting = report.state !== 'accepted' && report.unread !== true
  const raw = `/beta/casework/reports/${encodeURIComponent(report.report_id)}/raw`
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} variant="default" aria-label={t('more')}>
          <Ellipsis size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may.correct && isWaiting && <Menu.Item onClick={onAnswer}>{t('answer')}</Menu.Item>}
        <Menu.Item component="a" href={raw} download disabled={!isKept}>
          {t('download')}
          <div className="dim small">{t('download_why')}</div>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface SidesProps {
  readonly report: ReportDetail
  readonly events: { readonly data: Parameters<typeof listShownEvents>[1] | undefined }
  readonly mayRead: boolean
  readonly onWrong: ((event: ShownEvent, wrong: Wrong) => void) | undefined
}

function Sides({ report, events, mayRead, onWrong }: SidesProps) {
  const t = useText(messages)
  const [chosen, setChosen] = useState<FindingKey | null>(null)
  const isAsked = mayRead && report.raw_removed !== true
  const reading = useQuery({ ...readingQuery(report.report_id), enabled: isAsked })
  const choose = (key: FindingKey): void => {
    setChosen(key)
    document.getElementById(markId(key))?.scrollIntoView({ block: 'center' })
  }
  const shown = listShownEvents(reading.data, events.data)
  return (
    <div className="report-sides">
      <section className="report-mail" aria-label={t('mail')}>
        <h2 className="section-title">{t('mail')}</h2>
        {!mayRead && <EmptyState title={t('no_right')} text={t('no_right_why')} />}
        {mayRead && !isAsked && <EmptyState title={t('removed')} text={t('removed_why')} />}
        {reading.error !== null && reading.data === undefined && (
          <Problem error={reading.error} onRetry={() => void reading.refetch()} />
        )}
        {isAsked && reading.data === undefined && reading.error === null && <Loading lines={14} />}
        {reading.data !== undefined && (
          <MailText reading={reading.data} chosen={chosen} onChoose={choose} />
        )}
      </section>
      <section className="report-reading" aria-label={t('reading')}>
        <h2 className="section-title">{t('reading')}</h2>
        <Verdict report={report} reading={reading.data} />
        {shown.map((event) => (
          <EventReading
            key={event.eventId ?? `read ${event.index}`}
            event={event}
            chosen={chosen}
            onChoose={choose}
            onWrong={onWrong}
          />
        ))}
        {report.event_count > shown.length && shown.length > 0 && (
          <p className="dim small">
            {t('more_events', { count: report.event_count - shown.length })}
          </p>
        )}
        <PassedOverOf reading={reading.data} />
        {report.corrections !== undefined && <Corrections corrections={report.corrections} />}
        <h2 className="section-title origin-title">{t('origin')}</h2>
        <ReportFacts report={report} />
      </section>
    </div>
  )
}

function PassedOverOf({ reading }: { readonly reading: ReportReading | undefined }) {
  if (reading === undefined || reading.passed_over.length === 0) return null
  return <PassedOver findings={reading.passed_over} />
}
