// The steps that a playbook took: the way that a person or a time chose, or the chain of nodes.

import { useText } from '../../messages/use-text.ts'
import type { Entry } from './fold-timeline.ts'
import { messages } from './messages.ts'

// The first and the last of a long chain say enough; the panel of the playbook has all.
const STEPS_MAX = 6

export function VisitsTitle({ steps }: { readonly steps: readonly Entry[] }) {
  const t = useText(messages)
  const [first] = steps
  if (steps.length === 1 && first !== undefined) {
    return (
      <>
        {t('playbook_at')} <code className="mono">{textOf(first, 'node')}</code>
        <Way entry={first} />
      </>
    )
  }
  const shown = steps.length <= STEPS_MAX ? steps : [...steps.slice(0, 3), ...steps.slice(-2)]
  return (
    <>
      {t('playbook_went')}{' '}
      {shown.map((step, index) => (
        <span key={step.id}>
          {index > 0 && <span className="dim"> → </span>}
          {steps.length > STEPS_MAX && index === 3 && (
            <span className="dim">{t('steps_between', { count: steps.length - 5 })} → </span>
          )}
          <code className="mono">{textOf(step, 'node')}</code>
          <Way entry={step} />
        </span>
      ))}
    </>
  )
}

/** Of a node with one way out, nothing is said. */
function Way({ entry }: { readonly entry: Entry }) {
  const path = textOf(entry, 'path')
  if (path === '' || path === 'next') return null
  return <span className="dim"> “{path}”</span>
}

function textOf({ data }: Entry, name: string): string {
  const value = data[name]
  return typeof value === 'string' ? value : ''
}
