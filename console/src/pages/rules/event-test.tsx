// What the stored rules would make of one event: its owner, each rule that was asked, the key.

import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from 'casework/client'
import { Ban, Check, CircleOff, Minus, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge, type Tone } from '../../parts/badges.tsx'
import { CodeEditor } from '../../parts/code-editor.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { eventQuery } from '../report/data.ts'
import { caseGroupsQuery, muteRulesQuery } from './data.ts'
import { messages as editorMessages } from './editor-messages.ts'
import { messages } from './messages.ts'
import { rulesRoute } from './route.ts'

type Test = Schemas['CaseGroupTest']
type NewEvent = Schemas['NewEvent']
type StoredEvent = NonNullable<ReturnType<typeof useStoredEvent>['data']>

function sampleEvent(): NewEvent {
  return {
    event_type: 'LoginAttack',
    event_date: new Date().toISOString(),
    ip: '198.51.100.7',
    sender_email: 'reporter@example.net',
    event_details: { port: 22 },
  }
}

export function EventTest() {
  const t = useText(messages)
  const { event } = rulesRoute.useSearch()
  const [text, setText] = useState(() => JSON.stringify(sampleEvent(), null, 2))
  const test = useMutation({
    mutationFn: (body: NewEvent) => casework.post('/beta/casework/case-groups/test', { body }),
  })
  const stored = useStoredEvent(event)
  const { data: found } = stored
  const take = (given: StoredEvent): void => setText(JSON.stringify(readNew(given), null, 2))
  useEffect(() => {
    if (found !== undefined) take(found)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an event that changes takes no text away
  }, [found?.event_id])
  const parsed = readEvent(text)
  return (
    <section className="rule-editor" aria-label={t('test')}>
      <div className="stack">
        <p className="dim rules-lede">{t('test_lede')}</p>
        <CodeEditor label={t('test_event')} language="json" value={text} onChange={setText} />
        {parsed === null && (
          <div className="note" data-tone="amber" role="status">
            <span>{t('test_wrong')}</span>
          </div>
        )}
        <FormProblem error={test.error} />
        {found === undefined && <FormProblem error={stored.error} />}
        <div className="row-of">
          <Button
            disabled={parsed === null}
            loading={test.isPending}
            onClick={() => {
              if (parsed !== null) test.mutate(parsed)
            }}
          >
            {t('test_run')}
          </Button>
          <NewestButton
            onFound={(id) => {
              if (found?.event_id === id) take(found)
            }}
          />
        </div>
      </div>
      <section className="trial" aria-label={t('test_result')} aria-live="polite">
        <h2 className="section-title trial-head">{t('test_result')}</h2>
        {test.data === undefined ? (
          <p className="dim">{t('test_waits')}</p>
        ) : (
          <Result test={test.data} />
        )}
      </section>
    </section>
  )
}

/** The server says which members are wrong. */
function readEvent(text: string): NewEvent | null {
  try {
    const value: NewEvent | null = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** `onFound` for one that is in the URL already, and is taken once more. */
function NewestButton({ onFound }: { readonly onFound: (id: string) => void }) {
  const t = useText(messages)
  const te = useText(editorMessages)
  const navigate = useNavigate({ from: rulesRoute.fullPath })
  const mayRead = useMay('events:read')
  const find = useMutation({
    mutationFn: () => casework.get('/beta/casework/events', { params: { query: { limit: 1 } } }),
    onSuccess: ({ items }) => {
      const id = items[0]?.event_id
      if (id === undefined) return
      onFound(id)
      void navigate({ search: (former) => ({ ...former, event: id }), replace: true })
    },
  })
  if (!mayRead) return null
  return (
    <>
      <Button variant="default" loading={find.isPending} onClick={() => find.mutate()}>
        {t('test_newest')}
      </Button>
      <FormProblem error={find.error} />
      {find.data?.items.length === 0 && (
        <span className="dim" role="status">
          {te('no_events')}
        </span>
      )}
    </>
  )
}

function useStoredEvent(eventId: string | undefined) {
  return useQuery({ ...eventQuery(eventId ?? ''), enabled: eventId !== undefined })
}

/** What may be pushed of a stored event: its ids and its outcome are not sent again. */
function readNew(event: StoredEvent) {
  const { event_type, event_date, ip, domain, sender_email, recipient_email } = event
  const { event_subtypes, event_details, xarf_class, tags } = event
  return {
    event_type,
    event_date,
    ip,
    domain,
    sender_email,
    recipient_email,
    event_subtypes,
    xarf_class,
    event_details,
    tags: tags?.filter((tag) => tag !== 'muted'),
  }
}

function Result({ test }: { readonly test: Test }) {
  const t = useText(messages)
  const te = useText(editorMessages)
  const groups = useQuery(caseGroupsQuery)
  const mutes = useQuery(muteRulesQuery(false))
  const nameOf = (id: string | undefined): string =>
    groups.data?.items.find((one) => one.id === id)?.name ??
    mutes.data?.items.find((one) => one.id === id)?.reason ??
    id ??
    ''
  const { owner, key, open_case_id: openCase } = test
  return (
    <div className="stack">
      <div className="trial-answer" role="status">
        {t(`outcome_${test.outcome}`, { name: nameOf(test.case_group) })}
      </div>
      <dl className="facts">
        <dt>{t('owner')}</dt>
        <dd>
          {owner.customer_id ?? owner.unassigned_cause ?? t('none')}
          {owner.contract_id !== undefined && ` · ${owner.contract_id}`}
        </dd>
        {test.severity !== undefined && (
          <>
            <dt>{t('severity')}</dt>
            <dd>{te(`severity_${test.severity}`)}</dd>
          </>
        )}
        {key !== undefined && (
          <>
            <dt>{t('correlation_key')}</dt>
            <dd>
              {key.map(({ field, value }) => (
                <div key={field}>
                  <span className="dim">{te(`key_${field}`)}</span>{' '}
                  <span className="mono">{value ?? t('none')}</span>
                </div>
              ))}
            </dd>
            <dt>{t('open_case')}</dt>
            <dd className={openCase === undefined ? undefined : 'mono'}>
              {openCase ?? t('no_open_case')}
            </dd>
          </>
        )}
      </dl>
      <h3 className="section-title">{t('asked')}</h3>
      <ul className="asked" aria-label={t('asked')}>
        {[...test.mute_rules, ...test.case_groups].map(({ id, answer, reason }) => (
          <li key={id}>
            <span className="asked-rule">
              <span className="cut">{nameOf(id)}</span>
              <Answer answer={answer} />
            </span>
            {reason !== undefined && <div className="dim small asked-why">{reason}</div>}
          </li>
        ))}
      </ul>
    </div>
  )
}

const ANSWERS = {
  match: ['green', Check],
  no_match: ['grey', Minus],
  failed: ['red', TriangleAlert],
  disabled: ['grey', CircleOff],
} as const satisfies Record<string, readonly [Tone, typeof Check]>

function Answer({ answer }: { readonly answer: string }) {
  const t = useText(messages)
  if (!isAnswer(answer)) {
    return (
      <Badge tone="grey" icon={Ban}>
        {t('not_asked')}
      </Badge>
    )
  }
  const [tone, icon] = ANSWERS[answer]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`answer_${answer}`)}
    </Badge>
  )
}

function isAnswer(text: string): text is keyof typeof ANSWERS {
  return Object.hasOwn(ANSWERS, text)
}
