import type { ReadablePaste } from '@dropleaf/contract'
import { hasCode } from '../../../../lib/api-error.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../../lib/browser/page-title.ts'
import { UnlockForm } from '../../../../domains/shares/unlock-form.tsx'
import { unlockPaste } from '../../api/pastes.queries.ts'

interface PasteLockedProps {
  slug: string
  remark: string | null
  onOpen: (paste: ReadablePaste, password: string) => void
  onGone: (error: unknown) => void
}

const isGone = (error: unknown) => hasCode(error, 'paste.not_found', 'paste.expired', 'paste.used_up')

export function PasteLocked({ slug, remark, onOpen, onGone }: PasteLockedProps) {
  const { t } = useT()
  usePageTitle(remark ?? t('shell.titles.paste'))
  return (
    <UnlockForm
      title={remark ?? t('paste.locked.title')}
      text={remark === null ? null : t('paste.locked.title')}
      words={{
        password: t('paste.locked.password'),
        open: t('paste.locked.open'),
        missing: t('errors.paste.password_missing'),
      }}
      unlock={async (password) => onOpen(await unlockPaste(slug, password), password)}
      isGone={isGone}
      onGone={onGone}
    />
  )
}
