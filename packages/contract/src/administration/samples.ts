import * as z from 'zod/mini'
import { route } from '../core/route.ts'
import { shareErrors } from '../shares/opening-fields.ts'

const sample = z.object({
  kind: z.enum(['text', 'file', 'folder']),
  name: z.string(),
  /** Link suffix of a share, or path of a folder. */
  at: z.string(),
})
export type Sample = z.infer<typeof sample>

const samples = z.array(sample)

/**
 * Routes for sample content. Removing the samples deletes exactly the content that was created, except content that has
 * been changed.
 */
export const sampleRoutes = {
  list: route({
    method: 'GET',
    path: '/api/admin/samples',
    access: 'admin',
    summary: 'The existing samples.',
    reply: z.object({ data: samples }),
    errors: [],
  }),
  create: route({
    method: 'POST',
    path: '/api/admin/samples',
    access: 'admin',
    summary:
      'Create a sample text, a sample file and a sample folder in the language of the request. Existing ones stay unchanged.',
    reply: z.object({ data: samples }),
    errors: [shareErrors.must_be_sealed],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/admin/samples',
    access: 'admin',
    summary: 'Remove the samples. Changed samples and files added to the sample folder stay.',
    reply: z.object({
      data: z.object({
        /** Samples that were not deleted because they have been changed. They no longer count as samples. */
        kept: samples,
      }),
    }),
    errors: [],
  }),
}
