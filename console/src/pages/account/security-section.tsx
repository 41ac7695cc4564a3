// One way to sign in: its name, whether it is set up, its act, and what belongs to it below.

import type { ReactNode } from 'react'

interface SecuritySectionProps {
  readonly title: string
  readonly badge?: ReactNode
  readonly lede: ReactNode
  readonly act?: ReactNode
  readonly children?: ReactNode
}

export function SecuritySection({ title, badge, lede, act, children }: SecuritySectionProps) {
  return (
    <section className="security-section" aria-label={title}>
      <div className="security-head">
        <div className="security-words">
          <div className="row-of">
            <h2 className="section-title">{title}</h2>
            {badge}
          </div>
          <p className="dim">{lede}</p>
        </div>
        {act}
      </div>
      {children}
    </section>
  )
}
