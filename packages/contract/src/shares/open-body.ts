import * as z from 'zod/mini'
import { sealedProof } from '../bundles/sealed.ts'
import { SHOWN_PASSWORD_MAX_LENGTH } from '../core/limits.ts'

/** Bodies of the requests that open a share. */

/** A device token: 32 random bytes in base64url. */
const DEVICE = /^[\w-]{43}$/

export const intentToken = z.string().check(z.minLength(1), z.maxLength(200))
const device = z.string().check(z.regex(DEVICE))
const password = z.optional(z.nullable(z.string().check(z.maxLength(SHOWN_PASSWORD_MAX_LENGTH))))
const pin = z.optional(z.nullable(z.string().check(z.maxLength(20))))

export const openBody = z.object({
  /**
   * Intent of the opening. Not required while the device is allowed to reopen the share, or if the share opens
   * directly.
   */
  intent: z.optional(z.nullable(intentToken)),
  device,
  password,
  pin,
})
const proof = z.optional(z.nullable(sealedProof))
export const openBundleBody = z.extend(openBody, { proof })

const takeFields = z.object({
  /** Token of the device. If present, repeated calls use no further view for some minutes. */
  device: z.optional(z.nullable(device)),
  password,
  pin,
})
export const takeBody = z.nullish(takeFields)
export const takeBundleBody = z.nullish(z.extend(takeFields, { proof }))
