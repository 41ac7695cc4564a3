// What the server says when it refuses, in German, by the code of the problem (docs/reference/
// errors.md has them all). A sentence that ends with a colon is followed by the server's own words,
// which name what varies. Read by say-problem.ts, which loads this file for German only.

export const SERVER_WORDS_DE: Readonly<Record<string, string>> = {
  KERNEL_SECRET_KEY_MISSING:
    'Dem Server fehlt der Schlüssel für gespeicherte Geheimnisse; der Betreiber ergänzt ihn in CASEWORK_SECRET_KEY:',
  KERNEL_DATABASE_NOT_REACHABLE:
    'Die Datenbank ist im Augenblick nicht erreichbar; versuchen Sie es gleich noch einmal.',
  KERNEL_DATABASE_BUSY:
    'Andere Anfragen haben dieselben Datensätze fortwährend geändert. Nichts wurde geändert; versuchen Sie es gleich noch einmal.',
  KERNEL_DATABASE_READ_ONLY:
    'Die Datenbank nimmt im Augenblick keine Änderungen an; Lesen geht weiterhin. Versuchen Sie es gleich noch einmal.',
  KERNEL_DATABASE_GAVE_UP:
    'Die Datenbank hat die Anfrage aufgegeben, weil sie zu lange dauerte oder der Speicher knapp ist; versuchen Sie es gleich noch einmal, oder fragen Sie nach weniger auf einmal.',
  KERNEL_DISK_FULL:
    'Die Festplatte der Datenbank ist voll, daher kann nichts gespeichert werden; versuchen Sie es später noch einmal.',
  KERNEL_TOKENS_TOO_OLD:
    'Die Datenbank war so lange nicht erreichbar, dass Token nicht geprüft werden können; versuchen Sie es gleich noch einmal.',
  KERNEL_CREDENTIAL_MISSING: 'Die Anfrage hat sich nicht ausgewiesen; melden Sie sich an.',
  KERNEL_SESSION_NOT_LIVE: 'Ihre Sitzung ist beendet; melden Sie sich neu an.',
  KERNEL_CREDENTIAL_NOT_VALID: 'Der Token ist unbekannt, abgelaufen oder widerrufen.',
  KERNEL_CREDENTIAL_NOT_READABLE: 'Die Anfrage muss genau einen Ausweis tragen.',
  KERNEL_NETWORK_NOT_ALLOWED: 'Dieser Token darf von Ihrer Adresse aus nicht verwendet werden.',
  KERNEL_SCOPE_MISSING: 'Dafür fehlt die Berechtigung:',
  KERNEL_NODE_NOT_READY:
    'Dieser Knoten kann im Augenblick nicht antworten; warum, steht unter Verwaltung › Zustand.',
  KERNEL_BODIES_TOO_MANY:
    'Zu viele Anfragen sind zugleich unterwegs; versuchen Sie es gleich noch einmal.',
  KERNEL_TOO_MANY_REQUESTS: 'Zu viele Anfragen; warten Sie etwas.',
  KERNEL_REQUEST_NOT_VALID: 'Ein Teil der Anfrage ist nicht gültig:',
  KERNEL_ROUTE_NOT_FOUND: 'Unter diesem Pfad gibt es nichts.',
  KERNEL_METHOD_NOT_ALLOWED: 'Dieser Pfad nimmt diese Art von Anfrage nicht an.',
  KERNEL_BODY_TOO_LARGE:
    'Das ist mehr, als auf einmal angenommen wird; senden Sie es in kleineren Teilen.',
  KERNEL_PATH_TOO_LONG: 'Ein Teil des Pfades ist zu lang.',
  KERNEL_MEDIA_TYPE_NOT_TAKEN: 'Dieser Inhaltstyp wird hier nicht angenommen:',
  KERNEL_CONTENT_ENCODING_NOT_TAKEN: 'Komprimierte Inhalte werden nicht angenommen.',
  KERNEL_BODY_TOO_SLOW: 'Die Anfrage kam zu langsam an.',
  KERNEL_HEADERS_TOO_LARGE: 'Die Kopfzeilen der Anfrage sind zu groß oder zu viele.',
  KERNEL_INTERNAL_TROUBLE:
    'Die Anfrage scheiterte an einem Fehler des Dienstes; der Grund steht im Protokoll unter dieser Kennung der Anfrage.',
  APP_TOKEN_NOT_VALID: 'Der Token kann so nicht angelegt werden.',
  APP_GRANT_NOT_HELD:
    'Sie können keine Rechte vergeben oder entziehen, die Sie selbst nicht haben:',
  APP_TOKEN_NOT_FOUND: 'Es gibt keinen gültigen Token mit dieser Kennung.',
  APP_TOKENS_TOO_MANY:
    'Dieser Mandant hat die höchste Zahl gültiger Token erreicht; widerrufen Sie einige, die nicht mehr gebraucht werden.',
  APP_TOKEN_NOT_ROTATABLE:
    'Dieser Token steht in der Einstellung CASEWORK_BOOTSTRAP_TOKEN: Ändern Sie die Einstellung und starten Sie neu.',
  APP_ROLE_NOT_VALID: 'Die Rolle kann so nicht gespeichert werden.',
  APP_ROLE_NOT_FOUND: 'Es gibt keine Rolle mit diesem Namen.',
  APP_ROLE_TAKEN: 'Es gibt schon eine Rolle mit diesem Namen.',
  APP_ROLE_IS_SHIPPED:
    'Diese Rolle gehört zum Programm und kann nicht geändert werden; legen Sie eine mit anderem Namen an.',
  APP_ROLE_IN_USE:
    'Gültige Token oder Personen haben diese Rolle; widerrufen Sie die Token und geben Sie den Personen zuerst andere Rollen:',
  APP_ROLES_TOO_MANY:
    'Dieser Mandant hat die höchste Zahl von Rollen erreicht; löschen Sie einige, die nicht mehr gebraucht werden.',
  APP_SERVICE_ACCOUNT_NOT_FOUND: 'Es gibt kein Dienstkonto mit dieser Kennung.',
  APP_SERVICE_ACCOUNT_TAKEN: 'Es gibt schon ein Dienstkonto mit dieser Kennung.',
  APP_SERVICE_ACCOUNTS_TOO_MANY:
    'Dieser Mandant hat die höchste Zahl von Dienstkonten erreicht; löschen Sie einige, die nicht mehr gebraucht werden.',
  APP_LAST_ADMINISTRATOR_TOKEN:
    'Kein anderer gültiger Token verwaltet die Instanz. Legen Sie zuerst einen an, oder erzwingen Sie den Widerruf.',
  APP_SIGN_IN_REFUSED: 'E-Mail-Adresse oder Passwort ist falsch.',
  APP_SIGN_IN_TOO_OFTEN:
    'Für dieses Konto wurden zu oft falsche Passwörter oder Codes eingegeben. Warten Sie, nehmen Sie einen Browser, in dem Sie schon angemeldet waren, oder fordern Sie ein neues Passwort an.',
  APP_SIGN_IN_NOT_BEGUN:
    'Dieser Browser hat keine Anmeldung begonnen, oder sie hat länger als fünf Minuten gedauert; beginnen Sie neu.',
  APP_FACTOR_REFUSED:
    'Dieser Code ist falsch oder wurde schon verwendet. Ein Code einer App gilt einmal: Warten Sie auf den nächsten.',
  APP_ONE_FACTOR_NEEDED: 'Geben Sie genau einen Nachweis an.',
  APP_PROOF_NEEDED:
    'Weisen Sie zuerst nach, dass Sie es sind: Der letzte Nachweis ist älter als zehn Minuten.',
  APP_FACTOR_NOT_FOUND: 'Sie haben keinen solchen zweiten Faktor.',
  APP_FACTOR_PRESENT: 'Sie haben schon eine Authenticator-App; entfernen Sie diese zuerst.',
  APP_FACTOR_REQUIRED:
    'Diese Instanz verlangt einen zweiten Faktor, und dies ist Ihr letzter; richten Sie zuerst einen anderen ein.',
  APP_FACTOR_MUST_BE_SET_UP:
    'Diese Instanz verlangt einen zweiten Faktor: Richten Sie zuerst einen ein.',
  APP_FACTOR_MISSING:
    'Wiederherstellungscodes vertreten einen zweiten Faktor; richten Sie zuerst einen ein.',
  APP_PASSKEY_REFUSED:
    'Dieser Passkey ist hier nicht bekannt oder hat nicht unterschrieben, was verlangt war; beginnen Sie von vorn.',
  APP_PASSKEYS_NOT_HERE: 'Passkeys funktionieren unter dieser Adresse nicht:',
  APP_PASSKEY_NOT_TAKEN:
    'Dieser Passkey ist schon angelegt, oder Sie haben 20; entfernen Sie zuerst einen.',
  APP_PASSKEY_NOT_FOUND: 'Sie haben keinen Passkey mit dieser Kennung.',
  APP_CHALLENGES_TOO_MANY:
    'Von dieser Adresse aus wurden zu viele Anmeldungen mit Passkey begonnen; warten Sie einige Minuten.',
  APP_MAILS_TOO_MANY:
    'Es wurden zu viele Mails angefordert. Sehen Sie ins Postfach, oder warten Sie.',
  APP_MAIL_NOT_SET_UP:
    'Dieser Server verschickt keine Mails (CASEWORK_RELAY_URL); die Verwaltung erstellt einen Link.',
  APP_PASSWORDS_TOO_MANY:
    'Zu viele Menschen melden sich zugleich an; versuchen Sie es gleich noch einmal.',
  APP_SIGN_IN_NOT_SAFE:
    'Über unverschlüsseltes HTTP werden keine Passwörter angenommen, außer unter http://localhost. Stellen Sie einen Reverse Proxy mit TLS davor, und setzen Sie CASEWORK_PUBLIC_URL auf dessen https-Adresse.',
  APP_ORIGIN_NOT_OWN:
    'Diese Anfrage kommt von der Seite eines anderen Angebots. Ist es Ihre eigene, muss CASEWORK_PUBLIC_URL die Adresse im Browser sein.',
  APP_CSRF_TOKEN_MISSING: 'Die Anfrage kam nicht von dieser Seite; laden Sie die Seite neu.',
  APP_PASSWORD_NOT_VALID: 'Dieses Passwort wird nicht angenommen.',
  APP_ACCOUNT_HAS_NO_PASSWORD:
    'Dieses Konto hat kein Passwort: Die Person meldet sich über einen Anbieter an. Nehmen Sie die Einladung über diesen Anbieter an.',
  APP_LINK_NOT_VALID:
    'Dieser Link wurde schon verwendet, ist abgelaufen oder hat nie gegolten; bitten Sie um einen neuen.',
  APP_PROVIDER_NOT_FOUND: 'Es gibt keinen Anbieter mit dieser Kennung.',
  APP_PROVIDER_SILENT:
    'Der Anbieter antwortet nicht. Versuchen Sie es später, oder melden Sie sich mit Passwort an; der Grund steht im Protokoll des Servers.',
  APP_PROVIDER_REFUSED: 'Der Anbieter hat die Anmeldung abgelehnt; beginnen Sie neu.',
  APP_PROVIDER_ANSWER_NOT_VALID:
    'Die Antwort des Anbieters gilt für diese Anmeldung nicht; der Grund steht im Protokoll des Servers.',
  APP_PROVIDER_TRY_NOT_VALID:
    'Diese Anmeldung wurde anderswo begonnen, schon verwendet oder ist abgelaufen.',
  APP_PROVIDER_TRIES_TOO_MANY:
    'Zu viele Anmeldungen über einen Anbieter sind im Gange; versuchen Sie es in zehn Minuten noch einmal.',
  APP_IDENTITY_NOT_LINKED:
    'Hier ist niemand mit diesem Konto des Anbieters verbunden. Verwenden Sie Ihre Einladung, oder melden Sie sich mit Passwort an und verbinden Sie es.',
  APP_IDENTITY_TAKEN: 'Dieses Konto des Anbieters ist mit einer anderen Person verbunden.',
  APP_IDENTITY_NOT_FOUND: 'Es gibt keine solche Verbindung zu einem Anbieter.',
  APP_PERSON_DISABLED: 'Ihr Konto ist gesperrt; wenden Sie sich an Ihre Verwaltung.',
  APP_DEVICE_PENDING: 'Über diesen Code hat noch niemand entschieden; fragen Sie später wieder.',
  APP_DEVICE_TOO_FAST: 'Sie fragen zu oft; warten Sie fünf Sekunden länger.',
  APP_DEVICE_DENIED: 'Die Person hat diese Anmeldung abgelehnt.',
  APP_DEVICE_CODE_ENDED:
    'Dieser Code wurde schon verwendet, ist abgelaufen oder hat nie gegolten; beginnen Sie die Anmeldung neu.',
  APP_USER_CODE_NOT_FOUND:
    'Auf diesen Code wartet keine Anmeldung; vergleichen Sie ihn mit dem, den das Programm zeigt.',
  APP_USER_CODES_TOO_MANY: 'Sie haben zu viele falsche Codes eingegeben; warten Sie.',
  APP_DEVICE_CODES_TOO_MANY:
    'Zu viele Anmeldungen warten auf eine Person; entscheiden Sie über diese, oder warten Sie, bis sie ablaufen.',
  APP_SESSION_NOT_FOUND: 'Es gibt keine solche Sitzung.',
  APP_TENANT_MISSING:
    'Sie arbeiten für keinen Mandanten mit dieser Kennung; bitten Sie dessen Verwaltung um eine Einladung.',
  APP_FIRST_PERSON_PRESENT: 'Es gibt schon eine Person; weitere lädt die Verwaltung ein.',
  APP_USER_NOT_FOUND: 'Es gibt keine Person mit dieser Kennung.',
  APP_USER_NOT_VALID: 'Die Person kann so nicht gespeichert werden.',
  APP_USER_TAKEN: 'Eine Person dieses Mandanten hat diese E-Mail-Adresse schon.',
  APP_LAST_ADMINISTRATOR:
    'Niemand sonst verwaltet die Instanz. Geben Sie zuerst einer anderen Person die Rolle instance-admin.',
  APP_USER_DISABLED: 'Diese Person ist gesperrt; heben Sie zuerst die Sperre auf.',
  APP_GROUP_NOT_FOUND: 'Es gibt keine Gruppe mit dieser Kennung.',
  APP_GROUP_TAKEN: 'Dieser Mandant hat schon eine Gruppe mit diesem Namen.',
  APP_GROUP_NOT_VALID: 'Die Gruppe kann so nicht gespeichert werden.',
  APP_TENANT_NOT_FOUND: 'Es gibt keinen Mandanten mit dieser Kennung.',
  APP_TENANT_TAKEN: 'Es gibt schon einen Mandanten mit dieser Kennung.',
  APP_REPORT_ADDRESS_NOT_VALID: 'Die Adresse kann diesem Mandanten nicht zugeordnet werden.',
  APP_REPORT_ADDRESS_NOT_FOUND: 'Diese Adresse gehört zu keinem Mandanten.',
  APP_OWNER_RESOLVER_NOT_VALID: 'Die Auskunft ist nicht gültig; nichts wurde geändert.',
  APP_OWNER_RESOLVER_NOT_FOUND: 'Dieser Mandant hat keine Auskunft.',
  APP_CURSOR_NOT_VALID:
    'Diese Stelle gehört nicht zu dieser Liste und ihren Filtern; beginnen Sie von vorn.',
  APP_LOOKUP_NODE_ONLY:
    'Dieser Knoten beantwortet nur Nachfragen und Prüfungen (Rolle lookup); wohin die Anfrage gehört:',
  APP_DEMO_IS_THERE:
    'Die Vorführung ist schon da, oder ein Mandant hat eine ihrer Kennungen; "casework demo remove" entfernt sie.',
  APP_DOCS_SCRIPT_MISSING:
    'Dieser Installation fehlt das Skript für die Referenz; der Betreiber führt "npm ci && npm run build" aus. Das Dokument selbst steht unter /openapi.json.',
  INTEL_ITEM_NOT_READABLE:
    'Das ist weder eine IP-Adresse noch ein Domainname; geben Sie zum Beispiel 192.0.2.1, 2001:db8::1 oder example.com ein.',
  INTEL_LOOKUP_PARTIAL:
    'Nicht alles ließ sich rechtzeitig herausfinden; der Rest der Antwort ist vollständig.',
  INTEL_QUICK_CHECK_NOT_READABLE: 'Eine Prüfung nimmt 1 bis 1000 Einträge:',
  INTEL_TAG_UNKNOWN: 'Es gibt kein Tag mit diesem Namen.',
  INTEL_PUSH_NOT_READABLE: 'Keine Zeile wurde gespeichert:',
  INTEL_PUSH_HAS_TOO_MANY_ROWS: 'Keine Zeile wurde gespeichert, weil es zu viele auf einmal sind:',
  INTEL_SOURCE_SHRANK: 'Nichts wurde geändert, weil die Liste stark geschrumpft ist:',
  INTEL_TOO_MANY_PUSHES:
    'Keine Zeile wurde gespeichert: Andere große Sendungen werden gerade gelesen; versuchen Sie es gleich noch einmal.',
  INTEL_CHANGES_NOT_KEPT:
    'Diese Änderungen werden nicht mehr aufbewahrt; lesen Sie die Daten neu und setzen Sie dann fort:',
  INTEL_SNAPSHOT_RANGE_BEYOND: 'Der Bereich beginnt hinter dem Ende des Abzugs:',
  INTEL_TAG_LIST_GONE: 'Diese Liste ist abgelaufen; beginnen Sie von vorn.',
  INTEL_TAG_LISTS_BUSY:
    'Listen anderer Tags werden gerade erstellt; versuchen Sie es gleich noch einmal.',
  INTEL_RANGE_NOT_READABLE: 'Das ist kein lesbarer Adressbereich:',
  INTEL_TOO_MANY_RANGES: 'Zu viele Anfragen nach Bereichen; versuchen Sie es gleich noch einmal.',
  INTEL_TOO_MANY_NETWORKS:
    'Nichts wurde geändert, weil es zu viele eigene Adressbereiche würden; fassen Sie benachbarte zusammen:',
  INTEL_ENTRY_NOT_READABLE: 'Das ist keine Adresse, kein Bereich und keine Domain:',
  INTEL_ENTRY_UNKNOWN: 'Diese Quelle hat keinen solchen Eintrag:',
  INTEL_SOURCE_UNKNOWN: 'Es gibt keine Quelle dieser Art mit diesem Namen.',
  INTEL_SOURCE_OF_REPORTS:
    'Angenommene Meldungen schreiben diese Quelle. Schließen Sie einen falschen Fall als Fehlalarm, um seine Meldungen zurückzunehmen, oder schalten Sie das Teilen von Sichtungen für den Mandanten ab.',
  INTEL_SOURCE_HAS_NO_URL:
    'Diese Quelle hat keine Adresse, von der sie geholt werden könnte; tragen Sie eine ein.',
  INTEL_SOURCE_BUSY: 'Diese Quelle wird gerade geholt; versuchen Sie es gleich noch einmal.',
  INTEL_TAG_SHIPPED:
    'Dieses Tag gehört zum Programm und kann nicht gelöscht, aber geändert werden.',
  INTEL_TAG_IN_USE:
    'Dieses Tag wird verwendet: Lassen Sie seine Einträge ablaufen, oder löschen Sie die Quellen und Regeln, die es setzen.',
  INTEL_TOO_MANY_TAGS:
    'Die höchste Zahl von Tags ist erreicht; löschen Sie eines, das niemand verwendet.',
  INTEL_RULE_UNKNOWN: 'Es gibt keine Regel für Sichtungen mit diesem Namen.',
  INTEL_RULE_NOT_VALID: 'Die Regel für Sichtungen ist nicht gültig:',
  INTEL_RULE_IS_STALE:
    'Die Regel für Sichtungen wurde inzwischen geändert; lesen Sie sie neu und wiederholen Sie die Änderung.',
  INTEL_TOO_MANY_RULES:
    'Die höchste Zahl von Regeln für Sichtungen ist erreicht; löschen Sie eine eigene.',
  CASEWORK_CASE_NOT_FOUND: 'Es gibt keinen Fall mit dieser Kennung.',
  CASEWORK_EVENT_NOT_FOUND: 'Es gibt kein Ereignis mit dieser Kennung.',
  CASEWORK_REPORT_NOT_FOUND: 'Es gibt keine Meldung mit dieser Kennung.',
  CASEWORK_REPORT_NOT_READ_YET:
    'Die Meldung ist noch nicht gelesen; versuchen Sie es in einigen Minuten noch einmal.',
  CASEWORK_REPORT_IS_CORRECTED:
    'Jemand hat berichtigt, was aus dieser Meldung gelesen wurde, daher wird sie nicht neu gelesen. Berichtigen Sie sie noch einmal.',
  CASEWORK_REPORT_IS_NO_ANSWER: 'Diese Meldung kann nicht als Antwort genommen werden:',
  CASEWORK_ANSWER_TAKES_NO_PATH:
    'Nichts wurde gespeichert, weil die Antwort keinen Weg nehmen kann. Nehmen Sie sie ohne Weg an, und lösen Sie das Playbook aus:',
  CASEWORK_TOO_MANY_CORRECTIONS:
    'Die Meldung wurde schon 20-mal berichtigt; mehr wird nicht aufbewahrt.',
  CASEWORK_NO_REGRESSION_CASE: 'Aus dieser Meldung lässt sich kein Testfall machen:',
  CASEWORK_RAW_REPORT_NOT_KEPT:
    'Der Wortlaut dieser Meldung ist nicht mehr gespeichert: Seine Aufbewahrungszeit ist um, oder eine Adresse darin wurde gelöscht.',
  CASEWORK_ERASURE_NOT_VALID:
    'Nur E-Mail-Adressen können gelöscht und frühere Löschungen wiederholt werden. Nichts wurde geändert.',
  CASEWORK_ERASURE_OF_USER:
    'Mit dieser Adresse meldet sich eine Person dieses Mandanten an, daher kann sie nicht gelöscht werden. Nehmen Sie die Person zuerst aus dem Mandanten; löschen Sie dann die Adresse. Nichts wurde geändert.',
  CASEWORK_ERASURE_NOT_FOUND: 'Es gibt keine Löschung mit dieser Kennung.',
  CASEWORK_RAW_SEARCH_BUSY:
    'Zu viele Löschungen und Auskünfte durchsuchen gerade die Meldungen. Wiederholen Sie die Anfrage gleich; sie geht dort weiter, wo sie endete.',
  CASEWORK_ERASURE_LOG_NOT_WRITABLE:
    'Die Löschung ist geschehen, konnte aber nicht in das Verzeichnis der Löschungen geschrieben werden, aus dem sie nach einer Wiederherstellung wiederholt wird. Der Grund steht im Protokoll des Servers. Wiederholen Sie die Anfrage, wenn er behoben ist.',
  CASEWORK_EXPORT_NOT_VALID: 'Eine Auskunft braucht die E-Mail-Adresse der Person.',
  CASEWORK_CASE_IS_HELD: 'Der Fall ist schon zur Aufbewahrung gesperrt.',
  CASEWORK_CASE_IS_NOT_HELD: 'Der Fall ist nicht zur Aufbewahrung gesperrt.',
  CASEWORK_EVENT_IS_HELD:
    'Der Fall dieses Ereignisses ist zur Aufbewahrung gesperrt, daher bleibt das Ereignis in ihm.',
  CASEWORK_OWNER_NOT_FOUND: 'Diesen Datensatz gibt es nicht (Kunde, Vertrag oder Ressource).',
  CASEWORK_OWNER_NOT_VALID:
    'Der Datensatz (Kunde, Vertrag oder Ressource) ist nicht gültig; nichts wurde gespeichert.',
  CASEWORK_OWNER_TAKEN: 'Es gibt schon einen mit dieser Kennung; ändern Sie diesen.',
  CASEWORK_OWNER_IN_USE:
    'Kunden, Verträge oder Ressourcen verweisen noch darauf; löschen oder ändern Sie diese zuerst.',
  CASEWORK_OWNER_IS_STALE:
    'Der Datensatz wurde inzwischen geändert; lesen Sie ihn neu und wiederholen Sie die Änderung.',
  CASEWORK_TRUSTED_REPORTER_NOT_VALID:
    'Ein vertrauenswürdiger Melder ist eine E-Mail-Adresse oder eine Domain, die jemand registrieren kann.',
  CASEWORK_TRUSTED_REPORTER_NOT_FOUND:
    'Dieser Melder steht nicht auf der Liste der vertrauenswürdigen.',
  CASEWORK_TOO_MANY_TRUSTED_REPORTERS:
    'Die höchste Zahl vertrauenswürdiger Melder ist erreicht; entfernen Sie einen.',
  CASEWORK_OWNERS_NOT_READABLE: 'Senden Sie 1 bis 10.000 Zeilen auf einmal.',
  CASEWORK_CASE_GROUP_NOT_FOUND: 'Es gibt keine Fallgruppe mit dieser Kennung.',
  CASEWORK_CASE_GROUP_NOT_VALID: 'Die Fallgruppe ist nicht gültig; nichts wurde gespeichert.',
  CASEWORK_CASE_GROUP_TAKEN:
    'Es gibt schon eine Fallgruppe mit dieser Kennung, oder Fälle einer gelöschten. Ändern Sie diese Gruppe, oder wählen Sie eine andere Kennung.',
  CASEWORK_SECRET_NOT_FOUND: 'Es gibt kein Geheimnis mit diesem Namen.',
  CASEWORK_TOO_MANY_SECRETS:
    'Es gibt schon 100 Geheimnisse, die höchste Zahl; löschen Sie eines, das niemand verwendet.',
  CASEWORK_TEMPLATE_NOT_FOUND: 'Es gibt keine solche Vorlage.',
  CASEWORK_TEMPLATE_NOT_VALID:
    'Die Vorlage kann nicht verwendet werden; nichts wurde gespeichert oder verschickt.',
  CASEWORK_NOTICE_NOT_FOUND: 'Es gibt keine solche Mitteilung.',
  CASEWORK_NOTICE_NOT_POSSIBLE: 'Es gibt keine Adresse, an die die Mitteilung gehen könnte.',
  CASEWORK_NOTICE_WAITS: 'Die Mitteilung wartet schon auf den Versand.',
  CASEWORK_NOTICE_NOT_CANCELLABLE:
    'Nur eine Mitteilung, die angehalten ist oder wartet, kann zurückgezogen werden, nicht eine, die gerade verschickt wird oder in einer Sammelmitteilung steht.',
  CASEWORK_NOTICE_LIMITS_NOT_VALID:
    'Die Grenzen können nicht verwendet werden; nichts wurde geändert.',
  CASEWORK_RELAY_NOT_SET:
    'Kein Mailserver ist eingetragen (CASEWORK_RELAY_URL und CASEWORK_MAIL_FROM): Nichts wird verschickt.',
  CASEWORK_TEST_MAIL_NOT_VALID: 'Eine Testmail geht an genau eine E-Mail-Adresse.',
  CASEWORK_SUPPRESSED_ADDRESS_NOT_VALID: 'Geben Sie eine E-Mail-Adresse an.',
  CASEWORK_SUPPRESSED_ADDRESS_NOT_FOUND: 'Diese Adresse steht nicht auf der Liste.',
  CASEWORK_TOO_MANY_TEMPLATES:
    'Es gibt schon 500 Vorlagen, die höchste Zahl; löschen Sie zuerst eine.',
  CASEWORK_MITIGATION_NOT_FOUND: 'Es gibt keine solche Maßnahme.',
  CASEWORK_MITIGATION_NOT_VALID: 'Die Maßnahme ist nicht gültig; nichts wurde gespeichert.',
  CASEWORK_TARGET_NOT_OF_CASE:
    'Kein Ereignis des Falls hat dieses Ziel. Ist es trotzdem gemeint, bestätigen Sie es.',
  CASEWORK_MITIGATION_NOT_POSSIBLE: 'Im jetzigen Zustand der Maßnahme geht das nicht:',
  CASEWORK_ADAPTER_NOT_FOUND: 'Es gibt keinen solchen Adapter.',
  CASEWORK_ADAPTER_NOT_VALID: 'Der Adapter kann nicht verwendet werden; nichts wurde gespeichert.',
  CASEWORK_TOO_MANY_ADAPTERS:
    'Es gibt schon 50 Adapter, die höchste Zahl; löschen Sie zuerst einen.',
  CASEWORK_ADAPTER_IN_USE:
    'Maßnahmen dieses Adapters stehen bevor, sind in Kraft oder werden gerade aufgehoben; heben Sie sie zuerst auf.',
  CASEWORK_WEBHOOK_NOT_FOUND: 'Es gibt keinen solchen Webhook.',
  CASEWORK_WEBHOOK_NOT_VALID: 'Der Webhook ist nicht gültig; nichts wurde gespeichert.',
  CASEWORK_TOO_MANY_WEBHOOKS:
    'Es gibt schon 50 Webhooks, die höchste Zahl; löschen Sie zuerst einen.',
  CASEWORK_WEBHOOK_DISABLED: 'Der Webhook ist abgeschaltet; schalten Sie ihn zuerst ein.',
  CASEWORK_DELIVERY_NOT_FOUND: 'Der Webhook hat keine solche Zustellung.',
  CASEWORK_TOO_MANY_STREAMS:
    'Dieses Konto, diese Adresse oder dieser Server hat so viele offene Verbindungen für Änderungen, wie erlaubt sind; schließen Sie zuerst eine.',
  CASEWORK_VIEW_NOT_FOUND: 'Es gibt keine solche Ansicht.',
  CASEWORK_VIEW_NOT_VALID: 'Die Liste würde diese Ansicht ablehnen; nichts wurde gespeichert.',
  CASEWORK_TOO_MANY_VIEWS:
    'Es gibt schon 500 Ansichten, die höchste Zahl; löschen Sie zuerst eine.',
  CASEWORK_STATS_TOO_WIDE:
    'In dieser Zeit liegen mehr als 500.000 Datensätze, die höchste Zahl; nehmen Sie weniger Zeit auf einmal, oder grenzen Sie auf Kunde, Fallgruppe oder Art ein.',
  CASEWORK_STATS_TOO_SLOW:
    'Das Zählen dauerte länger als 5 s, die Grenze; nehmen Sie weniger Zeit auf einmal, oder versuchen Sie es, wenn die Datenbank weniger zu tun hat.',
  CASEWORK_STATS_BUSY:
    'Zu viele Auswertungen laufen auf diesem Knoten; versuchen Sie es gleich noch einmal.',
  CASEWORK_DELIVERY_WAITS: 'Die Zustellung wartet schon auf ihren nächsten Versuch.',
  CASEWORK_CASE_GROUP_IN_USE: 'Die Fallgruppe kann nicht gelöscht werden:',
  CASEWORK_MUTE_RULE_NOT_FOUND: 'Es gibt keine Stummregel mit dieser Kennung.',
  CASEWORK_MUTE_RULE_NOT_VALID: 'Die Stummregel ist nicht gültig; nichts wurde gespeichert.',
  CASEWORK_TOO_MANY_RULES:
    'Die höchste Zahl ist erreicht, denn jedes Ereignis wird mit jeder Regel verglichen:',
  CASEWORK_EVENT_NOT_VALID: 'Das Ereignis ist nicht gültig.',
  CASEWORK_EVENTS_NOT_READABLE: 'So viele Ereignisse werden nicht auf einmal angenommen:',
  CASEWORK_FILTER_NOT_VALID: 'Ein Filter ist nicht gültig.',
  CASEWORK_CURSOR_NOT_VALID:
    'Diese Stelle gehört nicht zu dieser Liste und ihren Filtern; beginnen Sie von vorn.',
  CASEWORK_CHANGE_NOT_VALID: 'Die Änderung ist nicht gültig.',
  CASEWORK_VERSION_IS_STALE:
    'Der Datensatz wurde inzwischen geändert; lesen Sie ihn neu und wiederholen Sie die Änderung.',
  CASEWORK_MOVE_NOT_ALLOWED: 'Dieser Wechsel des Zustands ist nicht erlaubt:',
  CASEWORK_CASE_IS_MERGED:
    'Der Fall ging in einem anderen auf; arbeiten Sie an jenem, oder machen Sie das Zusammenführen rückgängig.',
  CASEWORK_CHANGE_NOT_ALLOWED: 'Dieser Wert ist hier nicht erlaubt:',
  CASEWORK_BULK_CHANGE_NOT_FOUND:
    'Es gibt keine Sammeländerung mit dieser Kennung, die rückgängig gemacht werden kann; das geht 7 Tage lang.',
  CASEWORK_MERGE_NOT_ALLOWED: 'Nichts wurde zusammengeführt oder getrennt:',
  CASEWORK_CASE_GROUP_DELETED:
    'Die Fallgruppe dieses Falls wurde gelöscht, daher kann keiner ihrer Fälle offen sein. Führen Sie den Fall stattdessen in einen offenen.',
  CASEWORK_SLOT_IS_TAKEN:
    'Der Fall kann nicht wieder geöffnet werden, solange ein anderer für denselben Schlüssel offen ist:',
  CASEWORK_CONDITIONS_BUSY:
    'Die Bedingungen der Regeln haben die Rechenzeit verbraucht, die sie auf diesem Knoten haben. Nichts wurde gespeichert; versuchen Sie es später, oder vereinfachen Sie die Bedingungen.',
  CASEWORK_INTAKE_BUSY:
    'Die Warteschlange der Ereignisse auf diesem Knoten ist voll. Nichts wurde gespeichert; versuchen Sie es gleich noch einmal.',
  CASEWORK_READERS_BUSY:
    'Die Warteschlange der Meldungen auf diesem Knoten ist voll. Eine gesendete Meldung ist gespeichert und wird in einigen Minuten gelesen; versuchen Sie einen Probelauf gleich noch einmal.',
  CASEWORK_PLAYBOOK_NOT_FOUND: 'Es gibt kein solches Playbook.',
  CASEWORK_PLAYBOOK_TEMPLATE_NOT_FOUND: 'Zum Programm gehört kein Playbook mit diesem Namen.',
  CASEWORK_CALENDAR_NOT_FOUND: 'Es gibt keinen solchen Kalender.',
  CASEWORK_CALENDAR_NOT_VALID:
    'Der Kalender kann nicht verwendet werden; nichts wurde gespeichert.',
  CASEWORK_TOO_MANY_CALENDARS:
    'Es gibt schon 50 Kalender, die höchste Zahl; löschen Sie einen, den niemand verwendet.',
  CASEWORK_CALENDAR_IN_USE:
    'Ein Playbook zählt nach diesem Kalender; ziehen Sie es zuerst zurück, und lassen Sie seine Läufe enden:',
  CASEWORK_PLAYBOOK_VERSION_NOT_FOUND: 'Das Playbook hat keine solche Version.',
  CASEWORK_RUN_NOT_FOUND: 'Es gibt keinen solchen Lauf.',
  CASEWORK_RUN_NOT_CHANGED: 'Der Lauf kann so nicht geändert werden:',
  CASEWORK_RUN_NOT_STARTED: 'Der Lauf konnte nicht beginnen:',
  CASEWORK_PLAYBOOK_NOT_VALID: 'Das Playbook ist nicht gültig; nichts wurde gespeichert.',
  CASEWORK_PLAYBOOK_NAME_TAKEN:
    'Es gibt schon ein Playbook mit diesem Namen; fügen Sie ihm eine Version hinzu, oder wählen Sie einen anderen Namen.',
  CASEWORK_PLAYBOOK_VERSION_IN_USE:
    'Eine Version, die einmal aktiv war, kann nicht gelöscht werden: Läufe verweisen auf sie.',
  CASEWORK_PLAYBOOK_IS_STALE:
    'Jemand hat inzwischen eine Version hinzugefügt; lesen Sie das Playbook neu, und fügen Sie dann Ihre hinzu.',
  CASEWORK_PLAYBOOK_IN_USE:
    'Das Playbook kann nicht gelöscht werden; ziehen Sie es stattdessen zurück:',
  CASEWORK_PLAYBOOK_VERSION_NOT_DRAFT:
    'Diese Version war schon aktiv und wurde ersetzt; fügen Sie ihre Knoten als neue Version hinzu, und aktivieren Sie diese.',
  CASEWORK_SIMULATION_NOT_VALID: 'Die Simulation kann so nicht ausgeführt werden.',
  CASEWORK_SIMULATION_RUNNING:
    'Eine andere Simulation des Mandanten läuft noch; versuchen Sie es gleich noch einmal.',
  CASEWORK_TRIGGER_NOT_KNOWN:
    'Das Playbook dieses Falls hat keinen solchen Knoten, oder der Knoten keinen solchen Weg.',
  CASEWORK_DECISION_ROLE_MISSING: 'Für diese Entscheidung fehlt Ihnen die Rolle:',
  CASEWORK_DECISION_FORM_NOT_VALID:
    'Das Formular dieses Knotens ist nicht so ausgefüllt, wie er es verlangt.',
  CASEWORK_TRIGGER_NOT_EXPECTED: 'Auf diese Entscheidung wartet gerade kein Playbook:',
  CASEWORK_IDEMPOTENCY_KEY_NOT_VALID:
    'Die Kennung der Anfrage ist nicht gültig; laden Sie die Seite neu.',
  CASEWORK_IDEMPOTENCY_KEY_REUSED:
    'Diese Anfrage wurde in den letzten 24 Stunden schon mit anderem Inhalt gesendet; laden Sie die Seite neu.',
}
