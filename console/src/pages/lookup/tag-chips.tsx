// The tags of an item: their words on hover, their page on a click.

import { Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Tag } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import type { Tone } from '../../parts/badges.tsx'
import { tagsQuery } from '../tags/data.ts'
import type { Explanation } from './data.ts'
import { messages } from './messages.ts'

export const TONES = {
  malicious: 'red',
  suspicious: 'amber',
  benign: 'green',
  unknown: 'grey',
  none: 'grey',
} as const satisfies Record<Explanation['tags'][number]['intent'], Tone>

export function TagChips({ tags }: { readonly tags: Explanation['tags'] }) {
  const t = useText(messages)
  const { data: catalogue = [] } = useQuery(tagsQuery)
  if (tags.length === 0) return null
  return (
    <ul className="chips" aria-label={t('tags')}>
      {tags.map(({ name, intent }) => (
        <li key={name}>
          <Tooltip
            label={catalogue.find((tag) => tag.name === name)?.description ?? name}
            multiline
            maw={360}
            events={{ hover: true, focus: true, touch: false }}
          >
            <Link to="/tags/$name" params={{ name }} className="tag-chip" data-tone={TONES[intent]}>
              <Tag size={14} aria-hidden />
              <span className="cut">{name}</span>
            </Link>
          </Tooltip>
        </li>
      ))}
    </ul>
  )
}
