// The look-up page: the verdict in words, the evidence, the rest.

import './lookup.css'
import { useQuery } from '@tanstack/react-query'
import { CaseworkError } from 'casework/client'
import { useEffect } from 'react'
import { queryClient } from '../../data/query-client.ts'
import { useSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { ItemLink } from '../../parts/item-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { LookupNav } from '../../parts/lookup-nav.tsx'
import { Stale } from '../../parts/notes.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { rememberItem } from '../../parts/recent-items.ts'
import { Activity } from './activity.tsx'
import { type Explanation, explanationQuery, OF_ITEM } from './data.ts'
import { Facts } from './facts.tsx'
import { isRangeText, kindOf } from './item-kind.ts'
import { Listings } from './listings.tsx'
import { MarkMenu } from './mark-menu.tsx'
import { messages } from './messages.ts'
import { Neighbours } from './neighbours.tsx'
import { Parents } from './parents.tsx'
import { RangeView } from './range-view.tsx'
import { CasesOf, EventsOf } from './records.tsx'
import { lookupRoute } from './route.ts'
import { TagChips } from './tag-chips.tsx'
import { Unreadable } from './unreadable.tsx'
import { VerdictLine } from './verdict.tsx'
import { Why } from './why.tsx'

export function LookupView() {
  const { item } = lookupRoute.useParams()
  return isRangeText(item) ? (
    <RangeView key={item} range={item.trim()} />
  ) : (
    <ItemView key={item} item={item} />
  )
}

/** All parts: the note beside which it stands speaks of the page. */
function refresh(): void {
  for (const queryKey of OF_ITEM) void queryClient.invalidateQueries({ queryKey })
}

function ItemView({ item }: { readonly item: string }) {
  const t = useText(messages)
  const query = useQuery(explanationQuery(item))
  const { user } = useSession()
  const { data: explanation, error } = query
  const canonical = explanation?.canonical
  const intent = explanation?.intent.value
  useEffect(() => {
    if (canonical === undefined || intent === undefined) return
    rememberItem(user.id, { item: canonical, intent })
  }, [user.id, canonical, intent])
  const isUnreadable = error instanceof CaseworkError && error.status === 400
  return (
    <Page
      title={canonical ?? item}
      head={<ItemLink item={canonical ?? item} isPlain />}
      acts={
        <>
          <LookupNav />
          {canonical !== undefined && <MarkMenu item={canonical} />}
        </>
      }
    >
      {isUnreadable && <Unreadable text={item} error={error} />}
      {error !== null && !isUnreadable && <Problem error={error} onRetry={refresh} />}
      {query.isPending && <Loading lines={10} />}
      {explanation !== undefined && (
        <>
          <VerdictLine explanation={explanation} />
          <TagChips tags={explanation.tags} />
          <Stale loadedAtMs={query.dataUpdatedAt} onRefresh={refresh} />
          <p className="hidden-text">{t('read_as', { item: explanation.canonical })}</p>
          <Columns item={item} explanation={explanation} />
        </>
      )}
    </Page>
  )
}

interface ColumnsProps {
  readonly item: string
  readonly explanation: Explanation
}

function Columns({ item, explanation }: ColumnsProps) {
  const { canonical, entries, type } = explanation
  const isDomain = kindOf(canonical) === 'domain'
  const subject = type === 'DOMAIN' ? { domain: canonical } : { ip: canonical }
  return (
    <div className="lookup">
      <div className="lookup-main">
        <Activity item={canonical} entries={entries} />
        <Listings item={canonical} entries={entries} />
        <Why explanation={explanation} />
        <CasesOf subject={subject} />
        <EventsOf subject={subject} />
      </div>
      <div className="lookup-side">
        <Facts item={item} canonical={canonical} />
        {isDomain ? <Parents domain={canonical} /> : <Neighbours address={canonical} />}
      </div>
    </div>
  )
}
