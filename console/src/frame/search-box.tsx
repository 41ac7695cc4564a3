// One box for everything. What is found shows while a person types; Enter goes to the item or the
// record that the text names, else to the page of results. Pasting lines leads to the check of many.

import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { useSession } from '../data/session.ts'
import { useText } from '../messages/use-text.ts'
import { IntentBadge } from '../parts/badges.tsx'
import { useRecentItems } from '../parts/recent-items.ts'
import { keepDraft } from '../parts/use-draft.ts'
import { isItem, pathOfSearch } from './path-of-search.ts'
import { messages } from './search-messages.ts'
import { useFoundActs } from './use-found-acts.ts'

interface Entry {
  readonly id: string
  readonly path: string
  readonly title: string
  /** At the left of the title. */
  readonly kind?: string
  /** At its right: why it was found. */
  readonly note?: ReactNode
}

const RECENT_MAX = 5

/** The box that `/` focuses: the one of the page, else that of the top bar. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('input[data-search]')?.focus()
}

export function SearchBox({ isBig = false }: { readonly isBig?: boolean }) {
  const t = useText(messages)
  const listId = useId()
  const navigate = useNavigate()
  const { tenant_id: tenantId } = useSession()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const entries = useEntries(text, isBig)
  const isShown = isOpen && entries.length > 0
  const active = Math.min(at, entries.length - 1)
  const go = (path: string): void => {
    setText('')
    setOpen(false)
    setAt(-1)
    input.current?.blur()
    void navigate({ href: path })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const entry = isShown ? entries[active] : undefined
    if (entry !== undefined) go(entry.path)
    else if (text.trim() !== '') go(pathOfSearch(text))
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === '/' && text === '') {
      // The key that leads to this box; nothing that is searched begins with it.
      event.preventDefault()
    } else if (event.key === 'Escape') {
      if (isShown) setOpen(false)
      else input.current?.blur()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      setAt(step(active, event.key === 'ArrowDown' ? 1 : -1, entries.length))
    }
  }
  const paste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text')
    if (pasted.split(/\r?\n|\r/).filter((line) => line.trim() !== '').length < 2) return
    event.preventDefault()
    keepDraft(tenantId, 'check', pasted)
    go('/check')
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- closes what floats
    <form
      role="search"
      className={isBig ? 'search search-big' : 'search'}
      onSubmit={submit}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <TextInput
        ref={input}
        data-search
        type="search"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-label={t('search')}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
        placeholder={t('hint')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setOpen(true)
          setAt(-1)
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={press}
        onPaste={paste}
        leftSection={<Search size={isBig ? 20 : 16} aria-hidden />}
        rightSection={text === '' ? <kbd className="only-wide">/</kbd> : undefined}
        rightSectionPointerEvents="none"
      />
      {isShown && (
        <div className="found">
          {text.trim() === '' && <div className="found-head dim small">{t('recent')}</div>}
          <div id={listId} role="listbox" aria-label={t('results')}>
            {entries.map((entry, index) => (
              <FoundEntry
                key={entry.id}
                id={`${listId}-${index}`}
                entry={entry}
                isActive={index === active}
                onActive={() => setAt(index)}
                onChoose={() => go(entry.path)}
              />
            ))}
          </div>
        </div>
      )}
      <span className="hidden-text" role="status">
        {isShown && text.trim() !== '' ? t('count', { count: entries.length }) : ''}
      </span>
    </form>
  )
}

/** -1 is the text as it was typed. */
function step(from: number, by: number, count: number): number {
  const places = count + 1
  return ((from + 1 + by + places) % places) - 1
}

interface FoundEntryProps {
  readonly id: string
  readonly entry: Entry
  readonly isActive: boolean
  readonly onActive: () => void
  readonly onChoose: () => void
}

function FoundEntry({ id, entry, isActive, onActive, onChoose }: FoundEntryProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the box
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      tabIndex={-1}
      className="found-entry"
      // The box keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onActive}
      onClick={onChoose}
    >
      {entry.kind !== undefined && <span className="found-kind dim small">{entry.kind}</span>}
      <span className="cut found-title">{entry.title}</span>
      {entry.note !== undefined && <span className="found-note dim small cut">{entry.note}</span>}
    </div>
  )
}

/** The start page lists the recent items below its box. */
function useEntries(text: string, isBig: boolean): readonly Entry[] {
  const t = useText(messages)
  const { user } = useSession()
  const asked = text.trim()
  const found = useFoundActs(text)
  const recent = useRecentItems(user.id)
  if (asked === '') {
    return recent.slice(0, isBig ? 0 : RECENT_MAX).map(({ item, intent }) => ({
      id: item,
      title: item,
      path: pathOfSearch(item),
      note: <IntentBadge intent={intent} />,
    }))
  }
  const records = found.map(({ id, kind, title, matched, path }) => ({
    id,
    kind: t(`kind_${kind}`),
    title,
    path,
    note: title.includes(matched) || matched === asked ? undefined : matched,
  }))
  return [
    ...(isItem(asked)
      ? [{ id: 'item', title: t('look_up', { item: asked }), path: pathOfSearch(asked) }]
      : []),
    ...records,
    {
      id: 'everywhere',
      title: t('everywhere', { text: asked }),
      path: `/search?q=${encodeURIComponent(asked)}`,
    },
  ]
}
