import { registerRoute } from 'workbox-routing'
import { storeShare, MISSED } from '../domains/offline/incoming-shares.ts'
import { addressInApp, pathInApp } from './scope.ts'

const textOf = (form: FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Stores content from another app for the page that opens: texts for the editor, files for the upload page. */
async function takeShare(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const files = form.getAll('files').filter((value) => value instanceof File)
    const id = await storeShare({
      title: textOf(form, 'title'),
      text: textOf(form, 'text'),
      url: textOf(form, 'url'),
      files,
    })
    const page = files.length > 0 ? '/upload' : '/'
    return Response.redirect(addressInApp(`${page}?shared=${id}`), 303)
  } catch {
    return Response.redirect(addressInApp(`/?shared=${MISSED}`), 303)
  }
}

export function takeShares(): void {
  registerRoute(
    ({ url }) => pathInApp(url) === '/share-target',
    ({ request }) => takeShare(request),
    'POST',
  )
}
