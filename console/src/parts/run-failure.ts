// Why a run, or the simulation of one, failed or ended, in words. The program names a reason by one word.

import { useCallback } from 'react'
import { defineMessages } from '../messages/define-messages.ts'
import { useText } from '../messages/use-text.ts'

const messages = defineMessages({
  en: {
    status_refused: 'The other system refused the request',
    status_trouble: 'The other system has a fault of its own',
    request_refused: 'The request may not be sent there',
    not_reached: 'The other system could not be reached',
    timed_out: 'The other system did not answer in time',
    answer_too_large: 'The answer of the other system is too large',
    call_failed: 'The call failed',
    call_timed_out: 'The call took too long',
    call_interrupted: 'The call was interrupted; whether it arrived is not known',
    secret_missing: 'A secret that the call needs is missing',
    secret_cannot_sign: 'The secret cannot sign the call',
    value_failed: 'An expression gave no value',
    condition_failed: 'A condition could not be computed',
    case_not_found: 'The case is gone',
    case_has_ended: 'The case has ended',
    case_merged: 'The case was merged into another one',
    not_an_item: 'The value is no address or domain',
    no_list: 'The value is no list',
    list_too_long: 'The list is too long',
    list_failed: 'A round of the list failed',
    child_failed: 'The sub-playbook failed',
    too_many_tokens: 'The run has too many tokens',
    too_many_visits: 'The run has visited too many nodes',
    vars_too_large: 'The variables are too large',
    too_long: 'It goes round without an end: assume an answer at a node that waits',
    too_much_work: 'Its conditions take too much work',
    locked: 'Somebody works at the case right now',
    unknown_case: 'There is no such case',
    merged: 'The case was merged into another one',
    no_time_left: 'The time of the simulation was over',
    answer_full: 'The answer is full',
    calendar_not_found: 'The calendar does not exist',
    assignee_unknown: 'Nobody has the name of the assignee',
    no_recipient: 'The notice has no recipient',
    no_relay: 'No mail relay is set',
    step_failed: 'The step failed; the log of the server says why',
    demo: 'Nothing of the demo is sent',
  },
  de: {
    status_refused: 'Das andere System lehnte die Anfrage ab',
    status_trouble: 'Das andere System hat selbst eine Störung',
    request_refused: 'Die Anfrage darf dorthin nicht gesendet werden',
    not_reached: 'Das andere System war nicht erreichbar',
    timed_out: 'Das andere System antwortete nicht rechtzeitig',
    answer_too_large: 'Die Antwort des anderen Systems ist zu groß',
    call_failed: 'Der Aufruf schlug fehl',
    call_timed_out: 'Der Aufruf dauerte zu lange',
    call_interrupted: 'Der Aufruf brach ab; ob er ankam, ist nicht bekannt',
    secret_missing: 'Ein Geheimnis für den Aufruf fehlt',
    secret_cannot_sign: 'Mit dem Geheimnis lässt sich der Aufruf nicht signieren',
    value_failed: 'Ein Ausdruck ergab keinen Wert',
    condition_failed: 'Eine Bedingung ließ sich nicht berechnen',
    case_not_found: 'Der Fall ist nicht mehr da',
    case_has_ended: 'Der Fall ist beendet',
    case_merged: 'Der Fall wurde mit einem anderen zusammengeführt',
    not_an_item: 'Der Wert ist weder Adresse noch Domain',
    no_list: 'Der Wert ist keine Liste',
    list_too_long: 'Die Liste ist zu lang',
    list_failed: 'Ein Durchgang der Liste schlug fehl',
    child_failed: 'Das Unter-Playbook schlug fehl',
    too_many_tokens: 'Der Lauf hat zu viele Tokens',
    too_many_visits: 'Der Lauf hat zu viele Knoten besucht',
    vars_too_large: 'Die Variablen sind zu groß',
    too_long: 'Es läuft ohne Ende im Kreis: Nehmen Sie bei einem wartenden Knoten eine Antwort an',
    too_much_work: 'Die Bedingungen brauchen zu viel Rechenzeit',
    locked: 'Jemand arbeitet gerade an dem Fall',
    unknown_case: 'Diesen Fall gibt es nicht',
    merged: 'Der Fall wurde mit einem anderen zusammengeführt',
    no_time_left: 'Die Zeit der Simulation war um',
    answer_full: 'Die Antwort ist voll',
    calendar_not_found: 'Den Kalender gibt es nicht',
    assignee_unknown: 'Niemand hat den Namen des Zuständigen',
    no_recipient: 'Der Hinweis hat keinen Empfänger',
    no_relay: 'Kein Mailserver ist eingerichtet',
    step_failed: 'Der Schritt schlug fehl; das Protokoll des Servers sagt warum',
    demo: 'Von der Demo wird nichts gesendet',
  },
})

function isKnown(reason: string): reason is keyof typeof messages.en {
  return Object.hasOwn(messages.en, reason)
}

/** The reason itself where there are no words for it, such as one that an author wrote. */
export function useRunFailure(): (reason: string) => string {
  const t = useText(messages)
  return useCallback((reason) => (isKnown(reason) ? t(reason) : reason), [t])
}
