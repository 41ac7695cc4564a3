// Nothing here yet: what it is for, the next act, and the command that fills it.

import type { ReactNode } from 'react'

export interface EmptyStateProps {
  readonly title: string
  readonly text?: ReactNode
  /** A command line that does the same, shown in monospace. */
  readonly command?: string
  /** Buttons. */
  readonly children?: ReactNode
}

export function EmptyState({ title, text, command, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2 className="section-title">{title}</h2>
      {text !== undefined && <p className="dim">{text}</p>}
      {command !== undefined && <code className="empty-command mono">{command}</code>}
      {children !== undefined && <div className="row-of">{children}</div>}
    </div>
  )
}
