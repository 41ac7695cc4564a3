// What happened, one under the other: time, icon, words, and what belongs to them.

import type { ComponentType, ReactNode } from 'react'
import type { Tone } from './badges.tsx'
import { Since } from './since.tsx'

export interface TimelineEntry {
  readonly id: string
  readonly at: string
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>
  readonly tone?: Tone
  readonly title: ReactNode
  /** Who did it, or where it came from. */
  readonly by?: ReactNode
  /** A comment, a mail, the folded events. */
  readonly body?: ReactNode
}

export function Timeline({
  label,
  entries,
}: {
  readonly label: string
  readonly entries: readonly TimelineEntry[]
}) {
  return (
    <ol className="timeline" aria-label={label}>
      {entries.map(({ id, at, icon: Icon, tone = 'grey', title, by, body }) => (
        <li key={id} className="timeline-entry">
          <span className="timeline-icon" data-tone={tone}>
            <Icon size={14} aria-hidden />
          </span>
          <div className="timeline-words">
            <div className="timeline-line">
              <span className="timeline-title">{title}</span>
              {by !== undefined && <span className="dim">{by}</span>}
              <span className="timeline-at dim small">
                <Since at={at} />
              </span>
            </div>
            {body !== undefined && <div className="timeline-body">{body}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
