// "14 of 16 can be changed; 2 stay as they are": what the server says would happen, with its reasons.

import { useText } from '../../../messages/use-text.ts'
import { FormProblem } from '../../../parts/form-problem.tsx'
import type { BulkResult } from '../case-types.ts'
import { messages } from './messages.ts'

export interface BulkPreviewProps {
  readonly count: number
  readonly result: BulkResult | undefined
  readonly error: unknown
}

// The rest are of the same kinds.
const REASONS_MAX = 5

export function BulkPreview({ count, result, error }: BulkPreviewProps) {
  const t = useText(messages)
  if (error !== null && error !== undefined) return <FormProblem error={error} />
  if (result === undefined) {
    return (
      <div className="note" data-tone="grey" role="status">
        {t('previewing')}
      </div>
    )
  }
  const { changed } = result
  const left = count - changed
  const tone = left === 0 ? 'green' : 'amber'
  return (
    <div className="note bulk-preview" data-tone={tone} role="status">
      <div>
        {changed === 0 && t('preview_none')}
        {changed > 0 && left === 0 && t('preview_all', { count })}
        {changed > 0 && left > 0 && t('preview_some', { changed, count, left })}
      </div>
      {left > 0 && (
        <ul className="bulk-reasons">
          {result.unchanged > 0 && <li>{t('preview_same', { count: result.unchanged })}</li>}
          {countReasons(result).map(([why, times]) => (
            <li key={why}>{t('preview_refused', { count: times, why })}</li>
          ))}
          {result.not_found > 0 && <li>{t('preview_gone', { count: result.not_found })}</li>}
        </ul>
      )}
    </div>
  )
}

function countReasons({ items }: BulkResult): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { outcome, detail = '' } of items) {
    if (outcome === 'refused') counts.set(detail, (counts.get(detail) ?? 0) + 1)
  }
  return [...counts].toSorted((one, other) => other[1] - one[1]).slice(0, REASONS_MAX)
}
