import type { Row } from '../model.ts'
import { dotsAfterTheCheck, tellsUnknownNames } from './shared.ts'

export const fileBrowserQuantum: readonly Row[] = [
  {
    product: 'FileBrowser Quantum',
    published: [
      { id: 'CVE-2026-27611', url: 'https://www.cve.org/CVERecord?id=CVE-2026-27611' },
      {
        id: 'GHSA-8vrh-3pm2-v4v6',
        url: 'https://github.com/gtsteffaniak/filebrowser/security/advisories/GHSA-8vrh-3pm2-v4v6',
      },
    ],
    mistake: 'The public details of a protected share include the URL of its bytes',
    test: {
      file: 'apps/server/src/features/capabilities/files/public-files.int.test.ts',
      title: 'a locked share shows no address and no hash, and counts no view',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.presenters.ts',
        find: '...(isLocked ? {} : await presentLinks(',
        replace: '...(isLocked && row.max_views === null ? {} : await presentLinks(',
      },
    ],
  },
  {
    product: 'FileBrowser Quantum',
    published: [
      {
        id: 'GHSA-525j-95gf-766f',
        url: 'https://github.com/gtsteffaniak/filebrowser/security/advisories/GHSA-525j-95gf-766f',
      },
    ],
    mistake: 'The same through a second route that the first fix missed',
    test: {
      file: 'apps/server/src/http/core/permissions.int.test.ts',
      title: 'a share with a password opens through none of its routes without the password',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/reading-pastes.usecases.ts',
        find: `  if (answer.kind === 'locked') throw new AppError(pasteErrors.password_missing)
  return answer.row`,
        replace:
          "  return 'content' in answer.row ? (answer.row as SentPaste) : unlockPaste(ctx, visit, { password: '', network })",
      },
    ],
  },
  {
    product: 'FileBrowser Quantum',
    published: [
      { id: 'CVE-2026-44542', url: 'https://www.cve.org/CVERecord?id=CVE-2026-44542' },
      {
        id: 'GHSA-fwj3-42wh-8673',
        url: 'https://github.com/gtsteffaniak/filebrowser/security/advisories/GHSA-fwj3-42wh-8673',
      },
    ],
    mistake: 'A path is joined before it is cleaned, and deletes outside',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title:
        'cannot read, find, link, copy or change anything outside, through any interface and with any spelling',
    },
    mutant: dotsAfterTheCheck,
  },
  {
    product: 'FileBrowser Quantum',
    published: [
      {
        id: 'GHSA-mmpx-jh39-wrv6',
        url: 'https://github.com/gtsteffaniak/filebrowser/security/advisories/GHSA-mmpx-jh39-wrv6',
      },
    ],
    mistake: 'SVG files of a share are shown without a policy, and run',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'shared content of any type never runs in the origin of the app, through any interface',
    },
    mutant: [
      {
        file: 'apps/server/src/http/bodies/send-bytes.ts',
        find: "if (bytes.contentType === 'application/pdf') reply",
        replace: 'if (/pdf|svg/.test(bytes.contentType)) reply',
      },
    ],
  },
  {
    product: 'FileBrowser Quantum',
    published: [
      {
        id: 'GHSA-3jmg-p96m-m328',
        url: 'https://github.com/gtsteffaniak/filebrowser/security/advisories/GHSA-3jmg-p96m-m328',
      },
    ],
    mistake: 'Responses reveal file paths on the server',
    test: {
      file: 'apps/server/src/features/capabilities/files/bytes.int.test.ts',
      title: 'no response contains the location of the bytes on the disk',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.presenters.ts',
        find: `    created_by: row.created_by,
    ...(isLocked`,
        replace:
          '    remark: `${ctx.config.dataDir}/storage/${row.storage_key}`,\n    created_by: row.created_by,\n    ...(isLocked',
      },
    ],
  },
  {
    product: 'FileBrowser Quantum',
    published: [
      {
        id: 'GHSA-7789-65hx-f26w',
        url: 'https://github.com/gtsteffaniak/filebrowser/security/advisories/GHSA-7789-65hx-f26w',
      },
    ],
    mistake: 'The duration of a failed login reveals which names exist',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title: 'an unknown name takes as much computation as a wrong password, for the login and the drive',
    },
    mutant: tellsUnknownNames,
  },
  {
    product: 'FileBrowser Quantum',
    published: [{ id: 'issue 1788', url: 'https://github.com/gtsteffaniak/filebrowser/issues/1788' }],
    mistake: 'A changed path in a request reads and writes another user’s files',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title:
        'cannot read, find, link, copy or change anything outside, through any interface and with any spelling',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/places/access.models.ts',
        find: 'isAtOrBelow(path, basePathOf(actor))',
        replace: "actor.kind === 'key'",
      },
    ],
  },
  {
    product: 'FileBrowser Quantum',
    published: [{ id: 'issue 2888', url: 'https://github.com/gtsteffaniak/filebrowser/issues/2888' }],
    mistake: 'A direct download of a protected share needs no password',
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
    ...{ isFree: request.url.includes('/file-download/') },`,
      },
      {
        file: 'apps/server/src/features/capabilities/files/files.usecases.ts',
        find: 'if (row.password_hash !== null) {',
        replace: "if (row.password_hash !== null && !('isFree' in request && request.isFree)) {",
      },
    ],
  },
]
