// The ways between the pages of intel: one item, many items, tags. They share one entry of the rail.

import { Link } from '@tanstack/react-router'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

const PLACES = [
  ['/', 'nav_lookup'],
  ['/check', 'nav_check'],
  ['/tags', 'nav_tags'],
] as const

export function LookupNav() {
  const t = useText(messages)
  return (
    <nav className="sub-nav" aria-label={t('nav_lookup')}>
      {PLACES.map(([path, title]) => (
        <Link
          key={path}
          to={path}
          className="sub-nav-link"
          activeOptions={{ exact: path === '/', includeSearch: false }}
        >
          {t(title)}
        </Link>
      ))}
    </nav>
  )
}
