// What the server says of kinds of nodes and of their settings, in German, by its English sentence.
// Read by node-words.ts, which loads this file for German only.

const SECONDS = 'Seconds, or an ISO 8601 duration such as PT15M or P3DT12H.'
const SEKUNDEN = 'Sekunden, oder eine Dauer nach ISO 8601 wie PT15M oder P3DT12H.'
const HOURS =
  'Seconds, an ISO 8601 duration such as PT15M or P3DT12H, or hours of opening: {"business": "PT8H", "calendar": "office"}.'
const STUNDEN =
  'Sekunden, eine Dauer nach ISO 8601 wie PT15M oder P3DT12H, oder Öffnungsstunden: {"business": "PT8H", "calendar": "office"}.'

export const NODE_WORDS_DE: Readonly<Record<string, string>> = {
  'The node at which every run begins, with what begins one. A playbook has exactly one, and a case at most one run of it at a time.':
    'Der Knoten, an dem jeder Lauf beginnt, und was einen beginnen lässt. Ein Playbook hat genau einen, und ein Fall höchstens einen Lauf davon zugleich.',
  'Asks a condition about the facts of the case. A condition that cannot be answered takes the path error.':
    'Prüft eine Bedingung über die Tatsachen des Falls. Eine, die sich nicht beantworten lässt, nimmt den Weg error.',
  'Takes the path of the first condition that holds, else the path default. A condition that cannot be answered takes the path error.':
    'Nimmt den Weg der ersten Bedingung, die zutrifft, sonst den Weg default. Eine, die sich nicht beantworten lässt, nimmt den Weg error.',
  'Waits for a time, for hours of opening of a calendar, or until a moment.':
    'Wartet eine Zeit lang, über Öffnungsstunden eines Kalenders, oder bis zu einem Zeitpunkt.',
  'Waits until a condition over the facts of the case holds. It is asked on arrival and again whenever the case or its events change.':
    'Wartet, bis eine Bedingung über die Tatsachen des Falls zutrifft. Sie wird bei der Ankunft geprüft und wieder, wenn sich der Fall oder seine Ereignisse ändern.',
  'Waits until a caller of trigger-playbook chooses one of the paths; with `anytime` the caller may do so while the run is elsewhere.':
    'Wartet, bis ein Aufruf von trigger-playbook einen der Wege wählt; mit `anytime` auch, während der Lauf anderswo steht.',
  'Waits until a person chooses one of the paths; `waiting_on` of the case is agent meanwhile. A choice with a form goes to `POST …/decisions`, any other also to trigger-playbook.':
    'Wartet, bis jemand einen der Wege wählt; `waiting_on` des Falls ist solange agent. Eine Wahl mit Formular geht an `POST …/decisions`, jede andere auch an trigger-playbook.',
  'Goes on by all of its paths at once. Each branch has a copy of vars; a join brings the branches together.':
    'Geht auf allen Wegen zugleich weiter. Jeder Zweig hat eine Kopie von vars; eine Zusammenführung vereint sie.',
  'Brings the branches of a fork together. all waits until each of them is here or has ended; any goes on with the first and ends the others. vars that only another branch has are added.':
    'Vereint die Zweige einer Gabelung. all wartet, bis jeder hier oder beendet ist; any geht mit dem ersten weiter und beendet die anderen. vars, die nur ein anderer Zweig hat, kommen hinzu.',
  'Takes the path each once for every element of a list, with the element in vars.item, and then next. The path each must lead back to this node. The list is read on the first arrival and has at most 1,000 elements.':
    'Nimmt den Weg each einmal für jedes Element einer Liste, mit dem Element in vars.item, und dann next. Der Weg each muss hierher zurückführen. Die Liste wird bei der ersten Ankunft gelesen und hat höchstens 1.000 Elemente.',
  'Runs the active version of another playbook on the same case, with a copy of vars, and waits for its end. A child that fails or is cancelled takes the path error. Playbooks stand at most five deep.':
    'Führt die aktive Version eines anderen Playbooks am selben Fall aus, mit einer Kopie von vars, und wartet auf ihr Ende. Scheitert sie oder wird sie abgebrochen, folgt der Weg error. Höchstens fünf stehen ineinander.',
  'Moves the case to a state, by the same rules as a request of a person.':
    'Setzt den Fall in einen Zustand, nach denselben Regeln wie für Menschen.',
  'Resolves the case and ends the run.': 'Löst den Fall und beendet den Lauf.',
  'Closes the case without a resolution, and ends the run.':
    'Schließt den Fall ohne Lösung und beendet den Lauf.',
  'Assigns the case to a user or a group of the tenant. A tenant without users takes any text.':
    'Weist den Fall einer Person oder Gruppe des Mandanten zu. Ein Mandant ohne Personen nimmt jeden Text.',
  'Adds tags to the case, and removes others. A case has at most 100.':
    'Fügt dem Fall Tags hinzu und entfernt andere. Ein Fall hat höchstens 100.',
  'Sets severity, waiting_on, customer_status and members of the metadata of the case, to constants or to what an expression gives.':
    'Setzt severity, waiting_on, customer_status und Angaben in den Metadaten des Falls, auf feste Werte oder auf das Ergebnis eines Ausdrucks.',
  'Sets the agreed deadline of the case (deadline_at).':
    'Setzt die vereinbarte Frist des Falls (deadline_at).',
  'Writes a comment to the case, in the name of the playbook. Its text may have values of the case; the run fails where one is missing, or the text becomes blank or too long.':
    'Schreibt im Namen des Playbooks einen Kommentar zum Fall. Der Text darf Werte des Falls enthalten; fehlt einer, oder wird der Text leer oder zu lang, scheitert der Lauf.',
  'Sends a notice by mail, and waits until the relay has taken it (path sent). A mail that comes back within `bounce_within` takes the path bounced. Without a relay or a recipient, for an address that gets no mail, and for a template that fails, the path is error. A notice that the limit of a day holds back counts as sent, with the state held.':
    'Verschickt eine Mitteilung per Mail und wartet, bis der Mailserver sie angenommen hat (Weg sent). Kommt sie innerhalb von `bounce_within` zurück, folgt der Weg bounced. Ohne Mailserver oder Empfänger, bei gesperrter Adresse und bei einer Vorlage, die scheitert, ist der Weg error. Eine, die die Tagesgrenze anhält, gilt als verschickt, im Zustand held.',
  'Sends a notice to the reporters of the case, by a template that shows nothing of the customer. The path is sent when one mail at least went out. A reporter whose mail was written by a program or is not proven gets none.':
    'Verschickt eine Mitteilung an die Melder des Falls, nach einer Vorlage, die nichts vom Kunden zeigt. Der Weg ist sent, wenn mindestens eine Mail hinausging. Ein Melder, dessen Mail ein Programm schrieb oder die nicht belegt ist, bekommt keine.',
  'Sends the customer a statement of reasons for a restriction (Digital Services Act, article 17): the restriction, facts, ground, use of automated means, and redress.':
    'Schickt dem Kunden die Begründung einer Beschränkung (Gesetz über digitale Dienste, Artikel 17): Beschränkung, Tatsachen, Rechtsgrund, Einsatz automatischer Mittel und Rechtsbehelfe.',
  'Asks an adapter or a person (`manual`) for a mitigation and waits until it is in force; then it takes the path done, and `vars.<id of the node>` has its id and target. It takes the path error when it is refused or all attempts fail. With `action: undo` it removes mitigations and waits until they are removed. A target must be of the case.':
    'Verlangt von einem Adapter oder einem Menschen (`manual`) eine Maßnahme und wartet, bis sie in Kraft ist; dann folgt der Weg done, und `vars.<id of the node>` hat Kennung und Ziel. Wird sie abgelehnt oder scheitern alle Versuche, folgt error. Mit `action: undo` hebt er Maßnahmen auf und wartet, bis sie aufgehoben sind. Das Ziel muss zum Fall gehören.',
  'Keeps what intel knows of an item in `vars.<id of the node>`: item, listed, intent, tags, activity. A text that is no item takes the path error.':
    'Merkt sich in `vars.<id of the node>`, was über eine Adresse oder Domain bekannt ist: item, listed, intent, tags, activity. Ein Text, der keines von beiden ist, nimmt den Weg error.',
  'Sends a request to another system, and keeps status and body of the answer, or the members that `keep` names, in `vars.<id of the node>`; members that `metadata` names are set in the metadata of the case. A status of 2xx takes the path success. 408, 425, 429, 5xx and a target that is not reached are repeated. Every other status, and the last attempt, take the path error.':
    'Schickt eine Anfrage an ein anderes System und merkt sich Status und Inhalt der Antwort, oder die Angaben, die `keep` nennt, in `vars.<id of the node>`; was `metadata` nennt, kommt in die Metadaten des Falls. Ein Status 2xx nimmt den Weg success. 408, 425, 429, 5xx und ein nicht erreichtes Ziel werden wiederholt. Jeder andere Status und der letzte Versuch nehmen den Weg error.',
  'Sends a message about the case and the run to a URL, signed by Standard Webhooks with a secret of the tenant (`whsec_…`). `webhook-id` is the key of the visit, so that a repeated message counts once. Answers are judged as those of api_caller.':
    'Schickt eine Nachricht über Fall und Lauf an eine URL, nach Standard Webhooks mit einem Geheimnis des Mandanten unterschrieben (`whsec_…`). `webhook-id` ist der Schlüssel des Besuchs, sodass eine wiederholte Nachricht einmal zählt. Antworten gelten wie beim api_caller.',
  'Looks whether what was reported is still there. Other systems are asked only where the tenant setting `verify_targets` is on, and pages only on the ports 80, 443, 8080 and 8443; otherwise, and where no answer can be had, the path is unknown.':
    'Sieht nach, ob das Gemeldete noch da ist. Andere Systeme werden nur gefragt, wenn die Einstellung `verify_targets` des Mandanten an ist, und Seiten nur auf den Ports 80, 443, 8080 und 8443; sonst, und wenn keine Antwort kommt, ist der Weg unknown.',
  'Ends the run. The case stays as it is.': 'Beendet den Lauf. Der Fall bleibt, wie er ist.',
  'A heading or remark for people. No path leads to it, and the engine ignores it.':
    'Eine Überschrift oder Bemerkung für Menschen. Kein Weg führt dorthin, und im Ablauf zählt sie nicht.',
  'What begins a run on a case of the groups that name this playbook; case_created when left out. An empty list: only a caller or another playbook begins one. What playbooks write themselves begins none.':
    'Was an einem Fall der Gruppen, die dieses Playbook nennen, einen Lauf beginnen lässt; ohne Angabe case_created. Eine leere Liste: nur ein Aufruf oder ein anderes Playbook. Was Playbooks selbst schreiben, lässt keinen beginnen.',
  [`The run begins when no further event has come for this time, at most a day. ${SECONDS}`]: `Der Lauf beginnt, wenn so lange kein weiteres Ereignis kam, höchstens einen Tag. ${SEKUNDEN}`,
  'The new states; any when left out.': 'Die neuen Zustände; ohne Angabe jeder.',
  'On every open case (NEW or IN_PROGRESS) that meets the condition, once a tick. Of ticks that were missed, one is made up for.':
    'An jedem offenen Fall (NEW oder IN_PROGRESS), der die Bedingung erfüllt, einmal je Takt. Von versäumten Takten wird einer nachgeholt.',
  [`How often, at least 15 minutes. ${SECONDS}`]: `Wie oft, mindestens alle 15 Minuten. ${SEKUNDEN}`,
  'Instead of every: minute, hour, day of the month, month and day of the week, such as 0 8 * * 1-5.':
    'Anstelle von every: Minute, Stunde, Tag, Monat und Wochentag, wie 0 8 * * 1-5.',
  'Of cron.': 'Zu cron.',
  'A condition as of true_false, over the facts of the case; vars are empty.':
    'Eine Bedingung wie bei true_false, über die Tatsachen des Falls; vars ist leer.',
  'A CEL condition over case, event, events, customer, intel, vars, run and now.':
    'Eine Bedingung in CEL über case, event, events, customer, intel, vars, run und now.',
  'Asked in this order; the first that holds counts.':
    'In dieser Reihenfolge geprüft; die erste, die zutrifft, zählt.',
  'Name of the path.': 'Name des Wegs.',
  'As of true_false.': 'Wie bei true_false.',
  'Exactly one of duration, until and business; a calendar for hours of opening.':
    'Genau eines von duration, until und business; dazu ein Kalender für Öffnungsstunden.',
  [`How long, from the arrival at the node. ${SECONDS}`]: `Wie lange, von der Ankunft am Knoten an. ${SEKUNDEN}`,
  'A moment, such as 2027-01-31T08:00:00Z; the past is over. Or `opening` with a calendar: its next opening, at once when it is open. An expression, such as `case.deadline_at`, is asked once, on arrival; the run fails when it gives no moment.':
    'Ein Zeitpunkt wie 2027-01-31T08:00:00Z; ein vergangener ist gleich erreicht. Oder `opening` mit einem Kalender: die nächste Öffnung, sofort, wenn offen ist. Ein Ausdruck wie `case.deadline_at` wird einmal ausgewertet, bei der Ankunft; ergibt er keinen Zeitpunkt, scheitert der Lauf.',
  'An expression as in conditions.': 'Ein Ausdruck wie in Bedingungen.',
  'Hours of opening, such as PT8H; a day is 24 of them.':
    'Öffnungsstunden wie PT8H; ein Tag sind 24 davon.',
  'The name of a calendar of the tenant (`/beta/casework/calendars`).':
    'Der Name eines Kalenders des Mandanten (`/beta/casework/calendars`).',
  [`After this time the node is left by the path \`timeout\`; without a node at its end the run keeps waiting. ${HOURS}`]: `Nach dieser Zeit wird der Knoten auf dem Weg \`timeout\` verlassen; führt dieser nirgends hin, wartet der Lauf weiter. ${STUNDEN}`,
  'Names of the paths of which one is chosen.': 'Namen der Wege, von denen einer gewählt wird.',
  'Whom the case waits for meanwhile (`waiting_on` of the case).':
    'Auf wen der Fall solange wartet (`waiting_on` des Falls).',
  'An answer by mail to a notice of the case takes this path; without it, an answer is a comment only.':
    'Eine Antwort per Mail auf eine Mitteilung des Falls nimmt diesen Weg; ohne Angabe wird sie nur ein Kommentar.',
  'Whose answer.': 'Wessen Antwort.',
  'One of the paths.': 'Einer der Wege.',
  'What is to be decided, for people.': 'Was zu entscheiden ist, für Menschen.',
  'The paths in words for people; the name of a path when left out.':
    'Die Wege in Worten für Menschen; ohne Angabe der Name des Wegs.',
  'A caller may choose a path while no token waits here, as long as the run is active: a further token of the run then goes from this node by the path. No path needs to lead to the node.':
    'Ein Weg darf gewählt werden, auch wenn hier nichts wartet, solange der Lauf aktiv ist: Dann geht eine weitere Marke des Laufs von hier auf diesem Weg. Kein Weg muss hierher führen.',
  'Who may choose: a caller that has every scope of this role.':
    'Wer wählen darf: wer jede Berechtigung dieser Rolle hat.',
  'Two different callers must choose the same path. Another path, or another form, begins anew.':
    'Zwei Verschiedene müssen denselben Weg wählen. Ein anderer Weg oder ein anderes Formular beginnt von vorn.',
  [`Until when somebody should choose, from the arrival. When it passes, the history of the case says so once; \`timeout\` moves the run. ${HOURS}`]: `Bis wann jemand wählen soll, von der Ankunft an. Verstreicht die Frist, sagt der Verlauf des Falls es einmal; \`timeout\` bringt den Lauf weiter. ${STUNDEN}`,
  'Fields that go along with the choice of a path. `POST …/decisions` takes their values.':
    'Felder, die zur Wahl eines Wegs gehören. `POST …/decisions` nimmt ihre Werte an.',
  'The name of the value: lower-case letters, digits and underscores.':
    'Der Name des Werts: Kleinbuchstaben, Ziffern und Unterstriche.',
  'text of at most 4,000 characters; number; boolean; date such as 2027-01-31; choice of one option; choices of any of them.':
    'text mit höchstens 4.000 Zeichen; number; boolean; date wie 2027-01-31; choice, eine Möglichkeit; choices, beliebig viele.',
  'For people; the name when left out.': 'Für Menschen; ohne Angabe der Name.',
  'Whether it must be filled in, or for which paths.':
    'Ob es ausgefüllt werden muss, oder für welche Wege.',
  'What choice and choices offer, with a label for people.':
    'Was choice und choices anbieten, mit einer Bezeichnung für Menschen.',
  'The values of the form are kept in `vars.<save_as>`, null for an empty one; the id of the node when left out.':
    'Die Werte des Formulars stehen in `vars.<save_as>`, null für ein leeres Feld; ohne Angabe unter der Kennung des Knotens.',
  'Names of the branches. Each must lead to a node.':
    'Namen der Zweige. Jeder muss zu einem Knoten führen.',
  '`all` when left out.': 'Ohne Angabe `all`.',
  'A CEL expression that gives a list.': 'Ein Ausdruck in CEL, der eine Liste ergibt.',
  'Name of the element in vars; `item` when left out.':
    'Name des Elements in vars; ohne Angabe `item`.',
  'Id of the playbook. A document that is imported names it.':
    'Kennung des Playbooks. Ein eingelesenes Dokument nennt seinen Namen.',
  'The state of the case afterwards.': 'Der Zustand des Falls danach.',
  'How a resolved case was settled; handled when left out.':
    'Wie ein gelöster Fall erledigt wurde; ohne Angabe handled.',
  'Why a case is closed.': 'Warum ein Fall geschlossen wird.',
  'Of IN_PROGRESS only. True: an ended case is opened again. False, the default: the run ends at an ended case.':
    'Nur für IN_PROGRESS. Ja: Ein beendeter Fall wird wieder geöffnet. Nein, wie ohne Angabe: Der Lauf endet an einem beendeten Fall.',
  'Why the case is closed.': 'Warum der Fall geschlossen wird.',
  'The id of the user or group (`GET /beta/casework/assignees`); null takes the assignment away.':
    'Die Kennung der Person oder Gruppe (`GET /beta/casework/assignees`); null nimmt die Zuweisung weg.',
  'Null takes it away.': 'null nimmt sie weg.',
  'Whose turn it is.': 'Wer am Zug ist.',
  'Contact with the customer.': 'Der Stand mit dem Kunden.',
  'Members to set, others stay; null takes one away. A value may be {"cel": "…"}.':
    'Angaben, die gesetzt werden, andere bleiben; null nimmt eine weg. Ein Wert darf {"cel": "…"} sein.',
  'Exactly one of duration, until, and business with a calendar.':
    'Genau eines von duration, until, und business mit einem Kalender.',
  [`How long from now. ${SECONDS}`]: `Wie lange von jetzt an. ${SEKUNDEN}`,
  'A moment; null takes the deadline away.': 'Ein Zeitpunkt; null nimmt die Frist weg.',
  'The text of the comment, at most 10000 characters also with its values. It may have LiquidJS templates over case, event, events, customer, vars, run and now: `Ticket {{ vars.ticket.ticket }} opened`.':
    'Der Text des Kommentars, auch mit seinen Werten höchstens 10.000 Zeichen. Er darf Vorlagen in LiquidJS über case, event, events, customer, vars, run und now enthalten: `Ticket {{ vars.ticket.ticket }} opened`.',
  '`customer`: its contact. `reporter`: the one of the newest event. Else an address.':
    '`customer`: sein Kontakt. `reporter`: der des neuesten Ereignisses. Sonst eine Adresse.',
  'The name of a template of notices; that of a purpose is its purpose.':
    'Der Name einer Vorlage für Mitteilungen; die eines Zwecks heißt wie er.',
  'Which contact of the customer: abuse when left out.':
    'Welcher Kontakt des Kunden: ohne Angabe abuse.',
  'BCP 47, such as de. When left out, that of the contact, else English.':
    'Nach BCP 47, wie de. Ohne Angabe die des Kontakts, sonst Englisch.',
  'BCP 47, such as de or pt-BR.': 'Nach BCP 47, wie de oder pt-BR.',
  'Shown where the template has `text`.': 'Steht dort, wo die Vorlage `text` hat.',
  'True: the limit of a day does not hold it back.': 'Ja: Die Tagesgrenze hält sie nicht an.',
  'True: what the reports enclose goes along, redacted by the profile.':
    'Ja: Was den Meldungen beilag, geht mit, nach dem Profil geschwärzt.',
  'Shown where the template has `vars.<name>`. No other vars are shown.':
    'Steht dort, wo die Vorlage `vars.<name>` hat. Andere vars zeigt sie nicht.',
  'A value.': 'Ein Wert.',
  [`After the relay took the mail, the node waits so long whether it comes back. An answer or a trigger for the node behind \`sent\` ends this wait and is taken by that node. It needs CASEWORK_MAIL_DOMAIN. ${SECONDS}`]: `So lange wartet der Knoten nach dem Versand, ob die Mail zurückkommt. Eine Antwort oder ein Auslöser für den Knoten hinter \`sent\` beendet das Warten und gilt diesem Knoten. Braucht CASEWORK_MAIL_DOMAIN. ${SEKUNDEN}`,
  'The name of a template of notices; `outcome` when left out.':
    'Der Name einer Vorlage für Mitteilungen; ohne Angabe `outcome`.',
  'all: every reporter of the case, the first 20 at most. newest: the one of the newest event. all when left out.':
    'all: jeder Melder des Falls, höchstens die ersten 20. newest: der des neuesten Ereignisses. Ohne Angabe all.',
  'Point a: what was restricted, and how.': 'Buchstabe a: was beschränkt wurde, und wie.',
  'Point a: where the restriction holds.': 'Buchstabe a: wo die Beschränkung gilt.',
  'Point a: how long it holds.': 'Buchstabe a: wie lange sie gilt.',
  'Point b: the facts and circumstances.': 'Buchstabe b: die Tatsachen und Umstände.',
  'Point b: whether somebody reported it.': 'Buchstabe b: ob jemand es gemeldet hat.',
  'Point c: whether a program found the content.':
    'Buchstabe c: ob ein Programm den Inhalt gefunden hat.',
  'Point c: whether a program took the decision.': 'Buchstabe c: ob ein Programm entschieden hat.',
  'legal: point d, illegal content. contractual: point e, against our terms.':
    'legal: Buchstabe d, rechtswidriger Inhalt. contractual: Buchstabe e, gegen unsere Bedingungen.',
  'Points d and e: the law or the clause, and why it applies.':
    'Buchstaben d und e: das Gesetz oder die Klausel, und warum sie gilt.',
  'Point f: how to contest. When left out, the template names our examination, out-of-court settlement and courts.':
    'Buchstabe f: wie man sich wehren kann. Ohne Angabe nennt die Vorlage unsere Prüfung, die außergerichtliche Streitbeilegung und die Gerichte.',
  '`customer`, its contact, when left out. Else an address.':
    'Ohne Angabe `customer`, sein Kontakt. Sonst eine Adresse.',
  'The name of a template of notices; `statement_of_reasons` when left out.':
    'Der Name einer Vorlage für Mitteilungen; ohne Angabe `statement_of_reasons`.',
  'undo: removes what `of` names.': 'undo: hebt auf, was `of` nennt.',
  'What is done; of undo: which kind only.': 'Was getan wird; bei undo: nur Maßnahmen dieser Art.',
  'What is done.': 'Was getan wird.',
  'manual, or the name of an adapter: 1 to 64 letters, digits, hyphens, underscores.':
    'manual, oder der Name eines Adapters: 1 bis 64 Buchstaben, Ziffern, Bindestriche, Unterstriche.',
  'When left out: customer for suspend, ip for null_route, block_port and custom, domain for dns_hold, url for takedown.':
    'Ohne Angabe: customer für suspend, ip für null_route, block_port und custom, domain für dns_hold, url für takedown.',
  'suspend: customer, contract, domain or ip. null_route and block_port: ip. dns_hold: domain. takedown: url or domain. custom: any of them, or other.':
    'suspend: customer, contract, domain oder ip. null_route und block_port: ip. dns_hold: domain. takedown: url oder domain. custom: jedes davon, oder other.',
  'When left out: that of the newest event, or the customer or contract of the case.':
    'Ohne Angabe: das des neuesten Ereignisses, oder Kunde oder Vertrag des Falls.',
  'Of block_port.': 'Zu block_port.',
  [`How long it is in force; without it until somebody undoes it. ${SECONDS}`]: `Wie lange sie gilt; ohne Angabe, bis jemand sie aufhebt. ${SEKUNDEN}`,
  'Sent to the adapter. A value may be {"cel": "…"}.':
    'Geht an den Adapter. Ein Wert darf {"cel": "…"} sein.',
  'For people.': 'Für Menschen.',
  'True: the target need not be that of an event of the case, or its customer or contract.':
    'Ja: Das Ziel muss nicht das eines Ereignisses des Falls sein, noch sein Kunde oder Vertrag.',
  'Of undo: those that this run asked for, or all of the case.':
    'Zu undo: die dieses Laufs, oder alle des Falls.',
  [`After this time the path error is taken, and what is still pending is undone. ${SECONDS}`]: `Nach dieser Zeit folgt der Weg error, und was noch aussteht, wird aufgehoben. ${SEKUNDEN}`,
  'An address or a domain.': 'Eine Adresse oder eine Domain.',
  'Every method gets the key of the effect as Idempotency-Key.':
    'Jede Methode bekommt den Schlüssel der Wirkung als Idempotency-Key.',
  'An https URL of a public address, or one that CASEWORK_OUTBOUND_ALLOW opens. Path and query may have LiquidJS templates over case, event, events, customer, vars, run and now: `/hosts/{{ event.ip }}?case={{ case.id }}`. Every value is percent-encoded; one that is empty, or a segment `.` or `..` of the path, takes the path error.':
    'Eine https-URL einer öffentlichen Adresse, oder eine, die CASEWORK_OUTBOUND_ALLOW freigibt. Pfad und Abfrage dürfen Vorlagen in LiquidJS über case, event, events, customer, vars, run und now enthalten: `/hosts/{{ event.ip }}?case={{ case.id }}`. Jeder Wert wird kodiert; ein leerer, oder `.` oder `..` im Pfad, nimmt den Weg error.',
  'Everyone who reads the playbook sees them, but for {"secret": "…"}: a secret of the tenant by its name. Texts may have templates.':
    'Jeder, der das Playbook liest, sieht sie, außer {"secret": "…"}: ein Geheimnis des Mandanten beim Namen. Texte dürfen Vorlagen enthalten.',
  'The name of a secret of the tenant.': 'Der Name eines Geheimnisses des Mandanten.',
  'Stands before it, such as “Bearer ”.': 'Steht davor, wie „Bearer “.',
  'What of a JSON answer is kept, instead of the whole body: names, and JSON pointers such as /data/id.':
    'Was von einer Antwort in JSON gemerkt wird, anstelle des ganzen Inhalts: Namen, und JSON-Zeiger wie /data/id.',
  'Members of the metadata of the case that a JSON answer sets: names, and JSON pointers such as /data/id. Null, or nothing at the pointer, takes the member away; others stay.':
    'Angaben in den Metadaten des Falls, die eine Antwort in JSON setzt: Namen, und JSON-Zeiger wie /data/id. null, oder nichts an dieser Stelle, nimmt die Angabe weg; andere bleiben.',
  'Sent as JSON. Its strings may have templates, and stay strings whatever a value has; a value may be {"cel": "…"}.':
    'Geht als JSON hinaus. Texte darin dürfen Vorlagen enthalten und bleiben Texte, was immer ein Wert hat; ein Wert darf {"cel": "…"} sein.',
  'An https URL of a public address, or one that CASEWORK_OUTBOUND_ALLOW opens.':
    'Eine https-URL einer öffentlichen Adresse, oder eine, die CASEWORK_OUTBOUND_ALLOW freigibt.',
  'The type of the message, of words with full stops.':
    'Die Art der Nachricht, aus Wörtern mit Punkten.',
  'Sent as data.values. A value may be {"cel": "…"}, and strings may have templates as those of api_caller.':
    'Geht als data.values hinaus. Ein Wert darf {"cel": "…"} sein, und Texte dürfen Vorlagen enthalten wie beim api_caller.',
  'url: a GET of the first 64 kB, on port 80, 443, 8080 or 8443, or one that CASEWORK_OUTBOUND_ALLOW opens; 2xx is still_abusive, 404, 410 and 451 are clean. dns: a name without address is clean. tcp: an open port is still_abusive, a closed one clean. blocklist: whether our own intel lists the item.':
    'url: ein GET der ersten 64 kB, auf Port 80, 443, 8080 oder 8443, oder einem, den CASEWORK_OUTBOUND_ALLOW freigibt; 2xx ist still_abusive, 404, 410 und 451 sind clean. dns: ein Name ohne Adresse ist clean. tcp: ein offener Port ist still_abusive, ein geschlossener clean. blocklist: ob unsere eigenen Listen es führen.',
  'A URL, a name, an address, or an item, as the check needs it.':
    'Eine URL, ein Name, eine Adresse oder Domain, wie die Prüfung es braucht.',
  'Of tcp.': 'Zu tcp.',
  'Of url: a page with status 2xx is still_abusive only where it has this text, else clean.':
    'Zu url: Eine Seite mit Status 2xx ist nur mit diesem Text still_abusive, sonst clean.',
  'Of dns: still_abusive only where the name has one of them, else clean.':
    'Zu dns: still_abusive nur, wenn der Name eine davon hat, sonst clean.',
  'What an editor shows; may be empty.': 'Was ein Editor zeigt; darf leer sein.',
}
