import type { Mutant } from '../model.ts'

export const tellsUnknownNames: Mutant = [
  {
    file: 'apps/server/src/features/foundation/identity/auth.usecases.ts',
    find: `    await ctx.passwords.pretendToVerify({ password, network })
`,
    replace: '',
  },
]

export const sessionInACookie: Mutant = [
  {
    file: 'apps/server/src/features/operations/login/login.routes.ts',
    find: '      const { state } = await readGuide(ctx)',
    replace:
      "      reply.header('set-cookie', `token=${session.token}`)\n      const { state } = await readGuide(ctx)",
  },
  {
    file: 'apps/server/src/features/operations/login/login.routes.ts',
    find: '  const customKey = request.headers[CUSTOM_KEY_HEADER]',
    replace: `  const token = /token=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  if (token) yield { kind: 'bearer', token }
  const customKey = request.headers[CUSTOM_KEY_HEADER]`,
  },
]

export const dotsAfterTheCheck: Mutant = [
  {
    file: 'apps/server/src/lib/paths.ts',
    find: "segment === '.' || segment === '..'",
    replace: "segment === '.'",
  },
  {
    file: 'apps/server/src/features/capabilities/fs/places/places.usecases.ts',
    find: "import { fsErrors } from '@dropleaf/contract'",
    replace: `import { posix } from 'node:path'
import { fsErrors } from '@dropleaf/contract'`,
  },
  {
    file: 'apps/server/src/features/capabilities/fs/places/places.usecases.ts',
    find: 'asStored(driver, pathBelow(grant.path, mount.mount_path as VirtualPath))',
    replace:
      'asStored(driver, posix.normalize(`/${pathBelow(grant.path, mount.mount_path as VirtualPath)}`).slice(1))',
  },
]

export const namesAsPaths: Mutant = [
  {
    file: 'apps/server/src/lib/paths.ts',
    find: "segment === '.' || segment === '..'",
    replace: "segment === '.'",
  },
  {
    file: 'apps/server/src/features/capabilities/fs/places/places.usecases.ts',
    find: "import { fsErrors } from '@dropleaf/contract'",
    replace: `import { posix } from 'node:path'
import { fsErrors } from '@dropleaf/contract'`,
  },
  {
    file: 'apps/server/src/features/capabilities/fs/places/places.usecases.ts',
    find: 'asStored(driver, pathBelow(grant.path, mount.mount_path as VirtualPath))',
    replace:
      'asStored(driver, posix.normalize(`/${pathBelow(grant.path, mount.mount_path as VirtualPath)}`).slice(1))',
  },
  {
    file: 'apps/server/src/features/capabilities/files/files.models.ts',
    find: String.raw`    .replace(/^.*[\\/]/, '')
`,
    replace: '',
  },
  {
    file: 'apps/server/src/http/bodies/forms.ts',
    find: 'request.parts({ limits: FORM_LIMITS })',
    replace: 'request.parts({ limits: FORM_LIMITS, preservePath: true })',
  },
  {
    file: 'apps/server/src/http/bodies/forms.ts',
    find: String.raw`      if (name !== null) return name.replace(/^.*[\\/]/s, '')`,
    replace: '      if (name !== null) return name',
  },
]

export const passwordInLinks: Mutant = [
  {
    file: 'apps/server/src/features/capabilities/files/files.presenters.ts',
    find: "  const query = isRestricted(row) ? `?ticket=${issueTicket(ctx.secrets, row, ctx.clock.nowMs())}` : ''",
    replace: "  const query = isRestricted(row) ? `?password=${plainPasswordOf(ctx, row)}` : ''",
  },
]
