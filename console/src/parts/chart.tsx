// Values over time as stacked bars, with the same values as a table behind a switch. Drawn as SVG in
// the colours of the scheme; the palette keeps its order of lightness for red-green blindness.

import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { ChartColumn, Table } from 'lucide-react'
import { useId, useState } from 'react'
import { type Format, useFormat } from '../messages/use-format.ts'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

export interface ChartSeries {
  readonly id: string
  readonly title: string
  /** One for each entry of `times`. */
  readonly values: readonly number[]
  /** Where the thing has a colour of its own, such as a state; the palette otherwise. */
  readonly colour?: string
}

export interface ChartProps {
  readonly title: string
  /** The beginnings of the buckets; those of days are days of UTC, in whatever zone a person is. */
  readonly times: readonly Date[]
  /** At most six; gather the rest into one. */
  readonly series: readonly ChartSeries[]
  readonly height?: number
  /** The sums of values that cannot be added, such as hours, say nothing and are left out. */
  readonly hasTotals?: boolean
  readonly onPick?: (index: number) => void
}

export function Chart(props: ChartProps) {
  const t = useText(messages)
  const { title } = props
  const [isTable, setTable] = useState(false)
  return (
    <figure className="chart" aria-label={title}>
      <figcaption className="chart-head">
        <span className="section-title">{title}</span>
        <Button
          variant="subtle"
          color="gray"
          leftSection={
            isTable ? <ChartColumn size={14} aria-hidden /> : <Table size={14} aria-hidden />
          }
          onClick={() => setTable(!isTable)}
        >
          {t(isTable ? 'as_chart' : 'as_table')}
        </Button>
      </figcaption>
      {isTable ? <ChartTable {...props} /> : <Bars {...props} />}
    </figure>
  )
}

// Before the place is measured, and no narrower than this.
const WIDTH_FIRST = 720
const WIDTH_MIN = 240
const LEFT_MIN = 40
// A digit of 12 px in the widest font, and the gap to the plot.
const DIGIT_WIDTH = 8
const LABEL_GAP = 8
const BOTTOM = 24
const GRID_LINES = 3

function Bars({ title, times, series, height = 180, hasTotals = true, onPick }: ChartProps) {
  const t = useText(messages)
  const format = useFormat()
  const [at, setAt] = useState<number | null>(null)
  const tipId = useId()
  const { ref, width: measured } = useElementSize()
  const width = measured === 0 ? WIDTH_FIRST : Math.max(WIDTH_MIN, measured)
  const totals = times.map((_, index) => sumAt(series, index))
  const top = roundUp(Math.max(1, ...totals))
  const plot = height - BOTTOM
  const left = Math.max(LEFT_MIN, LABEL_GAP * 2 + format.number(top).length * DIGIT_WIDTH)
  const step = (width - left) / Math.max(1, times.length)
  const y = (value: number): number => plot - (value / top) * (plot - 8)
  const picked = at === null ? undefined : times[at]
  return (
    <div className="chart-area" ref={ref}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the pointer lights a bar; the table says the same */}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="chart-svg"
        role="img"
        aria-label={title}
        onMouseLeave={() => setAt(null)}
      >
        {Array.from({ length: GRID_LINES + 1 }, (_, line) => {
          const value = (top / GRID_LINES) * line
          return (
            <g key={line}>
              <line x1={left} x2={width} y1={y(value)} y2={y(value)} className="chart-line" />
              <text x={left - LABEL_GAP} y={y(value) + 4} className="chart-number">
                {format.number(Math.round(value))}
              </text>
            </g>
          )
        })}
        {times.map((time, index) => {
          let below = 0
          const x = left + index * step
          return (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the table behind the switch is the way by keyboard
            <g
              key={time.getTime()}
              onMouseEnter={() => setAt(index)}
              onClick={() => onPick?.(index)}
              className={onPick === undefined ? undefined : 'chart-pick'}
            >
              <rect x={x} y={0} width={step} height={plot} fill="transparent" />
              {series.map(({ id, values, colour }, order) => {
                const value = values[index] ?? 0
                const bottom = below
                below += value
                return value === 0 ? null : (
                  <rect
                    key={id}
                    x={x + Math.min(2, step * 0.15)}
                    y={y(below)}
                    width={Math.max(1, step - Math.min(4, step * 0.3))}
                    height={Math.max(1, y(bottom) - y(below))}
                    fill={colour ?? colourOf(order)}
                    opacity={at === null || at === index ? 1 : 0.55}
                  />
                )
              })}
            </g>
          )
        })}
        {labelPlaces(times.length, width).map((index) => (
          <text
            key={index}
            x={left + (index + 0.5) * step}
            y={height - 6}
            className="chart-day"
            textAnchor="middle"
          >
            {labelOf(times, index, format)}
          </text>
        ))}
      </svg>
      <div className="chart-legend" id={tipId} aria-live="off">
        {series.map(({ id, title: name, values, colour }, order) => (
          <span key={id} className="row-of">
            <span className="chart-swatch" style={{ background: colour ?? colourOf(order) }} />
            <span className="cut">{name}</span>
            {(hasTotals || at !== null) && (
              <span className="number">
                {format.number(at === null ? sum(values) : (values[at] ?? 0))}
              </span>
            )}
          </span>
        ))}
        {picked !== undefined && <span className="dim">{sayTime(times, format)(picked)}</span>}
        {picked === undefined && hasTotals && series.length > 1 && (
          <span className="dim">
            {t('total')} <span className="number">{format.number(sum(totals))}</span>
          </span>
        )}
      </div>
    </div>
  )
}

