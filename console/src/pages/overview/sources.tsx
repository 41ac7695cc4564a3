// Whether the sources still speak: the ones that need a look first, the rest behind a button.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { CircleCheck, CircleDashed, Clock, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ServerReasons } from '../../parts/server-reasons.tsx'
import { Since } from '../../parts/since.tsx'
import { sourcesQuery } from '../sources/data.ts'
import { messages } from './messages.ts'

type Source = Schemas['Source']

const STATES = {
  fresh: ['green', CircleCheck],
  stale: ['amber', Clock],
  failed: ['red', TriangleAlert],
  never: ['grey', CircleDashed],
} as const

const ORDER = ['failed', 'stale', 'never', 'fresh']

export function SourceHealth() {
  const t = useText(messages)
  const may = useMay('intel:read')
  const { data, error, refetch } = useQuery({ ...sourcesQuery, enabled: may })
  return (
    <section className="overview-part" aria-label={t('sources')}>
      <h2 className="section-title">{t('sources')}</h2>
      {!may && <p className="dim">{t('not_yours', { scope: 'intel:read' })}</p>}
      {error !== null && data === undefined && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {may && error === null && data === undefined && <Loading lines={4} />}
      {data?.length === 0 && <p className="dim">{t('sources_none')}</p>}
      {data !== undefined && data.length > 0 && <Sources sources={data} />}
    </section>
  )
}

function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const t = useText(messages)
  const [isWhole, setWhole] = useState(false)
  const sorted = sources.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  const troubled = sorted.filter(({ state }) => state !== 'fresh')
  const count = sources.length
  const bad = troubled.length
  return (
    <>
      <p className="overview-verdict" data-tone={bad === 0 ? 'green' : 'amber'}>
        {bad === 0 ? t('sources_good', { count }) : t('sources_bad', { bad, count })}
      </p>
      <ul className="overview-rows">
        {(isWhole ? sorted : troubled).map((source) => (
          <SourceRow key={`${source.kind} ${source.name}`} source={source} />
        ))}
      </ul>
      {bad < count && (
        <Button
          variant="subtle"
          color="gray"
          className="overview-more"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t('show_troubled') : t('show_sources', { count })}
        </Button>
      )}
    </>
  )
}

function SourceRow({ source }: { readonly source: Source }) {
  const t = useText(messages)
  const format = useFormat()
  const [tone, icon] = STATES[source.state]
  const trouble = source.fetch?.trouble
  return (
    <li className="overview-row">
      <div className="overview-row-words">
        <span className="cut">{source.name}</span>
        <span className="dim small cut">
          {source.kind} · {format.number(source.entries)} · <Since at={source.heardAt} />
        </span>
        {trouble !== undefined && (
          <span className="small cut">
            <ServerReasons reasons={[trouble]} />
          </span>
        )}
      </div>
      <Badge tone={tone} icon={icon}>
        {t(`source_${source.state}`)}
      </Badge>
    </li>
  )
}
