// A length of time as a number and a unit; empty stands for no limit.

import { Input, NumberInput, Select } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { messages } from './editor-messages.ts'

const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const
type Unit = (typeof UNITS)[number][0]

// Ten years, which is as much as the interface takes.
const SECONDS_MAX = 315_360_000

export interface DurationFieldProps {
  readonly label: string
  readonly help?: string
  readonly seconds: number | null
  readonly onChange: (seconds: number | null) => void
  readonly error?: ReactNode
}

export function DurationField({ label, help, seconds, onChange, error }: DurationFieldProps) {
  const t = useText(messages)
  const id = useId()
  // Kept while a number is typed: "24" hours do not become a day on the way to "240", and an empty
  // field stays one of hours. A value that comes from elsewhere may need another one.
  const [chosen, setChosen] = useState<Unit>(() => findUnit(seconds))
  const isFit = seconds === null || seconds % sizeOf(chosen) === 0
  const unit = isFit ? chosen : findUnit(seconds)
  const size = sizeOf(unit)
  return (
    <Input.Wrapper id={id} label={label} description={help} error={error}>
      <div className="duration">
        <NumberInput
          id={id}
          placeholder={t('no_limit')}
          value={seconds === null ? '' : seconds / size}
          min={0}
          max={SECONDS_MAX / size}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          error={error !== undefined}
          onChange={(value) => {
            setChosen(unit)
            onChange(typeof value === 'number' && value > 0 ? Math.round(value * size) : null)
          }}
        />
        <Select
          aria-label={t('unit_of', { field: label })}
          value={unit}
          data={UNITS.map(([name]) => ({ value: name, label: t(`unit_${name}`) }))}
          allowDeselect={false}
          onChange={(next) => {
            const found = UNITS.find(([name]) => name === next)
            if (found === undefined) return
            setChosen(found[0])
            if (seconds !== null) onChange(Math.round((seconds / size) * found[1]))
          }}
        />
      </div>
    </Input.Wrapper>
  )
}

function findUnit(seconds: number | null): Unit {
  if (seconds === null) return 'days'
  return UNITS.find(([, size]) => seconds % size === 0)?.[0] ?? 'seconds'
}

function sizeOf(unit: Unit): number {
  return UNITS.find(([name]) => name === unit)?.[1] ?? 1
}

/** `14 days`, in whole numbers of the largest unit that fits. */
export function splitSeconds(seconds: number): { readonly unit: Unit; readonly count: number } {
  const unit = findUnit(seconds)
  return { unit, count: seconds / sizeOf(unit) }
}
