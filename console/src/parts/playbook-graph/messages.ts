// What the graph of a playbook says, and the names of the kinds of nodes.

import { defineMessages } from '../../messages/define-messages.ts'
import { useText } from '../../messages/use-text.ts'

export const messages = defineMessages({
  en: {
    graph: 'Playbook graph',
    here: 'Here now',
    taken: 'Taken',
    added: 'Added',
    removed: 'Removed',
    changed: 'Changed',
    problem: 'Has a problem',
    zoom_in: 'Zoom in',
    zoom_out: 'Zoom out',
    fit: 'Fit the whole graph',
    ends_here: 'ends',
    node_named: '{kind} {id}',
    controls: 'View of the canvas',
    move_node: 'Move the node',
    input: 'Way in of {id}',
    output: 'Way out {path} of {id}',
    help_node: 'Enter selects the node, the arrow keys move it, Delete takes it away.',
    help_edge: 'Delete takes the connection away.',
    no_nodes: 'This playbook has no nodes.',
    connection: '{from}, {path}, to {to}',
    kind_start: 'Start',
    kind_true_false: 'True/False',
    kind_switch: 'Switch',
    kind_delay: 'Delay',
    kind_wait_until: 'Wait until',
    kind_trigger: 'Trigger',
    kind_manual: 'Manual',
    kind_fork: 'Fork',
    kind_join: 'Join',
    kind_for_each: 'For each',
    kind_sub_playbook: 'Sub-playbook',
    kind_set_state: 'Set state',
    kind_resolve: 'Resolve',
    kind_close: 'Close',
    kind_assign: 'Assign',
    kind_tag: 'Tag',
    kind_set_field: 'Set field',
    kind_set_deadline: 'Set deadline',
    kind_comment: 'Comment',
    kind_email: 'Email',
    kind_notify_reporter: 'Notify reporter',
    kind_statement_of_reasons: 'Statement of reasons',
    kind_mitigate: 'Mitigate',
    kind_lookup: 'Look up',
    kind_api_caller: 'API caller',
    kind_webhook: 'Webhook',
    kind_verify: 'Verify',
    kind_end: 'End',
    kind_divider: 'Divider',
  },
  de: {
    graph: 'Graph des Playbooks',
    here: 'Hier jetzt',
    taken: 'Genommen',
    added: 'Neu',
    removed: 'Entfernt',
    changed: 'Geändert',
    problem: 'Hat einen Fehler',
    zoom_in: 'Vergrößern',
    zoom_out: 'Verkleinern',
    fit: 'Ganzen Graphen zeigen',
    ends_here: 'endet',
    node_named: '{kind} {id}',
    controls: 'Ansicht der Zeichenfläche',
    move_node: 'Knoten verschieben',
    input: 'Eingang von {id}',
    output: 'Ausgang {path} von {id}',
    help_node: 'Enter wählt den Knoten, die Pfeiltasten verschieben ihn, Entf nimmt ihn weg.',
    help_edge: 'Entf nimmt die Verbindung weg.',
    no_nodes: 'Dieses Playbook hat keine Knoten.',
    connection: '{from}, {path}, nach {to}',
    kind_start: 'Start',
    kind_true_false: 'Ja/Nein',
    kind_switch: 'Verzweigung',
    kind_delay: 'Warten',
    kind_wait_until: 'Warten bis',
    kind_trigger: 'Auslöser',
    kind_manual: 'Von Hand',
    kind_fork: 'Gabelung',
    kind_join: 'Zusammenführung',
    kind_for_each: 'Für jedes',
    kind_sub_playbook: 'Unter-Playbook',
    kind_set_state: 'Zustand setzen',
    kind_resolve: 'Lösen',
    kind_close: 'Schließen',
    kind_assign: 'Zuweisen',
    kind_tag: 'Schlagwort',
    kind_set_field: 'Feld setzen',
    kind_set_deadline: 'Frist setzen',
    kind_comment: 'Kommentar',
    kind_email: 'E-Mail',
    kind_notify_reporter: 'Melder benachrichtigen',
    kind_statement_of_reasons: 'Begründung (DSA)',
    kind_mitigate: 'Gegenmaßnahme',
    kind_lookup: 'Nachschlagen',
    kind_api_caller: 'API-Aufruf',
    kind_webhook: 'Webhook',
    kind_verify: 'Nachprüfen',
    kind_end: 'Ende',
    kind_divider: 'Überschrift',
  },
})

type Key = keyof (typeof messages)['en']

function isKey(text: string): text is Key {
  return Object.hasOwn(messages.en, text)
}

/** The name of a kind for people; `title` of the server for one that this console does not know. */
export function useKindTitle(): (kind: string, title?: string) => string {
  const t = useText(messages)
  return (kind, title) => {
    const key = `kind_${kind}`
    return isKey(key) ? t(key) : (title ?? kind)
  }
}
