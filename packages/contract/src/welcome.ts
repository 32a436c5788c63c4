import * as z from 'zod/mini'
import { route } from './route.ts'

/** What the guide of a first start leads through, in this order. */
export const GUIDE_STEPS = ['language', 'password', 'storage', 'share', 'done'] as const
export type GuideStep = (typeof GUIDE_STEPS)[number]

/** `open`: the next login leads to it; `later`: it waits where it was left; `done`: it was gone through, or was never needed. */
export const GUIDE_STATES = ['open', 'later', 'done'] as const
export const guideState = z.enum(GUIDE_STATES)

export const guide = z.object({
  state: guideState,
  step: z.enum(GUIDE_STEPS),
  /** What was done, and not put off. */
  done: z._default(z.array(z.enum(GUIDE_STEPS)).check(z.maxLength(GUIDE_STEPS.length)), []),
})
export type Guide = z.infer<typeof guide>

/** The guide through a first start. */
export const welcomeRoutes = {
  read: route({
    method: 'GET',
    path: '/api/admin/welcome',
    access: 'admin',
    summary: 'How far the guide of a first start has got, and what its steps show.',
    reply: z.object({
      data: z.object({
        ...guide.shape,
        username: z.string(),
        /** `console`: made up by the server; `environment`: set by its operator; `own`: the account was changed since. */
        password: z.enum(['console', 'environment', 'own']),
        /** The folder that local disks lie in, and the room on its file system; `null` where no storage is a local disk. */
        disk: z.nullable(z.object({ folder: z.string(), freeBytes: z.number(), totalBytes: z.number() })),
      }),
    }),
    errors: [],
  }),
  save: route({
    method: 'PUT',
    path: '/api/admin/welcome',
    access: 'admin',
    summary: 'Note how far the guide has got, for every browser.',
    body: guide,
    reply: z.object({}),
    isRepeatable: true,
    errors: [],
  }),
}
