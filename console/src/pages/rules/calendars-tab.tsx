// Calendars: a table, and the panel of one.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { mustShowFailure, Problem } from '../../parts/problem.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Since } from '../../parts/since.tsx'
import { DAYS, foldDays, writeHours } from './calendar-hours.ts'
import { type Calendar, calendarsQuery } from './data.ts'
import { messages as editorMessages } from './editor-messages.ts'
import { messages } from './messages.ts'
import { rulesRoute } from './route.ts'

export function CalendarsTab() {
  const t = useText(messages)
  const { open } = rulesRoute.useSearch()
  const navigate = useNavigate({ from: rulesRoute.fullPath })
  const calendars = useQuery(calendarsQuery)
  const columns = useColumns()
  const mayWrite = useMay('playbooks:write')
  if (mustShowFailure(calendars)) {
    return <Problem error={calendars.error} onRetry={() => void calendars.refetch()} />
  }
  return (
    <section className="rules-table" aria-label={t('calendars')}>
      <DataTable
        label={t('calendars')}
        rows={calendars.data?.items ?? []}
        columns={columns}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        openId={open}
        onOpen={({ name }) => void navigate({ search: (former) => ({ ...former, open: name }) })}
        isLoading={calendars.data === undefined}
        empty={
          <EmptyState title={t('calendars_empty')} text={t('calendars_empty_why')}>
            {mayWrite && (
              <Button component={Link} to="/rules/new-calendar">
                {t('new_calendar')}
              </Button>
            )}
          </EmptyState>
        }
      />
    </section>
  )
}

function useColumns(): readonly Column<Calendar>[] {
  const t = useText(messages)
  const te = useText(editorMessages)
  return [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(140px, 1fr)',
      narrow: 'first',
      cell: ({ name }) => name,
    },
    {
      id: 'zone',
      title: t('time_zone'),
      width: '180px',
      narrow: 'second',
      cell: ({ time_zone }) => time_zone,
    },
    {
      id: 'hours',
      title: t('open_hours'),
      width: 'minmax(240px, 2fr)',
      cell: ({ hours }) =>
        foldDays((day) => writeHours(hours[day]))
          .map(({ days, text }) => {
            const [first, last] = [days[0], days.at(-1)].map((day) =>
              day === undefined ? '' : te(`day_${day}`).slice(0, 2),
            )
            return first === last ? `${first} ${text}` : `${first}–${last} ${text}`
          })
          .join(' · '),
    },
    {
      id: 'holidays',
      title: t('holidays'),
      width: '100px',
      isNumber: true,
      cell: ({ holidays }) => holidays?.length ?? 0,
    },
    {
      id: 'changed',
      title: t('changed'),
      width: '140px',
      cell: ({ updated_at }) => <Since at={updated_at} />,
    },
  ]
}

export function useCalendarPanel(open: string | undefined, onClose: () => void) {
  const calendars = useQuery({ ...calendarsQuery, enabled: open !== undefined })
  const calendar = calendars.data?.items.find(({ name }) => name === open)
  if (calendar === undefined) return null
  return <CalendarPanel key={calendar.name} calendar={calendar} onClose={onClose} />
}

function CalendarPanel({
  calendar,
  onClose,
}: {
  readonly calendar: Calendar
  readonly onClose: () => void
}) {
  const t = useText(messages)
  const te = useText(editorMessages)
  const format = useFormat()
  const mayWrite = useMay('playbooks:write')
  const [isDeleting, setDeleting] = useState(false)
  const { name, time_zone, hours, holidays = [] } = calendar
  const remove = useAct({
    act: () => casework.delete('/beta/casework/calendars/{name}', { params: { path: { name } } }),
    touches: () => [['calendars']],
    say: () => t('deleted', { name }),
    onDone: onClose,
  })
  const path: string = `/rules/calendars/${encodeURIComponent(name)}`
  return (
    <SidePanel
      title={name}
      onClose={onClose}
      acts={
        mayWrite && (
          <>
            <Button component={Link} to={path}>
              {t('edit')}
            </Button>
            <Button variant="default" onClick={() => setDeleting(true)}>
              {t('delete')}
            </Button>
          </>
        )
      }
    >
      <dl className="facts">
        <dt>{t('time_zone')}</dt>
        <dd>{time_zone}</dd>
        {DAYS.map((day) => (
          <div key={day} className="facts-row">
            <dt>{te(`day_${day}`)}</dt>
            <dd>{writeHours(hours[day]) || <span className="dim">{t('closed')}</span>}</dd>
          </div>
        ))}
        <dt>{t('holidays')}</dt>
        <dd>
          {holidays.length === 0 && <span className="dim">{te('severity_none')}</span>}
          {holidays.map((day) => (
            <div key={day}>{format.utcDay(new Date(day))}</div>
          ))}
        </dd>
      </dl>
      <Confirm
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('delete_named', { name })}
        act={t('delete_named', { name })}
        onAct={() => remove.mutate(undefined)}
        isPending={remove.isPending}
      >
        <div>{t('calendar_delete_keeps')}</div>
      </Confirm>
    </SidePanel>
  )
}
