import { errorText } from '../i18n/error-text.ts'
import { getSession } from '../domains/session/session.ts'
import { can } from '../domains/session/stored-session.ts'
import type { FileUploads } from '../domains/editor/uploads/upload-file.ts'

/** Lets text editors upload files without depending on a feature. */
export const fileUploads: FileUploads = {
  upload: async (file, options) => {
    const { shareFile } = await import('../domains/transfers/uploads/share-file.ts')
    return shareFile(file, options)
  },
  mayUpload: () => can(getSession(), 'file'),
  reasonOf: errorText,
}
