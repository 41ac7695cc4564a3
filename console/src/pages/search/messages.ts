// What the page of results says.

import { defineMessages } from '../../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Search',
    title_for: 'Search: {text}',
    read_as:
      'Read as {kind, select, case_id {the id of a case} record_id {the id of a record} address {an address} range {a range} domain {a domain} email {an e-mail address} url {a URL} other {words}}.',
    look_up: 'Look up {item}',
    all: 'All',
    kinds: 'Kinds',
    kind_customer: 'Customers',
    kind_case: 'Cases',
    kind_report: 'Reports',
    kind_event: 'Events',
    one_customer: 'Customer',
    one_case: 'Case',
    one_report: 'Report',
    one_event: 'Event',
    kind: 'Kind',
    what: 'What',
    found_in: 'Found in',
    when: 'When',
    none: 'Nothing was found',
    none_why:
      'All words must be in one record. Try fewer words, or the beginning of a longer one; quotes make any text words.',
    nothing_asked: 'Search for anything',
    nothing_asked_why:
      'An address, a domain, an id, an e-mail address, a URL, or words of reports and comments.',
  },
  de: {
    title: 'Suche',
    title_for: 'Suche: {text}',
    read_as:
      'Gelesen als {kind, select, case_id {Kennung eines Falls} record_id {Kennung eines Datensatzes} address {Adresse} range {Bereich} domain {Domain} email {E-Mail-Adresse} url {URL} other {Wörter}}.',
    look_up: '{item} nachschlagen',
    all: 'Alle',
    kinds: 'Arten',
    kind_customer: 'Kunden',
    kind_case: 'Fälle',
    kind_report: 'Meldungen',
    kind_event: 'Ereignisse',
    one_customer: 'Kunde',
    one_case: 'Fall',
    one_report: 'Meldung',
    one_event: 'Ereignis',
    kind: 'Art',
    what: 'Was',
    found_in: 'Gefunden in',
    when: 'Wann',
    none: 'Nichts gefunden',
    none_why:
      'Alle Wörter müssen in einem Datensatz stehen. Versuchen Sie weniger Wörter oder den Anfang eines längeren; Anführungszeichen machen jeden Text zu Wörtern.',
    nothing_asked: 'Suchen Sie nach allem',
    nothing_asked_why:
      'Adresse, Domain, Kennung, E-Mail-Adresse, URL oder Wörter aus Meldungen und Kommentaren.',
  },
})
