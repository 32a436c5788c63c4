import * as z from 'zod/mini'
import { type Bytes, fromBase64url, randomBytes, toBase64url, utf8 } from '../core/bytes.ts'
import { SealError } from '../core/errors.ts'
import { once } from '../core/once.ts'

/**
 * Bounds of the memory in KiB. With less memory, passwords can be guessed too fast. More memory can crash a browser tab
 * on a phone.
 */
const MEMORY_MIN_KIB = 19 * 1024
const MEMORY_MAX_KIB = 256 * 1024
const PASSES_MAX = 10
const SALT_BYTES = 16
/** Length of the derived key in bytes. */
export const PASSWORD_KEY_BYTES = 32

const kdfSchema = z.strictObject({
  name: z.literal('argon2id'),
  /** Memory in KiB. */
  m: z.int().check(z.minimum(MEMORY_MIN_KIB), z.maximum(MEMORY_MAX_KIB)),
  /** Number of passes over the memory. */
  t: z.int().check(z.minimum(1), z.maximum(PASSES_MAX)),
  /** Number of lanes. */
  p: z.literal(1),
  /** Base64url of 16 bytes. */
  salt: z.string().check(z.refine((text) => fromBase64url(text)?.length === SALT_BYTES)),
})

/** Parameters that derive a key from a password: Argon2id, version 0x13. The server stores them with the share. */
export type Kdf = Readonly<z.infer<typeof kdfSchema>>

/** Returns parameters with a new salt: 64 MiB and three passes, about a second on a phone. */
export const createKdf = (): Kdf => ({
  name: 'argon2id',
  m: 65_536,
  t: 3,
  p: 1,
  salt: toBase64url(randomBytes(SALT_BYTES)),
})

/**
 * Checks parameters from a server or a file.
 * @throws {SealError} `kdf.refused`
 */
export function parseKdf(value: unknown): Kdf {
  const { success, data } = kdfSchema.safeParse(value)
  if (!success) throw new SealError('kdf.refused')
  return data
}

export interface Argon2Input {
  readonly password: Bytes
  readonly salt: Bytes
  readonly memoryKib: number
  readonly passes: number
  /** Called with the completed fraction of the work, from 0 to 1. Only some implementations call it. */
  readonly onProgress?: ((share: number) => void) | undefined
}

/** An implementation of Argon2id, version 0x13, with one lane. Returns 32 bytes. */
export type Argon2id = (input: Argon2Input) => Promise<Bytes>

/**
 * Derives `K_pw` from a password. The derivation takes a second or more, so a page calls it in a worker. Only the slow
 * implementation in plain JavaScript reports its progress, from 0 to 1.
 * @throws {SealError} `kdf.refused`; `password.missing` for an empty password
 */
export type DerivePassword = (
  password: string,
  kdf: Kdf,
  onProgress?: (share: number) => void,
) => Promise<Bytes>

/** The smallest valid module. Compiling it shows whether the content security policy allows WebAssembly. */
const EMPTY_MODULE = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00])

async function takesWebAssembly(): Promise<boolean> {
  try {
    await WebAssembly.compile(EMPTY_MODULE)
    return true
  } catch {
    // WebAssembly is absent (Lockdown Mode), or the policy of the page or worker refuses it.
    return false
  }
}

async function loadArgon2id(): Promise<Argon2id> {
  if (await takesWebAssembly()) return (await import('./argon2-wasm.ts')).argon2id
  return (await import('./argon2-js.ts')).argon2id
}

/**
 * @param load returns the implementation of Argon2id; called once, for the first password, and again only after a
 *   failure
 */
export function createDerivePassword(load: () => Promise<Argon2id> = loadArgon2id): DerivePassword {
  const loaded = once(load)
  return async (password, kdf, onProgress) => {
    const { m, t, salt } = parseKdf(kdf)
    if (password === '') throw new SealError('password.missing')
    const argon2id = await loaded()
    return argon2id({
      // The password is normalised, because keyboards can produce different code points for the same character.
      password: utf8(password.normalize('NFKC')),
      salt: fromBase64url(salt) ?? new Uint8Array(),
      memoryKib: m,
      passes: t,
      onProgress,
    })
  }
}

/** Uses WebAssembly if it is allowed, otherwise plain JavaScript, which derives the same bytes more slowly. */
export const derivePassword: DerivePassword = createDerivePassword()
