// The forms of events: another owner, and a complaint that came by phone.

import { Button, Group, Modal, Select, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { EVENT_TYPES } from '../../parts/event-types.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { messages as partMessages } from '../../parts/messages.ts'
import { useDraft } from '../../parts/use-draft.ts'
import { usePreferences } from '../../settings/preferences.ts'
import { readTime, writeTime, type Zone } from '../../settings/zone.ts'
import { messages } from './messages.ts'
import type { useEventActs } from './use-event-acts.ts'

type Acts = ReturnType<typeof useEventActs>

export interface ReassignDialogProps {
  readonly eventId: string
  readonly formerId: string | null
  readonly reassign: Acts['reassign']
  readonly onClose: () => void
}

export function ReassignDialog({ eventId, formerId, reassign, onClose }: ReassignDialogProps) {
  const t = useText(messages)
  const [customerId, setCustomerId] = useState('')
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    reassign.mutate(
      {
        eventId,
        customerId: customerId.trim() === '' ? null : customerId.trim(),
        formerId,
        reason: reason.trim(),
      },
      { onSuccess: onClose },
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('reassign')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} className="stack">
        <TextInput
          label={t('customer_id')}
          description={t('reassign_hint')}
          value={customerId}
          onChange={(change) => setCustomerId(change.currentTarget.value)}
          error={fieldProblem(reassign.error, '/customer_id')}
          data-autofocus
        />
        <Textarea
          label={t('reason')}
          value={reason}
          onChange={(change) => setReason(change.currentTarget.value)}
          autosize
          minRows={2}
          maxLength={2_000}
        />
        <FormProblem error={reassign.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={reassign.isPending}>
            {t(customerId.trim() === '' ? 'find_owner' : 'reassign')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

export interface PushDialogProps {
  readonly push: Acts['push']
  readonly onClose: () => void
}

/** A complaint by phone: somebody writes down what a person said. */
export function PushDialog({ push, onClose }: PushDialogProps) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const { user } = useSession()
  const { zone } = usePreferences()
  const [type, setType] = useState<string | null>(null)
  const [at, setAt] = useState(() => writeNow(zone))
  const [fields, setFields] = useState({ ip: '', domain: '', url: '', sender: user.email })
  const [note, setNote, forgetNote] = useDraft('new event')
  const set = (name: keyof typeof fields) => (value: string) =>
    setFields((before) => ({ ...before, [name]: value }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const details = { ...pick('url', fields.url), ...pick('note', note) }
    push.mutate(
      {
        event_type: type ?? '',
        event_date: readTime(at, zone).toISOString(),
        ...pick('ip', fields.ip),
        ...pick('domain', fields.domain),
        ...pick('sender_email', fields.sender),
        ...(Object.keys(details).length === 0 ? {} : { event_details: details }),
      },
      {
        onSuccess: () => {
          forgetNote()
          onClose()
        },
      },
    )
  }
  const hasSubject = [fields.ip, fields.domain, fields.url].some((value) => value.trim() !== '')
  const text = (name: keyof typeof fields, label: string, pointer: string) => (
    <TextInput
      label={label}
      value={fields[name]}
      onChange={(change) => set(name)(change.currentTarget.value)}
      error={fieldProblem(push.error, pointer)}
      classNames={{ input: 'mono' }}
    />
  )
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('add')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} className="stack">
        <Select
          label={t('event_type')}
          data={[...EVENT_TYPES]}
          value={type}
          onChange={setType}
          searchable
          openOnFocus={false}
          required
          data-autofocus
          error={fieldProblem(push.error, '/event_type')}
        />
        <TextInput
          label={t('at')}
          description={tp(`zone_${zone}`)}
          type="datetime-local"
          value={at}
          max={writeNow(zone)}
          onChange={(change) => setAt(change.currentTarget.value)}
          required
          error={fieldProblem(push.error, '/event_date')}
        />
        {text('ip', t('address'), '/ip')}
        {text('domain', t('domain'), '/domain')}
        {text('url', t('link'), '/event_details/url')}
        {text('sender', t('sender_email'), '/sender_email')}
        <Textarea
          label={t('note')}
          description={t('note_hint')}
          value={note}
          onChange={(change) => setNote(change.currentTarget.value)}
          autosize
          minRows={3}
          maxLength={4_000}
        />
        <FormProblem error={push.error} />
        {!hasSubject && <p className="dim small plain">{t('needs_subject')}</p>}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={push.isPending} disabled={type === null || !hasSubject}>
            {t('add')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function pick(name: string, value: string): Record<string, string> {
  return value.trim() === '' ? {} : { [name]: value.trim() }
}

function writeNow(zone: Zone): string {
  return writeTime(new Date(), zone)
}
