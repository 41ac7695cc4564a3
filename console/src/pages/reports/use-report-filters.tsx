// The filters of the list of reports.

import { useText } from '../../messages/use-text.ts'
import type { Filter } from '../../parts/filter-bar.tsx'
import { DaysField, TextField } from '../cases/filter-fields.tsx'
import { useSpanTitle } from '../cases/use-span-title.ts'
import type { Report } from './data.ts'
import { messages } from './messages.ts'
import { CHANNELS, type ReportFilters } from './reports-search.ts'

const SPANS = ['24h', '168h', '720h'] as const

export function useReportFilters(
  filters: ReportFilters,
  rows: readonly Report[],
): readonly Filter[] {
  const t = useText(messages)
  const saySpan = useSpanTitle('created')
  const formats = unique(rows.map(({ format }) => format))
  const reporters = unique(rows.map(({ reporter }) => reporter))
  return [
    {
      name: 'text',
      title: t('text'),
      choices: [],
      values: one(filters.text),
      field: (given) => <TextField {...given} label={t('text')} hint={t('text_hint')} />,
    },
    {
      name: 'format',
      title: t('format'),
      choices: [],
      values: one(filters.format),
      field: (given) => <TextField {...given} label={t('format')} known={formats} hint="arf" />,
    },
    {
      name: 'via',
      title: t('via'),
      isSingle: true,
      choices: CHANNELS.map((value) => ({ value, title: t(`via_${value}`) })),
      values: one(filters.via),
    },
    {
      name: 'reporter',
      title: t('reporter'),
      choices: [],
      values: one(filters.reporter),
      field: (given) => (
        <TextField {...given} label={t('reporter')} known={reporters} hint="reports@example.org" />
      ),
    },
    {
      name: 'received',
      title: t('received'),
      isSingle: true,
      choices: SPANS.map((value) => ({ value, title: saySpan(value) })),
      values: one(filters.received),
      say: saySpan,
      field: (given) => <DaysField {...given} />,
    },
    {
      name: 'corrected',
      title: t('corrected'),
      isSingle: true,
      choices: (['yes', 'no'] as const).map((value) => ({ value, title: t(value) })),
      values: one(filters.corrected),
    },
  ]
}

function one(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value]
}

function unique(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))].toSorted()
}
