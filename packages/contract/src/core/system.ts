import * as z from 'zod/mini'
import { SEALED_POLICIES } from '../bundles/sealed-policy.ts'
import { route } from './route.ts'
import { instant } from './wire.ts'

export const systemRoutes = {
  maxUploadSize: route({
    method: 'GET',
    path: '/api/system/max-upload-size',
    access: 'public',
    summary: 'Largest file that may be shared, in MB.',
    reply: z.object({ data: z.object({ max_upload_size: z.number() }) }),
    errors: [],
  }),
  sealing: route({
    method: 'GET',
    path: '/api/system/sealing',
    access: 'public',
    summary: 'Whether shares can or must be end-to-end encrypted.',
    reply: z.object({ data: z.object({ policy: z.enum(SEALED_POLICIES) }) }),
    errors: [],
  }),
  version: route({
    method: 'GET',
    path: '/api/version',
    access: 'public',
    summary: 'Version of the product and of its protocol.',
    reply: z.object({
      data: z.object({
        version: z.string(),
        name: z.string(),
        protocol: z.string(),
        environment: z.string(),
        storage: z.string(),
        nodeVersion: z.string(),
        uptime: z.number(),
        sourceUrl: z.nullable(z.string()),
      }),
    }),
    errors: [],
  }),
  health: route({
    method: 'GET',
    path: '/api/health',
    access: 'public',
    summary: 'The process answers.',
    reply: z.object({ status: z.literal('ok'), timestamp: instant }),
    isBare: true,
    errors: [],
  }),
  readiness: route({
    method: 'GET',
    path: '/api/ready',
    access: 'public',
    summary: 'The process can serve: its database answers, and it is not stopping.',
    reply: z.object({ status: z.literal('ready'), timestamp: instant }),
    isBare: true,
    errors: [],
  }),
}
