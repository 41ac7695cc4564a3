// The chart of the growth curve as SVG, readable on a light and on a dark page.

import type { GrowthPoint } from '../growth.ts'

const WIDTH = 720
const HEIGHT = 360
const LEFT = 64
const RIGHT = 150
const TOP = 56
const BOTTOM = 56

// What design section 8 allows and aims at.
const FLOOR = 1.5
const AIM = 1.15

/**
 * Cost of a request over that of the same request at the smallest set, by size on a logarithmic
 * axis. Empty without points.
 */
export function drawGrowth(points: readonly GrowthPoint[]): string {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return ''
  const series = [
    {
      name: 'GET /beta/query',
      className: 'lookup',
      values: points.map((point) => point.lookup / first.lookup),
    },
    {
      name: 'quick check of 1,000',
      className: 'check',
      values: points.map((point) => point.check / first.check),
    },
  ]
  const top = Math.max(1.75, ...series.flatMap(({ values }) => values.map((value) => value * 1.1)))
  const decades = Math.log10(last.size / first.size) || 1
  const x = (size: number): number =>
    LEFT + (Math.log10(size / first.size) / decades) * (WIDTH - LEFT - RIGHT)
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM)
  const place = (index: number): number => x(points[index]?.size ?? first.size)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">Cost of a request by size of the intel set, relative to the smallest set</title>
<style>${STYLE}</style>
<rect class="page" width="${WIDTH}" height="${HEIGHT}" rx="8"/>
<text class="head" x="${LEFT}" y="30">CPU of a request, relative to a set of ${first.size.toLocaleString('en')} entries</text>
${[0, 0.5, 1, 1.5].map((value) => drawGridLine(y(value), `${value}×`)).join('\n')}
${drawBound(y(FLOOR), `floor ${FLOOR}×`)}
${drawBound(y(AIM), `aim ${AIM}×`)}
${points.map(({ size }) => `<text class="tick" x="${x(size).toFixed(1)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${formatSize(size)}</text>`).join('\n')}
<text class="tick" x="${((LEFT + WIDTH - RIGHT) / 2).toFixed(0)}" y="${HEIGHT - 12}" text-anchor="middle">entries with context</text>
${series
  .map(({ className, values }) =>
    drawSeries(
      className,
      values.map((value, index) => [place(index), y(value)]),
    ),
  )
  .join('\n')}
${series.map(({ name, className, values }, order) => drawLabel(name, className, values.at(-1) ?? 1, order)).join('\n')}
</svg>
`
}

// One palette for light pages and one for dark ones; both pairs differ in brightness too, for those
// who do not tell the hues apart.
const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #212529 }
.head { font-weight: 600; font-size: 15px }
.tick { fill: #495057 }
.page { fill: #ffffff }
.grid { stroke: #dee2e6 }
.bound { stroke: #868e96; stroke-dasharray: 5 4 }
.lookup { stroke: #1864ab; fill: #1864ab }
.check { stroke: #d9480f; fill: #d9480f }
polyline { fill: none !important; stroke-width: 2.5; stroke-linejoin: round }
text.lookup, text.check { stroke: none; font-weight: 600 }
@media (prefers-color-scheme: dark) {
  text { fill: #f1f3f5 } .tick { fill: #ced4da } .page { fill: #1a1b1e } .grid { stroke: #373a40 } .bound { stroke: #909296 }
  .lookup { stroke: #74c0fc; fill: #74c0fc } .check { stroke: #ffa94d; fill: #ffa94d }
}
`

function drawGridLine(base: number, label: string): string {
  return `<line class="grid" x1="${LEFT}" y1="${base.toFixed(1)}" x2="${WIDTH - RIGHT}" y2="${base.toFixed(1)}"/><text class="tick" x="${LEFT - 8}" y="${(base + 4).toFixed(1)}" text-anchor="end">${label}</text>`
}

function drawBound(base: number, label: string): string {
  return `<line class="bound" x1="${LEFT}" y1="${base.toFixed(1)}" x2="${WIDTH - RIGHT}" y2="${base.toFixed(1)}"/><text class="tick" x="${WIDTH - RIGHT + 8}" y="${(base + 4).toFixed(1)}">${label}</text>`
}

function drawSeries(className: string, places: readonly (readonly [number, number])[]): string {
  const path = places.map(([left, base]) => `${left.toFixed(1)},${base.toFixed(1)}`).join(' ')
  const dots = places
    .map(
      ([left, base]) =>
        `<circle class="${className}" cx="${left.toFixed(1)}" cy="${base.toFixed(1)}" r="3.5"/>`,
    )
    .join('')
  return `<polyline class="${className}" points="${path}"/>${dots}`
}

// A legend in the empty lower part, where no line comes near.
function drawLabel(name: string, className: string, end: number, order: number): string {
  const base = HEIGHT - BOTTOM - 34 + order * 20
  return `<circle class="${className}" cx="${LEFT + 18}" cy="${base - 4}" r="4"/><text class="${className}" x="${LEFT + 30}" y="${base}">${name}: ${end.toFixed(2)}× at the largest</text>`
}

function formatSize(size: number): string {
  if (size >= 1e6) return `${size / 1e6} M`
  return size >= 1e3 ? `${size / 1e3} k` : String(size)
}
