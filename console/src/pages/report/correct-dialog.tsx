// Corrects one event of a report, or adds one that was missed. Shows what changes before it is sent.

import { Button, Group, Modal, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { queryClient } from '../../data/query-client.ts'
import { useText } from '../../messages/use-text.ts'
import { EVENT_TYPES } from '../../parts/event-types.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { type Correction, eventQuery, reportQuery } from './data.ts'
import { messages } from './messages.ts'
import { nameReasonDraft, type useReportActs } from './use-report-acts.ts'

export interface CorrectDialogProps {
  readonly reportId: string
  /** Of the report as the dialog opened. */
  readonly version: number
  /** Null adds an event. */
  readonly eventId: string | null
  readonly focus: 'type' | 'target'
  readonly correct: ReturnType<typeof useReportActs>['correct']
  readonly onClose: () => void
}

type Event = Schemas['Event']

export function CorrectDialog(props: CorrectDialogProps) {
  const t = useText(messages)
  const { eventId, onClose } = props
  const found = useQuery({ ...eventQuery(eventId ?? ''), enabled: eventId !== null })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(eventId === null ? 'add_event' : 'correct_event')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {eventId !== null && found.error !== null && (
        <Problem error={found.error} onRetry={() => void found.refetch()} />
      )}
      {eventId !== null && found.data === undefined && found.error === null && (
        <Loading lines={6} />
      )}
      {(eventId === null || found.data !== undefined) && (
        <CorrectForm {...props} event={found.data ?? null} />
      )}
    </Modal>
  )
}

interface Fields {
  readonly type: string
  readonly ip: string
  readonly domain: string
  readonly url: string
  readonly targetIp: string
  readonly targetDomain: string
}

function readFields(event: Event | null): Fields {
  const details = event?.event_details ?? {}
  const target = Reflect.get(details, 'target')
  return {
    type: event?.event_type ?? '',
    ip: event?.ip ?? '',
    domain: event?.domain ?? '',
    url: readText(details, 'url'),
    targetIp: readText(target, 'ip'),
    targetDomain: readText(target, 'domain'),
  }
}

function readText(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : ''
  return typeof found === 'string' ? found : ''
}

function CorrectForm({
  reportId,
  version,
  eventId,
  focus,
  correct,
  onClose,
  event,
}: CorrectDialogProps & { readonly event: Event | null }) {
  const t = useText(messages)
  const former = readFields(event)
  const [fields, setFields] = useState(former)
  const [seen, setSeen] = useState(version)
  const [reason, setReason, forgetReason] = useDraft(nameReasonDraft(reportId))
  const body = buildCorrection(eventId, former, fields, event)
  const set = (name: keyof Fields) => (value: string) =>
    setFields((before) => ({ ...before, [name]: value }))
  const submit = (given: FormEvent): void => {
    given.preventDefault()
    if (body === null) return
    correct.mutate(
      {
        body: reason.trim() === '' ? body : { ...body, reason: reason.trim() },
        version: seen,
        said: t(eventId === null ? 'event_added' : 'event_corrected'),
        undo: eventId === null ? null : buildCorrection(eventId, fields, former, event),
      },
      {
        onSuccess: () => {
          forgetReason()
          onClose()
        },
        // By now the page shows the report as others left it, and the form what it changes in that.
        onError: () => setSeen(readVersion(reportId) ?? seen),
      },
    )
  }
  const at = eventId === null ? '/add/0' : '/events/0'
  const problem = (name: string): ReactNode => fieldProblem(correct.error, `${at}/${name}`)
  const text = (name: Exclude<keyof Fields, 'type'>, pointer: string, isFirst = false) => (
    <TextInput
      label={t(`about_${name}`)}
      value={fields[name]}
      onChange={(change) => set(name)(change.currentTarget.value)}
      error={problem(pointer)}
      data-autofocus={isFirst ? true : undefined}
      classNames={{ input: 'mono' }}
    />
  )
  return (
    <form onSubmit={submit} className="stack">
      <Select
        label={t('field_type')}
        data={[...EVENT_TYPES]}
        value={fields.type === '' ? null : fields.type}
        onChange={(value) => set('type')(value ?? '')}
        searchable
        required
        error={problem('event_type')}
        data-autofocus={focus === 'type' ? true : undefined}
        comboboxProps={{ withinPortal: true }}
      />
      <fieldset className="fields">
        <legend className="section-title">{t('about')}</legend>
        {text('ip', 'subject/ip', focus === 'target')}
        {text('domain', 'subject/domain')}
        {text('url', 'subject/url')}
      </fieldset>
      <fieldset className="fields">
        <legend className="section-title">{t('attacked')}</legend>
        {text('targetIp', 'target/ip')}
        {text('targetDomain', 'target/domain')}
      </fieldset>
      <Textarea
        label={t('reason')}
        description={t('reason_kept')}
        value={reason}
        onChange={(change) => setReason(change.currentTarget.value)}
        autosize
        minRows={2}
        maxLength={2_000}
      />
      {event !== null && body !== null && <Difference former={former} fields={fields} />}
      <FormProblem error={correct.error} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={correct.isPending} disabled={body === null}>
          {t(eventId === null ? 'add_event' : 'correct_event')}
        </Button>
      </Group>
    </form>
  )
}

const SHOWN = ['type', 'ip', 'domain', 'url', 'targetIp', 'targetDomain'] as const

function Difference({ former, fields }: { readonly former: Fields; readonly fields: Fields }) {
  const t = useText(messages)
  return (
    <ul className="changes" aria-label={t('difference')}>
      {SHOWN.filter((name) => former[name] !== fields[name].trim()).map((name) => (
        <li key={name}>
          <span className="dim">{name === 'type' ? t('field_type') : t(`about_${name}`)}</span>{' '}
          <del className="before">{former[name] || '–'}</del>
          {' → '}
          <ins className="after">{fields[name].trim() || '–'}</ins>
        </li>
      ))}
    </ul>
  )
}

function readVersion(reportId: string): number | undefined {
  return queryClient.getQueryData(reportQuery(reportId).queryKey)?.version
}

/** Null when nothing changes, or not enough is said. */
function buildCorrection(
  eventId: string | null,
  former: Fields,
  given: Fields,
  event: Event | null,
): Correction | null {
  const { type, ip, domain, url, targetIp, targetDomain } = given
  const urls: unknown = Reflect.get(event?.event_details ?? {}, 'urls')
  const subject = {
    ...pick({ ip, domain, url }),
    ...(isTexts(urls) ? { urls: [...urls] } : {}),
  }
  const target = pick({ ip: targetIp, domain: targetDomain })
  const hasTarget = Object.keys(target).length > 0
  if (eventId === null) {
    if (type === '' || Object.keys(subject).length === 0) return null
    return { add: [{ event_type: type, subject, ...(hasTarget ? { target } : {}) }] }
  }
  const isOther = (...names: readonly (keyof Fields)[]): boolean =>
    names.some((name) => former[name] !== given[name].trim())
  const change = {
    ...(isOther('type') ? { event_type: type } : {}),
    ...(isOther('ip', 'domain', 'url') ? { subject } : {}),
    ...(isOther('targetIp', 'targetDomain') ? { target: hasTarget ? target : null } : {}),
  }
  if (Object.keys(change).length === 0) return null
  return { events: [{ event_id: eventId, ...change }] }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Those that say something. */
function pick(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, value]) =>
      value.trim() === '' ? [] : [[name, value.trim()] as const],
    ),
  )
}
