// `/rules/calendars/{name}` and `/rules/new-calendar`: opening hours of each day, and holidays.

import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { DAYS, readHolidays, readHours, writeHours } from './calendar-hours.ts'
import { type Calendar, calendarQuery, calendarsQuery } from './data.ts'
import { messages } from './editor-messages.ts'
import { Section } from './group-form.tsx'
import { calendarRoute } from './route.ts'
import './rules.css'

export function NewCalendarView() {
  return <Editor calendar={null} />
}

export function CalendarView() {
  const t = useText(messages)
  const { name } = calendarRoute.useParams()
  const calendar = useQuery(calendarQuery(name))
  // A later failure takes no form away that somebody has begun to fill in.
  if (calendar.data !== undefined) return <Editor key={name} calendar={calendar.data} />
  if (calendar.error === null) return <Loading />
  return (
    <Page title={t('edit_calendar', { name })}>
      <Problem error={calendar.error} onRetry={() => void calendar.refetch()} />
    </Page>
  )
}

const WEEK: Readonly<Record<string, string>> = Object.fromEntries(
  DAYS.map((day, index) => [day, index < 5 ? '09:00–17:00' : '']),
)

function Editor({ calendar }: { readonly calendar: Calendar | null }) {
  const t = useText(messages)
  const navigate = useNavigate()
  const mayWrite = useMay('playbooks:write')
  const [name, setName] = useState(calendar?.name ?? '')
  const [zone, setZone] = useState(
    calendar?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
  )
  const [hours, setHours] = useState<Readonly<Record<string, string>>>(
    calendar === null
      ? WEEK
      : Object.fromEntries(DAYS.map((day) => [day, writeHours(calendar.hours[day])])),
  )
  const [holidays, setHolidays] = useState((calendar?.holidays ?? []).join('\n'))
  const times = DAYS.map((day) => [day, readHours(hours[day] ?? '')] as const)
  const dates = readHolidays(holidays)
  // What is sent would take the place of a calendar that is there.
  const calendars = useQuery({ ...calendarsQuery, staleTime: 0, enabled: calendar === null })
  const save = useAct({
    act: () =>
      casework.put('/beta/casework/calendars/{name}', {
        params: { path: { name } },
        body: {
          time_zone: zone,
          hours: Object.fromEntries(
            times.flatMap(([day, read]) =>
              read === null || read.length === 0 ? [] : [[day, [...read]]],
            ),
          ),
          ...(dates === null || dates.length === 0 ? {} : { holidays: [...dates] }),
        },
      }),
    touches: () => [['calendars']],
    say: () => t('saved', { name }),
    onDone: () => void navigate({ to: '/rules', search: { tab: 'calendars', open: name } }),
  })
  const hasName = calendars.data?.items.some((one) => one.name === name) === true
  // Once it is saved, it is the one that has the name.
  const isTaken = calendar === null && !save.isSuccess && hasName
  const isNamed = name !== '' && !isTaken
  const isReady = isNamed && dates !== null && times.every(([, read]) => read !== null)
  const submit = (): void => {
    if (isReady && !save.isPending) save.mutate(undefined)
  }
  const title = calendar === null ? t('new_calendar') : t('edit_calendar', { name })
  useKeys(title, [{ keys: 'mod+s', title: t('save'), run: submit }])
  if (!mayWrite) {
    return (
      <Page title={title}>
        <NoPermission error={null} />
      </Page>
    )
  }
  return (
    <Page
      title={title}
      lede={t('calendar_lede')}
      acts={
        <>
          <Button variant="default" component={Link} to="/rules?tab=calendars">
            {t('back')}
          </Button>
          <Button onClick={submit} loading={save.isPending} disabled={!isReady}>
            {t('save_calendar')}
          </Button>
        </>
      }
    >
      <div className="rule-form">
        <FormProblem error={save.error} />
        {calendar === null && (
          <TextInput
            label={t('calendar_name')}
            description={t('calendar_name_help')}
            value={name}
            maxLength={64}
            required
            error={isTaken ? t('calendar_name_taken') : fieldProblem(save.error, '/name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <Select
          label={t('time_zone')}
          value={zone}
          data={[...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          searchable
          allowDeselect={false}
          limit={60}
          error={fieldProblem(save.error, '/time_zone')}
          onChange={(value) => setZone(value ?? zone)}
        />
        <Section title={t('hours')} help={t('hours_help')}>
          <div className="rule-days">
            {times.map(([day, read]) => (
              <TextInput
                key={day}
                label={t(`day_${day}`)}
                value={hours[day] ?? ''}
                error={read === null ? t('hours_wrong') : fieldProblem(save.error, `/hours/${day}`)}
                onChange={(event) => setHours({ ...hours, [day]: event.currentTarget.value })}
              />
            ))}
          </div>
        </Section>
        <Textarea
          label={t('holidays')}
          description={t('holidays_help')}
          value={holidays}
          autosize
          minRows={4}
          maxRows={16}
          className="mono-field"
          error={dates === null ? t('holidays_wrong') : fieldProblem(save.error, '/holidays')}
          onChange={(event) => setHolidays(event.currentTarget.value)}
        />
      </div>
    </Page>
  )
}
