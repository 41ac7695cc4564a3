// The fields of the acts on cases.

import { Radio, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { type ComponentType, useEffect, useState } from 'react'
import { useText } from '../../../messages/use-text.ts'
import { messages as partMessages } from '../../../parts/messages.ts'
import { useDraft } from '../../../parts/use-draft.ts'
import {
  type ActKind,
  CLOSE_REASONS,
  type Draft,
  type FieldsProps,
  findTargets,
  nameCommentDraft,
  RESOLUTIONS,
  type TargetState,
} from './act-kinds.ts'
import { AssigneeList } from './assignee-list.tsx'
import { messages } from './messages.ts'

export const ACT_FIELDS: Readonly<Record<ActKind, ComponentType<FieldsProps>>> = {
  assign: AssignFields,
  state: StateFields,
  close: CloseFields,
  severity: SeverityFields,
  tags: TagsFields,
  comment: CommentFields,
}

/** Tells the draft whenever its text changes. */
function useTold(draft: Draft | null, onDraft: FieldsProps['onDraft']): void {
  const text = JSON.stringify(draft)
  useEffect(() => {
    onDraft(draft)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text says when the draft changes
  }, [text, onDraft])
}

function AssignFields({ onPick }: FieldsProps) {
  const t = useText(messages)
  return (
    <AssigneeList
      onPick={(id, name) =>
        onPick({
          change: { assignee_user_id: id },
          said: id === null ? t('said_unassigned') : t('said_assigned', { name }),
          assigneeName: id === null ? undefined : name,
        })
      }
    />
  )
}

function StateFields({ cases, onDraft }: FieldsProps) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const targets = findTargets(cases)
  const [target, setTarget] = useState<TargetState>(targets[0] ?? 'IN_PROGRESS')
  return (
    <>
      <Radio.Group
        label={t('state')}
        value={target}
        onChange={(value) => setTarget(targets.find((one) => one === value) ?? target)}
      >
        <div className="stack" style={{ gap: 8, marginTop: 4 }}>
          {targets.map((one, index) => (
            <Radio
              key={one}
              value={one}
              label={tp(`state_${one}`)}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
            />
          ))}
        </div>
      </Radio.Group>
      <MoveFields key={target} target={target} onDraft={onDraft} />
    </>
  )
}

function CloseFields({ onDraft }: FieldsProps) {
  return <MoveFields target="CLOSED" onDraft={onDraft} isFirst />
}

interface MoveFieldsProps extends Pick<FieldsProps, 'onDraft'> {
  readonly target: TargetState
  readonly isFirst?: boolean
}

/** What a move to the state needs: a resolution, a reason to close, and words. */
function MoveFields({ target, onDraft, isFirst = false }: MoveFieldsProps) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const [resolution, setResolution] = useState<(typeof RESOLUTIONS)[number]>('handled')
  const [reason, setReason] = useState<(typeof CLOSE_REASONS)[number] | null>(null)
  const [words, setWords] = useState('')
  const said = t('said_state', { state: tp(`state_${target}`) })
  const change = {
    IN_PROGRESS: { state: target },
    RESOLVED: { state: target, resolution },
    CLOSED: reason === null ? null : { state: target, close_reason: reason },
  }[target]
  useTold(change === null ? null : { change, reason: words.trim(), said }, onDraft)
  return (
    <>
      {target === 'RESOLVED' && (
        <Select
          label={t('resolution')}
          allowDeselect={false}
          data={RESOLUTIONS.map((value) => ({ value, label: t(`resolution_${value}`) }))}
          value={resolution}
          onChange={(value) =>
            setResolution(RESOLUTIONS.find((one) => one === value) ?? resolution)
          }
        />
      )}
      {target === 'CLOSED' && (
        <Select
          label={t('close_reason')}
          required
          withAsterisk={false}
          {...(isFirst ? { 'data-autofocus': true, defaultDropdownOpened: true } : {})}
          data={CLOSE_REASONS.map((value) => ({ value, label: t(`close_${value}`) }))}
          value={reason}
          onChange={(value) => setReason(CLOSE_REASONS.find((one) => one === value) ?? null)}
        />
      )}
      <TextInput
        label={t('words')}
        description={t('words_why')}
        maxLength={2_000}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
    </>
  )
}

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const

function SeverityFields({ onDraft }: FieldsProps) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const [chosen, setChosen] = useState<string>('')
  const found = SEVERITIES.find((one) => one === chosen)
  const none: Draft | null =
    chosen === 'none' ? { change: { severity: null }, said: t('said_no_severity') } : null
  const draft: Draft | null =
    found === undefined
      ? none
      : {
          change: { severity: found },
          said: t('said_severity', { severity: tp(`severity_${found}`) }),
        }
  useTold(draft, onDraft)
  return (
    <Radio.Group label={t('severity')} value={chosen} onChange={setChosen}>
      <div className="stack" style={{ gap: 8, marginTop: 4 }}>
        {SEVERITIES.map((one, index) => (
          <Radio
            key={one}
            value={one}
            label={tp(`severity_${one}`)}
            {...(index === 0 ? { 'data-autofocus': true } : {})}
          />
        ))}
        <Radio value="none" label={t('no_severity')} />
      </div>
    </Radio.Group>
  )
}

function TagsFields({ cases, onDraft }: FieldsProps) {
  const t = useText(messages)
  const [added, setAdded] = useState<readonly string[]>([])
  const [removed, setRemoved] = useState<readonly string[]>([])
  const present = [...new Set(cases.flatMap(({ tags }) => tags))].toSorted()
  const change = {
    ...(added.length === 0 ? {} : { add_tags: [...added] }),
    ...(removed.length === 0 ? {} : { remove_tags: [...removed] }),
  }
  const isEmpty = added.length + removed.length === 0
  useTold(isEmpty ? null : { change, said: t('said_tags') }, onDraft)
  return (
    <>
      <TagsInput
        label={t('add_tags')}
        description={t('tags_hint')}
        data-autofocus
        splitChars={[',', ' ']}
        data={[]}
        maxTags={100}
        value={[...added]}
        onChange={(tags) => setAdded(tags.map((tag) => tag.replaceAll(/[\s,]/g, '-').slice(0, 64)))}
      />
      {present.length > 0 && (
        <TagsInput
          label={t('remove_tags')}
          data={present.filter((tag) => !removed.includes(tag))}
          value={[...removed]}
          onChange={(tags) => setRemoved(tags.filter((tag) => present.includes(tag)))}
        />
      )}
    </>
  )
}

function CommentFields({ cases, onDraft }: FieldsProps) {
  const t = useText(messages)
  const [text, setText] = useDraft(nameCommentDraft(cases))
  useTold(
    text.trim() === '' ? null : { change: { comment: text.trim() }, said: t('said_comment') },
    onDraft,
  )
  return (
    <Textarea
      label={t('comment_text')}
      description={t('comment_why')}
      data-autofocus
      autosize
      minRows={4}
      maxRows={12}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
    />
  )
}
