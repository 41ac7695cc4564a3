// The views at the left of the queue: those that everybody has, the shared ones, one's own.

import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMay, useSession } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { usePreferences } from '../../settings/preferences.ts'
import type { Zone } from '../../settings/zone.ts'
import type { SavedView } from './case-types.ts'
import { messages } from './messages.ts'
import { useCounts } from './use-views.ts'
import { fromViewQuery, PRESETS, type Preset } from './view-presets.ts'

export interface ViewsListProps {
  readonly views: readonly SavedView[]
  /** The id of the preset or of the saved view whose filters are set. */
  readonly current: string | undefined
  readonly onPreset: (preset: Preset) => void
  readonly onView: (view: SavedView) => void
  readonly onRename: (view: SavedView) => void
  readonly onShare: (view: SavedView) => void
  readonly onDelete: (view: SavedView) => void
}

export function ViewsList(props: ViewsListProps) {
  const t = useText(messages)
  const { views, current, onPreset, onView } = props
  const { zone } = usePreferences()
  const counts = useCounts(PRESETS.map(({ filters }) => filters))
  const saved = useCounts(views.map(({ query }) => filtersOf(query, zone)))
  const countOf = new Map(views.map(({ id }, index) => [id, saved[index]]))
  const groups = [
    { title: t('views_shared'), of: views.filter(({ shared }) => shared) },
    { title: t('views_own'), of: views.filter(({ shared }) => !shared) },
  ].filter(({ of }) => of.length > 0)
  return (
    <nav className="views" aria-label={t('views')}>
      <ul>
        {PRESETS.map((preset, index) => (
          <Entry
            key={preset.id}
            title={t(preset.title)}
            count={counts[index]}
            isUrgent={preset.id === 'overdue'}
            isCurrent={current === preset.id}
            onPick={() => onPreset(preset)}
          />
        ))}
      </ul>
      {groups.map(({ title, of }) => (
        <section key={title} aria-label={title}>
          <h2 className="views-title">{title}</h2>
          <ul>
            {of.map((view) => (
              <Entry
                key={view.id}
                title={view.name}
                count={countOf.get(view.id)}
                isCurrent={current === view.id}
                onPick={() => onView(view)}
              >
                <ViewMenu view={view} {...props} />
              </Entry>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** Without the sort, which changes no count. */
function filtersOf(query: SavedView['query'], zone: Zone) {
  const search = fromViewQuery(query, zone)
  const { sort: _sort, hide: _hide, open: _open, view: _view, ...filters } = search
  return filters
}

interface EntryProps {
  readonly title: string
  readonly count: number | undefined
  readonly isCurrent: boolean
  readonly isUrgent?: boolean
  readonly onPick: () => void
  readonly children?: ReactNode
}

function Entry({ title, count, isCurrent, isUrgent = false, onPick, children }: EntryProps) {
  const format = useFormat()
  return (
    <li className="views-entry" data-current={isCurrent ? '' : undefined}>
      <button
        type="button"
        className="views-pick"
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onPick}
      >
        <span className="cut">{title}</span>
        <span className="views-count" data-tone={isUrgent && (count ?? 0) > 0 ? 'red' : undefined}>
          {count === undefined ? '' : format.number(count)}
        </span>
      </button>
      {children}
    </li>
  )
}

function ViewMenu({
  view,
  onRename,
  onShare,
  onDelete,
}: Pick<ViewsListProps, 'onRename' | 'onShare' | 'onDelete'> & { readonly view: SavedView }) {
  const t = useText(messages)
  const mayShare = useMay('cases:write')
  const { user } = useSession()
  const isOwn = view.created_by === user.id
  if (view.shared && !mayShare) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon
          size={24}
          className="views-menu-button"
          aria-label={t('view_acts', { name: view.name })}
        >
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onRename(view)}>{t('view_rename')}</Menu.Item>
        {mayShare && isOwn && (
          <Menu.Item onClick={() => onShare(view)}>
            {t(view.shared ? 'view_unshare' : 'view_share')}
          </Menu.Item>
        )}
        <Menu.Item color="red" onClick={() => onDelete(view)}>
          {t('view_delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
