import type { Clock } from '../../../lib/clock.ts'
import { SECRET_CHECK_KEY } from '../../../config/secret.ts'
import type { OpenDatabase } from '../../../db/database.ts'
import { createSecrets, type Secrets } from '../../../lib/secrets.ts'
import type { Schema } from '../../../schema.ts'
import { credentialContext } from '../../../storage/drivers.ts'
import { apiKeySealContext } from '../../foundation/identity/api-keys.usecases.ts'
import { FIRST_LOGIN_KEY, FIRST_PASSWORD_CONTEXT } from '../../foundation/identity/auth.usecases.ts'
import { sealContext as filePasswordContext } from '../../capabilities/files/uploads/uploads.usecases.ts'
import { bundlePasswordContext } from '../../capabilities/bundles/bundles.models.ts'
import { pastePasswordContext } from '../../capabilities/pastes/pastes.usecases.ts'
import { IMPORT_SEAL_CONTEXT } from '../../capabilities/url-import/imports.usecases.ts'
import { settingsSealContext } from '../../capabilities/url-import/url-uploads.usecases.ts'
import { type SealedColumn, secretRotationRepository } from './secret-rotation.repository.ts'

/** A failed rotation, with a message for the operator. */
export class RotationError extends Error {
  override readonly name = 'RotationError'
}

export interface Rotation {
  /**
   * Number of re-encrypted values, where all values of one import count once; `null` if the database already used the
   * new secret.
   */
  readonly sealedAnew: number | null
}

type Column = SealedColumn & { readonly contextOf: (id: string) => string }

/** All columns with encrypted values, and their contexts. A test compares the list with the tables. */
export const SEALED_COLUMNS: readonly Column[] = [
  ...(['access_key_id', 'secret_access_key'] as const).map((field): Column => ({
    table: 'storage_configs',
    id: 'id',
    column: `${field}_sealed`,
    contextOf: (id) => credentialContext(id, field),
  })),
  { table: 'api_keys', id: 'id', column: 'key_sealed', contextOf: apiKeySealContext },
  { table: 'pastes', id: 'id', column: 'password_sealed', contextOf: pastePasswordContext },
  { table: 'files', id: 'id', column: 'password_sealed', contextOf: filePasswordContext },
  { table: 'bundles', id: 'id', column: 'password_sealed', contextOf: bundlePasswordContext },
  { table: 'url_uploads', id: 'file_id', column: 'wishes_sealed', contextOf: settingsSealContext },
]

interface Work {
  readonly repository: ReturnType<typeof secretRotationRepository>
  readonly from: Secrets
  readonly to: Secrets
  readonly unreadable: string[]
}

/**
 * Decrypts a value with the old secret. Returns `undefined` and records the failure if the value cannot be decrypted.
 */
function open({ from, unreadable }: Work, sealed: string, context: string): string | undefined {
  try {
    return from.open(sealed, context)
  } catch {
    unreadable.push(context)
    return undefined
  }
}

async function sealColumn(work: Work, column: Column): Promise<number> {
  let count = 0
  for await (const row of work.repository.sealed(column)) {
    const plain = open(work, row.sealed, column.contextOf(row.id))
    if (plain === undefined) continue
    await work.repository.replace(column, {
      id: row.id,
      sealed: work.to.seal(plain, column.contextOf(row.id)),
    })
    // Updates the hash by which API keys are looked up, because the hash depends on the secret.
    if (column.table === 'api_keys')
      await work.repository.setKeyFingerprint(row.id, work.to.fingerprint(plain))
    count += 1
  }
  return count
}

/** Encrypted fields in the payload of an import: the password and the PIN of the new share. */
const SEALED_OF_IMPORTS = ['sealed', 'sealed_pin'] as const

async function sealImports(work: Work): Promise<number> {
  let count = 0
  for (const { id, payload } of await work.repository.imports()) {
    const fields = JSON.parse(payload) as Record<string, unknown>
    const changed: Record<string, string> = {}
    for (const name of SEALED_OF_IMPORTS) {
      const { [name]: sealed } = fields
      const plain = typeof sealed === 'string' ? open(work, sealed, IMPORT_SEAL_CONTEXT) : undefined
      if (plain !== undefined) changed[name] = work.to.seal(plain, IMPORT_SEAL_CONTEXT)
    }
    if (Object.keys(changed).length === 0) continue
    await work.repository.setPayload(id, JSON.stringify({ ...fields, ...changed }))
    count += 1
  }
  return count
}

/** Re-encrypts the generated password that no console has shown yet. */
async function sealFirstLogin(work: Work, nowMs: number): Promise<number> {
  const value = await work.repository.kept(FIRST_LOGIN_KEY)
  if (value === undefined) return 0
  const fields = JSON.parse(value) as { sealed: string }
  const plain = open(work, fields.sealed, FIRST_PASSWORD_CONTEXT)
  if (plain === undefined) return 0
  const sealed = work.to.seal(plain, FIRST_PASSWORD_CONTEXT)
  await work.repository.setKept(FIRST_LOGIN_KEY, JSON.stringify({ ...fields, sealed }), nowMs)
  return 1
}

const SHOWN_MAX = 10

/**
 * Re-encrypts all values in one transaction. After a crash, everything still uses the old secret, and the rotation can
 * be repeated.
 * @throws {RotationError} if the database uses neither secret, a server uses the database, or a value cannot be
 * decrypted. Nothing is changed in these cases.
 */
export async function rotateSecret(
  database: OpenDatabase<Schema>,
  { from, to, clock }: { from: string; to: string; clock: Clock },
): Promise<Rotation> {
  const [former, next] = [createSecrets(from), createSecrets(to)]
  return database.transaction(async (trx) => {
    const repository = secretRotationRepository(trx)
    if (database.isShared && !(await repository.isAlone()))
      throw new RotationError(
        'A server is running on this database. Stop all of them, then run this again; nothing has been changed.',
      )
    const check = await repository.kept(SECRET_CHECK_KEY)
    if (check === next.fingerprint(SECRET_CHECK_KEY)) return { sealedAnew: null }
    if (check !== undefined && check !== former.fingerprint(SECRET_CHECK_KEY))
      throw new RotationError(
        'The former secret is not the one that this database was filled under. Nothing has been changed.',
      )
    const work: Work = { repository, from: former, to: next, unreadable: [] }
    let sealedAnew = 0
    for (const column of SEALED_COLUMNS) sealedAnew += await sealColumn(work, column)
    sealedAnew += await sealImports(work)
    sealedAnew += await sealFirstLogin(work, clock.nowMs())
    const { unreadable } = work
    if (unreadable.length > 0) {
      const names = unreadable.slice(0, SHOWN_MAX).join(', ')
      throw new RotationError(
        `The former secret does not open ${unreadable.length} of the stored secrets (${names}). Give them anew or delete ` +
          'what they belong to, then run this again; nothing has been changed.',
      )
    }
    await repository.forgetFingerprints()
    await repository.setKept(SECRET_CHECK_KEY, next.fingerprint(SECRET_CHECK_KEY), clock.nowMs())
    return { sealedAnew }
  })
}
