import type { Row } from '../model.ts'
import { namesAsPaths, passwordInLinks } from './shared.ts'

export const otherProducts: readonly Row[] = [
  {
    product: 'Zipline',
    published: [{ id: 'CVE-2026-126945', url: 'https://www.cve.org/CVERecord?id=CVE-2026-126945' }],
    mistake: 'A text is inserted as markup while its highlighter is loading',
    test: {
      file: 'e2e/hostile-text.spec.ts',
      title: 'hostile texts run nothing, open nothing, fetch nothing and do not navigate',
    },
    mutant: [
      {
        file: 'apps/web/src/domains/markdown/prose/enhance/code-blocks.ts',
        find: '  const html = await highlight(code.textContent, language).catch(() => null)',
        replace: `  code.innerHTML = code.textContent
  const html = await highlight(code.textContent, language).catch(() => null)`,
      },
    ],
  },
  {
    product: 'Zipline',
    published: [{ id: 'issue 874', url: 'https://github.com/diced/zipline/issues/874' }],
    mistake: 'A limit of N views serves N - 1',
    test: {
      file: 'apps/server/src/features/capabilities/files/public-files.int.test.ts',
      title: 'N views are served, N + 1 and later are 410 until the tombstone goes, then 404',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.models.ts',
        find: 'row.views >= row.max_views',
        replace: 'row.views + 1 >= row.max_views',
      },
    ],
  },
  {
    product: 'Zipline',
    published: [{ id: 'issue 584', url: 'https://github.com/diced/zipline/issues/584' }],
    mistake: 'A password disables the view limit',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title:
        'a password does not bypass the view limit, and the URLs of an open page do not outlive the share',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.usecases.ts',
        find: `  if (row.max_views === null) return
`,
        replace: `  if (row.max_views === null || row.password_hash !== null) return
`,
      },
    ],
  },
  {
    product: 'Zipline',
    published: [{ id: 'issue 817', url: 'https://github.com/diced/zipline/issues/817' }],
    mistake: 'The typed password stays in the URL',
    test: {
      file: 'apps/server/src/features/capabilities/files/public-files.int.test.ts',
      title: 'a locked share shows no address and no hash, and counts no view',
    },
    mutant: passwordInLinks,
  },
  {
    product: 'Zipline',
    published: [{ id: 'issue 679', url: 'https://github.com/diced/zipline/issues/679' }],
    mistake: 'The page of a share contains data of its creator’s account',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'of a share contains nothing about its owner, its storage or its password',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.presenters.ts',
        find: "import type { Needs } from '../../../context.ts'",
        replace: `import type { Needs } from '../../../context.ts'
import { keyNamesOf } from '../../foundation/identity/api-keys.usecases.ts'`,
      },
      {
        file: 'apps/server/src/features/capabilities/files/files.presenters.ts',
        find: `    created_by: row.created_by,
    ...(isLocked`,
        replace: `    created_by: (await keyNamesOf(ctx, [row.created_by]))(row.created_by) ?? null,
    ...(isLocked`,
      },
    ],
  },
  {
    product: 'FileCodeBox',
    published: [{ id: 'issue 351', url: 'https://github.com/vastsa/FileCodeBox/issues/351' }],
    mistake: 'A shared text runs its scripts in the reader’s browser',
    test: {
      file: 'e2e/hostile-text.spec.ts',
      title: 'hostile texts run nothing, open nothing, fetch nothing and do not navigate',
    },
    mutant: [
      {
        file: 'apps/web/src/domains/markdown/syntax/parser.ts',
        find: 'new createMarkdownIt({ html: false,',
        replace: 'new createMarkdownIt({ html: true,',
      },
      {
        file: 'apps/web/src/domains/markdown/render/sanitise.ts',
        find: 'within(surroundings, () => purifier().sanitize(html, { ...config, RETURN_DOM_FRAGMENT: true }))',
        replace: 'within(surroundings, () => document.createRange().createContextualFragment(html))',
      },
      {
        file: 'apps/web/src/domains/markdown/render/sanitise.ts',
        find: 'within(surroundings, () => purifier().sanitize(html, config))',
        replace: 'within(surroundings, () => html)',
      },
    ],
  },
  {
    product: 'FileCodeBox',
    published: [{ id: 'issue 349', url: 'https://github.com/vastsa/FileCodeBox/issues/349' }],
    mistake: 'The file name in a form writes anywhere on the server',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'a path in the name of a form part never leaves the target folder, with any spelling',
    },
    mutant: namesAsPaths,
  },
  {
    product: 'FileCodeBox',
    published: [{ id: 'issue 27', url: 'https://github.com/vastsa/FileCodeBox/issues/27' }],
    mistake: 'There is a default password for the administrator',
    test: {
      file: 'apps/server/src/first-start.int.test.ts',
      title: 'two first starts generate two different random passwords',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/auth.usecases.ts',
        find: 'ctx.config.adminPassword ?? randomText(GENERATED_PASSWORD_LENGTH)',
        replace: "ctx.config.adminPassword ?? 'dropleaf0administrat'",
      },
    ],
  },
  {
    product: 'Nextcloud',
    published: [
      {
        id: 'GHSA-mr7q-xf62-fw54',
        url: 'https://github.com/nextcloud/security-advisories/security/advisories/GHSA-mr7q-xf62-fw54',
      },
    ],
    mistake: 'Guesses through the network drive are not limited',
    test: {
      file: 'apps/server/src/features/operations/webdav/webdav.int.test.ts',
      title: 'password guesses are limited',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/authenticate.usecases.ts',
        find: `checkAdminAgain(ctx, { ...credential, network }, async () => {
    await ctx.throttles.count([addressRule(network)])
  })`,
        replace:
          'checkAdminAgain(ctx, { ...credential, network: crypto.randomUUID() }, async () => undefined)',
      },
    ],
  },
  {
    product: 'Nextcloud',
    published: [{ id: 'CVE-2021-22915', url: 'https://www.cve.org/CVERecord?id=CVE-2021-22915' }],
    mistake: 'Each address of an IPv6 network has its own attempts',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title:
        'behind one proxy only the address written by this proxy counts, not addresses written by its client',
    },
    mutant: [
      {
        file: 'apps/server/src/http/core/client-address.ts',
        find: 'return isIPv4(address) ? address : networkOf(address, 4)',
        replace: 'return address',
      },
    ],
  },
  {
    product: 'Nextcloud',
    published: [
      { id: 'CVE-2023-49792', url: 'https://www.cve.org/CVERecord?id=CVE-2023-49792' },
      {
        id: 'GHSA-5j2p-q736-hw98',
        url: 'https://github.com/nextcloud/security-advisories/security/advisories/GHSA-5j2p-q736-hw98',
      },
    ],
    mistake: 'A forged forwarding header resets the attempts',
    test: {
      file: 'apps/server/src/features/foundation/identity/auth.int.test.ts',
      title: 'without a trusted proxy a forged address in a header is ignored',
    },
    mutant: [
      {
        file: 'apps/server/src/app.ts',
        find: 'trustProxy: trustRule(ctx.config.trustProxy)',
        replace: 'trustProxy: true',
      },
    ],
  },
  {
    product: 'Nextcloud',
    published: [{ id: 'CVE-2021-41177', url: 'https://www.cve.org/CVERecord?id=CVE-2021-41177' }],
    mistake: 'Attempts are counted in a store that a default installation lacks',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title: 'are counted in the database: a restart lifts no block',
    },
    mutant: [
      {
        file: 'apps/server/src/throttles/throttles.ts',
        find: `  readonly #inTurn = createQueues()
`,
        replace: `  readonly #inTurn = createQueues()
  readonly #boot = crypto.randomUUID()
`,
      },
      {
        file: 'apps/server/src/throttles/throttles.ts',
        find: '.values({ key: rule.key, count: 1',
        replace: '.values({ key: this.#boot + rule.key, count: 1',
      },
      {
        file: 'apps/server/src/throttles/throttles.ts',
        find: "db.selectFrom('throttles').selectAll().where('key', '=', key)",
        replace: "db.selectFrom('throttles').selectAll().where('key', '=', this.#boot + key)",
      },
    ],
  },
  {
    product: 'Nextcloud',
    published: [{ id: 'CVE-2021-32678', url: 'https://www.cve.org/CVERecord?id=CVE-2021-32678' }],
    mistake: 'Limits on guessing are declared, but not enforced at some routes',
    test: {
      file: 'apps/server/src/features/foundation/identity/auth.int.test.ts',
      title: 'guesses through Basic and change-password count like those at the login',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/auth.usecases.ts',
        find: `    network: input.network,
  })
  if (!admin) throw new AppError(authErrors.wrong_current_password)`,
        replace: `    network: crypto.randomUUID(),
  })
  if (!admin) throw new AppError(authErrors.wrong_current_password)`,
      },
    ],
  },
  {
    product: 'Nextcloud',
    published: [{ id: 'CVE-2026-45691', url: 'https://www.cve.org/CVERecord?id=CVE-2026-45691' }],
    mistake: 'The network drive accepts one kind of credential as another',
    test: {
      file: 'apps/server/src/http/core/permissions.int.test.ts',
      title: 'a wrong, expired or revoked credential is refused everywhere',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/authenticate.usecases.ts',
        find: `  if (!admin) return null
`,
        replace: `  if (!admin) {
    const key = await findKeyActor(ctx, token)
    return key === 'unknown' ? null : key
  }
`,
      },
    ],
  },
  {
    product: 'Nextcloud',
    published: [{ id: 'NC-SA-2017-001', url: 'https://nextcloud.com/security/advisory/?id=NC-SA-2017-001' }],
    mistake: 'Re-sharing can add permissions',
    test: {
      file: 'apps/server/src/features/capabilities/fs/files/sharing.int.test.ts',
      title: 'paths that cannot be shared and callers without permission are refused',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/files/sharing.usecases.ts',
        find: `  if (!opens(actor, 'file')) throw new AppError(authErrors.forbidden)
`,
        replace: '',
      },
    ],
  },
  {
    product: 'kodbox',
    published: [{ id: 'CVE-2026-4831', url: 'https://www.cve.org/CVERecord?id=CVE-2026-4831' }],
    mistake: 'The list requires the password, the file does not',
    test: {
      file: 'apps/server/src/features/capabilities/files/public-files.int.test.ts',
      title: 'the URLs of the bytes require the password: 401 without, 403 wrong, 429 after twenty guesses',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.usecases.ts',
        find: 'if (row.password_hash !== null) {',
        replace: 'if (row.password_hash !== null && request.password) {',
      },
    ],
  },
  {
    product: 'Seafile',
    published: [{ id: 'CVE-2026-56768', url: 'https://www.cve.org/CVERecord?id=CVE-2026-56768' }],
    mistake: 'The archive of a folder lacks the folder’s check',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title:
        'cannot read, find, link, copy or change anything outside, through any interface and with any spelling',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/archives/archive.usecases.ts',
        find: "for (const path of paths) requireAccess(actor, path, 'read')",
        replace: "for (const path of paths) requireAccess(actor, path, 'navigate')",
      },
      {
        file: 'apps/server/src/features/capabilities/archives/archive.usecases.ts',
        find: "const { path: virtual, isFolder } = requireAccess(actor, path, 'read')",
        replace: "const { path: virtual, isFolder } = requireAccess(actor, path, 'navigate')",
      },
      {
        file: 'apps/server/src/features/capabilities/archives/archive.usecases.ts',
        find: "const { path: virtual } = requireAccess(actor, path, 'read')",
        replace: "const { path: virtual } = requireAccess(actor, path, 'navigate')",
      },
      {
        file: 'apps/server/src/features/capabilities/archives/archive.usecases.ts',
        find: "getPlace(ctx, actor, root.path, 'read')",
        replace: "getPlace(ctx, actor, root.path, 'navigate')",
      },
    ],
  },
  {
    product: 'ZFile',
    published: [{ id: 'issue 821', url: 'https://github.com/zfile-dev/zfile/issues/821' }],
    mistake: 'Listings respect the base path, downloads do not',
    test: {
      file: 'apps/server/src/features/capabilities/fs/places/confinement.int.test.ts',
      title:
        'cannot read, find, link, copy or change anything outside, through any interface and with any spelling',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/files/fs-files.routes.ts',
        find: 'await getFile(ctx, actorOf(request), query.path)',
        replace: "await getFile(ctx, { ...actorOf(request), kind: 'admin' } as never, query.path)",
      },
    ],
  },
  {
    product: 'Tiny File Manager',
    published: [{ id: 'CVE-2021-40964', url: 'https://www.cve.org/CVERecord?id=CVE-2021-40964' }],
    mistake: 'A path in an upload field leaves the folder',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'a path in the name of a form part never leaves the target folder, with any spelling',
    },
    mutant: namesAsPaths,
  },
  {
    product: 'Hasty Paste',
    published: [
      { id: 'GHSA-2cw9-vm9g-7qqg', url: 'https://github.com/enchant97/hasty-paste/releases/tag/v2.4.1' },
    ],
    mistake: 'The preview of an attachment runs its scripts',
    test: {
      file: 'e2e/preview-corpus.spec.ts',
      title: 'malicious files run nothing, and load nothing',
    },
    mutant: [
      {
        file: 'apps/web/src/domains/preview/safe-frame.tsx',
        find: `  const [isLoaded, setLoaded] = useState(false)
  return (`,
        replace: `  const [isLoaded, setLoaded] = useState(false)
  if (/<script/.test(html)) return <div dangerouslySetInnerHTML={{ __html: html }} />
  return (`,
      },
    ],
  },
]
