import { argon2idAsync } from '@noble/hashes/argon2.js'
import { type Argon2id, PASSWORD_KEY_BYTES } from './kdf.ts'

export const argon2id: Argon2id = async ({ password, salt, memoryKib, passes, onProgress }) =>
  new Uint8Array(
    await argon2idAsync(password, salt, {
      m: memoryKib,
      t: passes,
      p: 1,
      dkLen: PASSWORD_KEY_BYTES,
      ...(onProgress && { onProgress }),
    }),
  )
