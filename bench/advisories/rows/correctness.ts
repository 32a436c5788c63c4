import type { Row } from '../model.ts'

export const correctness: readonly Row[] = [
  {
    mistake: 'Views are read, incremented and written in three steps',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes.int.test.ts',
      title: 'a share of five views gives two hundred readers at once exactly five contents, then 410',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/pastes.repository.ts',
        find: `    const [row] = await takeView(this.#db, viewing)
    return row`,
        replace: `    const row = await this.#db
      .selectFrom('pastes')
      .selectAll()
      .where('slug', '=', viewing.slug)
      .where('password_hash', 'is', null)
      .where(isAlive(viewing.nowMs))
      .executeTakeFirst()
    if (!row) return undefined
    const views = row.views + 1
    await this.#db.updateTable('pastes').set({ views }).where('id', '=', row.id).execute()
    return { ...row, views }`,
      },
    ],
  },
  {
    mistake: 'A text that reaches its limit is removed separately from the response',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes-manage.int.test.ts',
      title: 'a used-up share answers 410 for a day after the sweep, then 404, and leaves no row',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/pastes.usecases.ts',
        find: 'const beforeMs = ctx.clock.nowMs() - TOMBSTONE_SECONDS * 1000',
        replace: 'const beforeMs = ctx.clock.nowMs() + TOMBSTONE_SECONDS',
      },
    ],
  },
  {
    mistake: 'Bodies of unlisted types become an empty object',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'are the same through every interface, with any declared type',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/uploads/uploads.routes.ts',
        find: "import multipart from '@fastify/multipart'",
        replace: `import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'`,
      },
      {
        file: 'apps/server/src/features/capabilities/files/uploads/uploads.routes.ts',
        find: `        sizeBytes: announcedBytes(request) ?? null,
        options: query,
        source: request.raw,`,
        replace: String.raw`        sizeBytes: null,
        options: query,
        source: /^(?:application\/(?:json|x-www)|multipart|text)/.test(request.headers['content-type'] ?? '')
          ? request.raw
          : Readable.from([Buffer.from('{}')]),`,
      },
    ],
  },
  {
    mistake: 'Bytes are parsed and serialised again in transit',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'are the same through every interface, with any declared type',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/uploads/uploads.routes.ts',
        find: `        sizeBytes: announcedBytes(request) ?? null,
        options: query,
        source: request.raw,`,
        replace: `        sizeBytes: null,
        options: query,
        source: request.raw.map((part) => Buffer.from(String(part))),`,
      },
    ],
  },
  {
    mistake: 'Whole files are buffered in memory',
    test: {
      file: 'packages/storage/src/disk/scale.int.test.ts',
      title: 'memory stays flat: 512 MiB written, copied and read take no more than 64 MiB',
    },
    mutant: [
      {
        file: 'packages/storage/src/disk/writing.ts',
        find: '    await receive(chunks, file, release)',
        replace: `    const gathered: Buffer[] = []
    for await (const chunk of chunks) gathered.push(Buffer.from(chunk))
    await receive(gathered, file)`,
      },
    ],
  },
  {
    mistake: 'A renamed folder loses files that could not be copied',
    test: {
      file: 'apps/server/src/features/capabilities/fs/transfers/transfers.int.test.ts',
      title: 'a folder of ${count} whose every 50th copy fails loses nothing, and a second run finishes it',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/transfer-objects.usecases.ts',
        find: '    if (!isExists(error)) throw error',
        replace: '    if (!isExists(error)) return { copy: pair.from, isRenamed: false }',
      },
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/transfer-objects.usecases.ts',
        find: `      if (!there || !(await isCopy(there, { copy: one.copy, from, target })))
        throw new AppError(fsErrors.changed)`,
        replace: '      if (!there) return void looked.sure.push(one)',
      },
    ],
  },
  {
    mistake: 'COPY and MOVE of the network drive do not overwrite',
    test: {
      file: 'apps/server/src/features/operations/webdav/webdav.int.test.ts',
      title: 'a copy replaces an existing resource only if Overwrite allows it, also between storages',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/webdav/transferring.usecases.ts',
        find: "mayReplace && (target.resource || !isConditional) ? 'replace' : 'fail'",
        replace: "'fail'",
      },
    ],
  },
  {
    mistake: 'Locks of the network drive cannot be used',
    test: {
      file: 'apps/server/src/features/operations/webdav/webdav.int.test.ts',
      title: 'locks block other clients, also below a folder, until they end',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/object-locks/locks.usecases.ts',
        find: `  if (keys.size === 0) return
`,
        replace: `  if (keys.size >= 0) return
`,
      },
    ],
  },
  {
    mistake: 'Unknown properties, and OPTIONS, are answered incorrectly',
    test: {
      file: 'apps/server/src/features/operations/webdav/webdav.int.test.ts',
      title: 'returns the requested properties, and the names of unknown ones',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/webdav/live-properties.models.ts',
        find: `      if (xml === null) absent.push(name)
      else present.push(xml)`,
        replace: '      if (xml !== null) present.push(xml)',
      },
    ],
  },
  {
    mistake: 'A missing file is a server error on the network drive',
    test: {
      file: 'apps/server/src/features/operations/webdav/clients.int.test.ts',
      title: 'litmus passes all of its tests',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/webdav/webdav-answers.http.ts',
        find: `  return STATUSES[spec.code] ?? status
`,
        replace: `  if (spec.code === fsErrors.not_found.code) return 500
  return STATUSES[spec.code] ?? status
`,
      },
    ],
  },
  {
    mistake: 'A copy to a name that is taken becomes invisible',
    test: {
      file: 'apps/server/src/features/capabilities/fs/transfers/transfers.int.test.ts',
      title: 'a taken name is numbered, skipped or replaced as requested',
    },
    mutant: [
      {
        file: 'packages/contract/src/fs/numbered-names.ts',
        find: 'yield `${bare}(${number})${extension}`',
        replace: 'yield `${bare}${extension}(${number})`',
      },
    ],
  },
  {
    mistake: 'Copies between storages are reported under a wrong name',
    test: {
      file: 'apps/server/src/features/capabilities/fs/transfers/transfers.int.test.ts',
      title: 'every object has a URL to read and one to write; the commit checks the objects',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/copying-across.usecases.ts',
        find: '    target: `${target.path}${slash}`,',
        replace: '    target: original,',
      },
    ],
  },
  {
    mistake: 'Search results lack the searched folder in their path',
    test: {
      file: 'apps/server/src/features/capabilities/search/search.int.test.ts',
      title: 'a mount, a folder, a level above mounts; inner mounts hide the files that they cover',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/search/search.usecases.ts',
        find: 'path: `${mount.mount_path}/${row.key}`',
        replace: 'path: `${mount.mount_path}/${nameOf(row.key)}`',
      },
    ],
  },
  {
    mistake: 'The second page of a search is the first one again',
    test: {
      file: 'apps/server/src/features/capabilities/search/search.int.test.ts',
      title: 'exact names are first, then prefixes, then the newest; pages are consecutive',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/search/search.usecases.ts',
        find: 'matches.slice(query.offset, end)',
        replace: 'matches.slice(0, limit)',
      },
    ],
  },
  {
    mistake: 'A search does not find new writes',
    test: {
      file: 'apps/server/src/features/capabilities/search/search.int.test.ts',
      title:
        'writes and removals by this server affect the search immediately, with and without cached results',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/object-index/storage-changes.usecases.ts',
        find: `      await changeIndex(ctx, { trx, configId, change })
`,
        replace: '',
      },
    ],
  },
  {
    mistake: 'A batch removal uses the storage of the first path for all',
    test: {
      file: 'apps/server/src/features/capabilities/fs/transfers/transfers.int.test.ts',
      title:
        'each path is removed from its own storage; failures are named, and a forbidden path stops the request',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/transfers/removing.usecases.ts',
        find: `  const { config } = o.place
  const group`,
        replace: `  const config = { id: 'all' }
  const group`,
      },
    ],
  },
  {
    mistake: 'A list ends at 1000 entries',
    test: {
      file: 'apps/server/src/features/capabilities/fs/listing/list.int.test.ts',
      title: 'a folder of ${many} is listed completely, in pages of the storage',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/listing/list-walk.usecases.ts',
        find: '    coming = page.nextCursor === null ? null : ask(page.nextCursor)',
        replace: '    coming = null',
      },
    ],
  },
  {
    mistake: 'A listing walks through each folder to compute its size',
    test: {
      file: 'apps/server/src/features/capabilities/fs/listing/list.int.test.ts',
      title: 'folders have the total size of everything below them',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/listing/listing.usecases.ts',
        find: '  const walked = await walkFolder(ctx, at)',
        replace: `  const walked = await walkFolder(ctx, at)
  for (const { key } of walked.folders) await at.driver.list({ prefix: key, limit: 1000 })`,
      },
    ],
  },
  {
    mistake: 'A search walks through the whole bucket for each page',
    test: {
      file: 'apps/server/src/features/capabilities/search/search.int.test.ts',
      title: 'before the index is complete the storage itself is searched, and the response reports it',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/search/search.usecases.ts',
        find: '  if (!isComplete) for (const row of',
        replace: '  for (const row of',
      },
    ],
  },
  {
    mistake: 'A path of a folder, or a missing path, is a server error',
    test: {
      file: 'apps/server/src/features/capabilities/fs/files/fs-files.int.test.ts',
      title: 'downloads of folders and missing files are refused',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/files/reading.usecases.ts',
        find: '  throw new AppError((await findFolder(place.driver, place.rest)) ? fsErrors.not_a_file : fsErrors.not_found)',
        replace: "  throw new Error('There is no such file.')",
      },
    ],
  },
  {
    mistake: 'Links expire at once, or with a cached link',
    test: {
      file: 'apps/server/src/features/capabilities/fs/files/fs-files.int.test.ts',
      title: 'the entry of a file has all fields, and its signed URLs work without a credential',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/fs/files/reading.usecases.ts',
        find: `  const expiresInSeconds = config.signature_expires_in
`,
        replace: `  const expiresInSeconds = 1 / config.signature_expires_in
`,
      },
    ],
  },
]
