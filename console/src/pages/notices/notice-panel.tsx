// One notice: what it says, what happened to it, what came back, and its acts. What a stranger
// answered is on the page of the report.

import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FilePlus2, Reply, Send, TriangleAlert, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Loading } from '../../parts/loading.tsx'
import { useNoticeReason } from '../../parts/notice-reasons.ts'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { shortId } from '../../parts/short-id.ts'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Timeline, type TimelineEntry } from '../../parts/timeline.tsx'
import { NoticeStateBadge } from './badges.tsx'
import { type NoticeDetail, noticeQuery, noticesQuery } from './data.ts'
import { messages } from './messages.ts'
import { withoutTag } from './without-tag.ts'

export interface NoticePanelProps {
  readonly noticeId: string
  readonly onClose: () => void
}

export function NoticePanel({ noticeId, onClose }: NoticePanelProps) {
  const t = useText(messages)
  const notice = useQuery(noticeQuery(noticeId))
  const { data } = notice
  return (
    <SidePanel
      title={data === undefined ? t('title') : withoutTag(data.subject)}
      onClose={onClose}
      acts={data !== undefined && <Acts notice={data} />}
    >
      {notice.error !== null && (
        <Problem error={notice.error} onRetry={() => void notice.refetch()} />
      )}
      {notice.error === null && data === undefined && <Loading />}
      {data !== undefined && (
        <div className="stack">
          <Facts notice={data} />
          <section className="stack" aria-label={t('text')}>
            <pre className="mail-text">{data.text}</pre>
            {data.evidence?.map(({ file_name: name, text }) => (
              <details key={name}>
                <summary>{t('evidence', { name })}</summary>
                <pre className="mail-text mono">{text}</pre>
              </details>
            ))}
          </section>
          <History notice={data} />
          <Thread notice={data} />
        </div>
      )}
    </SidePanel>
  )
}

function Facts({ notice }: { readonly notice: NoticeDetail }) {
  const t = useText(messages)
  const format = useFormat()
  const reasonOf = useNoticeReason()
  const { case_id: caseId, reason, purpose, template, language, recipient, party } = notice
  const casePath: string = `/cases/${encodeURIComponent(caseId ?? '')}`
  return (
    <dl className="facts">
      <dt>{t('state')}</dt>
      <dd>
        <NoticeStateBadge state={notice.state} />
        {reason !== undefined && <div className="dim small">{reasonOf(reason)}</div>}
      </dd>
      <dt>{t('recipient')}</dt>
      <dd>
        {recipient} <span className="dim">· {t(`party_${party}`)}</span>
      </dd>
      <dt>{t('purpose')}</dt>
      <dd>{t(`purpose_${purpose}`)}</dd>
      <dt>{t('template')}</dt>
      <dd>
        {template}, {format.language(language)}
      </dd>
      {caseId !== undefined && (
        <>
          <dt>{t('case')}</dt>
          <dd>
            <Link to={casePath} className="plain-link mono" title={caseId}>
              {shortId(caseId)}
            </Link>
          </dd>
        </>
      )}
    </dl>
  )
}

function Acts({ notice }: { readonly notice: NoticeDetail }) {
  const t = useText(messages)
  const maySend = useMay('notices:send')
  const [isDropping, setDropping] = useState(false)
  const { id: noticeId, state, recipient } = notice
  const path = { params: { path: { noticeId } } }
  const resend = useAct({
    act: () => casework.post('/beta/casework/notices/{noticeId}/resend', path),
    touches: () => [['notices']],
    say: () => t('resent'),
  })
  const drop = useAct({
    act: () => casework.post('/beta/casework/notices/{noticeId}/cancel', path),
    touches: () => [['notices']],
    say: () => t('dropped'),
    onDone: () => setDropping(false),
  })
  const mayDrop = maySend && (state === 'waiting' || state === 'held' || state === 'failed')
  const mayResend = maySend && state !== 'waiting'
  const sendAgain = (): void => {
    if (!resend.isPending) resend.mutate(undefined)
  }
  useKeys(t('outbox'), [
    ...(mayResend ? [{ keys: 's', title: t('key_resend'), run: sendAgain }] : []),
    ...(mayDrop ? [{ keys: 'd', title: t('key_drop'), run: () => setDropping(true) }] : []),
  ])
  if (!mayResend && !mayDrop) return null
  return (
    <>
      {mayResend && (
        <Button
          variant={state === 'sent' ? 'default' : 'filled'}
          leftSection={<Send size={14} aria-hidden />}
          loading={resend.isPending}
          onClick={sendAgain}
        >
          {t(state === 'held' ? 'resend_held' : 'resend')}
        </Button>
      )}
      {mayDrop && (
        <Button variant="default" onClick={() => setDropping(true)}>
          {t('drop')}
        </Button>
      )}
      <Confirm
        isOpen={isDropping}
        onClose={() => setDropping(false)}
        title={t('drop_title')}
        act={t('drop')}
        onAct={() => drop.mutate(undefined)}
        isPending={drop.isPending}
      >
        <div>{t('drop_why', { recipient })}</div>
      </Confirm>
    </>
  )
}

