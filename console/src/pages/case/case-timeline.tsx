// Everything about the case on one axis of time. The page stays where it is while entries come: new
// ones join at their end, older ones are asked for by a button.

import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowDownUp } from 'lucide-react'
import { useMemo } from 'react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { timelineQuery } from './data.ts'
import { foldTimeline } from './fold-timeline.ts'
import { messages } from './messages.ts'
import type { CaseSearch } from './route.ts'
import { listKinds, TIMELINE_GROUPS, type TimelineGroup } from './timeline-groups.ts'
import { useDescribedLines } from './timeline-lines.tsx'

export interface CaseTimelineProps {
  readonly caseId: string
  readonly search: CaseSearch
  readonly onSearch: (part: Partial<CaseSearch>) => void
  /** The composer, which stands at the end of the newest entry. */
  readonly composer: React.ReactNode
}

export function CaseTimeline({ caseId, search, onSearch, composer }: CaseTimelineProps) {
  const t = useText(messages)
  const maySeeEvents = useMay('events:read')
  const { order, show } = search
  const kinds = listKinds(show, maySeeEvents)
  const list = useInfiniteQuery(timelineQuery(caseId, kinds))
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data])
  const lines = useMemo(() => {
    const folded = foldTimeline(entries)
    return order === 'newest' ? folded : folded.toReversed()
  }, [entries, order])
  const described = useDescribedLines(lines)
  const isHidden = !maySeeEvents && (show === undefined || show.includes('events'))
  const older = list.hasNextPage && (
    <Button
      variant="default"
      className="timeline-older"
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {t('older')}
    </Button>
  )
  return (
    <section aria-label={t('timeline')} className="case-timeline">
      <div className="case-timeline-head">
        <h2 className="section-title">{t('timeline')}</h2>
        <Groups show={show} onShow={(next) => onSearch({ show: next })} />
        <Button
          variant="subtle"
          color="gray"
          leftSection={<ArrowDownUp size={14} aria-hidden />}
          onClick={() => onSearch({ order: order === 'newest' ? undefined : 'newest' })}
        >
          {t(order === 'newest' ? 'newest_first' : 'newest_last')}
        </Button>
      </div>
      {order === 'newest' && composer}
      {isHidden && (
        <div className="note" data-tone="grey">
          {t('events_hidden')}
        </div>
      )}
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isLoading && <Loading lines={8} />}
      {order !== 'newest' && older}
      {lines.length > 0 && <Timeline label={t('timeline')} entries={described} />}
      {list.isSuccess && lines.length === 0 && (
        <EmptyState title={t('nothing_shown')} text={t('nothing_shown_why')}>
          {show !== undefined && (
            <Button variant="default" onClick={() => onSearch({ show: undefined })}>
              {t('show_all')}
            </Button>
          )}
        </EmptyState>
      )}
      {order === 'newest' && older}
      {order !== 'newest' && composer}
    </section>
  )
}

const ALL = 'all'

function Groups({
  show,
  onShow,
}: {
  readonly show: readonly TimelineGroup[] | undefined
  readonly onShow: (show: readonly TimelineGroup[] | undefined) => void
}) {
  const t = useText(messages)
  return (
    <SegmentedControl
      className="timeline-groups"
      aria-label={t('show')}
      value={show?.length === 1 ? (show[0] ?? ALL) : ALL}
      onChange={(value) => {
        const group = TIMELINE_GROUPS.find((one) => one === value)
        onShow(group === undefined ? undefined : [group])
      }}
      data={[
        { value: ALL, label: t('group_all') },
        ...TIMELINE_GROUPS.map((group) => ({ value: group, label: t(`group_${group}`) })),
      ]}
    />
  )
}
