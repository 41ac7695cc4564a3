// One entry with its values before and afterwards, and what proves it.

import { Button } from '@mantine/core'
import { useText } from '../../../messages/use-text.ts'
import { JsonView } from '../../../parts/json-view.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Since } from '../../../parts/since.tsx'
import { Block, Facts } from '../form.tsx'
import { useAdmin } from '../use-admin.ts'
import { type Entry, nameOf } from './entry.ts'
import { messages } from './messages.ts'

export function EntryPanel({ entry }: { readonly entry: Entry }) {
  const t = useText(messages)
  const { close, set } = useAdmin()
  const { actor, object, act, at, address, request_id: request, key_id: key } = entry
  return (
    <SidePanel
      title={t('entry', { seq: entry.seq })}
      onClose={close}
      acts={
        <>
          <Button variant="default" onClick={() => set({ who: actor.id })}>
            {t('only_who', { who: nameOf(actor) })}
          </Button>
          <Button variant="default" onClick={() => set({ object: object.id })}>
            {t('only_object')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Facts
          facts={[
            { title: t('done'), value: <span className="mono">{act}</span> },
            { title: t('when'), value: <Since at={at} /> },
            { title: t('actor'), value: <Named of={actor} /> },
            { title: t('on'), value: <Named of={object} /> },
            address !== undefined && {
              title: t('address'),
              value: <span className="mono">{address}</span>,
            },
            request !== undefined && {
              title: t('request'),
              value: <span className="mono">{request}</span>,
            },
            { title: t('values'), value: t(`values_${entry.values}`) },
            key !== undefined && { title: t('key'), value: <span className="mono">{key}</span> },
            { title: t('hash'), value: <span className="mono">{entry.hash}</span> },
          ]}
        />
        {entry.before !== undefined && (
          <Block title={t('before_value')}>
            <JsonView label={t('before_value')} value={entry.before} />
          </Block>
        )}
        {entry.after !== undefined && (
          <Block title={t('after_value')}>
            <JsonView label={t('after_value')} value={entry.after} />
          </Block>
        )}
      </div>
    </SidePanel>
  )
}

function Named({
  of: { kind, id, name },
}: {
  readonly of: { readonly kind: string; readonly id: string; readonly name?: string }
}) {
  return (
    <>
      {name !== undefined && <div>{name}</div>}
      <div className="dim small">
        {kind} <span className="mono">{id}</span>
      </div>
    </>
  )
}
