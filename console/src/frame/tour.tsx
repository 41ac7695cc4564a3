// The tour of five steps after the first sign-in. It points at the parts of the frame and stands
// beside them; the page under it can be used meanwhile. Closed once, it comes back from the help.

import './tour.css'
import { ActionIcon, Button } from '@mantine/core'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../messages/use-text.ts'
import { setPreference } from '../settings/preferences.ts'
import { placeCard } from './place-card.ts'
import { messages } from './tour-messages.ts'

// What is not shown, such as the rail in a narrow window, is looked for at its next place.
const STEPS = [
  { id: 'search', targets: ['.start [role="search"]', '[role="search"]'] },
  { id: 'cases', targets: ['.rail a[href="/cases"]', '.bottom-bar a[href="/cases"]'] },
  { id: 'playbooks', targets: ['.rail a[href="/playbooks"]', '.bottom-bar button'] },
  { id: 'keys', targets: ['[data-tour="help"]', '.person'] },
  { id: 'account', targets: ['.person'] },
] as const

const TITLE_ID = 'tour-title'

function close(): void {
  setPreference('tour', 'done')
  document.getElementById('main')?.focus()
}

export function Tour() {
  const t = useText(messages)
  const [index, setIndex] = useState(0)
  const card = useRef<HTMLElement>(null)
  const step = STEPS[index] ?? STEPS[0]
  const { target, place } = useTarget(step.targets, card)
  const isLast = index === STEPS.length - 1
  useEffect(() => {
    // Each step is read out and can be left by the keyboard, though the page keeps its own focus
    // when somebody works on.
    card.current?.focus({ preventScroll: true })
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close()
    else if (event.key === 'ArrowRight' && !isLast) setIndex(index + 1)
    else if (event.key === 'ArrowLeft' && index > 0) setIndex(index - 1)
    else return
    event.stopPropagation()
  }
  return (
    <>
      {target !== null && (
        <div
          className="tour-ring"
          aria-hidden
          style={{
            top: target.top - 4,
            left: target.left - 4,
            width: target.width + 8,
            height: target.height + 8,
          }}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for its keys */}
      <section
        ref={card}
        className="tour"
        style={place}
        aria-labelledby={TITLE_ID}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <div className="tour-head">
          <span className="dim small">{t('step', { step: index + 1, count: STEPS.length })}</span>
          <ActionIcon aria-label={t('close')} onClick={close}>
            <X size={16} aria-hidden />
          </ActionIcon>
        </div>
        <div aria-live="polite">
          <h2 id={TITLE_ID} className="section-title">
            {t(step.id)}
          </h2>
          <p>{t(`${step.id}_why`)}</p>
        </div>
        <div className="tour-acts">
          <Button variant="subtle" color="gray" onClick={close}>
            {t('skip')}
          </Button>
          <span className="tour-space" />
          {index > 0 && (
            <Button variant="default" onClick={() => setIndex(index - 1)}>
              {t('back')}
            </Button>
          )}
          <Button onClick={() => (isLast ? close() : setIndex(index + 1))}>
            {t(isLast ? 'done' : 'next')}
          </Button>
        </div>
      </section>
    </>
  )
}

interface Shown {
  readonly target: DOMRect | null
  /** Of the card. */
  readonly place: { readonly left: number; readonly top: number }
}

/** Where the first shown target is, followed while the page changes, and the place beside it. */
function useTarget(targets: readonly string[], card: React.RefObject<HTMLElement | null>): Shown {
  const [shown, setShown] = useState<Shown>({ target: null, place: { left: 0, top: 0 } })
  useLayoutEffect(() => {
    const look = (): void => {
      const found = findShown(targets)
      if (card.current === null) return
      const { offsetWidth: width, offsetHeight: height } = card.current
      const frame = { width: window.innerWidth, height: window.innerHeight }
      const place = placeCard(found, { width, height }, frame)
      setShown((former) =>
        isSame(former.target, found) && isSame(former.place, place)
          ? former
          : { target: found, place },
      )
    }
    // Each frame, while the tour is open: a page loads its parts late, lists grow, and the rail
    // widens with a transition, which no one event tells.
    let next = 0
    const follow = (): void => {
      look()
      next = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(next)
  }, [targets, card])
  return shown
}

function findShown(targets: readonly string[]): DOMRect | null {
  for (const target of targets) {
    const rect = document.querySelector(target)?.getBoundingClientRect()
    if (rect !== undefined && rect.width > 0) return rect
  }
  return null
}

/** Whether both stand at the same place and are of one size. */
function isSame(one: Partial<DOMRect> | null, other: Partial<DOMRect> | null): boolean {
  return SIDES.every((side) => one?.[side] === other?.[side])
}

const SIDES = ['left', 'top', 'width', 'height'] as const
