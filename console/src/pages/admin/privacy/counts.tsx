// Rows by table, in the words of people where there are some.

import { useFormat } from '../../../messages/use-format.ts'
import { type Text, useText } from '../../../messages/use-text.ts'
import { readCounts } from './erasure.ts'
import { messages } from './messages.ts'

const NAMED = [
  'abuse_case',
  'event',
  'report',
  'report_raw',
  'case_comment',
  'notice',
  'customer',
] as const

function nameTable(table: string, t: Text<keyof (typeof messages)['en']>): string {
  const named = NAMED.find((one) => one === table)
  return named === undefined ? table : t(`t_${named}`)
}

export function Counts({ counts }: { readonly counts: unknown }) {
  const t = useText(messages)
  const format = useFormat()
  return (
    <ul style={{ margin: 0 }}>
      {readCounts(counts).map(([table, count]) => (
        <li key={table}>
          {t('rows', { table: nameTable(table, t), count: format.number(count) })}
        </li>
      ))}
    </ul>
  )
}
