// The headers of a mail that a case keeps.

// Of the form of the mail, which a case writes anew; signatures, which no longer match.
const OF_FORM =
  /^(?:mime-version|content-.*|dkim-signature|domainkey-signature|arc-.*|x-google-dkim-signature)$/

export function isKeptHeader(name: string): boolean {
  return !OF_FORM.test(name)
}

/** What decides how a mail is read; of other headers nobody knows what they tell. */
const LOOKED_AT =
  /^(?:from|to|cc|reply-to|sender|subject|date|message-id|in-reply-to|references|received|return-path|delivered-to|x-original-to|envelope-to|resent-.*|auto-submitted|precedence|list-(?:id|post|unsubscribe)|mailing-list|x-beenthere|x-auto(?:reply|respond|response|-reply)|x-originating-ip|x-sender-ip|x-original-(?:from|sender)|authentication-results|received-spf|x-x?arf|x-spamcop-sourceip)$/

export function isLookedAt(name: string): boolean {
  return LOOKED_AT.test(name)
}
