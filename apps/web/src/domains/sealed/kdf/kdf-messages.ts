import type { Bytes, Kdf, SealErrorCode } from '@dropleaf/seal'

export interface KdfRequest {
  readonly password: string
  readonly kdf: Kdf
}

export type KdfAnswer =
  | { readonly key: Bytes }
  /** From 0 to 1. Sent only if the browser blocks WebAssembly. */
  | { readonly progress: number }
  /** `null` if the input is not the cause of the failure, for example if there is too little memory. */
  | { readonly failure: SealErrorCode | null }
