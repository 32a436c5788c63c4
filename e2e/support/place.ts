import { randomUUID } from 'node:crypto'
import { fsFileRoutes, mountRoutes } from '@dropleaf/contract'
import type { Api } from './api.ts'

type Content = string | Uint8Array

/** A folder for one test, on any kind of storage. */
export interface Place {
  /** Path on the server, without a trailing slash. */
  readonly path: string
  readonly name: string
  /** URL of the folder in the explorer. */
  readonly address: string
  /** Creates files, and folders for names that end in a slash. Parents must come first. */
  readonly put: (files: Readonly<Record<string, Content>>) => Promise<void>
  /** Reads a file; returns `null` if it does not exist. */
  readonly read: (name: string) => Promise<Buffer | null>
  readonly readText: (name: string) => Promise<string | null>
  /** Whether the file exists, or the folder if the name ends in a slash. */
  readonly has: (name: string) => Promise<boolean>
}

interface PlaceOptions {
  readonly admin: Api
  readonly adminToken: string
  readonly origin: string
  /** Path of the mount that contains the folder. */
  readonly mountPath: string
}

/** Creates an empty folder with a unique name. */
export async function makePlace({ admin, adminToken, origin, mountPath }: PlaceOptions): Promise<Place> {
  const name = `place-${randomUUID().slice(0, 8)}`
  const path = `${mountPath}/${name}`
  const makeFolder = (folder: string) => admin.call(fsFileRoutes.mkdir, { body: { path: folder } })
  const upload = async (file: string, content: Content) => {
    const end = file.lastIndexOf('/')
    const form = new FormData()
    form.set('path', file.slice(0, end + 1))
    form.set('file', new Blob([content as Uint8Array<ArrayBuffer> | string]), file.slice(end + 1))
    const headers = { authorization: `Bearer ${adminToken}` }
    const answer = await fetch(`${origin}/api/fs/upload`, { method: 'POST', headers, body: form })
    if (!answer.ok) throw new Error(`${file}: ${answer.status} ${await answer.text()}`)
  }
  const find = (file: string) =>
    admin.call(fsFileRoutes.get, { query: { path: `${path}/${file}` } }).then(
      ({ data }) => data,
      () => null,
    )
  const read = async (file: string) => {
    const found = await find(file)
    return found?.download_url ? Buffer.from(await (await fetch(found.download_url)).arrayBuffer()) : null
  }
  await makeFolder(`${path}/`)
  return {
    path,
    name,
    address: `/mount-explorer${path}`,
    put: async (files) => {
      for (const [file, content] of Object.entries(files)) {
        if (file.endsWith('/')) await makeFolder(`${path}/${file}`)
        else await upload(`${path}/${file}`, content)
      }
    },
    read,
    readText: async (file) => (await read(file))?.toString() ?? null,
    has: async (file) => (await find(file)) !== null,
  }
}

/**
 * Mounts the same storage again, at a path inside the place. The folders above this path then cannot be deleted, moved
 * or copied as a whole.
 * @returns a function that removes the mount
 */
export async function mountIn(admin: Api, place: Place, folder: string): Promise<() => Promise<void>> {
  const { data: mounts } = await admin.call(mountRoutes.adminList)
  const around = mounts.find(({ mount_path }) => place.path.startsWith(`${mount_path}/`))
  const { data } = await admin.call(mountRoutes.create, {
    body: {
      name: `${place.name} ${folder}`,
      storage_type: 'S3',
      storage_config_id: around?.storage_config_id ?? '',
      mount_path: `${place.path}/${folder}`,
      remark: null,
      sort_order: null,
      cache_ttl: null,
    },
  })
  return async () => {
    await admin.call(mountRoutes.remove, { params: { id: data.id } })
  }
}
