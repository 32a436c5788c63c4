import type { Row } from '../model.ts'

export const moreCorrectness: readonly Row[] = [
  {
    mistake: 'Errors of the caller are reported as server errors',
    test: {
      file: 'apps/server/src/http/bodies/bad-input.int.test.ts',
      title: 'a hostile value in any field of any body never ends in a server error',
    },
    mutant: [
      {
        file: 'apps/server/src/http/core/error-handler.ts',
        find: `      spec: requestErrors.invalid,
      status: 400,`,
        replace: `      spec: requestErrors.internal,
      status: 500,`,
      },
    ],
  },
  {
    mistake: 'Deleted entries are counted incorrectly',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes-manage.int.test.ts',
      title: 'clear-expired purges expired and used-up shares, and returns the correct number',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/pastes.repository.ts',
        find: 'return Number(result.numUpdatedRows)',
        replace: 'return ids.length > 0 ? 1 : 0',
      },
    ],
  },
  {
    mistake: 'A cache time of 0 is replaced by a default',
    test: {
      file: 'apps/server/src/features/foundation/mounts/mounts.int.test.ts',
      title: 'limits are inclusive, and a time of 0 stays 0',
    },
    mutant: [
      {
        file: 'packages/contract/src/core/wire.ts',
        find: '(value) => emptyToNull(toNumber(value)) ?? fallback',
        replace: '(value) => toNumber(value) || fallback',
      },
    ],
  },
  {
    mistake: 'Page and row numbers are not validated',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes-manage.int.test.ts',
      title: 'invalid page parameters are 400',
    },
    mutant: [
      {
        file: 'packages/contract/src/shares/paste-lists.ts',
        find: 'page: defaultInt({ min: 1, max: 1_000_000 }, 1)',
        replace: 'page: defaultInt({ min: -1_000_000, max: 1_000_000 }, 1)',
      },
    ],
  },
  {
    mistake: 'A suffix of null is a database error',
    test: {
      file: 'apps/server/src/features/capabilities/files/files.int.test.ts',
      title:
        'the suffix: taken 409, malformed or reserved 400, blank or null a random one, its own no conflict',
    },
    mutant: [
      {
        file: 'apps/server/src/db/free-slug.ts',
        find: 'await save(wanted ?? randomText(RANDOM_SLUG_LENGTH))',
        replace: 'await save(wanted as string)',
      },
    ],
  },
  {
    mistake: 'Times are not validated, and compared as texts',
    test: { file: 'packages/contract/src/core/wire.test.ts', title: 'an expiry is parsed as an instant' },
    mutant: [
      {
        file: 'packages/contract/src/core/wire.ts',
        find: '  const ms = Date.parse(hasZone ? iso : `${iso}Z`)',
        replace: '  const ms = Date.parse(hasZone ? iso.slice(0, 19) : iso)',
      },
    ],
  },
  {
    mistake: 'Capacity is counted with the sizes that clients announce',
    test: {
      file: 'apps/server/src/features/capabilities/files/uploads/upload-limits.int.test.ts',
      title:
        'a full storage refuses every kind of upload, and the error contains size, remaining space and capacity',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/uploads/signed-uploads.usecases.ts',
        find: '    maxBytes: body.size ?? reservation.maxBytes,',
        replace: '    maxBytes: body.size ?? Number.MAX_SAFE_INTEGER,',
      },
    ],
  },
  {
    mistake: 'Unfinished uploads occupy space forever',
    test: {
      file: 'apps/server/src/features/capabilities/files/uploads/presign.int.test.ts',
      title: 'an abandoned upload is refused and swept with its bytes, and its suffix is free again',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.jobs.ts',
        find: `    await dropAbandonedUploads(ctx, signal)
`,
        replace: '',
      },
    ],
  },
  {
    mistake: 'The size limit applies at only two of many routes',
    test: {
      file: 'apps/server/src/features/capabilities/files/uploads/upload-limits.int.test.ts',
      title: 'max_upload_size applies to every kind of upload, and to the bytes that arrive',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/storage-usage/storage-usage.usecases.ts',
        find: '  return roomOf(ctx, ctx.db, { claim, limit: await limitFor(ctx, claim) })',
        replace: '  return roomOf(ctx, ctx.db, { claim, limit: Number.POSITIVE_INFINITY })',
      },
    ],
  },
  {
    mistake: 'A row is deleted although its object could not be removed',
    test: {
      file: 'apps/server/src/features/capabilities/files/objects/removals.int.test.ts',
      title: 'objects that cannot be removed now are removed later',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/objects/removals.usecases.ts',
        find: `    for (const { key, error } of result.failed) for (const id of idsOf.get(key) ?? []) failed.set(id, error)
`,
        replace: '',
      },
    ],
  },
  {
    mistake: 'Expired shares stay unless somebody opens them',
    test: {
      file: 'apps/server/src/features/capabilities/files/public-files.int.test.ts',
      title:
        'an expired share is 410 through every interface, before and after the sweep; its suffix is free again',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.jobs.ts',
        find: `    await purgeOver(ctx, signal)
`,
        replace: '',
      },
    ],
  },
  {
    mistake: 'A renamed file loses its share',
    test: {
      file: 'apps/server/src/features/capabilities/fs/transfers/transfers.int.test.ts',
      title: 'a file gets its new name, and its share follows',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/transfer-objects.usecases.ts',
        find: `  await sharesMoved(ctx, { configId, toConfigId, moves })
`,
        replace: '',
      },
    ],
  },
  {
    mistake: 'A deleted storage leaves broken mounts',
    test: {
      file: 'apps/server/src/features/foundation/storage-configs/storage-configs.int.test.ts',
      title: 'a storage that files or mounts use is not deleted; the error has their numbers',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/storage-configs/manage-configs.usecases.ts',
        find: `      if (usage.files + usage.mounts > 0) throw inUse(usage)
`,
        replace: `      if (usage.files > 0) throw inUse(usage)
      await trx.updateTable('mounts').set({ storage_config_id: null }).where('storage_config_id', '=', id).execute()
`,
      },
    ],
  },
  {
    mistake: 'A changed storage keeps using URLs signed for its former settings',
    test: {
      file: 'apps/server/src/features/foundation/storage-configs/storage-configs.int.test.ts',
      title: 'a change applies to the next signed URL',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/share-links.usecases.ts',
        find: `    config.id,
    config.updated_at_ms,
    row.id,`,
        replace: `    config.id,
    row.id,`,
      },
      {
        file: 'apps/server/src/features/foundation/storage-configs/manage-configs.usecases.ts',
        find: `  await forgetCached(ctx.notices, id)
  if (isElsewhere)`,
        replace: '  if (isElsewhere)',
      },
    ],
  },
  {
    mistake: 'Two concurrent shares with one suffix are a database error',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes.int.test.ts',
      title: 'a taken suffix is 409, and of ten concurrent requests for one suffix exactly one succeeds',
    },
    mutant: [
      {
        file: 'apps/server/src/db/free-slug.ts',
        find: '      if (!isUniqueViolation(error)) throw error',
        replace: '      if (wanted !== null || !isUniqueViolation(error)) throw error',
      },
    ],
  },
  {
    mistake: 'File names in download headers contain escape sequences',
    test: {
      file: 'apps/server/src/lib/bytes.test.ts',
      title: 'a disposition is one line of ASCII from which the whole name can be parsed',
    },
    mutant: [
      {
        file: 'apps/server/src/lib/bodies/content-headers.ts',
        find: 'create(filename.toWellFormed(),',
        replace: 'create(encodeURIComponent(filename.toWellFormed()),',
      },
    ],
  },
  {
    mistake: 'Shared caches may store private files for a year',
    test: {
      file: 'apps/server/src/features/capabilities/fs/files/fs-files.int.test.ts',
      title: 'downloads are sent completely, in ranges or as 304, and are not cached publicly',
    },
    mutant: [
      {
        file: 'apps/server/src/http/bodies/send-file.ts',
        find: "cacheControl: 'private, no-cache'",
        replace: "cacheControl: 'public, max-age=31536000'",
      },
    ],
  },
  {
    mistake: 'Each use of a key writes to the database',
    test: {
      file: 'apps/server/src/features/foundation/identity/api-keys.int.test.ts',
      title: 'the time of the last use is stored at most once a minute',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/api-keys.usecases.ts',
        find: `if (row.last_used_at_ms === null || nowMs - row.last_used_at_ms >= LAST_USED_EVERY_MS)
    await`,
        replace: `if (nowMs >= LAST_USED_EVERY_MS)
    await`,
      },
    ],
  },
  {
    mistake: 'Routes for keys fail for an administrator',
    test: {
      file: 'apps/server/src/features/foundation/identity/auth.int.test.ts',
      title:
        'test/api-key returns the permissions of a key, and for the administrator all permissions in the same form',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/login/login.routes.ts',
        find: 'function presentKeyCheck(actor: Actor) {',
        replace: `function presentKeyCheck(actor: Actor) {
  if (actor.kind === 'admin') throw new AppError(authErrors.forbidden)`,
      },
    ],
  },
  {
    mistake: 'The schema is created while requests are already served',
    test: {
      file: 'apps/server/src/first-start.int.test.ts',
      title: 'the schema is created before the server can accept a request',
    },
    mutant: [
      {
        file: 'apps/server/src/context.ts',
        find: `    const applied = await migrateToLatest(database)
`,
        replace: `    const applied: string[] = []
    setTimeout(() => void migrateToLatest(database).catch(() => undefined), 1000)
`,
      },
    ],
  },
]
