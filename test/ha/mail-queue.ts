// A real mail queue: Debian's Postfix with the main.cf of deploy/ha, in a folder of its own.

import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openClient, type SmtpClient } from '../mail-kit.ts'
import { findAccount, type Machines, startDaemon, when } from './machines.ts'

const MASTER = '/usr/lib/postfix/sbin/master'

export interface MailQueue {
  /** Hands a mail over; it is in the queue when this resolves. */
  readonly send: (mail: string, to: string) => Promise<void>
  /** The lines of its log so far. */
  readonly readLog: () => readonly string[]
}

export async function openMailQueue(t: TestContext, machines: Machines): Promise<MailQueue> {
  const folder = join(machines.folder, 'postfix')
  mkdirSync(folder)
  makeQueueFolders(join(folder, 'queue'))
  machines.makeFolder('postfix-data', findAccount('postfix'))
  const own = [
    `queue_directory = ${folder}/queue`,
    `data_directory = ${machines.folder}/postfix-data`,
    'maillog_file = /dev/stdout',
    // It must be that of an interface; the port is bound on the address of the machine.
    'inet_interfaces = 127.0.0.1',
    // No look-up leaves this machine.
    'smtpd_peername_lookup = no',
    'smtp_dns_support_level = disabled',
    'alias_maps =',
    'fast_flush_domains =',
  ]
  writeFileSync(
    join(folder, 'main.cf'),
    `${machines.readExample('postfix-main.cf')}\n${own.join('\n')}\n`,
  )
  const { host, port } = machines.at(31, 25)
  writeFileSync(join(folder, 'master.cf'), listServices(`${host}:${port}`))
  // It ends its own processes at SIGTERM, and not at SIGKILL.
  const daemon = startDaemon(t, machines, [MASTER, '-d', '-c', folder], {
    name: 'postfix-log',
    endSignal: 'SIGTERM',
  })
  const open = async (): Promise<SmtpClient> => {
    const client = openClient(connect(port, host))
    await client.hear()
    return client
  }
  await when(t, 'Postfix', async () => {
    const client = await open()
    client.close()
    return true
  })
  return {
    async send(mail, to) {
      const client = await open()
      try {
        await client.say('EHLO reporter.example')
        await client.sendMail(mail, [to])
      } finally {
        client.close()
      }
    },
    readLog: () => daemon.said().split('\n'),
  }
}

// As `postfix start` makes them, which writes to the log of the system.
function makeQueueFolders(queue: string): void {
  const { uid } = findAccount('postfix')
  mkdirSync(queue)
  const names =
    'active bounce corrupt defer deferred flush hold incoming maildrop private public saved trace'
  for (const name of names.split(' ')) {
    mkdirSync(join(queue, name), { mode: 0o700 })
    chownSync(join(queue, name), uid, 0)
  }
  mkdirSync(join(queue, 'pid'))
}

// As Debian's master.cf without chroot and without what this server does not do.
function listServices(listen: string): string {
  const services = [
    `${listen} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'proxymap unix - - n - - proxymap',
    'relay unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
  ]
  return `${services.join('\n')}\n`
}
