// A page in the frame: its title, one line that says what it is, its acts, the content, and a panel
// at the side.

import { type ReactNode, useEffect } from 'react'

export interface PageProps {
  readonly title: string
  /** Shown in the place of the title where that is more than text, such as an item with a button. */
  readonly head?: ReactNode
  readonly lede?: ReactNode
  /** Secondary acts first, the primary one last. */
  readonly acts?: ReactNode
  /** A `SidePanel`, or nothing. */
  readonly panel?: ReactNode
  /** For tables, which have their own scroll bar and reach the edges. */
  readonly isFull?: boolean
  readonly children: ReactNode
}

export function Page({ title, head, lede, acts, panel, isFull = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Casework`
  }, [title])
  return (
    <div className={isFull ? 'page page-full' : 'page'}>
      <div className="page-head">
        <div className="page-words">
          <h1 className="page-title">{head ?? title}</h1>
          {lede !== undefined && <div className="page-lede">{lede}</div>}
        </div>
        {acts !== undefined && <div className="page-acts">{acts}</div>}
      </div>
      <div className="page-columns">
        <div className="page-body">{children}</div>
        {panel}
      </div>
    </div>
  )
}
