// The way to the pages: a rail at the left, or a bar of five at the bottom of a narrow window.

import { Menu } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useText } from '../messages/use-text.ts'
import { Mark } from './mark.tsx'
import { messages } from './messages.ts'
import type { RailEntry } from './rail-entries.ts'
import { useRailEntries } from './use-rail-entries.ts'

export function Rail() {
  const t = useText(messages)
  const entries = useRailEntries().filter(({ isAside }) => isAside !== true)
  const isCurrent = useIsCurrent()
  return (
    <nav className="rail" aria-label={t('main_nav')}>
      <div className="rail-inner">
        <Link to="/" className="rail-mark">
          <Mark />
          <span className="rail-label">Casework</span>
        </Link>
        {entries.map((entry) => (
          <Link
            key={entry.path}
            to={entry.path}
            className="rail-link"
            aria-current={isCurrent(entry) ? 'page' : undefined}
          >
            <entry.icon size={18} aria-hidden />
            <span className="rail-label">{t(entry.title)}</span>
          </Link>
        ))}
      </div>
    </nav>
  )
}

const BAR_LINKS = 4

export function BottomBar() {
  const t = useText(messages)
  const entries = useRailEntries().filter(({ isAside }) => isAside !== true)
  const isCurrent = useIsCurrent()
  const rest = entries.slice(BAR_LINKS)
  return (
    <nav className="bottom-bar" aria-label={t('main_nav')}>
      {entries.slice(0, BAR_LINKS).map((entry) => (
        <Link
          key={entry.path}
          to={entry.path}
          className="bottom-link"
          aria-current={isCurrent(entry) ? 'page' : undefined}
        >
          <entry.icon size={18} aria-hidden />
          <span>{t(entry.title)}</span>
        </Link>
      ))}
      {rest.length > 0 && (
        <Menu position="top-end">
          <Menu.Target>
            <button type="button" className="bottom-link">
              <Ellipsis size={18} aria-hidden />
              <span>{t('more')}</span>
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map((entry) => (
              <Menu.Item
                key={entry.path}
                component={Link}
                to={entry.path}
                leftSection={<entry.icon size={16} aria-hidden />}
              >
                {t(entry.title)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  )
}

// The pages behind the entry "Look up".
const INTEL = ['/lookup', '/check', '/tags', '/search']

function useIsCurrent(): (entry: RailEntry) => boolean {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return ({ path: own }) =>
    own === '/'
      ? path === '/' || INTEL.some((one) => path.startsWith(one))
      : `${path}/`.startsWith(`${own}/`)
}
