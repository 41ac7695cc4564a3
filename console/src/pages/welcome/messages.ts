// What the page of links says.

import { defineMessages } from '../../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    setup: 'Set up Casework',
    setup_lede: 'You are the first person here and will administer this installation.',
    invitation: 'Welcome to Casework',
    invitation_lede: 'You are invited to the tenant {tenant}. Choose a password.',
    invitation_known: 'You are invited to the tenant {tenant}. Enter the password that you have.',
    reset: 'Choose a new password',
    reset_lede: 'For {email}. You will be signed out everywhere else.',
    name: 'Your name',
    email: 'E-mail address',
    password: 'Password',
    password_new: 'New password',
    password_help: 'At least 12 characters. A few unrelated words are good and easy to type.',
    act_setup: 'Create the account',
    act_invitation: 'Accept the invitation',
    act_reset: 'Set the password',
    or: 'or',
    accept_with: 'Accept with {name}',
    spent: 'This link cannot be used',
    spent_why: 'It was used already, has ended, or was not copied whole. Links are good once.',
    none: 'This page opens from a link',
    none_why: 'Open the link that was printed at the start of the server or sent to you.',
    to_sign_in: 'Go to the sign-in page',
  },
  de: {
    setup: 'Casework einrichten',
    setup_lede: 'Sie sind die erste Person hier und werden diese Installation verwalten.',
    invitation: 'Willkommen bei Casework',
    invitation_lede: 'Sie sind in den Mandanten {tenant} eingeladen. Wählen Sie ein Passwort.',
    invitation_known:
      'Sie sind in den Mandanten {tenant} eingeladen. Geben Sie Ihr bestehendes Passwort ein.',
    reset: 'Neues Passwort wählen',
    reset_lede: 'Für {email}. Überall sonst werden Sie abgemeldet.',
    name: 'Ihr Name',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    password_new: 'Neues Passwort',
    password_help:
      'Mindestens 12 Zeichen. Einige Wörter ohne Zusammenhang sind gut und leicht zu tippen.',
    act_setup: 'Konto anlegen',
    act_invitation: 'Einladung annehmen',
    act_reset: 'Passwort setzen',
    or: 'oder',
    accept_with: 'Mit {name} annehmen',
    spent: 'Dieser Link gilt nicht',
    spent_why:
      'Er wurde schon benutzt, ist abgelaufen oder nicht vollständig kopiert. Links gelten einmal.',
    none: 'Diese Seite öffnet sich über einen Link',
    none_why:
      'Öffnen Sie den Link, den der Server beim Start gezeigt oder man Ihnen geschickt hat.',
    to_sign_in: 'Zur Anmeldung',
  },
})
