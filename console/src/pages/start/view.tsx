// The start page.

import './start.css'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ListChecks, Tags } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useMay, useSession } from '../../data/session.ts'
import { pathOfSearch } from '../../frame/path-of-search.ts'
import { focusSearch, SearchBox } from '../../frame/search-box.tsx'
import { useText } from '../../messages/use-text.ts'
import { IntentBadge } from '../../parts/badges.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { forgetItems, type RecentItem, useRecentItems } from '../../parts/recent-items.ts'
import { readPreferences } from '../../settings/preferences.ts'
import { messages } from './messages.ts'

const MAIL_EXAMPLE = 'abuse@example.net'

export function StartView() {
  const t = useText(messages)
  const { user } = useSession()
  const recent = useRecentItems(user.id)
  useEffect(() => {
    document.title = `${t('title')} · Casework`
    // The tour has the focus while it is open.
    if (readPreferences().tour === 'open') return undefined
    // After the frame has moved the focus to the new page.
    const frame = requestAnimationFrame(focusSearch)
    return () => cancelAnimationFrame(frame)
  }, [t])
  return (
    <div className="start">
      <h1 className="page-title">{t('title')}</h1>
      <p className="dim start-lede">{t('lede')}</p>
      <SearchBox isBig />
      <div className="start-columns">
        <Examples />
        <section aria-label={t('recent')} className="start-section">
          <div className="start-head">
            <h2 className="section-title">{t('recent')}</h2>
            {recent.length > 0 && (
              <Button variant="subtle" color="gray" onClick={() => forgetItems(user.id)}>
                {t('forget')}
              </Button>
            )}
          </div>
          {recent.length === 0 ? (
            <p className="dim start-none">{t('recent_none')}</p>
          ) : (
            <Recent items={recent} />
          )}
        </section>
      </div>
      <div className="start-ways">
        <Way to="/check" icon={<ListChecks size={20} aria-hidden />} title={t('check')}>
          {t('check_why')}
        </Way>
        <Way to="/tags" icon={<Tags size={20} aria-hidden />} title={t('tags')}>
          {t('tags_why')}
        </Way>
      </div>
    </div>
  )
}

function Recent({ items }: { readonly items: readonly RecentItem[] }) {
  return (
    <ul className="start-list">
      {items.map(({ item, intent }) => (
        <li key={item}>
          <ItemLink item={item} />
          <IntentBadge intent={intent} />
        </li>
      ))}
    </ul>
  )
}

// Documentation addresses and names (RFC 5737, 3849, 2606).
const INTEL_EXAMPLES = [
  ['198.51.100.7', 'an_address'],
  ['2001:db8::7', 'an_ipv6'],
  ['198.51.100.0/24', 'a_range'],
  ['evil[.]example', 'a_domain'],
] as const

function Examples() {
  const t = useText(messages)
  const mayRead = useMay('cases:read')
  return (
    <section aria-label={t('examples')} className="start-section">
      <div className="start-head">
        <h2 className="section-title">{t('examples')}</h2>
      </div>
      <ul className="start-list">
        {INTEL_EXAMPLES.map(([text, title]) => (
          <li key={text}>
            <Example text={text} />
            <span className="dim">{t(title)}</span>
          </li>
        ))}
        {mayRead && (
          <>
            <li>
              <span className="mono">C-0192F2A0-…</span>
              <span className="dim">{t('a_case')}</span>
            </li>
            <li>
              <Example text={MAIL_EXAMPLE} />
              <span className="dim">{t('an_email')}</span>
            </li>
            <li>
              <Example text={t('words')} />
              <span className="dim">{t('some_words')}</span>
            </li>
          </>
        )}
      </ul>
    </section>
  )
}

function Example({ text }: { readonly text: string }) {
  return (
    <PathLink path={pathOfSearch(text)} className="mono start-example">
      {text}
    </PathLink>
  )
}

interface WayProps {
  readonly to: '/check' | '/tags'
  readonly icon: ReactNode
  readonly title: string
  readonly children: ReactNode
}

function Way({ to, icon, title, children }: WayProps) {
  return (
    <Link to={to} className="start-way">
      {icon}
      <span>
        <span className="start-way-title">{title}</span>
        <span className="dim">{children}</span>
      </span>
    </Link>
  )
}
