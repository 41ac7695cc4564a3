// A test of the relay, with the settings of this machine.

import { readMailIdentity } from '../casework/notices/mail-identity.ts'
import { type RelayStep, testRelay } from '../casework/notices/test-relay.ts'
import type { Config } from '../kernel/config.ts'
import { settingsNotUsable } from '../kernel/errors.ts'
import { isEmailAddress } from '../values/email.ts'

/** The steps in their order; throws when the settings cannot be used. */
export async function sendTestMail(config: Config, to: string): Promise<readonly RelayStep[]> {
  const mail = readMailIdentity(config)
  if (mail === null) throw settingsNotUsable(['CASEWORK_RELAY_URL is not set'])
  if (!isEmailAddress(to)) throw settingsNotUsable(['--to must be an e-mail address'])
  return await testRelay(config, mail, to)
}
