// "Mark": list an item on the desk's own blocklist, allow it, or tag it.

import { Button, Menu, Modal, NativeSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ListX, ShieldCheck, Tag } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useActs } from '../../keys/acts.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { messages as partMessages } from '../../parts/messages.ts'
import { tagsQuery } from '../tags/data.ts'
import { messages } from './messages.ts'
import { type MarkKind, OWN_SOURCE, useMark } from './use-marks.ts'

const KINDS = [
  ['listing', ListX, 'l'],
  ['allowance', ShieldCheck, 'w'],
  ['tagging', Tag, 't'],
] as const satisfies readonly (readonly [MarkKind, typeof Tag, string])[]

export function MarkMenu({ item }: { readonly item: string }) {
  const mayWrite = useMay('intel:write')
  return mayWrite ? <OpenMarkMenu item={item} /> : null
}

function OpenMarkMenu({ item }: { readonly item: string }) {
  const t = useText(messages)
  const [kind, setKind] = useState<MarkKind | null>(null)
  useKeys(
    t('this_item'),
    KINDS.map(([one, , key]) => ({
      keys: key,
      title: t(`mark_${one}`),
      run: () => setKind(one),
    })),
  )
  useActs(
    KINDS.map(([one, , key]) => ({
      id: `mark ${one}`,
      title: `${t(`mark_${one}`)}: ${item}`,
      keys: key,
      run: () => setKind(one),
    })),
  )
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
            {t('mark')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {KINDS.map(([one, Icon, key]) => (
            <Menu.Item
              key={one}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={<kbd>{key}</kbd>}
              onClick={() => setKind(one)}
            >
              {t(`mark_${one}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {kind !== null && <MarkForm item={item} kind={kind} onClose={() => setKind(null)} />}
    </>
  )
}

const DAY_MS = 86_400_000
const TERMS = ['7', '30', '90', 'none'] as const

interface MarkFormProps {
  readonly item: string
  readonly kind: MarkKind
  readonly onClose: () => void
}

function MarkForm({ item, kind, onClose }: MarkFormProps) {
  const t = useText(messages)
  const shared = useText(partMessages)
  const isTagging = kind === 'tagging'
  const { data: tags = [], error } = useQuery({ ...tagsQuery, enabled: isTagging })
  const [tag, setTag] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [days, setDays] = useState<string>('30')
  const mark = useMark(onClose)
  const name = isTagging ? tag : OWN_SOURCE
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name === null) return
    const said = reason.trim()
    mark.mutate({
      kind,
      item,
      name,
      source: OWN_SOURCE,
      reason: said === '' ? undefined : said,
      expires:
        days === 'none' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`title_${kind}`, { item })}
      closeButtonProps={{ 'aria-label': shared('close') }}
    >
      <form className="stack" onSubmit={submit}>
        <p className="dim flat">{t(`about_${kind}`)}</p>
        {isTagging && <FormProblem error={error} />}
        {isTagging ? (
          <Select
            label={t('tag')}
            data={tags.map((one) => one.name)}
            value={tag}
            onChange={setTag}
            searchable
            required
            data-autofocus
            nothingFoundMessage={t('no_such_tag')}
          />
        ) : (
          <TextInput
            label={t('reason')}
            description={t('reason_why')}
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <NativeSelect
          label={t('for_how_long')}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          data={TERMS.map((term) => ({
            value: term,
            label: term === 'none' ? t('no_end') : t('days', { days: term }),
          }))}
        />
        <div className="row-of form-acts">
          <Button variant="default" onClick={onClose}>
            {shared('cancel')}
          </Button>
          <Button type="submit" disabled={name === null} loading={mark.isPending}>
            {t(`do_${kind}`)}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
