import { argon2id as hash } from 'hash-wasm'
import { type Argon2id, PASSWORD_KEY_BYTES } from './kdf.ts'

export const argon2id: Argon2id = async ({ password, salt, memoryKib, passes }) =>
  new Uint8Array(
    await hash({
      password,
      salt,
      memorySize: memoryKib,
      iterations: passes,
      parallelism: 1,
      hashLength: PASSWORD_KEY_BYTES,
      outputType: 'binary',
    }),
  )