function ChartTable({ title, times, series }: ChartProps) {
  const t = useText(messages)
  const format = useFormat()
  const say = sayTime(times, format)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div className="chart-table" tabIndex={0} role="group" aria-label={title}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {series.map(({ id, title: name }) => (
              <th key={id} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, index) => (
            <tr key={time.getTime()}>
              <th scope="row">{say(time)}</th>
              {series.map(({ id, values }) => (
                <td key={id} className="number">
                  {format.number(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A line without axes, for a row or beside a number. */
export function Sparkline({
  values,
  label,
}: {
  readonly values: readonly number[]
  readonly label: string
}) {
  const top = Math.max(1, ...values)
  const step = 80 / Math.max(1, values.length)
  return (
    <svg viewBox="0 0 80 20" width={80} height={20} role="img" aria-label={label}>
      {values.map((value, index) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
          key={index}
          x={index * step}
          y={20 - Math.max(1, (value / top) * 20)}
          width={Math.max(1, step - 1)}
          height={Math.max(1, (value / top) * 20)}
          fill="var(--chart-1)"
        />
      ))}
    </svg>
  )
}

const COLOURS = 6

export function colourOf(order: number): string {
  return `var(--chart-${(order % COLOURS) + 1})`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function sumAt(series: readonly ChartSeries[], index: number): number {
  return sum(series.map(({ values }) => values[index] ?? 0))
}

/** The next 3, 6, 15, 30, 60, …: the grid then has whole numbers. */
function roundUp(value: number): number {
  for (let size = 1; ; size *= 10) {
    for (const base of [3, 6, 15]) if (value <= base * size) return base * size
  }
}

// A date takes about 60 px; more room lets the eye rest.
const LABEL_WIDTH = 110

function labelPlaces(count: number, width: number): readonly number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / LABEL_WIDTH))))
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every)
}

const DAY_MS = 86_400_000

/** Whether each bucket begins with a day of UTC. */
function isByDay(times: readonly Date[]): boolean {
  return times.every((time) => time.getTime() % DAY_MS === 0)
}

function sayTime(times: readonly Date[], { time, utcDay }: Format): (at: Date) => string {
  return isByDay(times) ? utcDay : time
}

/** The hour where buckets are shorter than a day, else the day; the year is seen elsewhere. */
function labelOf(times: readonly Date[], index: number, format: Format): string {
  const [time, first, second] = [times[index], times[0], times[1]]
  if (time === undefined) return ''
  const size = (second?.getTime() ?? 0) - (first?.getTime() ?? 0)
  if (second !== undefined && size < DAY_MS) return format.time(time).split(', ').at(-1) ?? ''
  const day = isByDay(times) ? format.utcDay(time) : format.day(time)
  return day.replace(/\s\d{4}$/, '')
}
