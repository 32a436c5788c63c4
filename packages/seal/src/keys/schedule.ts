import { type Bytes, concat, utf8 } from '../core/bytes.ts'
import { markSealed, type Sealed } from '../core/sealed.ts'
import { hkdfBytes, hkdfKey } from './hkdf.ts'

export interface ShareKeys {
  /** Key that encrypts and decrypts manifests. The key cannot be exported. */
  readonly manifestKey: CryptoKey
  /** 32 bytes (`T_open`) that prove to the server that the caller has the key. */
  readonly proof: Sealed<Bytes>
  /** SHA-256 of the proof, which the server stores. */
  readonly verifier: Sealed<Bytes>
}

interface Material {
  /** 32 bytes from the link (`S`). */
  readonly secret: Bytes
  /** 16 bytes of the share; not secret. */
  readonly salt: Bytes
  /** 32 bytes derived from the password (`K_pw`), or `null` for a share without a password. */
  readonly passwordKey: Bytes | null
}

/**
 * Derives the keys of a share. The keys depend on the password, so without it the server refuses the proof. The holder
 * of a link therefore gets no data for guessing passwords offline.
 */
export async function deriveShareKeys({ secret, salt, passwordKey }: Material): Promise<ShareKeys> {
  const ikm =
    passwordKey === null
      ? secret
      : await hkdfBytes({ ikm: concat(secret, passwordKey), salt, info: utf8('dropleaf/seal/1 password') })
  const [manifestKey, proof] = await Promise.all([
    hkdfKey({ ikm, salt, info: utf8('dropleaf/seal/1 manifest') }, ['encrypt', 'decrypt']),
    hkdfBytes({ ikm, salt, info: utf8('dropleaf/seal/1 open') }),
  ])
  const verifier = new Uint8Array(await crypto.subtle.digest('SHA-256', proof))
  return { manifestKey, proof: markSealed(proof), verifier: markSealed(verifier) }
}
