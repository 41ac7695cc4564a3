// A link to a page by its path, with a query string or without: for paths that are put together, such
// as the place of a search or a list with filters.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export interface PathLinkProps {
  /** `/cases?ip=198.51.100.7` */
  readonly path: string
  readonly className?: string
  /** What a screen reader says in the place of the children. */
  readonly label?: string
  readonly title?: string
  readonly children: ReactNode
}

export function PathLink({ path, className, label, title, children }: PathLinkProps) {
  const { to, search } = splitPath(path)
  return (
    <Link
      to={to}
      search={() => search}
      className={className}
      aria-label={label}
      title={title}
      preload={false}
    >
      {children}
    </Link>
  )
}

function splitPath(path: string): {
  readonly to: string
  readonly search: Readonly<Record<string, string>>
} {
  const at = path.indexOf('?')
  return at < 0
    ? { to: path, search: {} }
    : { to: path.slice(0, at), search: Object.fromEntries(new URLSearchParams(path.slice(at))) }
}

/** `/cases` with these values; those that are undefined are left out. */
export function pathWith(
  path: string,
  search: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}
