// Keys as people see them on their keyboard.

import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

export function KeyCaps({ keys }: { readonly keys: string }) {
  const t = useText(messages)
  const strokes = keys.split(' ')
  return (
    <span className="row-of" style={{ gap: 4 }}>
      {strokes.map((stroke, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the strokes of one key never move
        <span key={index} className="row-of" style={{ gap: 4 }}>
          {index > 0 && <span className="dim small">{t('key_then')}</span>}
          {capsOf(stroke).map((cap) => (
            <kbd key={cap}>{nameOf(cap)}</kbd>
          ))}
        </span>
      ))}
    </span>
  )
}

/** A capital letter is typed with Shift. */
function capsOf(stroke: string): readonly string[] {
  const caps = stroke.split('+')
  return /^[A-Z]$/.test(stroke) ? ['Shift', ...caps] : caps
}

function nameOf(cap: string): string {
  if (cap === 'mod') return isMac ? '⌘' : 'Ctrl'
  return cap.length === 1 && /[a-z]/.test(cap) ? cap.toUpperCase() : cap
}
