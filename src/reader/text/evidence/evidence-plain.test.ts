// What people write who know no names for it, a sentence each, in the languages of abuse desks.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { classifyReport } from './classify-report.ts'

const SENTENCES: readonly (readonly [eventType: string, sentence: string])[] = [
  ['LoginAttack', '192.0.2.9 has been trying to log in as administrator for two days'],
  ['LoginAttack', 'Somebody at 192.0.2.9 is guessing passwords of our mailboxes'],
  ['LoginAttack', 'The address 192.0.2.9 was locked out after 20 failed attempts'],
  [
    'LoginAttack',
    'Von 192.0.2.9 aus werden seit Stunden Passwörter durchprobiert: jemand probiert Passwörter',
  ],
  ['LoginAttack', "L'adresse 192.0.2.9 tente de se connecter à notre serveur toute la nuit"],
  ['LoginAttack', 'La dirección 192.0.2.9 intenta iniciar sesión en nuestro correo sin parar'],
  ['LoginAttack', "L'indirizzo 192.0.2.9 cerca di accedere alla nostra posta"],
  ['LoginAttack', 'O endereço 192.0.2.9 tenta fazer login no nosso servidor sem parar'],
  ['LoginAttack', 'Vanaf 192.0.2.9 probeert iemand wachtwoorden te raden'],
  ['LoginAttack', 'С адреса 192.0.2.9 пытаются подобрать пароль к нашей почте'],
  ['LoginAttack', '192.0.2.9 から何度もログインを試みられています'],
  ['LoginAttack', '192.0.2.9에서 계속 로그인을 시도하고 있습니다'],
  ['LoginAttack', '192.0.2.9 一直在尝试登录我们的服务器'],
  ['PortScan', 'attack="tcp_port_scan" srcip=192.0.2.9 action="drop"'],
  ['PortScan', '{"name":"slow port scan","src":"192.0.2.9","link":"https://console.example/1"}'],
  ['Open', 'On 192.0.2.9 a MongoDB answers without authentication'],
  ['Open', 'Die Datenbank auf 192.0.2.9 ist für jeden erreichbar, ohne Passwort'],
  ['Open', 'Сервер 192.0.2.9 отдает базу данных без авторизации'],
  ['Phishing', 'https://a-b.example/x asks for card number and PIN'],
  ['Phishing', 'https://a-b.example/x steals passwords of our staff'],
  ['Phishing', 'Auf https://a-b.example/x werden Zugangsdaten unserer Mitglieder abgefischt'],
  ['Phishing', 'Le site https://a-b.example/x vole les identifiants de nos clients'],
  ['Phishing', 'La página https://a-b.example/x roba contraseñas de nuestros alumnos'],
  ['Phishing', 'https://a-b.example/x steelt wachtwoorden van onze leden'],
  ['Phishing', 'Страница https://a-b.example/x крадет пароли наших сотрудников'],
  ['Phishing', 'https://a-b.example/x は会員のパスワードを盗みます'],
  ['Phishing', 'https://a-b.example/x 窃取密码'],
  ['Fraud', 'They took my money at https://a-b.example and never delivered'],
  ['Fraud', 'Bei https://a-b.example bezahlt und nie geliefert bekommen'],
  ['Fraud', 'Pagué en https://a-b.example y nunca llegó nada'],
  ['Fraud', '192.0.2.9 tests stolen credit cards in our shop'],
  ['Spam', 'I unsubscribed four times and the marketing emails from 192.0.2.9 go on'],
  ['Spam', 'Von 192.0.2.9 kommen täglich Werbemails, die ich nie bestellt habe'],
  ['Spam', '192.0.2.9 から広告メールが毎日届きます'],
  ['Copyright', 'https://a-b.example/x shows my photos without my permission'],
  ['Copyright', 'Auf https://a-b.example/x steht mein Buch ohne meine Erlaubnis'],
  ['Copyright', 'Sur https://a-b.example/x se trouvent mes photos sans mon autorisation'],
  ['Copyright', 'На https://a-b.example/x выложена моя книга без моего разрешения'],
  ['Copyright', 'La contrefaçon porte atteinte aux droits d’auteur de nos membres'],
  ['Trademark', 'https://a-b.example/x sells fake copies of our shoes'],
  ['Trademark', 'https://a-b.example/x verkauft gefälschte Ware unter unserem Namen'],
  ['Trademark', 'https://a-b.example/x で当社製品の偽物が売られています'],
  ['Doxing', 'My former husband put nude photos of me on https://a-b.example/x'],
  ['Doxing', 'Auf https://a-b.example/x stehen Nacktbilder von mir'],
  ['LoginAttack', 'Z adresu 192.0.2.9 ktoś próbuje odgadnąć hasła do naszej poczty'],
  ['LoginAttack', 'Z adresy 192.0.2.9 někdo zkouší hesla k naší poště'],
  ['LoginAttack', 'Från 192.0.2.9 kommer inloggningsförsök mot vår e-post hela natten'],
  ['LoginAttack', 'Fra 192.0.2.9 gætter nogen adgangskoder til vores post'],
  ['LoginAttack', '192.0.2.9 adresinden sürekli şifre deneniyor'],
  ['Phishing', 'Strona https://a-b.example/x wyłudza dane naszych klientów'],
  ['Phishing', 'https://a-b.example/x krade přihlašovací údaje našich zákazníků'],
  ['Phishing', 'https://a-b.example/x stjäl inloggningsuppgifter av våra kunder'],
  ['Phishing', 'https://a-b.example/x stjæler kodeord fra vores kunder'],
  ['Phishing', 'https://a-b.example/x müşterilerimizden kart numarası istiyor'],
  ['Fraud', 'At https://a-b.example I ordered shoes and nothing was sent'],
  ['Fraud', 'Na https://a-b.example zapłaciłem i nic nie przyszło'],
  ['Fraud', 'Na https://a-b.example jsem objednal a zboží nedorazilo'],
  ['Fraud', 'Jag köpte skor på https://a-b.example och varorna kom aldrig'],
  ['Fraud', 'Jeg købte sko på https://a-b.example, og varerne kom aldrig'],
  ['Fraud', 'https://a-b.example adresinden aldım, ürün gelmedi'],
  ['Spam', 'Z 192.0.2.9 przychodzą codziennie niechciane reklamy'],
  ['Spam', 'Z 192.0.2.9 chodí denně nevyžádané reklamy'],
  ['Spam', 'Från 192.0.2.9 kommer oönskad reklam varje dag'],
  ['Spam', 'Fra 192.0.2.9 kommer der uønsket reklame hver dag'],
  ['Spam', '192.0.2.9 adresinden her gün istenmeyen reklam geliyor'],
  ['Copyright', 'Na https://a-b.example/x są moje zdjęcia bez mojej zgody'],
  ['Copyright', 'Na https://a-b.example/x jsou moje fotografie bez mého souhlasu'],
  ['Copyright', 'På https://a-b.example/x ligger mina bilder utan mitt tillstånd'],
  ['Copyright', 'På https://a-b.example/x ligger mine billeder uden min tilladelse'],
  ['Copyright', 'https://a-b.example/x fotoğraflarımı iznim olmadan yayınlıyor'],
  ['Trademark', 'https://a-b.example/x sprzedaje podróbki naszych butów'],
  ['Trademark', 'https://a-b.example/x prodává padělky'],
  ['Trademark', 'https://a-b.example/x säljer förfalskade varor'],
  ['Trademark', 'https://a-b.example/x sælger kopivarer'],
  ['Trademark', 'https://a-b.example/x taklit ürünler satıyor'],
  ['Doxing', 'Na https://a-b.example/x jsou moje nahé fotky'],
  ['Doxing', 'På https://a-b.example/x finns nakenbilder på mig'],
  ['Doxing', 'På https://a-b.example/x ligger nøgenbilleder af mig'],
  ['Doxing', 'https://a-b.example/x çıplak fotoğraflarımı yayınladı'],
  [
    'MaliciousActivity',
    'The address 192.0.2.9 belongs to malicious infrastructure and will be null routed',
  ],
]

describe('the plain words of people', () => {
  for (const [eventType, sentence] of SENTENCES) {
    test(`${eventType}: ${sentence}`, () => {
      assert.equal(classify(sentence), eventType)
    })
  }

  test('are no witnesses where nothing is complained about', () => {
    assert.equal(classify('The meeting was moved to Thursday at ten.'), 'Unknown')
  })
})

function classify(sentence: string): string {
  const texts = [{ part: 'text', kind: 'body' as const, lines: [sentence] }]
  const mail = {
    headers: [],
    subject: '',
    messageId: null,
    dateMs: null,
    from: [],
    replyTo: [],
    to: [],
    parts: [],
    defects: [],
  }
  const context = { receivedAtMs: 0, mediaType: 'message/rfc822', fallbackReporter: null }
  const report = { mail, context, reporter: null, reportId: '1', texts }
  return classifyReport({ report, texts, urls: [], hasEnclosedMail: false, ports: [], beside: [] })
    .eventType
}
