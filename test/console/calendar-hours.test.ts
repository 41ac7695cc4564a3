// Days of a calendar with the same hours are shown as one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Day, foldDays } from '../../console/src/pages/rules/calendar-hours.ts'

function fold(hours: Partial<Record<Day, string>>): readonly string[] {
  return foldDays((day) => hours[day] ?? '').map(({ days, text }) => `${days.join()} ${text}`)
}

test('days that follow one another with the same hours are one', () => {
  assert.deepEqual(fold({ monday: '8–17', tuesday: '8–17', wednesday: '8–12', friday: '8–12' }), [
    'monday,tuesday 8–17',
    'wednesday 8–12',
    'friday 8–12',
  ])
})

test('a week that is closed all days has none', () => {
  assert.deepEqual(fold({}), [])
})
