// What did not become part of an event, and why.

import { ChevronRight } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import type { FoundValue } from './data.ts'
import { messages } from './messages.ts'

const SHOWN_MAX = 50

export function PassedOver({ findings }: { readonly findings: readonly FoundValue[] }) {
  const t = useText(messages)
  return (
    <details className="fold passed-over">
      <summary>
        <ChevronRight size={16} aria-hidden />
        {t('passed_over', { count: findings.length })}
      </summary>
      <ul className="passed-list">
        {findings.slice(0, SHOWN_MAX).map(({ value, reason, rule, part }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a finding is its position
          <li key={at}>
            <span className="mono finding-value">{value === '' ? part : value}</span>
            <div className="dim small">
              {reason}
              {rule !== undefined && ` · ${t('by_rule', { rule })}`}
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}
