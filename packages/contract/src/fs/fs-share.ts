import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { fileErrors } from '../shares/file-errors.ts'
import { committedFile, shareWords } from '../shares/file-uploads.ts'
import { shareErrors } from '../shares/opening-fields.ts'
import { fsErrors, namedPath, pathErrors } from './fs.ts'
import { route } from '../core/route.ts'
import { optionalSlug } from '../shares/slugs.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { optionally, wireBoolean } from '../core/wire.ts'

export const fsShareRoutes = {
  share: route({
    method: 'POST',
    path: '/api/fs/share',
    access: 'mount',
    summary:
      'Share a file in a mount without copying it. Deleting the share keeps the file; deleting the file deletes the share. Needs the file permission too.',
    body: z.object({
      path: namedPath,
      slug: optionalSlug,
      ...shareWords,
      use_proxy: optionally<boolean, boolean>(true, (value) => value ?? true, wireBoolean),
    }),
    reply: z.object({ data: committedFile }),
    status: 201,
    errors: [
      ...pathErrors,
      authErrors.forbidden,
      fsErrors.not_found,
      fsErrors.not_a_file,
      fileErrors.slug_taken,
      fileErrors.already_shared,
      shareErrors.pin_needs_ask,
      shareErrors.must_be_sealed,
      ...storageFailures,
    ],
  }),
}