/** A step of a playbook, as `<run id>:<node id>`, or the id of a token. */
function Maker({ id }: { readonly id: string }) {
  const t = useText(messages)
  const [runId = '', node = ''] = id.split(':')
  if (!/^[0-9a-f-]{36}$/.test(runId) || node === '') {
    return <span className="mono small">{id}</span>
  }
  return (
    <PathLink path={`/runs/${runId}`} className="plain-link">
      {t('by_playbook', { node })}
    </PathLink>
  )
}

function History({ notice }: { readonly notice: NoticeDetail }) {
  const t = useText(messages)
  const made: TimelineEntry = {
    id: 'made',
    at: notice.created_at,
    icon: FilePlus2,
    title: t('made_by'),
    by: <Maker id={notice.created_by} />,
  }
  const attempts = notice.attempt_list.map(
    ({ attempt, started_at: at, outcome, reply_code: code, failure }): TimelineEntry => ({
      id: `attempt-${attempt}`,
      at,
      icon: outcome === 'sent' ? Send : TriangleAlert,
      tone: outcome === 'sent' ? 'green' : 'amber',
      title: t('attempt', { number: attempt, outcome: t(`outcome_${outcome}`) }),
      by: code === undefined ? undefined : String(code),
      body: failure,
    }),
  )
  const replies = notice.replies.map(
    ({ kind, received_at: at, report_id: reportId, status }, index): TimelineEntry => {
      const path: string = `/reports/${encodeURIComponent(reportId)}`
      return {
        id: `reply-${index}`,
        at,
        icon: kind === 'bounce' || kind === 'complaint' ? Undo2 : Reply,
        tone: kind === 'bounce' || kind === 'complaint' ? 'red' : 'blue',
        title: t(`reply_${kind}`),
        by: status,
        body: <Link to={path}>{t('see_mail')}</Link>,
      }
    },
  )
  const entries = [made, ...attempts, ...replies].toSorted((a, b) => (a.at < b.at ? -1 : 1))
  return (
    <section className="stack" aria-label={t('what_happened')}>
      <h3 className="section-title">{t('what_happened')}</h3>
      <Timeline label={t('what_happened')} entries={entries} />
    </section>
  )
}

/** The other mails of the same thread: about the same case, to the same recipient. */
function Thread({ notice }: { readonly notice: NoticeDetail }) {
  const t = useText(messages)
  const { case_id: caseId, recipient, thread } = notice
  const notices = useInfiniteQuery({
    ...noticesQuery({ case: caseId, recipient }),
    enabled: caseId !== undefined,
  })
  const others = (notices.data?.pages[0]?.items ?? []).filter(
    (one) => one.thread === thread && one.id !== notice.id,
  )
  if (others.length === 0 || caseId === undefined) return null
  return (
    <section className="stack" aria-label={t('thread')}>
      <h3 className="section-title">{t('thread')}</h3>
      <Timeline
        label={t('thread')}
        entries={others.map(({ id, created_at: at, subject, purpose, state }) => ({
          id,
          at,
          icon: Send,
          tone: state === 'sent' ? 'green' : 'grey',
          title: (
            <Link to="/notices" search={{ case: caseId, recipient, open: id }}>
              {withoutTag(subject)}
            </Link>
          ),
          by: t(`purpose_${purpose}`),
        }))}
      />
    </section>
  )
}
