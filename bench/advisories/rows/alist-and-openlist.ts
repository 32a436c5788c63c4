import type { Row } from '../model.ts'
import { dotsAfterTheCheck } from './shared.ts'

export const alistAndOpenlist: readonly Row[] = [
  {
    product: 'AList',
    published: [
      { id: 'CVE-2024-47067', url: 'https://www.cve.org/CVERecord?id=CVE-2024-47067' },
      { id: 'GHSA-8pph-gfhp-w226', url: 'https://github.com/advisories/GHSA-8pph-gfhp-w226' },
    ],
    mistake: 'A part of a URL is returned as XML, and runs',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'of a request that fails is never its own words as markup, nor a trace of the code',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/webdav/multistatus.models.ts',
        find: '<D:message>${escapeText(message)}</D:message></D:error>',
        replace: '<D:message>${message}</D:message></D:error>',
      },
      {
        file: 'apps/server/src/features/operations/webdav/webdav-answers.http.ts',
        find: "  const message = messageFor(code, languageOf(request.headers['accept-language']), params)",
        replace:
          "  const words = messageFor(code, languageOf(request.headers['accept-language']), params)\n  const message = `${decodeURIComponent(request.url)}: ${words}`",
      },
    ],
  },
  {
    product: 'AList',
    published: [
      { id: 'CVE-2022-26533', url: 'https://www.cve.org/CVERecord?id=CVE-2022-26533' },
      { id: 'GHSA-jpj5-hg26-6jgc', url: 'https://github.com/advisories/GHSA-jpj5-hg26-6jgc' },
    ],
    mistake: 'Data in a URL is returned as a page',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'of a request that fails is never its own words as markup, nor a trace of the code',
    },
    mutant: [
      {
        file: 'apps/server/src/http/core/error-handler.ts',
        find: "  else reply.type('application/json; charset=utf-8').send(envelope)",
        replace:
          "  else reply.type('text/html; charset=utf-8').send(`${decodeURIComponent(request.url)}: ${envelope.message}`)",
      },
    ],
  },
  {
    product: 'AList',
    published: [
      { id: 'CVE-2022-45968', url: 'https://www.cve.org/CVERecord?id=CVE-2022-45968' },
      { id: 'GHSA-4gjr-vgfx-9qvw', url: 'https://github.com/advisories/GHSA-4gjr-vgfx-9qvw' },
    ],
    mistake: 'The upload permission includes every folder, even protected ones',
    test: {
      file: 'apps/server/src/features/capabilities/fs/uploads/fs-uploads.int.test.ts',
      title: 'keys write below their base path, and read-only keys cannot write',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/places/access.models.ts',
        find: "purpose === 'navigate' ? mayNavigate(actor, path) : mayRead(actor, path)",
        replace:
          "purpose === 'read' ? mayRead(actor, path) : purpose === 'write' || mayNavigate(actor, path)",
      },
    ],
  },
  {
    product: 'AList',
    published: [
      { id: 'CVE-2022-45969', url: 'https://www.cve.org/CVERecord?id=CVE-2022-45969' },
      { id: 'GHSA-pmg2-rph8-p8r6', url: 'https://github.com/advisories/GHSA-pmg2-rph8-p8r6' },
    ],
    mistake: 'Unusual spellings of the parent folder bypass the check of the base path',
    test: {
      file: 'apps/server/src/lib/paths.test.ts',
      title:
        'parent segments, hidden characters and unstorable names are refused in every spelling and position',
    },
    mutant: [
      {
        file: 'apps/server/src/lib/paths.ts',
        find: 'return [text, decoded].every(',
        replace: 'return [text].every(',
      },
    ],
  },
  {
    product: 'AList',
    published: [
      { id: 'CVE-2023-33498', url: 'https://www.cve.org/CVERecord?id=CVE-2023-33498' },
      { id: 'GHSA-hh54-53m7-7ffj', url: 'https://github.com/advisories/GHSA-hh54-53m7-7ffj' },
    ],
    mistake: 'A read-only user can upload',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title: 'cannot change anything inside if it is read-only',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/places/access.models.ts',
        find: "actor.kind === 'reader' || (actor.kind === 'key' && actor.isMountReadOnly)",
        replace: "actor.kind === 'reader'",
      },
    ],
  },
  {
    product: 'AList',
    published: [
      {
        id: 'GHSA-x4q4-7phh-42j9',
        url: 'https://github.com/AlistGo/alist/security/advisories/GHSA-x4q4-7phh-42j9',
      },
    ],
    mistake: 'Only the folder of a batch is checked, not the names in it',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title:
        'cannot read, find, link, copy or change anything outside, through any interface and with any spelling',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/removing.usecases.ts',
        find: "for (const path of paths) requireAccess(actor, path, 'write')",
        replace: "requireAccess(actor, paths[0] ?? '', 'write')",
      },
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/removing.usecases.ts',
        find: "const written = paths.map((path) => ({ path, intent: 'write' as const }))",
        replace: "const written = paths.slice(0, 1).map((path) => ({ path, intent: 'write' as const }))",
      },
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/removing.usecases.ts',
        find: "await getPlace(ctx, actor, path, 'write')",
        replace: "await getPlace(ctx, { ...actor, kind: 'admin' } as never, path, 'write')",
      },
    ],
  },
  {
    product: 'AList',
    published: [
      {
        id: 'GHSA-8jmm-3xwx-w974',
        url: 'https://github.com/AlistGo/alist/security/advisories/GHSA-8jmm-3xwx-w974',
      },
    ],
    mistake: 'Certificates of storages are verified only on request',
    test: {
      file: 'apps/server/src/outbound/certificates.int.test.ts',
      title:
        'of unknown authorities are refused: no request is sent to a URL or a storage with such a certificate',
    },
    mutant: [
      {
        file: 'apps/server/src/outbound/fetcher.ts',
        find: '      agent: false,',
        replace: `      agent: false,
      rejectUnauthorized: false,`,
      },
    ],
  },
  {
    product: 'OpenList',
    published: [
      {
        id: 'GHSA-qmj2-8r24-xxcq',
        url: 'https://github.com/OpenListTeam/OpenList/security/advisories/GHSA-qmj2-8r24-xxcq',
      },
    ],
    mistake: 'Names with dots remove and copy another user’s files',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title: 'cannot do so with any generated path',
    },
    mutant: dotsAfterTheCheck,
  },
  {
    product: 'OpenList',
    published: [
      {
        id: 'GHSA-wf93-3ghh-h389',
        url: 'https://github.com/OpenListTeam/OpenList/security/advisories/GHSA-wf93-3ghh-h389',
      },
    ],
    mistake: 'Certificates of storages are not verified by default',
    test: {
      file: 'apps/server/src/outbound/certificates.int.test.ts',
      title:
        'of unknown authorities are refused: no request is sent to a URL or a storage with such a certificate',
    },
    mutant: [
      {
        file: 'packages/storage/src/s3/transport.ts',
        find: 'httpsAgent: new HttpsAgent(agentOptions)',
        replace: 'httpsAgent: new HttpsAgent({ ...agentOptions, rejectUnauthorized: false })',
      },
    ],
  },
  {
    product: 'OpenList',
    published: [
      {
        id: 'GHSA-95cv-r8x4-vh75',
        url: 'https://github.com/OpenListTeam/OpenList/security/advisories/GHSA-95cv-r8x4-vh75',
      },
    ],
    mistake: 'A rename checks the new name, but not the old one',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title:
        'cannot read, find, link, copy or change anything outside, through any interface and with any spelling',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/moving.usecases.ts',
        find: "const source = await getPlace(ctx, actor, oldPath, 'write')",
        replace: "const source = await getPlace(ctx, { ...actor, kind: 'admin' } as Actor, oldPath, 'write')",
      },
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/transfers.usecases.ts',
        find: "await getPlace(ctx, actor, item.source, isMove ? 'write' : 'read')",
        replace:
          "await getPlace(ctx, { ...actor, kind: 'admin' } as Actor, item.source, isMove ? 'write' : 'read')",
      },
    ],
  },
  {
    product: 'OpenList',
    published: [
      {
        id: 'GHSA-86cx-wwf4-phq4',
        url: 'https://github.com/OpenListTeam/OpenList/security/advisories/GHSA-86cx-wwf4-phq4',
      },
    ],
    mistake: 'A path counts as inside because it has the same prefix',
    test: {
      file: 'apps/server/src/lib/paths.test.ts',
      title: 'a path with the same prefix is not below the folder',
    },
    mutant: [
      {
        file: 'apps/server/src/lib/paths.ts',
        find: 'path === base || path.startsWith(`${base}/`)',
        replace: 'path.startsWith(base)',
      },
    ],
  },
  {
    product: 'OpenList',
    published: [
      {
        id: 'GHSA-p6ph-3jx2-3337',
        url: 'https://github.com/OpenListTeam/OpenList/security/advisories/GHSA-p6ph-3jx2-3337',
      },
    ],
    mistake: 'A search finds, or counts, files outside the base path',
    test: {
      file: 'apps/server/src/features/capabilities/search/search.int.test.ts',
      title: 'a key finds nothing outside its base path, and gets no cached results of others',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/search/search.usecases.ts',
        find: "const base = actor.kind === 'admin' ? [] : [actor.basicPath]",
        replace: 'const base: VirtualPath[] = []',
      },
      {
        file: 'apps/server/src/features/capabilities/search/search.usecases.ts',
        find: `    .filter(({ path }) => mayRead(actor, path as VirtualPath))
`,
        replace: '',
      },
    ],
  },
  {
    product: 'OpenList',
    published: [
      {
        id: 'GHSA-h6cj-26g5-67fv',
        url: 'https://github.com/OpenListTeam/OpenList/security/advisories/GHSA-h6cj-26g5-67fv',
      },
    ],
    mistake: 'The name in a response header is used as the path of a downloaded file',
    test: {
      file: 'apps/server/src/features/capabilities/url-import/url-import.int.test.ts',
      title: 'a name from the source server is never used as a path',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/url-import/source.models.ts',
        find: "baseName(nameInHeader(disposition) ?? '')",
        replace: "(nameInHeader(disposition) ?? '')",
      },
    ],
  },
]
