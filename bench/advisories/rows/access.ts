import type { Row } from '../model.ts'

export const access: readonly Row[] = [
  {
    mistake: 'A commit of an upload registers any object of any storage',
    test: {
      file: 'apps/server/src/features/capabilities/fs/uploads/presign.int.test.ts',
      title: 'the commit identifies the upload by its id: its other fields must match the started upload',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/uploads/presign.usecases.ts',
        find: '    if ((hints[field] ?? real[field]) !== real[field])',
        replace: '    if (hints[field] === undefined && real[field] === undefined)',
      },
    ],
  },
  {
    mistake: 'One login to the network drive admits others without credentials',
    test: {
      file: 'apps/server/src/features/operations/webdav/webdav.int.test.ts',
      title: 'is accessible only to administrators and keys, with each form of credentials',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/login/login.routes.ts',
        find: "  app.decorateRequest('actor', null)",
        replace: `  let last: Actor | null = null
  app.decorateRequest('actor', null)`,
      },
      {
        file: 'apps/server/src/features/operations/login/login.routes.ts',
        find: 'const actor = await identify(ctx, request).catch(',
        replace: 'const known = await identify(ctx, request).catch(',
      },
      {
        file: 'apps/server/src/features/operations/login/login.routes.ts',
        find: `    if (!actor) {
      const refusal`,
        replace: `    const actor = known ?? last
    last = actor
    if (!actor) {
      const refusal`,
      },
    ],
  },
  {
    mistake: 'Overwriting deletes other users’ files, and does so before the new file is stored',
    test: {
      file: 'apps/server/src/features/capabilities/files/uploads/presign.int.test.ts',
      title: 'override replaces only a file of the caller, at the commit and not before',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/uploads/uploads.usecases.ts',
        find: '  const takesOwn = await takesOwnSlug(ctx, creatorOf(actor), input)',
        replace: `  const takesOwn = await takesOwnSlug(ctx, creatorOf(actor), input)
  if (takesOwn && input.slug !== null) {
    const old = await filesRepository(ctx.db).findBySlug(input.slug)
    if (old) await filesRepository(ctx.db).delete(old.id)
  }`,
      },
    ],
  },
  {
    mistake: 'Any key gets URLs to write to private storages',
    test: {
      file: 'apps/server/src/features/capabilities/files/uploads/presign.int.test.ts',
      title: 'a storage that a key may not use is 403, an unknown one 404; a dropped folder is 400',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/storage-configs/storage-configs.usecases.ts',
        find: "actor.kind === 'admin' || row.is_public === 1",
        replace: "actor.kind === 'admin' || row.is_public >= 0",
      },
    ],
  },
  {
    mistake: 'A search reveals names and sizes outside the base path',
    test: {
      file: 'apps/server/src/features/capabilities/search/search.int.test.ts',
      title: 'a key finds nothing outside its base path, and gets no cached results of others',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/search/search.models.ts',
        find: "  return rest === '' ? '' : `${rest}/`",
        replace: '  return rest',
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
    mistake: 'Dot segments pass a check of the path’s prefix',
    test: {
      file: 'apps/server/src/lib/paths.test.ts',
      title:
        'parent segments, hidden characters and unstorable names are refused in every spelling and position',
    },
    mutant: [
      {
        file: 'apps/server/src/lib/paths.ts',
        find: "!form.split('/').some((segment) => segment === '.' || segment === '..')",
        replace: String.raw`!/^\/?\.\.?(?:\/|$)/.test(form)`,
      },
    ],
  },
  {
    mistake: 'Copies and caches check neither path nor mount of a key',
    test: {
      file: 'apps/server/src/features/capabilities/fs/transfers/transfers.int.test.ts',
      title: 'a commit of a missing object, or of another key, is refused',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/copying.usecases.ts',
        find: `  requireItems(
    actor,
    files.map(({ targetPath }) => ({ source: targetPath, target: targetPath })),
    { isMove: true },
  )
  if (!(await visibleMounts(ctx, actor)).some((mount) => mount.id === targetMountId))
    throw new AppError(fsErrors.no_mount)
`,
        replace: '',
      },
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/copying.usecases.ts',
        find: `  const place = await getPlace(ctx, actor, targetPath, 'write')
  const key = keyAt`,
        replace: `  const place = await getPlace(ctx, { ...actor, kind: 'admin' } as Actor, targetPath, 'write')
  const key = keyAt`,
      },
    ],
  },
  {
    mistake: 'A key clears caches of mounts that it cannot see',
    test: {
      file: 'apps/server/src/features/operations/dashboard/dashboard.int.test.ts',
      title: 'a key clears only the caches of the mounts that it sees',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/dashboard/dashboard.usecases.ts',
        find: "if (actor.kind === 'admin') return id === null ? null : [id]",
        replace: "if (actor.kind === 'admin' || id !== null) return id === null ? null : [id]",
      },
    ],
  },
  {
    mistake: 'A response cached for one key is sent to another',
    test: {
      file: 'apps/server/src/features/capabilities/search/search.int.test.ts',
      title: 'a key finds nothing outside its base path, and gets no cached results of others',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/search/search.usecases.ts',
        find: '[callerOf(actor), within, paths, text, limit, query.offset]',
        replace: '[text, limit, query.offset]',
      },
    ],
  },
  {
    mistake: 'URLs are fetched for anybody, from any address',
    test: {
      file: 'apps/server/src/outbound/hostile-targets.int.test.ts',
      title: 'none of them gets a request, through any route',
    },
    mutant: [
      {
        file: 'apps/server/src/outbound/fetcher.ts',
        find: 'return isPublicAddress(address) || this.#allow.allowsAddress(address)',
        replace: 'return isIP(address) !== 0 || this.#allow.allowsAddress(address)',
      },
    ],
  },
  {
    mistake: 'A fetched URL is served to everybody, as a page of our origin',
    test: {
      file: 'apps/server/src/features/capabilities/url-import/url-import.int.test.ts',
      title: 'the proxy is available for a limited time to the caller, and sends the bytes as a download',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/url-import/url-import.routes.ts',
        find: `  forbidScripts(reply)
`,
        replace: '',
      },
      {
        file: 'apps/server/src/features/capabilities/url-import/url-import.routes.ts',
        find: "contentDisposition('attachment', name)",
        replace: "contentDisposition('inline', name)",
      },
    ],
  },
  {
    mistake: 'Stored secrets can be read with the database alone',
    test: {
      file: 'apps/server/src/features/foundation/storage-configs/storage-configs.int.test.ts',
      title: 'store their credentials encrypted and never return them',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/storage-configs/manage-configs.usecases.ts',
        find: ': ctx.secrets.seal(plain, credentialContext(config.id, field))',
        replace: ': plain',
      },
    ],
  },
  {
    mistake: 'The default secret is accepted',
    test: { file: 'apps/server/src/config/config.test.ts', title: 'published default secrets are refused' },
    mutant: [
      {
        file: 'apps/server/src/config/config.ts',
        find: '(text) => !KNOWN_SECRETS.has(text.toLowerCase())',
        replace: '(text) => text !== [...KNOWN_SECRETS].join()',
      },
    ],
  },
]
