import { systemClock } from '@dropleaf/uploader'
import { holdForOwner } from '../../../domains/session/session-owner.ts'
import { classifyUploadError } from '../../../domains/transfers/uploads/upload-calls.ts'
import { uploadLanes } from '../../../domains/transfers/uploads/upload-lanes.ts'
import { uploads as store } from '../../../domains/transfers/uploads/uploads.ts'
import { createUploadQueue } from './upload-queue.ts'
import { uploadTransport } from './upload-transport.ts'

/** The files of this tab to share. They outlive the page that shows them. */
export const uploads = createUploadQueue({
  store,
  lanes: uploadLanes,
  clock: systemClock,
  transport: uploadTransport,
  judge: classifyUploadError,
})

holdForOwner({ onGone: () => uploads.reset() })
