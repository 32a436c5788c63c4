import { resolve } from 'node:path'
import { BACKUP_KINDS, type BackupImport, type BackupKind, type BackupSkipReason } from '@dropleaf/contract'
import { pino } from 'pino'
import type { Config } from '../config/config.ts'
import { createContext } from '../context.ts'
import { findAdminId, forgetFirstLogin } from '../features/foundation/identity/auth.usecases.ts'
import { CloudPasteError, openCloudPaste } from '../features/operations/cloudpaste/cloudpaste-database.ts'
import {
  type CloudPasteImport,
  importCloudPaste,
} from '../features/operations/cloudpaste/import-cloudpaste.usecases.ts'
import { prepare } from '../first-start.ts'
import { callOf } from '../lib/call-of.ts'
import { callerFolder, CommandError, runCommand, say, warn } from './command.ts'

const NAMED_MAX = 20
const TRIAL = '--dry-run'
const ALL = '--all'

const KIND_WORDS = {
  admin: 'administrators',
  setting: 'settings',
  storage_config: 'storages',
  api_key: 'API keys',
  mount: 'mounts',
  paste: 'texts',
  bundle: 'bundles',
  bundle_revision: 'versions of bundles',
  file: 'files',
} as const

/** Kinds that CloudPaste does not have. */
const WITHOUT_ORIGIN: ReadonlySet<BackupKind> = new Set(['bundle', 'bundle_revision'])

const REASON_WORDS: Readonly<Record<BackupSkipReason, string>> = {
  id_exists: 'is here already',
  name_exists: 'its name is taken here',
  path_exists: 'its path is taken here',
  key_exists: 'another key here has the same secret',
  slug_exists: 'its link is taken here',
  folder_exists: 'its folder is taken here',
  object_exists: 'another link leads to the same file',
  setting_exists: 'is set here',
  bundle_missing: 'its bundle was skipped',
  revision_ahead: 'it is later than the revision of its bundle',
  storage_missing: 'its storage is not here',
  password_missing: 'the administrators of this server stay',
}

interface Named {
  readonly kind: BackupKind
  readonly name: string
  readonly words: string
}

const printed = ({ kind, name, words }: Named): string => `${KIND_WORDS[kind]}: ${name}: ${words}`

function sayNamed(title: string, named: readonly Named[], namedMax: number): void {
  if (named.length === 0) return
  warn(`${title} (${named.length}):`)
  // Replaces control characters, because names are untrusted, and control characters could move the cursor.
  for (const one of named.slice(0, namedMax)) warn(`  ${printed(one).replaceAll(/\p{Cc}/gu, '?')}`)
  if (named.length > namedMax) warn(`  and ${named.length - namedMax} more, which ${ALL} lists`)
}

/** Prints the items that exist already, or only their number of each kind. They need no action. */
function sayHere(here: readonly Named[], isWhole: boolean): void {
  if (here.length === 0) return
  if (isWhole) return sayNamed('Here already', here, Infinity)
  const counts = BACKUP_KINDS.flatMap((kind) => {
    const count = here.filter((one) => one.kind === kind).length
    return count > 0 ? `${KIND_WORDS[kind]}: ${count}` : []
  })
  say(`Here already: ${counts.join(', ')}`)
}

/** Whether an item was skipped because its storage is missing. Such items are listed last. */
const isOfStorage = ({ reason }: BackupImport['skipped'][number]) => reason === 'storage_missing'

function sayOutcome({ result, unfit, altered }: CloudPasteImport, isWhole: boolean): void {
  const namedMax = isWhole ? Infinity : NAMED_MAX
  const told = BACKUP_KINDS.filter((kind) => !WITHOUT_ORIGIN.has(kind))
  say(told.map((kind) => `${KIND_WORDS[kind]}: ${result.imported[kind]}`).join(', '))
  // Leaves out administrators, because they are never imported from CloudPaste.
  const skipped = result.skipped.filter(({ kind }) => kind !== 'admin')
  const isHere = ({ reason }: (typeof skipped)[number]) => reason === 'id_exists'
  const toNamed = ({ kind, name, reason }: (typeof skipped)[number]) => ({
    kind,
    name,
    words: REASON_WORDS[reason],
  })
  const left = skipped.filter((one) => !isHere(one))
  sayNamed(
    'Not taken over, because this server does not allow it',
    unfit.map(({ kind, name, field, reason }) => ({
      kind,
      name,
      words: [field, reason].filter(Boolean).join(': '),
    })),
    namedMax,
  )
  sayNamed(
    'Not taken over',
    [...left.filter((one) => !isOfStorage(one)), ...left.filter(isOfStorage)].map(toNamed),
    namedMax,
  )
  sayNamed(
    'Taken over, but not as it was',
    altered.map(({ kind, name, change }) => ({ kind, name, words: change })),
    namedMax,
  )
  sayHere(skipped.filter(isHere).map(toNamed), isWhole)
}

interface ImportOptions {
  /** Whether this is a dry run. */
  readonly isTrial: boolean
  /** Whether to list all findings instead of only the first few. */
  readonly isWhole: boolean
}

async function importFrom(config: Config, path: string, { isTrial, isWhole }: ImportOptions): Promise<void> {
  using from = openCloudPaste(path)
  const ctx = await createContext(config, pino({ level: 'error' }))
  try {
    const firstLogin = await prepare(ctx)
    const outcome = await importCloudPaste(ctx, from, { adminId: await findAdminId(ctx), isTrial })
    if (isTrial) say('This is what would come. Nothing has been kept.')
    sayOutcome(outcome, isWhole)
    // After a dry run the server is still empty, so its first start will show the password.
    if (firstLogin !== null && !isTrial) {
      say(
        `Administrator: ${firstLogin.username}\nIt is shown this once. Password:\n\n${firstLogin.password}\n`,
      )
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
  const [name, ...rest] = args.filter((arg) => arg !== TRIAL && arg !== ALL)
  if (name === undefined || rest.length > 0 || name.startsWith('-'))
    throw new CommandError(`Usage: ${callOf('import-cloudpaste', `FILE [${TRIAL}] [${ALL}]`)}`)
  try {
    await importFrom(config, resolve(callerFolder(), name), {
      isTrial: args.includes(TRIAL),
      isWhole: args.includes(ALL),
    })
  } catch (error) {
    throw error instanceof CloudPasteError ? new CommandError(error.message, { cause: error }) : error
  }
})
