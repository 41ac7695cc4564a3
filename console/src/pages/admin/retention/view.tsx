// How long each class of data is kept, with what would go before it is saved. The days being tried
// stand in the URL.

import { Button } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useMay, useSession } from '../../../data/session.ts'
import { useFormat } from '../../../messages/use-format.ts'
import { useText } from '../../../messages/use-text.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { FormProblem } from '../../../parts/form-problem.tsx'
import { UrlField } from '../../../parts/url-field.tsx'
import type { AdminSearch } from '../admin-search.ts'
import { useSend } from '../form.tsx'
import { Answer, Section } from '../section.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

type Retention = Schemas['Retention']

const CLASSES = [
  ['raw', 'raw_report_days'],
  ['event', 'event_days'],
  ['case', 'case_days'],
  ['audit', 'audit_days'],
] as const satisfies readonly (readonly [keyof AdminSearch, string])[]

type Days = Readonly<Partial<Record<(typeof CLASSES)[number][1], number>>>

const FOR_EVER = 'ever'

function retentionQuery(days: Days) {
  return queryOptions({
    queryKey: ['retention', days],
    queryFn: () => casework.get('/beta/casework/retention', { params: { query: days } }),
    placeholderData: keepPreviousData,
  })
}

const settingsQuery = queryOptions({
  queryKey: ['retention', 'settings'],
  queryFn: () => casework.get('/beta/casework/retention'),
})

export function RetentionSection() {
  const query = useQuery({ ...settingsQuery, enabled: useMay('tenant:admin') })
  return (
    <Section id="retention">
      <Answer query={query}>{({ settings }) => <RetentionForm saved={settings} />}</Answer>
    </Section>
  )
}

/** As typed: a number, `ever`, or what is saved when the URL says nothing. */
function textOf(
  search: AdminSearch,
  saved: Days,
  [name, member]: (typeof CLASSES)[number],
): string {
  const tried = search[name]
  if (tried === FOR_EVER) return ''
  return tried ?? (saved[member] === undefined ? '' : String(saved[member]))
}

const DAYS = /^[1-9]\d{0,4}$/

function RetentionForm({ saved }: { readonly saved: Days }) {
  const t = useText(messages)
  const { search, set } = useAdmin()
  const texts = CLASSES.map((one) => textOf(search, saved, one))
  const isRight = texts.every((text) => text === '' || DAYS.test(text))
  const days: Days = Object.fromEntries(
    CLASSES.flatMap(([, member], index) => {
      const text = texts[index] ?? ''
      return DAYS.test(text) ? [[member, Number(text)]] : []
    }),
  )
  const preview = useQuery({ ...retentionQuery(days), enabled: isRight })
  // What stays in sight until the answer has come was counted for other days: nobody is asked by it.
  const counted = preview.isPlaceholderData ? undefined : preview.data
  return (
    <div className="stack admin-narrow">
      <section aria-label={t('settings')}>
        <div className="settings">
          {CLASSES.map((one, index) => {
            const [name, member] = one
            const text = texts[index] ?? ''
            const isWrong = text !== '' && !DAYS.test(text)
            return (
              <div key={name} className="setting">
                <div>
                  <div>{t(member)}</div>
                  <div className="dim small">{t(`${member}_help`)}</div>
                </div>
                <UrlField
                  aria-label={t(member)}
                  inputMode="numeric"
                  w={160}
                  value={text}
                  placeholder={t('for_ever')}
                  error={isWrong && t('not_days')}
                  rightSection={text !== '' && <span className="dim small">{t('days')}</span>}
                  rightSectionWidth={48}
                  onChange={(value) => set({ [name]: value === '' ? FOR_EVER : value }, true)}
                />
              </div>
            )
          })}
        </div>
      </section>
      <section className="preview stack" aria-label={t('preview')}>
        <div>
          <h2 className="section-title">{t('preview')}</h2>
          <div className="dim">{t('preview_lede')}</div>
        </div>
        <Answer query={preview}>{(retention) => <Due retention={retention} />}</Answer>
      </section>
      <Save days={days} isRight={isRight} retention={counted} />
    </div>
  )
}

function useDue(retention: Retention | undefined): readonly string[] {
  const t = useText(messages)
  const format = useFormat()
  if (retention === undefined) return []
  const { due, counted_up_to: most } = retention
  const size = `${format.number(Math.ceil(due.raw_bytes / 1_000))} kB`
  const rows = [
    ['due_cases', due.cases],
    ['due_events', due.events],
    ['due_reports', due.reports],
    ['due_raw_reports', due.raw_reports],
    ['due_audit', due.audit],
  ] as const
  return rows
    .filter(([, count]) => count > 0)
    .map(([key, count]) => (count >= most ? `${t('at_least')} ` : '') + t(key, { count, size }))
}

function Due({ retention }: { readonly retention: Retention }) {
  const t = useText(messages)
  const due = useDue(retention)
  return (
    <>
      {due.length === 0 ? (
        <div>{t('preview_none')}</div>
      ) : (
        <ul style={{ margin: 0 }}>
          {due.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {retention.held_cases > 0 && (
        <div className="dim">{t('held', { count: retention.held_cases })}</div>
      )}
    </>
  )
}

interface SaveProps {
  readonly days: Days
  readonly isRight: boolean
  readonly retention: Retention | undefined
}

function Save({ days, isRight, retention }: SaveProps) {
  const t = useText(messages)
  const { tenant_id: tenantId } = useSession()
  const [isOpen, setOpen] = useState(false)
  const due = useDue(retention)
  const save = useSend({
    send: () =>
      casework.patch('/beta/admin/tenants/{tenantId}', {
        params: { path: { tenantId } },
        body: { settings: { retention: days } },
      }),
    touches: [['retention'], ['tenants']],
    say: t('saved'),
    onDone: () => setOpen(false),
  })
  return (
    <div className="stack">
      <FormProblem error={save.error} />
      <div>
        <Button
          disabled={!isRight || retention === undefined}
          loading={save.isPending}
          onClick={() => (due.length > 0 ? setOpen(true) : save.mutate(undefined))}
        >
          {t('save')}
        </Button>
      </div>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('confirm_title')}
        act={t('save')}
        isPending={save.isPending}
        onAct={() => save.mutate(undefined)}
      >
        <div>{t('confirm_why')}</div>
        <ul style={{ margin: 0 }}>
          {due.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </Confirm>
    </div>
  )
}
