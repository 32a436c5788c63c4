import { onSessionEnd } from '../../../lib/session.ts'
import { createUploadQueue } from './upload-queue.ts'
import { uploadTransport } from './upload-transport.ts'

/** The uploads of this tab. They outlive the page that shows them, and end with the session. */
export const uploads = createUploadQueue({ transport: uploadTransport })

onSessionEnd(() => {
  uploads.cancelAll()
  uploads.clear()
})

/** The browser asks before the tab is closed over running uploads. */
function askBeforeLeaving(event: BeforeUnloadEvent) {
  if (uploads.isBusy()) event.preventDefault()
}
window.addEventListener('beforeunload', askBeforeLeaving)
