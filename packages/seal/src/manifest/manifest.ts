import { BUNDLE_MANIFEST_MAX_BYTES } from '@dropleaf/contract'
import { type Bytes, concat, randomBytes, u32be, utf8 } from '../core/bytes.ts'
import { SealError } from '../core/errors.ts'
import { padme } from '../core/padme.ts'
import { markSealed, type Sealed } from '../core/sealed.ts'
import { parseShareSalts, type ShareSalts } from '../keys/share.ts'
import { findManifestProblems } from './manifest.rules.ts'
import { type Manifest, MANIFEST_VERSION, manifestSchema, paddedManifestSchema } from './manifest.schema.ts'

const MANIFEST_NONCE_BYTES = 12
const TAG_BYTES = 16
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const REVISION_MAX = 2 ** 32 - 1
/** Length of `,"pad":""` in bytes. */
const PAD_FIELD_BYTES = 9

/** The share, bundle and revision to which a manifest belongs. The manifest cannot be decrypted with other values. */
export interface ManifestPlace {
  /** UUID of the bundle. */
  readonly bundleId: string
  /** Number of the revision, from 1. */
  readonly revision: number
  readonly salts: ShareSalts
}

/** Creates the error for an invalid manifest. The error lists at most 20 broken rules. */
const invalid = (details: readonly string[]) =>
  new SealError('manifest.invalid', { details: details.slice(0, 20) })

/** Formats the salts of a share as JSON in a fixed form: keys in alphabetical order, no white space. */
function canonicalSalts(salts: ShareSalts): string {
  const { salt, kdf } = parseShareSalts(salts)
  const ordered = kdf && { m: kdf.m, name: kdf.name, p: kdf.p, salt: kdf.salt, t: kdf.t }
  return JSON.stringify({ kdf: ordered, salt })
}

/** Returns the additional data that the tag of a manifest authenticates besides its contents. */
export function manifestContext({ bundleId, revision, salts }: ManifestPlace): Bytes {
  if (!UUID.test(bundleId)) throw new SealError('share.malformed')
  if (!Number.isInteger(revision) || revision < 1 || revision > REVISION_MAX)
    throw new SealError('share.malformed')
  const id = Uint8Array.from(bundleId.replaceAll('-', '').match(/../g) ?? [], (hex) =>
    Number.parseInt(hex, 16),
  )
  return concat(utf8('DLM1'), id, u32be(revision), utf8(canonicalSalts(salts)))
}

/** Formats a manifest as JSON, with a field `pad` so that manifests of similar length get the same length. */
function padded(manifest: Manifest): Bytes {
  const { v, title, page, objects, items } = manifest
  const fields = { v, title, page, objects, items }
  const length = utf8(JSON.stringify(fields)).length + PAD_FIELD_BYTES
  return utf8(JSON.stringify({ ...fields, pad: '0'.repeat(padme(length) - length) }))
}

/** Encrypts a manifest with a given nonce. The package does not export this function. */
export async function encryptManifest({
  manifest,
  manifestKey,
  place,
  nonce,
}: {
  readonly manifest: Manifest
  readonly manifestKey: CryptoKey
  readonly place: ManifestPlace
  readonly nonce: Bytes
}): Promise<Bytes> {
  const { success, data, error } = manifestSchema.safeParse(manifest)
  if (!success) throw invalid(error.issues.map(({ path }) => path.join('.')))
  const problems = findManifestProblems(data)
  if (problems.length > 0) throw invalid(problems)
  const plain = padded(data)
  if (nonce.length + plain.length + TAG_BYTES > BUNDLE_MANIFEST_MAX_BYTES)
    throw new SealError('manifest.too_large')
  const additionalData = manifestContext(place)
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData },
    manifestKey,
    plain,
  )
  return concat(nonce, new Uint8Array(sealed))
}

/**
 * Encrypts a manifest. Makes the same checks as {@link openManifest}.
 * @throws {SealError} `manifest.invalid`, `manifest.too_large`, `share.malformed`, `kdf.refused`
 */
export const sealManifest = async (input: {
  readonly manifest: Manifest
  readonly manifestKey: CryptoKey
  readonly place: ManifestPlace
}): Promise<Sealed<Bytes>> =>
  markSealed(await encryptManifest({ ...input, nonce: randomBytes(MANIFEST_NONCE_BYTES) }))

function parse(plain: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain))
  } catch (error) {
    throw new SealError('manifest.invalid', { cause: error, details: ['json'] })
  }
}

/** Returns the version field of a manifest, before the rest is checked. */
const versionOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'v' in value ? value.v : null

/**
 * Decrypts and checks a manifest.
 * @throws {SealError} `manifest.refused` for changed bytes, another key, bundle, revision or salts; `manifest.version`;
 *   `manifest.invalid`; `manifest.too_large`; `share.malformed`; `kdf.refused`
 */
export async function openManifest({
  sealed,
  manifestKey,
  place,
}: {
  readonly sealed: Bytes
  readonly manifestKey: CryptoKey
  readonly place: ManifestPlace
}): Promise<Manifest> {
  if (sealed.length > BUNDLE_MANIFEST_MAX_BYTES) throw new SealError('manifest.too_large')
  const additionalData = manifestContext(place)
  const iv = sealed.subarray(0, MANIFEST_NONCE_BYTES)
  let plain: Uint8Array
  try {
    const body = sealed.subarray(MANIFEST_NONCE_BYTES)
    plain = new Uint8Array(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, manifestKey, body),
    )
  } catch (error) {
    throw new SealError('manifest.refused', { cause: error })
  }
  const value = parse(plain)
  const version = versionOf(value)
  if (typeof version === 'number' && version > MANIFEST_VERSION) throw new SealError('manifest.version')
  const { success, data, error } = paddedManifestSchema.safeParse(value)
  if (!success) throw invalid(error.issues.map(({ path }) => path.join('.')))
  const { pad: _pad, ...manifest } = data
  const problems = findManifestProblems(manifest)
  if (problems.length > 0) throw invalid(problems)
  return manifest
}
