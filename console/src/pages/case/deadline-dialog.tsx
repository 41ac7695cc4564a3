// The deadline that was agreed for the case.

import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { messages as partMessages } from '../../parts/messages.ts'
import { usePreferences } from '../../settings/preferences.ts'
import { readTime, writeTime } from '../../settings/zone.ts'
import { DialogActs, DialogFrame } from '../cases/shared/act-dialog.tsx'
import { useChangeCases } from '../cases/shared/use-change-cases.ts'
import type { CaseDetail } from './data.ts'
import { messages } from './messages.ts'

const HOUR_MS = 3_600_000
const SHORTCUTS = [4, 24, 72, 168] as const

export interface DialogProps {
  readonly detail: CaseDetail
  readonly onClose: () => void
}

export function DeadlineDialog({ detail, onClose }: DialogProps) {
  const t = useText(messages)
  const format = useFormat()
  const tp = useText(partMessages)
  const { zone } = usePreferences()
  const { deadline_at: former } = detail
  const [value, setValue] = useState(former === undefined ? '' : writeTime(new Date(former), zone))
  const act = useChangeCases()
  const send = (at: string | null): void => {
    onClose()
    const said =
      at === null ? t('said_no_deadline') : t('said_deadline', { time: format.time(new Date(at)) })
    act.mutate({ ids: [detail.id], change: { deadline_at: at }, said })
  }
  const at = readTime(value, zone)
  const isValid = !Number.isNaN(at.getTime())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isValid) send(at.toISOString())
  }
  return (
    <DialogFrame title={t('act_deadline')} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextInput
          type="datetime-local"
          label={t('deadline')}
          description={tp(`zone_${zone}`)}
          data-autofocus
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Group gap={8}>
          {SHORTCUTS.map((hours) => (
            <Button
              key={hours}
              variant="default"
              onClick={() => setValue(writeTime(new Date(Date.now() + hours * HOUR_MS), zone))}
            >
              {t('in_hours', { hours })}
            </Button>
          ))}
        </Group>
        <DialogActs onClose={onClose}>
          {former !== undefined && (
            <Button variant="default" onClick={() => send(null)}>
              {t('no_deadline')}
            </Button>
          )}
          <Button type="submit" disabled={!isValid}>
            {t('set_deadline')}
          </Button>
        </DialogActs>
      </form>
    </DialogFrame>
  )
}
