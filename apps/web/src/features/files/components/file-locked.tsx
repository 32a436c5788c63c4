import type { PublicFile } from '@dropleaf/contract'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { UnlockForm } from '../../../domains/shares/unlock-form.tsx'
import { unlockFile } from '../api/files.api.ts'
import { isGone } from './file-failure.tsx'

interface FileLockedProps {
  file: PublicFile
  slug: string
  onOpen: (file: PublicFile) => void
  onGone: (error: unknown) => void
}

export function FileLocked({ file, slug, onOpen, onGone }: FileLockedProps) {
  const { t } = useT()
  usePageTitle(file.filename)
  return (
    <UnlockForm
      title={showInvisible(file.filename)}
      text={t('files.view.locked.title')}
      words={{
        password: t('files.view.locked.password'),
        open: t('files.view.locked.open'),
        missing: t('errors.file.password_missing'),
      }}
      unlock={async (password) => onOpen(await unlockFile(slug, password))}
      isGone={isGone}
      onGone={onGone}
    />
  )
}
