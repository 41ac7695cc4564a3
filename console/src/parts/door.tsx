// The pages outside of the frame, for people who are not signed in.

import { type ReactNode, useEffect } from 'react'
import { Mark } from '../frame/mark.tsx'

export interface DoorProps {
  readonly title: string
  readonly lede?: ReactNode
  readonly children?: ReactNode
  readonly foot?: ReactNode
}

export function Door({ title, lede, children, foot }: DoorProps) {
  useEffect(() => {
    document.title = `${title} · Casework`
  }, [title])
  return (
    <main className="door">
      <div className="door-card">
        <div className="door-mark">
          <Mark size={24} />
          <span>Casework</span>
        </div>
        <h1 className="door-title">{title}</h1>
        {lede !== undefined && <p className="door-lede">{lede}</p>}
        {children}
      </div>
      {foot !== undefined && <div className="door-foot">{foot}</div>}
    </main>
  )
}
