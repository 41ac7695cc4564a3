// What the tour says.

import { defineMessages } from '../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    step: 'Step {step} of {count}',
    close: 'Close the tour',
    skip: 'Skip the tour',
    back: 'Back',
    next: 'Next',
    done: 'Done',
    search: 'Look up anything',
    search_why:
      'An address, a domain, a case, a customer, or words. Press / anywhere to come here, and paste many lines to check them at once.',
    cases: 'Work cases',
    cases_why:
      'Reports about one matter become one case. The queue has filters, saved views and a key for each act.',
    playbooks: 'Let playbooks do the rest',
    playbooks_why:
      'A playbook mails customers, waits for answers and closes cases. Try it on past cases before you publish it.',
    keys: 'Keep your hands on the keys',
    keys_why:
      'Press ? for the keys of a page, and Ctrl K for the palette, which finds pages and acts. This tour can be opened there again.',
    account: 'Make your account safe',
    account_why:
      'Under your account: a passkey or an authenticator app, your sessions, language, time zone and colours.',
  },
  de: {
    step: 'Schritt {step} von {count}',
    close: 'Rundgang schließen',
    skip: 'Überspringen',
    back: 'Zurück',
    next: 'Weiter',
    done: 'Fertig',
    search: 'Alles nachschlagen',
    search_why:
      'Eine Adresse, Domain, ein Fall, ein Kunde oder Wörter. Mit / kommen Sie von überall hierher; viele Zeilen auf einmal prüfen Sie durch Einfügen.',
    cases: 'Fälle bearbeiten',
    cases_why:
      'Meldungen zu einer Sache werden ein Fall. Die Liste hat Filter, gespeicherte Ansichten und eine Taste für jede Handlung.',
    playbooks: 'Den Rest erledigen Playbooks',
    playbooks_why:
      'Ein Playbook schreibt Kunden, wartet auf Antworten und schließt Fälle. Probieren Sie es an alten Fällen aus.',
    keys: 'Hände an der Tastatur',
    keys_why:
      'Mit ? sehen Sie die Tasten einer Seite, mit Strg K die Palette für Seiten und Befehle. Dort öffnen Sie auch diesen Rundgang wieder.',
    account: 'Ihr Konto sichern',
    account_why:
      'In Ihrem Konto: Passkey oder Authenticator-App, Ihre Sitzungen, Sprache, Zeitzone und Farben.',
  },
})
