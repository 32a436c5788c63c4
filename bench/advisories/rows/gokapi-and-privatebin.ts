import type { Row } from '../model.ts'
import { sessionInACookie } from './shared.ts'

export const gokapiAndPrivatebin: readonly Row[] = [
  {
    product: 'Gokapi',
    published: [{ id: 'CVE-2026-28683', url: 'https://www.cve.org/CVERecord?id=CVE-2026-28683' }],
    mistake: 'A directly linked SVG file runs its scripts in the product’s origin',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'shared content of any type never runs in the origin of the app, through any interface',
    },
    mutant: [
      {
        file: 'apps/server/src/http/bodies/security-headers.ts',
        find: `"sandbox; default-src 'none'; img-src`,
        replace: `"sandbox allow-scripts allow-same-origin; default-src 'none'; img-src`,
      },
    ],
  },
  {
    product: 'Gokapi',
    published: [
      { id: 'CVE-2026-29061', url: 'https://www.cve.org/CVERecord?id=CVE-2026-29061' },
      {
        id: 'GHSA-q658-hfpg-35qc',
        url: 'https://github.com/Forceu/Gokapi/security/advisories/GHSA-q658-hfpg-35qc',
      },
    ],
    mistake: 'Keys keep permissions that their owner has lost',
    test: {
      file: 'apps/server/src/features/foundation/identity/api-keys.int.test.ts',
      title: 'changed permissions apply from the next request on',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/api-keys.usecases.ts',
        find: 'export const apiKeySealContext',
        replace: 'const found = new Map<string, ApiKeyRow>()\nexport const apiKeySealContext',
      },
      {
        file: 'apps/server/src/features/foundation/identity/api-keys.usecases.ts',
        find: `  const row = await repository.findByFingerprint(ctx.secrets.fingerprint(key))
`,
        replace: `  const row = found.get(key) ?? (await repository.findByFingerprint(ctx.secrets.fingerprint(key)))
  if (row) found.set(key, row)
`,
      },
    ],
  },
  {
    product: 'Gokapi',
    published: [
      { id: 'CVE-2026-29060', url: 'https://www.cve.org/CVERecord?id=CVE-2026-29060' },
      {
        id: 'GHSA-m2hx-wjxc-9fp4',
        url: 'https://github.com/Forceu/Gokapi/security/advisories/GHSA-m2hx-wjxc-9fp4',
      },
    ],
    mistake: 'A user creates a key with more permissions than the user has',
    test: {
      file: 'apps/server/src/features/foundation/identity/api-keys.int.test.ts',
      title: 'a key cannot list, create or change keys, including itself',
    },
    mutant: [
      {
        file: 'packages/contract/src/administration/api-keys.ts',
        find: `    path: '/api/admin/api-keys',
    access: 'admin',
    summary: 'Create`,
        replace: `    path: '/api/admin/api-keys',
    access: 'file',
    summary: 'Create`,
      },
    ],
  },
  {
    product: 'Gokapi',
    published: [{ id: 'CVE-2026-30943', url: 'https://www.cve.org/CVERecord?id=CVE-2026-30943' }],
    mistake: 'Replacing a file deletes another user’s file',
    test: {
      file: 'apps/server/src/features/capabilities/files/uploads/presign.int.test.ts',
      title: 'override replaces only a file of the caller, at the commit and not before',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/uploads/uploads.usecases.ts',
        find: `  if (holder.created_by !== creator)
`,
        replace: `  if (holder.created_by !== creator && !replacesOwn)
`,
      },
    ],
  },
  {
    product: 'Gokapi',
    published: [{ id: 'CVE-2026-28682', url: 'https://www.cve.org/CVERecord?id=CVE-2026-28682' }],
    mistake: 'The state of running uploads is visible to every logged-in user',
    test: {
      file: 'apps/server/src/features/foundation/tasks/tasks.int.test.ts',
      title: 'a key cannot see, stop, retry or delete the tasks of another key',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/tasks/tasks.usecases.ts',
        find: "const ownerOf = (actor: Actor) => (actor.kind === 'admin' ? undefined : creatorOf(actor))",
        replace: "const ownerOf = (actor: Actor) => (actor.kind !== 'admin' ? undefined : creatorOf(actor))",
      },
    ],
  },
  {
    product: 'Gokapi',
    published: [
      { id: 'CVE-2025-48495', url: 'https://www.cve.org/CVERecord?id=CVE-2025-48495' },
      {
        id: 'GHSA-4xg4-54hm-9j77',
        url: 'https://github.com/Forceu/Gokapi/security/advisories/GHSA-4xg4-54hm-9j77',
      },
    ],
    mistake: 'The name of a key is inserted into a page as markup',
    test: {
      file: 'e2e/names-of-others.spec.ts',
      title: 'names with markup are shown as text',
    },
    mutant: [
      {
        file: 'apps/web/src/features/api-keys/pages/api-keys.page.tsx',
        find: `        <span className={styles.name} title={name}>
          {name}
        </span>`,
        replace:
          '        <span className={styles.name} title={name} dangerouslySetInnerHTML={{ __html: name }} />',
      },
    ],
  },
  {
    product: 'Gokapi',
    published: [
      { id: 'CVE-2025-48494', url: 'https://www.cve.org/CVERecord?id=CVE-2025-48494' },
      {
        id: 'GHSA-95rc-wc32-gm53',
        url: 'https://github.com/Forceu/Gokapi/security/advisories/GHSA-95rc-wc32-gm53',
      },
    ],
    mistake: 'The name of a file is inserted into a page as markup',
    test: {
      file: 'e2e/names-of-others.spec.ts',
      title: 'names with markup are shown as text',
    },
    mutant: [
      {
        file: 'apps/web/src/ui/layout/display-name.tsx',
        find: `      <bdi className={className} title={title}>
        {name}
      </bdi>`,
        replace:
          '      <bdi className={className} title={title} dangerouslySetInnerHTML={{ __html: name }} />',
      },
    ],
  },
  {
    product: 'Gokapi',
    published: [
      {
        id: 'GHSA-hcff-qv74-7hr4',
        url: 'https://github.com/Forceu/Gokapi/security/advisories/GHSA-hcff-qv74-7hr4',
      },
    ],
    mistake: 'Another site logs the browser in to an account of its choice',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title:
        'another site cannot act for a user: there are no cookies, and its forms are refused or have no user',
    },
    mutant: sessionInACookie,
  },
  {
    product: 'Gokapi',
    published: [
      {
        id: 'GHSA-qwc6-vc2v-2ggj',
        url: 'https://github.com/Forceu/Gokapi/security/advisories/GHSA-qwc6-vc2v-2ggj',
      },
    ],
    mistake: 'A body of any size is read into memory',
    test: {
      file: 'apps/server/src/http/bodies/bad-input.int.test.ts',
      title: 'a body above its limit is refused with 413',
    },
    mutant: [
      {
        file: 'apps/server/src/http/bodies/body-parsers.ts',
        find: '  const limit = request.routeOptions.bodyLimit',
        replace: '  const limit = 1024 * request.routeOptions.bodyLimit',
      },
    ],
  },
  {
    product: 'PrivateBin',
    published: [
      {
        id: 'GHSA-8j72-p2wm-6738',
        url: 'https://github.com/PrivateBin/PrivateBin/security/advisories/GHSA-8j72-p2wm-6738',
      },
      { id: 'issue 554', url: 'https://github.com/PrivateBin/PrivateBin/issues/554' },
    ],
    mistake: 'The name of an attachment is inserted into a page as markup',
    test: {
      file: 'e2e/names-of-others.spec.ts',
      title: 'names with markup are shown as text',
    },
    mutant: [
      {
        file: 'apps/web/src/features/files/components/file-view.tsx',
        find: '<DisplayName name={file.filename} />',
        replace: '<bdi dangerouslySetInnerHTML={{ __html: file.filename }} />',
      },
    ],
  },
  {
    product: 'PrivateBin',
    published: [
      { id: 'CVE-2022-24833', url: 'https://privatebin.info/reports/vulnerability-2022-04-09.html' },
      { id: 'issue 1047', url: 'https://github.com/PrivateBin/PrivateBin/issues/1047' },
    ],
    mistake: 'An opened attachment runs in the origin of the product',
    test: {
      file: 'e2e/preview-corpus.spec.ts',
      title: 'malicious files run nothing, and load nothing',
    },
    mutant: [
      {
        file: 'apps/web/src/domains/preview/safe-frame.tsx',
        find: `        sandbox=""
`,
        replace: `        sandbox="allow-scripts allow-same-origin"
`,
      },
    ],
  },
  {
    product: 'PrivateBin',
    published: [{ id: 'issue 174', url: 'https://github.com/PrivateBin/PrivateBin/issues/174' }],
    mistake: 'The client enforces that a text is read once, and may skip it',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes.int.test.ts',
      title: 'a share of five views gives two hundred readers at once exactly five contents, then 410',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/pastes.repository.ts',
        find: `      .where(isAlive(arg(({ nowMs }) => nowMs)))
      .where('opening'`,
        replace: "      .where('opening'",
      },
    ],
  },
  {
    product: 'PrivateBin',
    published: [{ id: 'issue 620', url: 'https://github.com/PrivateBin/PrivateBin/issues/620' }],
    mistake: 'A one-time text can be used up without its password',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes.int.test.ts',
      title: 'without the password the share returns everything except its text, and counts no view',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/reading-pastes.usecases.ts',
        find: "    if (row.password_hash !== null) return { kind: 'locked', row }",
        replace: `    if (row.password_hash !== null) {
      await repository.takeUnlockedView({ slug: visit.slug, nowMs: ctx.clock.nowMs() })
      return { kind: 'locked', row }
    }`,
      },
    ],
  },
]
