import type { TestAnswer, TestClient } from './app.ts'
import { form } from './files.ts'

/** Sends a request that contains the path in one of its fields. */
export type FsDoor = (client: TestClient, path: string) => Promise<TestAnswer>

const get =
  (url: string, name = 'path', others: Record<string, string> = {}): FsDoor =>
  (client, path) =>
    client.call('GET', url, { query: { ...others, [name]: path } })
const send =
  (method: string, url: string, bodyOf: (path: string) => object): FsDoor =>
  (client, path) =>
    client.call(method, url, { body: bodyOf(path) })
const raw =
  (method: string, url: string, others: Record<string, string> = {}): FsDoor =>
  (client, path) =>
    client.call(method, url, {
      query: { ...others, path },
      payload: 'intruder',
      headers: { 'content-type': 'application/octet-stream' },
    })

export interface DoorTargets {
  /** A folder that the caller is allowed to use, in a mount. The folder contains `in.txt` and `sub/`. */
  readonly inside: string
  readonly configId: string
  readonly otherConfigId: string
  readonly mountId: string
  readonly otherMountId: string
  readonly fileId: string
  readonly uploadId: string
  readonly multipartPath: string
}

const readingDoors = ({ inside, mountId, otherMountId }: DoorTargets): Record<string, FsDoor> => ({
  list: get('/api/fs/list'),
  'list a page': get('/api/fs/list', 'path', { limit: '5', sort: 'size' }),
  get: get('/api/fs/get'),
  download: get('/api/fs/download'),
  link: get('/api/fs/file-link'),
  'search there': get('/api/fs/search', 'path', { q: 'undis', scope: 'directory' }),
  'search the mount': get('/api/fs/search', 'path', { q: 'undis', scope: 'mount', mount_id: mountId }),
  'search another mount': get('/api/fs/search', 'path', {
    q: 'undis',
    scope: 'mount',
    mount_id: otherMountId,
  }),
  'search everywhere': get('/api/fs/search', 'path', { q: 'undis' }),
  archive: send('POST', '/api/fs/archive', (path) => ({ paths: [path] })),
  'archive among others': send('POST', '/api/fs/archive', (path) => ({
    paths: [`${inside}/in.txt`, path],
  })),
  'archive by ticket': async (client, path) => {
    const ticket = await client.call('POST', '/api/fs/archive/ticket', { body: { paths: [path] } })
    return ticket.status < 300 ? client.call('GET', new URL(ticket.body.data.url).pathname) : ticket
  },
})

const pair = (sourcePath: string, targetPath: string) => ({ items: [{ sourcePath, targetPath }] })

const changingDoors = ({ inside, mountId }: DoorTargets): Record<string, FsDoor> => ({
  mkdir: send('POST', '/api/fs/mkdir', (path) => ({ path })),
  update: send('POST', '/api/fs/update', (path) => ({ path, content: 'intruder' })),
  'rename from': send('POST', '/api/fs/rename', (path) => ({ oldPath: path, newPath: `${inside}/x` })),
  'rename to': send('POST', '/api/fs/rename', (path) => ({ oldPath: `${inside}/in.txt`, newPath: path })),
  'rename a folder to': send('POST', '/api/fs/rename', (path) => ({
    oldPath: `${inside}/sub/`,
    newPath: `${path}/`,
  })),
  remove: send('DELETE', '/api/fs/batch-remove', (path) => ({ paths: [path] })),
  'remove among others': send('DELETE', '/api/fs/batch-remove', (path) => ({
    paths: [`${inside}/none`, path],
  })),
  'copy from': send('POST', '/api/fs/batch-copy', (path) => pair(path, `${inside}/copied`)),
  'copy from by the server': send('POST', '/api/fs/batch-copy', (path) => ({
    ...pair(path, `${inside}/copied`),
    server: true,
  })),
  'copy to': send('POST', '/api/fs/batch-copy', (path) => pair(`${inside}/in.txt`, path)),
  'replace by a copy': send('POST', '/api/fs/batch-copy', (path) => ({
    ...pair(`${inside}/in.txt`, path),
    conflict: 'overwrite',
  })),
  'commit a copy': send('POST', '/api/fs/batch-copy-commit', (path) => ({
    targetMountId: mountId,
    files: [{ targetPath: path, s3Path: 'known.txt' }],
  })),
  'move from': send('POST', '/api/fs/batch-move', (path) => pair(path, `${inside}/moved`)),
  'move to': send('POST', '/api/fs/batch-move', (path) => pair(`${inside}/in.txt`, path)),
})

const uploadingDoors = ({ inside, fileId, uploadId }: DoorTargets): Record<string, FsDoor> => ({
  'upload by form': (client, path) =>
    client.call(
      'POST',
      '/api/fs/upload',
      form([
        { name: 'path', value: path },
        { name: 'file', value: 'intruder', filename: 'known.txt' },
      ]),
    ),
  'upload raw': raw('PUT', '/api/fs/upload'),
  presign: send('POST', '/api/fs/presign', (path) => ({ path, fileName: 'known.txt', fileSize: 8 })),
  'presign by name': (client, path) =>
    client.call('POST', '/api/fs/presign', {
      body: { path: `${inside}/`, fileName: path || '..', fileSize: 8 },
    }),
  'commit an upload of another': send('POST', '/api/fs/presign/commit', (path) => ({
    fileId,
    targetPath: path,
  })),
  'begin parts': send('POST', '/api/fs/multipart/init', (path) => ({
    path,
    fileName: 'known.txt',
    fileSize: 8,
  })),
  'parts of another': get('/api/fs/multipart/parts', 'path', { uploadId }),
  'send a part of another': raw('POST', '/api/fs/multipart/part', {
    uploadId,
    partNumber: '1',
  }),
  'complete parts of another': send('POST', '/api/fs/multipart/complete', (path) => ({
    path,
    uploadId,
    fileName: 'known.txt',
    fileSize: 8,
  })),
  'abort parts of another': send('POST', '/api/fs/multipart/abort', (path) => ({
    path,
    uploadId,
    fileName: 'known.txt',
  })),
})

const sharingDoors = ({ configId, otherConfigId }: DoorTargets): Record<string, FsDoor> => ({
  'share into a folder': send('POST', '/api/s3/presign', (path) => ({
    s3_config_id: configId,
    filename: 'a.txt',
    path,
  })),
  'share into another storage': send('POST', '/api/s3/presign', (path) => ({
    s3_config_id: otherConfigId,
    filename: 'a.txt',
    path,
  })),
  'share in one call': (client, path) =>
    client.call('PUT', '/api/upload-direct/known.txt', {
      query: { s3_config_id: configId, path, original_filename: 'true' },
      payload: 'intruder',
      headers: { 'content-type': 'application/octet-stream' },
    }),
  'share from an address': send('POST', '/api/url/import', (path) => ({
    url: 'http://127.0.0.1:1/x',
    target_path: path,
  })),
})

/**
 * Returns every request that contains a path, once per path field, and every request that contains an upload session
 * of another user.
 */
export const fsDoors = (targets: DoorTargets): Record<string, FsDoor> => ({
  ...readingDoors(targets),
  ...changingDoors(targets),
  ...uploadingDoors(targets),
  ...sharingDoors(targets),
})
