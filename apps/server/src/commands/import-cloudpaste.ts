import { resolve } from 'node:path'
import { BACKUP_KINDS, type BackupSkipReason } from '@dropleaf/contract'
import { pino } from 'pino'
import type { Config } from '../config/config.ts'
import { createContext } from '../context.ts'
import { findAdminId, forgetFirstLogin } from '../features/auth/auth.usecases.ts'
import { CloudPasteError, openCloudPaste } from '../features/cloudpaste/cloudpaste-database.ts'
import { type CloudPasteImport, importCloudPaste } from '../features/cloudpaste/import-cloudpaste.usecases.ts'
import { prepare } from '../first-start.ts'
import { callOf } from '../lib/call-of.ts'
import { callerFolder, CommandError, runCommand, say, warn } from './command.ts'

const NAMED_MAX = 20
const TRIAL = '--dry-run'

const KIND_WORDS = {
  admin: 'administrators',
  setting: 'settings',
  storage_config: 'storages',
  api_key: 'API keys',
  mount: 'mounts',
  paste: 'texts',
  file: 'files',
} as const

const REASON_WORDS: Readonly<Record<BackupSkipReason, string>> = {
  id_exists: 'is here already',
  name_exists: 'its name is taken here',
  path_exists: 'its path is taken here',
  key_exists: 'is here already',
  slug_exists: 'its link is taken here',
  folder_exists: 'its folder is taken here',
  object_exists: 'another link leads to the same file',
  setting_exists: 'is set here',
  storage_missing: 'its storage is not here',
  password_missing: 'the administrators of this server stay',
}

function sayNamed(title: string, lines: readonly string[], count: number): void {
  if (count === 0) return
  warn(`${title} (${count}):`)
  // Names come from elsewhere: none of them is to move the cursor.
  for (const line of lines.slice(0, NAMED_MAX)) warn(`  ${line.replaceAll(/\p{Cc}/gu, '?')}`)
  if (count > NAMED_MAX) warn(`  and ${count - NAMED_MAX} more`)
}

function sayOutcome({ result, unfit }: CloudPasteImport): void {
  const { imported, skipped, skippedCounts } = result
  say(BACKUP_KINDS.map((kind) => `${KIND_WORDS[kind]}: ${imported[kind]}`).join(', '))
  // The administrators of CloudPaste are never taken over, so nobody misses them.
  const left = skipped.filter(({ kind }) => kind !== 'admin')
  const count = BACKUP_KINDS.reduce((sum, kind) => sum + (kind === 'admin' ? 0 : skippedCounts[kind]), 0)
  sayNamed(
    'Not taken over',
    left.map(({ kind, name, reason }) => `${KIND_WORDS[kind]}: ${name}: ${REASON_WORDS[reason]}`),
    count,
  )
  sayNamed(
    'Not taken over, because this server does not allow it',
    unfit.map(({ kind, name, field }) => `${KIND_WORDS[kind]}: ${name}: ${field}`),
    unfit.length,
  )
}

async function importFrom(config: Config, path: string, isTrial: boolean): Promise<void> {
  using from = openCloudPaste(path)
  const ctx = await createContext(config, pino({ level: 'error' }))
  try {
    const firstLogin = await prepare(ctx)
    const outcome = await importCloudPaste(ctx, from, { adminId: await findAdminId(ctx), isTrial })
    if (isTrial) say('This is what would come. Nothing has been kept.')
    sayOutcome(outcome)
    // Of a trial nothing is kept but an empty server, whose password its first start shows.
    if (firstLogin !== null && !isTrial) {
      say(`Administrator: ${firstLogin.username}\nPassword: ${firstLogin.password}\nIt is shown this once.`)
      await forgetFirstLogin(ctx)
    }
    if (isTrial || outcome.result.imported.storage_config === 0) return
    warn(
      'Nothing is deleted in the buckets by itself until an administrator confirms on the dashboard that this server takes the place of CloudPaste.',
    )
  } finally {
    await ctx.close()
  }
}

await runCommand(async (config, args) => {
  const [name, ...rest] = args.filter((arg) => arg !== TRIAL)
  if (name === undefined || rest.length > 0 || name.startsWith('-'))
    throw new CommandError(`Usage: ${callOf('import-cloudpaste', `FILE [${TRIAL}]`)}`)
  try {
    await importFrom(config, resolve(callerFolder(), name), args.includes(TRIAL))
  } catch (error) {
    throw error instanceof CloudPasteError ? new CommandError(error.message, { cause: error }) : error
  }
})
