import type { Bytes, Kdf, SealErrorCode } from '@dropleaf/seal'

export interface KdfRequest {
  readonly password: string
  readonly kdf: Kdf
}

export type KdfAnswer =
  | { readonly key: Bytes }
  /** From 0 to 1; only where WebAssembly is refused. */
  | { readonly progress: number }
  /** `null` for a failure that is not one of the input, such as too little memory. */
  | { readonly failure: SealErrorCode | null }
