// The names above a domain, each with its verdict: a listing of a parent covers what lies below.

import { useQuery } from '@tanstack/react-query'
import { useText } from '../../messages/use-text.ts'
import { IntentBadge } from '../../parts/badges.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { parentsQuery } from './data.ts'
import { parentsOf } from './item-kind.ts'
import { messages } from './messages.ts'

export function Parents({ domain }: { readonly domain: string }) {
  const t = useText(messages)
  const names = parentsOf(domain)
  const query = useQuery(parentsQuery(names))
  if (names.length === 0) return null
  return (
    <section className="lookup-section" aria-label={t('parents')}>
      <h2 className="section-title">{t('parents')}</h2>
      {query.error !== null && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading lines={2} />}
      {query.data !== undefined && (
        <ul className="lines" aria-label={t('parents')}>
          {query.data.map((one) => (
            <li key={one.item}>
              <ItemLink item={one.item} />
              {one.type !== 'INVALID' && <IntentBadge intent={one.intent} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
