import * as z from 'zod/mini'
import { bundleErrors } from '../bundles/bundle-errors.ts'
import { requestErrors } from '../core/errors.ts'
import { route } from '../core/route.ts'
import { idParams, instant, pathId, slugParams } from '../core/wire.ts'
import { fileErrors } from './file-errors.ts'
import { publicFile } from './files.ts'
import { intentToken, openBody, takeBody, takeBundleBody } from './open-body.ts'
import { OPENINGS, shareErrors } from './opening-fields.ts'
import { pasteErrors, readablePaste } from './pastes.ts'

export const OPENING_KINDS = ['paste', 'file', 'bundle'] as const
export type OpeningKind = (typeof OPENING_KINDS)[number]

/** Time after which a new intent becomes valid. */
export const INTENT_FROM_MS = 800
/** Time after which a new intent expires. */
export const INTENT_SECONDS = 10 * 60
/** A caller that activates the trap of a share gets no intents of that share for this time. */
export const TRAP_SECONDS = 10 * 60

/**
 * Header of programs that open a share in a single call. Links and forms cannot send it, and CORS preflights never
 * allow it for pages of other origins.
 */
export const OPEN_HEADER = 'x-dropleaf-open'
export const OPEN_HEADER_VALUE = 'yes'

const kindParams = z.object({ kind: z.enum(OPENING_KINDS), slug: pathId })

const openingState = z.object({
  kind: z.enum(OPENING_KINDS),
  opening: z.enum(OPENINGS),
  requires_password: z.boolean(),
  requires_pin: z.boolean(),
  /** `null` if the share has no view limit. */
  views_left: z.nullable(z.number()),
  expires_at: z.nullable(instant),
  /** Used-up shares are still returned, so that visitors see when the share was opened. */
  ended: z.nullable(z.literal('used_up')),
  /** Time of the last opening. */
  opened_at: z.nullable(instant),
})
export type OpeningState = z.infer<typeof openingState>

const lockErrors = [shareErrors.pin_missing, shareErrors.pin_wrong, requestErrors.rate_limited] as const
const intentErrors = [shareErrors.intent_invalid, shareErrors.too_early, shareErrors.automated] as const
const textErrors = [pasteErrors.not_found, pasteErrors.expired, pasteErrors.used_up] as const
const fileEnds = [fileErrors.not_found, fileErrors.expired, fileErrors.used_up] as const
const bundleEnds = [bundleErrors.not_found, bundleErrors.expired, bundleErrors.used_up] as const
const bundleLocks = [bundleErrors.password_missing, bundleErrors.password_wrong, ...lockErrors] as const
const textLocks = [pasteErrors.password_missing, pasteErrors.password_wrong, ...lockErrors] as const
const fileLocks = [fileErrors.password_missing, fileErrors.password_wrong, ...lockErrors] as const

const arm = { method: 'POST', params: idParams, reply: z.object({}) } as const
const askLimited = {
  method: 'POST',
  reply: z.object({ data: z.object({ changed: z.number() }) }),
  errors: [],
} as const

/**
 * Routes that open shares. A GET request never uses a view of a share that requires confirmation. See docs/adr/0026.
 */
