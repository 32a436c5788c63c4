import type { Row } from '../model.ts'
import { sessionInACookie, tellsUnknownNames } from './shared.ts'

export const fileBrowser: readonly Row[] = [
  {
    product: 'File Browser',
    published: [
      { id: 'CVE-2026-54091', url: 'https://www.cve.org/CVERecord?id=CVE-2026-54091' },
      {
        id: 'GHSA-j9jx-hp4c-ghhh',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-j9jx-hp4c-ghhh',
      },
    ],
    mistake: 'Rules are applied to a path with another base than the rules',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title:
        'cannot read, find, link, copy or change anything outside, through any interface and with any spelling',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/places/access.models.ts',
        find: 'isAtOrBelow(path, basePathOf(actor))',
        replace: 'isAtOrBelow(`${basePathOf(actor)}${path}` as VirtualPath, basePathOf(actor))',
      },
    ],
  },
  {
    product: 'File Browser',
    published: [
      { id: 'CVE-2026-54094', url: 'https://www.cve.org/CVERecord?id=CVE-2026-54094' },
      {
        id: 'GHSA-239w-m3h6-ch8v',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-239w-m3h6-ch8v',
      },
    ],
    mistake: 'Symbolic links in a folder lead out of it',
    test: { file: 'packages/storage/src/disk/safety.int.test.ts', title: 'nothing is written through them' },
    mutant: [
      {
        file: 'packages/storage/src/disk/root.ts',
        find: '  if (folder === root.path || (await isPlain(folder, root.steps))) return []',
        replace: '  if (folder === root.path || (await isThere(folder))) return []',
      },
      {
        file: 'packages/storage/src/disk/root.ts',
        find: 'export async function isPlain(',
        replace: `const isThere = (path: string) => realpath(path).then(() => true, () => false)

export async function isPlain(`,
      },
    ],
  },
  {
    product: 'File Browser',
    published: [{ id: 'CVE-2026-54097', url: 'https://www.cve.org/CVERecord?id=CVE-2026-54097' }],
    mistake: 'Other users’ entries match a path prefix, and are deleted too',
    test: {
      file: 'apps/server/src/features/capabilities/files/objects/removals.int.test.ts',
      title:
        'deleting a file deletes only its own share, not those with the same path prefix or in other storages',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/objects/shared-objects.repository.ts',
        find: `.deleteFrom('files')
        .where('storage_config_id', '=', this.#configId)
        .where('storage_key', 'in', batch)`,
        replace:
          ".deleteFrom('files')\n        .where('storage_config_id', '=', this.#configId)\n        .where((eb) => eb.or(batch.map((key) => eb('storage_key', 'like', `${key}%`))))",
      },
    ],
  },
  {
    product: 'File Browser',
    published: [{ id: 'CVE-2025-64523', url: 'https://www.cve.org/CVERecord?id=CVE-2025-64523' }],
    mistake: 'Everyone who knows the name of a share can delete it',
    test: {
      file: 'apps/server/src/features/capabilities/files/files.int.test.ts',
      title: 'a key cannot see, change or delete another’s: 404 or a listed failure, and nothing happens',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/own-files.usecases.ts',
        find: 'deleteKept(id, filter.createdBy)',
        replace: 'deleteKept(id, undefined)',
      },
    ],
  },
  {
    product: 'File Browser',
    published: [
      { id: 'CVE-2026-35604', url: 'https://www.cve.org/CVERecord?id=CVE-2026-35604' },
      {
        id: 'GHSA-v9w4-gm2x-6rvf',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-v9w4-gm2x-6rvf',
      },
    ],
    mistake:
      'A URL keeps working after its creator lost the permission (here: tickets for archives do not; shares stay until they are deleted)',
    test: {
      file: 'apps/server/src/features/capabilities/archives/archive.int.test.ts',
      title: 'a ticket works once, without a credential, for files that its holder can still read',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/archives/archive.routes.ts',
        find: "if (actor.kind === 'key' && !actor.canMount) throw new AppError(authErrors.forbidden)",
        replace: '',
      },
    ],
  },
  {
    product: 'File Browser',
    published: [{ id: 'CVE-2026-32761', url: 'https://www.cve.org/CVERecord?id=CVE-2026-32761' }],
    mistake: 'One permission (to share) allows what requires another one (to read)',
    test: {
      file: 'apps/server/src/features/capabilities/fs/files/sharing.int.test.ts',
      title: 'paths that cannot be shared and callers without permission are refused',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/files/sharing.usecases.ts',
        find: "await getPlace(ctx, actor, path, 'read')",
        replace: "await getPlace(ctx, { ...actor, kind: 'admin' } as Actor, path, 'read')",
      },
      {
        file: 'apps/server/src/features/capabilities/fs/files/sharing.usecases.ts',
        find: 'await getFile(ctx, actor, path)',
        replace: "await getFile(ctx, { ...actor, kind: 'admin' } as Actor, path)",
      },
    ],
  },
  {
    product: 'File Browser',
    published: [{ id: 'CVE-2026-23849', url: 'https://www.cve.org/CVERecord?id=CVE-2026-23849' }],
    mistake: 'The duration of a response reveals which user names exist',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title: 'an unknown name takes as much computation as a wrong password, for the login and the drive',
    },
    mutant: tellsUnknownNames,
  },
  {
    product: 'File Browser',
    published: [
      { id: 'CVE-2021-46398', url: 'https://www.cve.org/CVERecord?id=CVE-2021-46398' },
      { id: 'GHSA-72wf-hwcq-65h9', url: 'https://github.com/advisories/GHSA-72wf-hwcq-65h9' },
    ],
    mistake: 'Another site acts for a user whose browser sends the session automatically',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title:
        'another site cannot act for a user: there are no cookies, and its forms are refused or have no user',
    },
    mutant: sessionInACookie,
  },
  {
    product: 'File Browser',
    published: [
      { id: 'CVE-2025-52902', url: 'https://www.cve.org/CVERecord?id=CVE-2025-52902' },
      {
        id: 'GHSA-4wx8-5gm2-2j97',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-4wx8-5gm2-2j97',
      },
    ],
    mistake: 'The preview of Markdown runs the scripts in it',
    test: { file: 'apps/web/src/domains/markdown/render/render.test.ts', title: 'does nothing as Markdown' },
    mutant: [
      {
        file: 'apps/web/src/domains/markdown/syntax/parser.ts',
        find: 'new createMarkdownIt({ html: false,',
        replace: 'new createMarkdownIt({ html: true,',
      },
      {
        file: 'apps/web/src/domains/markdown/render/sanitise.ts',
        find: 'within(surroundings, () => purifier().sanitize(html, config))',
        replace: 'within(surroundings, () => html)',
      },
    ],
  },
  {
    product: 'File Browser',
    published: [
      {
        id: 'GHSA-rmwh-g367-mj4x',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-rmwh-g367-mj4x',
      },
    ],
    mistake: 'Access tokens are in URLs, and so in logs and histories',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title: 'a token, key or password is accepted only in its own header: not in a URL, a cookie or a body',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/login/login.routes.ts',
        find: '  const customKey = request.headers[CUSTOM_KEY_HEADER]',
        replace: `  const { token } = request.query as { token?: string }
  if (token) yield { kind: 'bearer', token }
  const customKey = request.headers[CUSTOM_KEY_HEADER]`,
      },
    ],
  },
  {
    product: 'File Browser',
    published: [
      {
        id: 'GHSA-3v48-283x-f2w4',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-3v48-283x-f2w4',
      },
      { id: 'issue 5239', url: 'https://github.com/filebrowser/filebrowser/issues/5239' },
    ],
    mistake: 'A share with a password has a second URL that needs none',
    test: {
      file: 'apps/server/src/http/core/permissions.int.test.ts',
      title: 'a share with a password opens through none of its routes without the password',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/public-files.routes.ts',
        find: `    client: clientOf(request),
    plan: (row) => planBytes(request, entityOf(row)),`,
        replace: `    client: clientOf(request),
    plan: (row) => planBytes(request, entityOf(row)),
    ...{ isFree: request.url.includes('/file-view/') },`,
      },
      {
        file: 'apps/server/src/features/capabilities/files/files.usecases.ts',
        find: 'if (row.password_hash !== null) {',
        replace: "if (row.password_hash !== null && !('isFree' in request && request.isFree)) {",
      },
    ],
  },
  {
    product: 'File Browser',
    published: [
      { id: 'CVE-2026-54089', url: 'https://www.cve.org/CVERecord?id=CVE-2026-54089' },
      {
        id: 'GHSA-xqp3-jq6g-x3qm',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-xqp3-jq6g-x3qm',
      },
    ],
    mistake: 'A header with a user name is trusted, whoever sends it',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title: 'a user name in a header of a proxy or a client is ignored',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/login/login.routes.ts',
        find: '  for (const credential of credentialsOf(request)) {',
        replace: `  const username = request.headers['x-remote-user']
  if (typeof username === 'string')
    return { kind: 'admin', id: username, username, via: 'basic', sessionHash: null, sessionId: null }
  for (const credential of credentialsOf(request)) {`,
      },
    ],
  },
  {
    product: 'File Browser',
    published: [
      {
        id: 'GHSA-mr74-928f-rw69',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-mr74-928f-rw69',
      },
    ],
    mistake: 'The parent of the requested folder is opened',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title: 'cannot do so with any generated path',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/places/places.usecases.ts',
        find: '  return openPlace(ctx, { actor, mount, grant, hasMountsBelow, purpose })',
        replace: `  const above = grant.path.slice(0, grant.path.lastIndexOf('/')) as VirtualPath
  const opened = actor.kind === 'key' ? { ...grant, path: above } : grant
  return openPlace(ctx, { actor, mount, grant: opened, hasMountsBelow, purpose })`,
      },
    ],
  },
  {
    product: 'File Browser',
    published: [
      {
        id: 'GHSA-8c9q-7855-wfxq',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-8c9q-7855-wfxq',
      },
    ],
    mistake: 'User input becomes a shell command',
    test: {
      file: 'apps/server/src/sources.test.ts',
      title: 'no shell and no external program is started; pictures are processed by our own child process',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/archives/archive-stream.usecases.ts',
        find: "import { Readable } from 'node:stream'",
        replace: `import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'`,
      },
      {
        file: 'apps/server/src/features/capabilities/archives/archive-stream.usecases.ts',
        find: "  const { makeZip } = await import('client-zip')",
        replace:
          "  execFile('sh', ['-c', `du ${[...work.sources].map(({ path }) => path).join(' ')}`])\n  const { makeZip } = await import('client-zip')",
      },
    ],
  },
  {
    product: 'File Browser',
    published: [
      { id: 'CVE-2026-35585', url: 'https://www.cve.org/CVERecord?id=CVE-2026-35585' },
      {
        id: 'GHSA-jvpw-637p-h3pw',
        url: 'https://github.com/filebrowser/filebrowser/security/advisories/GHSA-jvpw-637p-h3pw',
      },
    ],
    mistake: 'File names reach commands run by hooks',
    test: {
      file: 'apps/server/src/sources.test.ts',
      title: 'no shell and no external program is started; pictures are processed by our own child process',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/uploads/uploads.usecases.ts',
        find: '    return { ...row, ...change, ...taking }',
        replace:
          "    const { exec } = await import('node:child_process')\n    exec(`on-upload ${row.filename}`)\n    return { ...row, ...change, ...taking }",
      },
    ],
  },
]
