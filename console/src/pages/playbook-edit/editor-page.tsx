// The editor: palette or outline at the left, the canvas, the selected node or a simulation at the
// right, problems at the bottom. All of them show and change the one model of graph-editor.ts.

import { Button, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import type { GraphNode } from '../../parts/playbook-graph/graph.ts'
import type { PlaybookDetail } from '../playbook/view.tsx'
import { type NodeKind, type Simulation, validateQuery } from './data.ts'
import { DraftNote, Selected, Tools } from './editor-parts.tsx'
import { type EditorAction, findNode } from './graph-editor.ts'
import { freeWay, waysOf } from './graph-ways.ts'
import { messages } from './messages.ts'
import { OutlineView } from './outline-view.tsx'
import { Palette } from './palette.tsx'
import { Problems } from './problems.tsx'
import { LEFT, playbookEditRoute } from './route.ts'
import { SaveVersion } from './save.tsx'
import { SimulatePanel } from './simulate-panel.tsx'
import { useCanvasEdit } from './use-canvas-edit.ts'
import { useClipboard } from './use-clipboard.ts'
import { useEditor } from './use-editor.ts'
import { useSelectionInUrl } from './use-selection-in-url.ts'

const Canvas = lazy(async () => ({
  default: (await import('../../parts/playbook-graph/canvas.tsx')).Canvas,
}))

export interface EditorPageProps {
  readonly playbook: PlaybookDetail
  readonly version: {
    readonly version: number
    readonly description?: string
    readonly nodes: readonly GraphNode[]
  }
  readonly kinds: readonly NodeKind[]
}

// Long enough that typing asks once, short enough to feel live.
const VALIDATE_AFTER_MS = 400

export function EditorPage({ playbook, version, kinds }: EditorPageProps) {
  const t = useText(messages)
  const maySimulate = useMay('playbooks:simulate')
  const navigate = useNavigate({ from: playbookEditRoute.fullPath })
  const { left = 'palette', simulate } = playbookEditRoute.useSearch()
  const saved = useMemo(
    () => ({ description: version.description ?? '', nodes: version.nodes }),
    [version],
  )
  const key = `playbook ${playbook.id} v${version.version}`
  const used = useEditor(key, saved, playbook.latest_version)
  const { editor, dispatch } = used
  const { nodes } = editor.graph
  const [focus, setFocus] = useState<{ readonly id: string }>()
  const [simulation, setSimulation] = useState<Simulation>()
  const [shownCase, setShownCase] = useState<string | null>(null)
  const right = useRef<HTMLElement>(null)
  const [asked] = useDebouncedValue(nodes, VALIDATE_AFTER_MS)
  const validation = useQuery({ ...validateQuery(asked), placeholderData: keepPreviousData })
  const findings = validation.data?.problems ?? []
  const problemIds = useMemo(
    () => new Set(validation.data?.problems.flatMap(({ node }) => node ?? [])),
    [validation.data],
  )
  const change = (part: ReturnType<typeof playbookEditRoute.useSearch>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  const add = useCallback(
    (
      kind: string,
      after?: { readonly id: string; readonly path: string },
      position?: { readonly x: number; readonly y: number },
    ) => {
      const example = kinds.find((one) => one.kind === kind)?.example
      const config = kind === 'start' ? undefined : example
      dispatch({
        kind: 'add',
        node: {
          kind,
          ...(config === undefined ? {} : { config }),
          ...(position === undefined ? {} : { position }),
        },
        after,
      })
    },
    [kinds, dispatch],
  )
  const only = editor.selected.length === 1 ? editor.selected[0] : undefined
  const node = only === undefined ? undefined : findNode(nodes, only)
  // What is chosen beside the canvas comes into its middle.
  const choose = useCallback(
    (action: EditorAction): void => {
      dispatch(action)
      const [id] = action.kind === 'select' ? action.ids : []
      if (id !== undefined) setFocus({ id })
    },
    [dispatch],
  )
  useSelectionInUrl(only, choose)
  const addBehind = (kind: string): void =>
    add(kind, node === undefined ? undefined : freeWay(node))
  const remove = (): void => dispatch({ kind: 'remove', ids: editor.selected })
  const go = (id: string): void => choose({ kind: 'select', ids: [id] })
  useClipboard(editor, dispatch)
  useKeys(t('title'), [
    { keys: 'mod+z', title: t('undo'), run: () => dispatch({ kind: 'undo' }) },
    { keys: 'mod+y', title: t('redo'), run: () => dispatch({ kind: 'redo' }) },
    { keys: 'Delete', title: t('delete_node'), run: remove },
    { keys: 'o', title: t('outline'), run: () => change({ left: 'outline' }) },
    { keys: 'p', title: t('palette'), run: () => change({ left: undefined }) },
  ])
  const selected = useMemo(() => new Set(editor.selected), [editor.selected])
  const canvas = useCanvasEdit(dispatch, add)
  const taken = useMemo(() => waysOf(simulation, shownCase), [simulation, shownCase])
  const notes = useMemo(
    () =>
      new Map(
        simulation?.summary.waits.map(({ node: id, cases }) => [
          id,
          t('waits_here', { count: cases }),
        ]),
      ),
    [simulation, t],
  )
  return (
    <Page
      title={t('title_of', { name: playbook.name })}
      lede={
        <span>
          {t('from_version', { version: version.version })}
          {used.isChanged && ` · ${t('changed')}`}
        </span>
      }
      isFull
      acts={
        <>
          <Tools used={used} />
          {maySimulate && (
            <Button
              variant={simulate === 'yes' ? 'light' : 'default'}
              aria-pressed={simulate === 'yes'}
              leftSection={<FlaskConical size={16} aria-hidden />}
              onClick={() => change({ simulate: simulate === 'yes' ? undefined : 'yes' })}
            >
              {t('simulate')}
            </Button>
          )}
          <SaveVersion
            playbookId={playbook.id}
            graph={editor.graph}
            begun={version}
            isChanged={used.isChanged}
            latestThen={used.latestThen}
            dispatch={dispatch}
            onSaved={used.forget}
          />
        </>
      }
    >
      <DraftNote
        used={used}
        onDiscard={() => {
          used.forget()
          dispatch({ kind: 'open', graph: saved })
        }}
      />
      <div className="editor-columns">
        <section className="editor-left" aria-label={t(left)}>
          <SegmentedControl
            fullWidth
            aria-label={t('left')}
            value={left}
            onChange={(value) => change({ left: value === 'outline' ? 'outline' : undefined })}
            data={LEFT.map((value) => ({ value, label: t(value) }))}
          />
          {left === 'palette' ? (
            <Palette
              kinds={kinds}
              hasStart={nodes.some(({ kind }) => kind === 'start')}
              onAdd={addBehind}
            />
          ) : (
            <OutlineView
              nodes={nodes}
              kinds={kinds}
              selected={editor.selected}
              problems={problemIds}
              dispatch={choose}
              onAdd={add}
              onOpen={() => right.current?.querySelector<HTMLElement>('input')?.focus()}
            />
          )}
        </section>
        <div className="editor-middle">
          <div className="editor-canvas">
            <Suspense fallback={<Loading lines={6} />}>
              <Canvas
                nodes={nodes}
                label={t('canvas')}
                problems={problemIds}
                selected={selected}
                taken={taken}
                notes={notes}
                onSelect={canvas.select}
                edit={canvas.edit}
                focus={focus}
              />
            </Suspense>
          </div>
          <Problems
            validation={validation.data}
            isChecking={validation.isFetching}
            error={validation.error}
            onRetry={() => void validation.refetch()}
            onGo={go}
          />
        </div>
        <section className="editor-right" aria-label={t('inspector')} ref={right}>
          {simulate === 'yes' ? (
            <SimulatePanel
              nodes={nodes}
              simulation={simulation}
              onResult={setSimulation}
              shown={shownCase}
              onShow={setShownCase}
            />
          ) : (
            <Selected
              node={node}
              nodes={nodes}
              kinds={kinds}
              findings={findings}
              dispatch={dispatch}
              selected={editor.selected}
            />
          )}
        </section>
      </div>
    </Page>
  )
}
