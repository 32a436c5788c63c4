import { createHash, timingSafeEqual } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import {
  BUNDLE_MANIFEST_MAX_BYTES,
  bundleErrors,
  type bundleRoutes,
  type ParsedOf,
  SEALED_MANIFEST_MIN_BYTES,
  type SealedKdf,
} from '@dropleaf/contract'
import { AppError } from '../../../../lib/app-error.ts'
import type { BundleRow } from '../bundles.table.ts'

type SealColumns = Pick<BundleRow, 'sealed' | 'salt' | 'kdf' | 'verifier' | 'owner_box'>
type SealInput = Pick<
  ParsedOf<typeof bundleRoutes.create, 'body'>,
  'sealed' | 'salt' | 'kdf' | 'verifier' | 'owner_box' | 'password'
>

const OPEN: SealColumns = { sealed: null, salt: null, kdf: null, verifier: null, owner_box: null }

/**
 * Returns the columns of a new bundle's seal. Refuses a password, because the password of a sealed bundle must not
 * leave the owner's devices.
 * @throws {AppError} `bundle.seal_incomplete`
 */
export function sealColumnsOf({ sealed, salt, kdf, verifier, owner_box, password }: SealInput): SealColumns {
  const isOpen = sealed === undefined || sealed === null
  if (isOpen && !salt && !kdf && !verifier && !owner_box) return OPEN
  if (isOpen || !salt || !verifier || password) throw new AppError(bundleErrors.seal_incomplete)
  return {
    sealed,
    salt,
    kdf: kdf ? JSON.stringify(kdf) : null,
    verifier,
    owner_box: owner_box ?? null,
  }
}

/** Returns the public part of a seal. */
export const presentSeal = ({ sealed, salt, kdf }: Pick<SealColumns, 'sealed' | 'salt' | 'kdf'>) => ({
  sealed,
  salt,
  kdf: kdf === null ? null : (JSON.parse(kdf) as SealedKdf),
})

/**
 * Whether a proof matches the verifier of a sealed bundle. If so, the reader has the bundle's link key and, if there is
 * one, its password.
 */
export function isProven({ verifier }: Pick<SealColumns, 'verifier'>, proof: string): boolean {
  const given = createHash('sha256').update(Buffer.from(proof, 'base64url')).digest()
  const stored = Buffer.from(verifier ?? '', 'base64url')
  return stored.length === given.length && timingSafeEqual(stored, given)
}

/**
 * Checks that a manifest looks encrypted: it is at least as long as the smallest padded manifest, and is not valid
 * UTF-8.
 * @returns its size in bytes
 * @throws {AppError} `bundle.not_sealed`, `bundle.manifest_too_large`
 */
export function requireSealedManifest(base64: string): number {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > BUNDLE_MANIFEST_MAX_BYTES) throw new AppError(bundleErrors.manifest_too_large)
  // The probability that 540 random bytes are valid UTF-8 is negligible.
  if (bytes.length < SEALED_MANIFEST_MIN_BYTES || isUtf8(bytes)) throw new AppError(bundleErrors.not_sealed)
  return bytes.length
}
