// What is known of the addresses and domains of the case.

import { useQuery } from '@tanstack/react-query'
import { useText } from '../../messages/use-text.ts'
import { Badge, IntentBadge } from '../../parts/badges.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Since } from '../../parts/since.tsx'
import { intelQuery } from './data.ts'
import { messages } from './messages.ts'
import { PanelSection } from './panel-section.tsx'

const SHOWN_MAX = 8
const TAGS_MAX = 3

export function IntelPanel({ caseId }: { readonly caseId: string }) {
  const t = useText(messages)
  const query = useQuery(intelQuery(caseId))
  const items = query.data?.items ?? []
  const [first] = items
  const title =
    items.length === 1 && first !== undefined ? t('known_of', { item: first.item }) : t('known')
  const left = (query.data?.item_count ?? 0) - Math.min(items.length, SHOWN_MAX)
  return (
    <PanelSection title={title} query={query}>
      {items.length === 0 && <p className="dim side-none">{t('no_items')}</p>}
      <ul className="intel-items">
        {items.slice(0, SHOWN_MAX).map((one) => (
          <li key={one.item} className="intel-item">
            <div className="row-of">
              <ItemLink item={one.item} />
              <span className="intel-badge">
                <IntentBadge intent={one.intent} />
              </span>
            </div>
            <div className="dim small intel-facts">
              <span>{t('event_count', { count: one.event_count })}</span>
              <span>{t(one.listed ? 'listed' : 'not_listed')}</span>
              {one.activity && <span>{t('activity')}</span>}
              {one.last_seen !== undefined && (
                <span>
                  {t('last_seen')} <Since at={one.last_seen} />
                </span>
              )}
            </div>
            {one.tags.length > 0 && (
              <div className="intel-tags">
                {one.tags.slice(0, TAGS_MAX).map((tag) => (
                  <Badge key={tag} tone="grey">
                    {tag}
                  </Badge>
                ))}
                {one.tags.length > TAGS_MAX && (
                  <span className="dim small">
                    {t('and_more', { count: one.tags.length - TAGS_MAX })}
                  </span>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {left > 0 && <p className="dim small side-none">{t('and_more', { count: left })}</p>}
    </PanelSection>
  )
}
