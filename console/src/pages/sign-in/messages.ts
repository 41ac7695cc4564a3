// What the pages of signing in say.

import { defineMessages } from '../../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Sign in',
    lede: 'To Casework, with your account.',
    ended: 'Your session has ended. Sign in to go on where you were.',
    left: 'You are signed out.',
    email: 'E-mail address',
    password: 'Password',
    act: 'Sign in',
    or: 'or',
    with_passkey: 'Sign in with a passkey',
    with_provider: 'Sign in with {name}',
    no_passkeys: 'Why can I not use a passkey here?',
    passkey_given_up: 'The browser got no passkey. Try again, or sign in another way.',
    wrong: 'Address or password is wrong. After several wrong ones you have to wait.',
    forgotten: 'Forgotten password?',
    forgotten_title: 'Forgotten password',
    forgotten_lede: 'We mail you a link by which you set a new one.',
    send_link: 'Mail me a link',
    sent_title: 'Look into your mail',
    sent: 'If there is an account for {email}, a link is on its way. It is good once, for an hour.',
    back: 'Back to sign-in',
    code: 'Code of your authenticator app',
    code_help: 'Six digits, new every half minute.',
    code_wrong: 'This code is wrong or was used already. A code of an app is good once.',
    recovery_code: 'Recovery code',
    recovery_help: 'One of those that you kept. It is used up by this.',
    use_passkey: 'Use a passkey',
    use_totp: 'Use the authenticator app',
    use_recovery_code: 'Use a recovery code',
    start_over: 'Begin again',
    second: 'One more step: your second factor.',
    no_account: 'No account yet? Whoever runs Casework can invite you.',
    provider_silent:
      'The provider does not answer. Try again later, or sign in with your password.',
    provider_refused: 'The provider has refused this sign-in. Begin it again.',
    provider_not_valid:
      'The answer of the provider does not fit this sign-in. The log of the server has the reason.',
    provider_try: 'This sign-in was begun in another browser, used already, or took too long.',
    provider_many: 'Too many sign-ins are under way from here. Try again in ten minutes.',
    identity_not_linked:
      'Nobody here is linked to that account. Use your invitation, or sign in with your password and link it in your account.',
    identity_taken: 'That account is linked to another person here.',
    person_disabled: 'Your account is disabled. Ask your administrator.',
    link_not_valid: 'Your invitation was used already or has ended. Ask for a new one.',
    tenant_missing: 'You work for no tenant here. Ask your administrator for an invitation.',
    provider_other: 'Signing in with the provider failed ({code}). Try again.',
  },
  de: {
    title: 'Anmelden',
    lede: 'Bei Casework, mit Ihrem Konto.',
    ended: 'Ihre Sitzung ist zu Ende. Melden Sie sich an, um weiterzumachen.',
    left: 'Sie sind abgemeldet.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    act: 'Anmelden',
    or: 'oder',
    with_passkey: 'Mit Passkey anmelden',
    with_provider: 'Mit {name} anmelden',
    no_passkeys: 'Warum geht hier kein Passkey?',
    passkey_given_up:
      'Der Browser hat keinen Passkey bekommen. Versuchen Sie es noch einmal oder melden Sie sich anders an.',
    wrong: 'Adresse oder Passwort ist falsch. Nach mehreren falschen müssen Sie warten.',
    forgotten: 'Passwort vergessen?',
    forgotten_title: 'Passwort vergessen',
    forgotten_lede: 'Sie bekommen eine Mail mit einem Link, über den Sie ein neues setzen.',
    send_link: 'Link zuschicken',
    sent_title: 'Sehen Sie in Ihre Mail',
    sent: 'Gibt es ein Konto für {email}, dann ist ein Link unterwegs. Er gilt einmal und eine Stunde lang.',
    back: 'Zurück zur Anmeldung',
    code: 'Code Ihrer Authenticator-App',
    code_help: 'Sechs Ziffern, alle halbe Minute neue.',
    code_wrong:
      'Dieser Code ist falsch oder wurde schon benutzt. Ein Code der App gilt nur einmal.',
    recovery_code: 'Wiederherstellungscode',
    recovery_help: 'Einer von denen, die Sie aufbewahrt haben. Er ist danach verbraucht.',
    use_passkey: 'Passkey verwenden',
    use_totp: 'Authenticator-App verwenden',
    use_recovery_code: 'Wiederherstellungscode verwenden',
    start_over: 'Von vorn beginnen',
    second: 'Noch ein Schritt: Ihr zweiter Faktor.',
    no_account: 'Noch kein Konto? Der Betreiber kann Sie einladen.',
    provider_silent:
      'Der Anbieter antwortet nicht. Versuchen Sie es später, oder nehmen Sie Ihr Passwort.',
    provider_refused: 'Der Anbieter hat diese Anmeldung abgelehnt. Beginnen Sie noch einmal.',
    provider_not_valid:
      'Die Antwort des Anbieters passt nicht zu dieser Anmeldung. Der Grund steht im Protokoll des Servers.',
    provider_try:
      'Diese Anmeldung wurde in einem anderen Browser begonnen, schon benutzt oder hat zu lange gedauert.',
    provider_many:
      'Von hier sind zu viele Anmeldungen unterwegs. Versuchen Sie es in zehn Minuten.',
    identity_not_linked:
      'Mit jenem Konto ist hier niemand verknüpft. Nehmen Sie Ihre Einladung, oder melden Sie sich mit dem Passwort an und verknüpfen es in Ihrem Konto.',
    identity_taken: 'Jenes Konto ist hier mit einer anderen Person verknüpft.',
    person_disabled: 'Ihr Konto ist gesperrt. Fragen Sie Ihren Administrator.',
    link_not_valid:
      'Ihre Einladung wurde schon benutzt oder ist abgelaufen. Lassen Sie sich eine neue geben.',
    tenant_missing:
      'Sie arbeiten hier für keinen Mandanten. Lassen Sie sich von Ihrem Administrator einladen.',
    provider_other:
      'Die Anmeldung beim Anbieter ist fehlgeschlagen ({code}). Versuchen Sie es noch einmal.',
  },
})