export const openingRoutes = {
  state: route({
    method: 'GET',
    path: '/api/opening/:kind/:slug/state',
    access: 'share',
    summary: 'What opening a share needs. Uses no view, and shows neither contents nor name.',
    params: kindParams,
    reply: z.object({ data: openingState }),
    errors: [
      pasteErrors.not_found,
      pasteErrors.expired,
      fileErrors.not_found,
      fileErrors.expired,
      bundleErrors.not_found,
      bundleErrors.expired,
    ],
  }),
  intent: route({
    method: 'POST',
    path: '/api/opening/:kind/:slug/intent',
    access: 'share',
    summary: 'Announce that a person wants to open a share. The intent works once, from `not_before` on.',
    params: kindParams,
    reply: z.object({ data: z.object({ intent: z.string(), not_before: instant }) }),
    errors: [...textErrors, ...fileEnds, ...bundleEnds, shareErrors.automated, requestErrors.rate_limited],
  }),
  trap: route({
    method: 'POST',
    path: '/api/opening/:kind/:slug/intent/trap',
    access: 'share',
    summary: 'What only a program activates: it gets no further intents of this share for 10 minutes.',
    params: kindParams,
    body: z.object({ intent: intentToken }),
    reply: z.object({}),
    errors: [pasteErrors.not_found, fileErrors.not_found, bundleErrors.not_found, shareErrors.intent_invalid],
  }),
  openText: route({
    method: 'POST',
    path: '/api/opening/paste/:slug/open',
    access: 'share',
    summary:
      'Open a text with an intent; uses one view. The same device may come back for a while without any.',
    params: slugParams,
    body: openBody,
    reply: z.object({ data: readablePaste }),
    errors: [...textErrors, ...intentErrors, ...textLocks],
  }),
  openFile: route({
    method: 'POST',
    path: '/api/opening/file/:slug/open',
    access: 'share',
    summary:
      'Open a file with an intent; uses one view. The same device may come back for a while without any.',
    params: slugParams,
    body: openBody,
    reply: z.object({ data: publicFile }),
    errors: [...fileEnds, ...intentErrors, ...fileLocks],
  }),
  takeText: route({
    method: 'POST',
    path: '/api/opening/paste/:slug/take',
    access: 'share',
    summary:
      'Open a text in one call, for programs: needs the header `X-Dropleaf-Open: yes`. Returns the plain text, or JSON if `Accept` names it.',
    params: slugParams,
    body: takeBody,
    replyType: '*/*',
    errors: [...textErrors, shareErrors.ask_first, shareErrors.automated, ...textLocks],
  }),
  takeFile: route({
    method: 'POST',
    path: '/api/opening/file/:slug/take',
    access: 'share',
    summary:
      'Open a file in one call, for programs: needs the header `X-Dropleaf-Open: yes`. Redirects to the bytes, or returns JSON if `Accept` names it.',
    params: slugParams,
    body: takeBody,
    replyType: '*/*',
    errors: [...fileEnds, shareErrors.ask_first, shareErrors.automated, ...fileLocks],
  }),
  takeBundle: route({
    method: 'POST',
    path: '/api/opening/bundle/:slug/take',
    access: 'share',
    summary:
      'Open a bundle in one call, for programs: needs the header `X-Dropleaf-Open: yes`. Returns one address a line, or JSON if `Accept` names it.',
    params: slugParams,
    body: takeBundleBody,
    replyType: '*/*',
    errors: [
      ...bundleEnds,
      bundleErrors.is_sealed,
      bundleErrors.proof_missing,
      bundleErrors.proof_wrong,
      shareErrors.ask_first,
      shareErrors.automated,
      ...bundleLocks,
    ],
  }),
  armText: route({
    ...arm,
    path: '/api/opening/paste/:id/arm',
    access: 'text',
    summary: 'Make a text open again: no view is used, no device may come back, a pause of its PIN ends.',
    errors: [pasteErrors.not_found, shareErrors.contents_gone],
  }),
  armFile: route({
    ...arm,
    path: '/api/opening/file/:id/arm',
    access: 'file',
    summary: 'Make a file open again: no view is used, no device may come back, a pause of its PIN ends.',
    errors: [fileErrors.not_found, shareErrors.contents_gone],
  }),
  armBundle: route({
    ...arm,
    path: '/api/opening/bundle/:id/arm',
    access: 'text_or_file',
    summary: 'Make a bundle open again: no view is used, no device may come back, a pause of its PIN ends.',
    errors: [bundleErrors.not_found, shareErrors.contents_gone],
  }),
  askLimitedTexts: route({
    ...askLimited,
    path: '/api/opening/paste/ask-limited',
    access: 'text',
    summary:
      'Let all texts of the caller that have a view limit ask before they open; those of everyone for an admin.',
  }),
  askLimitedFiles: route({
    ...askLimited,
    path: '/api/opening/file/ask-limited',
    access: 'file',
    summary:
      'Let all files of the caller that have a view limit ask before they open; those of everyone for an admin.',
  }),
}
