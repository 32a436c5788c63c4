import type { Row } from '../model.ts'
import { dotsAfterTheCheck, namesAsPaths } from './shared.ts'

export const erugoAndCloudreve: readonly Row[] = [
  {
    product: 'Erugo',
    published: [
      { id: 'CVE-2026-24897', url: 'https://www.cve.org/CVERecord?id=CVE-2026-24897' },
      {
        id: 'GHSA-336w-hgpq-6369',
        url: 'https://github.com/ErugoOSS/Erugo/security/advisories/GHSA-336w-hgpq-6369',
      },
    ],
    mistake: 'Paths in an upload are used unchecked, and write anywhere',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'a path in the name of a form part never leaves the target folder, with any spelling',
    },
    mutant: namesAsPaths,
  },
  {
    product: 'Cloudreve',
    published: [
      { id: 'CVE-2022-32167', url: 'https://www.cve.org/CVERecord?id=CVE-2022-32167' },
      { id: 'GHSA-fg25-gq9g-32mx', url: 'https://github.com/advisories/GHSA-fg25-gq9g-32mx' },
    ],
    mistake: 'An uploaded page runs for everyone who opens it, even an administrator',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'shared content of any type never runs in the origin of the app, through any interface',
    },
    mutant: [
      {
        file: 'apps/server/src/http/bodies/send-bytes.ts',
        find: `  forbidScripts(reply)
`,
        replace: `  if (!bytes.contentType.startsWith('text/html')) forbidScripts(reply)
`,
      },
    ],
  },
  {
    product: 'Cloudreve',
    published: [
      {
        id: 'GHSA-vx2m-jpxr-xv7w',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-vx2m-jpxr-xv7w',
      },
    ],
    mistake: 'A cached state skips the checks of expiry and download limit',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title:
        'a password does not bypass the view limit, and the URLs of an open page do not outlive the share',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.usecases.ts',
        find: '  if (isOwned && hasExpired(row, ctx.clock.nowMs())) throw',
        replace: '  if (isOwned && row.purged_at_ms !== null) throw',
      },
      {
        file: 'apps/server/src/features/capabilities/files/share-links.usecases.ts',
        find: '  const isLive = row.committed_at_ms !== null && findEnd(row, ctx.clock.nowMs()) === null',
        replace: '  const isLive = row.committed_at_ms !== null',
      },
    ],
  },
  {
    product: 'Cloudreve',
    published: [
      { id: 'CVE-2026-54562', url: 'https://www.cve.org/CVERecord?id=CVE-2026-54562' },
      {
        id: 'GHSA-x756-g4x3-c64m',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-x756-g4x3-c64m',
      },
    ],
    mistake: 'The server fetches URLs of its own machine and network for users',
    test: {
      file: 'apps/server/src/outbound/hostile-targets.int.test.ts',
      title: 'none of them gets a request after a redirect',
    },
    mutant: [
      {
        file: 'apps/server/src/outbound/fetcher.ts',
        find: 'await this.#addressesOf(url.hostname)',
        replace:
          'await (redirects === 0 ? this.#addressesOf(url.hostname) : this.#resolveName(url.hostname))',
      },
    ],
  },
  {
    product: 'Cloudreve',
    published: [
      {
        id: 'GHSA-v6w6-358x-2433',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-v6w6-358x-2433',
      },
    ],
    mistake: 'With a connection test, read-only users make the server connect anywhere',
    test: {
      file: 'apps/server/src/features/foundation/storage-configs/test-config.int.test.ts',
      title: 'of an unknown storage is 404; keys are not allowed to run it',
    },
    mutant: [
      {
        file: 'packages/contract/src/storages/storage-test.ts',
        find: "    access: 'admin',",
        replace: "    access: 'file',",
      },
    ],
  },
  {
    product: 'Cloudreve',
    published: [
      { id: 'CVE-2026-54563', url: 'https://www.cve.org/CVERecord?id=CVE-2026-54563' },
      {
        id: 'GHSA-w5fv-7x5q-g8qp',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-w5fv-7x5q-g8qp',
      },
    ],
    mistake: 'Encoded dots in a WebDAV URL leave the folder of the account',
    test: {
      file: 'apps/server/src/features/operations/webdav/webdav.int.test.ts',
      title: 'a key cannot leave its base path, with any path in a request',
    },
    mutant: dotsAfterTheCheck,
  },
  {
    product: 'Cloudreve',
    published: [
      {
        id: 'GHSA-49h3-cwhj-4737',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-49h3-cwhj-4737',
      },
    ],
    mistake: 'A header with a name is used as a path',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'the name of an upload is never used as a path, header, markup or command',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.models.ts',
        find: String.raw`    .replace(/^.*[\\/]/, '')
`,
        replace: '',
      },
      {
        file: 'apps/server/src/features/foundation/share-objects/share-keys.models.ts',
        find: 'const clean = cleanName(filename)',
        replace: 'const clean = filename',
      },
    ],
  },
  {
    product: 'Cloudreve',
    published: [
      { id: 'CVE-2026-77633', url: 'https://www.cve.org/CVERecord?id=CVE-2026-77633' },
      {
        id: 'GHSA-xj3h-wwxq-gfcj',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-xj3h-wwxq-gfcj',
      },
    ],
    mistake: 'Space is checked and reserved in two steps, so that concurrent uploads exceed it',
    test: {
      file: 'apps/server/src/features/capabilities/fs/uploads/fs-uploads.int.test.ts',
      title: 'two concurrent uploads cannot both use the last space',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/storage-usage/storage-usage.usecases.ts',
        find: '    size_bytes: heldBytes(claim),',
        replace: '    size_bytes: 0,',
      },
    ],
  },
  {
    product: 'Cloudreve',
    published: [
      {
        id: 'GHSA-w8j7-39hp-8x59',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-w8j7-39hp-8x59',
      },
    ],
    mistake: 'A name reported by a downloader leaves the target folder',
    test: {
      file: 'apps/server/src/features/capabilities/url-import/url-import.int.test.ts',
      title: 'a name from the source server is never used as a path',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/url-import/source.models.ts',
        find: "text.replace(/^.*[\\\\/]/, '').trim()",
        replace: 'text.trim()',
      },
    ],
  },
  {
    product: 'Cloudreve',
    published: [
      {
        id: 'GHSA-g9j2-8w95-3vwv',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-g9j2-8w95-3vwv',
      },
    ],
    mistake: 'A tiny file that claims to be a huge picture takes all memory',
    test: {
      file: 'apps/server/src/features/capabilities/thumbnails/thumbnails.int.test.ts',
      title: 'a file that is not a picture gets no thumbnail and does no harm',
    },
    mutant: [
      {
        file: 'apps/server/src/images/thumbnail-process.ts',
        find: 'sharp(source, { limitInputPixels, failOn',
        replace: 'sharp(source, { limitInputPixels: false, failOn',
      },
    ],
  },
  {
    product: 'Cloudreve',
    published: [
      { id: 'CVE-2026-25726', url: 'https://www.cve.org/CVERecord?id=CVE-2026-25726' },
      {
        id: 'GHSA-f8xp-wvcx-p6f4',
        url: 'https://github.com/cloudreve/cloudreve/security/advisories/GHSA-f8xp-wvcx-p6f4',
      },
    ],
    mistake: 'Secrets come from a predictable generator',
    test: {
      file: 'apps/server/src/sources.test.ts',
      title: 'unguessable values never come from Math.random',
    },
    mutant: [
      {
        file: 'apps/server/src/lib/ids.ts',
        find: 'customAlphabet(ALPHABET)',
        replace:
          "(length) => Array.from({ length }, () => ALPHABET[Math.floor(Math.random() * 62)]).join('')",
      },
    ],
  },
]
