import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { checkAdminPasswordForm, type Config } from '../config/config.ts'
import { resetPassword } from '../features/foundation/identity/reset-password.usecases.ts'
import { AuditLog } from '../audit/audit-log.ts'
import { callOf } from '../lib/call-of.ts'
import { systemClock } from '../lib/clock.ts'
import { createPasswords } from '../lib/passwords.ts'
import { CommandError, openExisting, runCommand, say } from './command.ts'

const FROM_INPUT = '-'

/** Returns the chosen password, or `null` to generate one. */
async function findWanted(config: Config, args: readonly string[]): Promise<string | null> {
  if (args.length === 0) return config.adminPassword
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  const problem = checkAdminPasswordForm(password)
  if (problem !== null) throw new CommandError(`The password ${problem}. Nothing has been changed.`)
  return password
}

await runCommand(async (config, args) => {
  if (args.length > 1 || (args[0] ?? FROM_INPUT) !== FROM_INPUT)
    throw new CommandError(`Usage: ${callOf('reset-password', `[${FROM_INPUT}]`)}`)
  const database = await openExisting(config)
  const audit = new AuditLog({ db: database.db, clock: systemClock, log: pino(pino.destination(2)) })
  try {
    const wanted = await findWanted(config, args)
    const parts = { database, audit, passwords: createPasswords(), clock: systemClock }
    const reset = await resetPassword(parts, wanted)
    if (reset === null)
      throw new CommandError('There is no administrator yet: the first start of the server makes one.')
    say(`The administrator has another password; sessions that have ended: ${reset.endedSessions}.`)
    say(`\n  Administrator: ${reset.username}`)
    if (wanted !== null)
      say(`  Password:      ${args.length > 0 ? 'the one of the input' : 'the one of ADMIN_PASSWORD'}`)
    else say(`  It is shown this once. Change it after logging in.\n\n${reset.password}`)
  } finally {
    await audit.close()
    await database.close()
  }
})
