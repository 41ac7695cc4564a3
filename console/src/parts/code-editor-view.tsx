// CodeMirror as a field of a form.

import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Annotation, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { readNonce } from '../nonce.ts'
import type { CodeEditorProps } from './code-editor.tsx'

// The style of CodeMirror in the colours of the scheme: its own are for a light ground alone.
const COLOURS: Readonly<Record<string, string>> = {
  '#708': 'var(--violet)',
  '#219': 'var(--violet)',
  '#164': 'var(--blue)',
  '#a11': 'var(--green)',
  '#e40': 'var(--amber)',
  '#f00': 'var(--red)',
}
const HIGHLIGHTS = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => ({
    ...spec,
    color: COLOURS[String(color)] ?? 'inherit',
  })),
)

export type Completions = readonly {
  readonly label: string
  readonly detail?: string
  readonly info?: string
}[]

export type Marks = readonly {
  readonly from: number
  readonly to: number
  readonly text: string
}[]

// Marks a change that the page made: the page knows it already.
const FROM_PAGE = Annotation.define<boolean>()

export function CodeEditorView({
  label,
  value,
  onChange,
  language = 'text',
  isReadOnly = false,
  completions,
  marks,
}: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ value, onChange, completions })
  useEffect(() => {
    latest.current = { value, onChange, completions }
  })
  useEffect(() => {
    if (place.current === null) return
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          ...buildExtensions(label, language, isReadOnly),
          autocompletion({
            override: [
              (context) => {
                const word = context.matchBefore(/[\w.]+/)
                const options = latest.current.completions ?? []
                if (options.length === 0 || (word === null && !context.explicit)) return null
                return { from: word?.from ?? context.pos, options, validFor: /^[\w.]*$/ }
              },
            ],
          }),
          EditorView.updateListener.of((update) => {
            const isOfPage = update.transactions.some((one) => one.annotation(FROM_PAGE) === true)
            if (!update.docChanged || isOfPage) return
            latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, language, isReadOnly])
  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: FROM_PAGE.of(true),
    })
  }, [value])
  useEffect(() => {
    const editor = view.current
    if (editor === null || marks === undefined) return
    const length = editor.state.doc.length
    const faults = marks.map(
      ({ from, to, text }): Diagnostic => ({
        from: Math.min(from, length),
        to: Math.min(to, length),
        severity: 'error',
        message: text,
      }),
    )
    editor.dispatch(setDiagnostics(editor.state, faults))
  }, [marks])
  return <div className="editor" ref={place} />
}

function buildExtensions(
  label: string,
  language: 'text' | 'json',
  isReadOnly: boolean,
): Extension[] {
  return [
    EditorView.cspNonce.of(readNonce()),
    // The tab index says to programs what browsers do anyway: the text is reached by Tab.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.lineWrapping,
    EditorState.readOnly.of(isReadOnly),
    lineNumbers(),
    history(),
    bracketMatching(),
    highlightSelectionMatches(),
    lintGutter(),
    syntaxHighlighting(HIGHLIGHTS),
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    ...(language === 'json' ? [json()] : []),
  ]
}
