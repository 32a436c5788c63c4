import { registerRoute } from 'workbox-routing'
import { offlineDatabase, type IncomingShare } from '../lib/offline/database.ts'
import { randomId } from '../lib/random-id.ts'
import { addressInApp, pathInApp } from './scope.ts'

/** What nobody has taken for so long is forgotten. */
const KEPT_MS = 24 * 3600 * 1000

const textOf = (form: FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

async function keepShare(form: FormData): Promise<IncomingShare> {
  const database = offlineDatabase()
  const nowMs = Date.now()
  const share: IncomingShare = {
    id: randomId(),
    title: textOf(form, 'title'),
    text: textOf(form, 'text'),
    url: textOf(form, 'url'),
    files: form.getAll('files').filter((value) => value instanceof File),
    createdAtMs: nowMs,
  }
  await database.incomingShares
    .where('createdAtMs')
    .below(nowMs - KEPT_MS)
    .delete()
  await database.incomingShares.add(share)
  return share
}

/** What another app shares is kept here, and the page that opens takes it: texts the editor, files the upload page. */
async function takeShare(request: Request): Promise<Response> {
  try {
    const { id, files } = await keepShare(await request.formData())
    const page = files.length > 0 ? '/upload' : '/'
    return Response.redirect(addressInApp(`${page}?shared=${id}`), 303)
  } catch {
    return Response.redirect(addressInApp('/?shared=failed'), 303)
  }
}

export function takeShares(): void {
  registerRoute(
    ({ url }) => pathInApp(url) === '/share-target',
    ({ request }) => takeShare(request),
    'POST',
  )
}
