import type { PasteContentType } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { errorText } from '../../../../i18n/error-text.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { notify } from '../../../../lib/notices.ts'
import { fileNameOf } from '../../../../lib/browser/save-blob.ts'
import { useSession } from '../../../../domains/session/session.ts'
import { can } from '../../../../domains/session/stored-session.ts'
import type { TextDocument } from '../../../../domains/editor/document/text-document.ts'
import { isTooLargeToShare } from '../../../../domains/shares/text-size-limit.ts'
import { useSettledText } from '../../../../domains/editor/document/use-document-text.ts'
import { Banner } from '../../../../ui/feedback/message.tsx'

const DELAY_MS = 400

interface TooLargeProps {
  document: TextDocument
  contentType: PasteContentType
  remark: string
}

/** Warns that a text is too large to be sent, and offers to share it as a file. The draft stays. */
export function TooLarge({ document, contentType, remark }: TooLargeProps) {
  const { t } = useT()
  const session = useSession()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const text = useSettledText(document, DELAY_MS)
  if (!isTooLargeToShare(text)) return null
  const shareAsFile = async () => {
    setBusy(true)
    try {
      const { storeShare } = await import('../../../../domains/offline/incoming-shares.ts')
      const name = fileNameOf(remark, contentType === 'text/markdown' ? 'md' : 'txt', 'text')
      const file = new File([document.read()], name, { type: contentType })
      const shared = await storeShare({ title: '', text: '', url: '', files: [file] })
      await navigate({ to: '/upload', search: { shared } })
    } catch (error) {
      notify('error', errorText(error))
      setBusy(false)
    }
  }
  return (
    <Banner
      tone="error"
      actions={
        can(session, 'file') && (
          <Button size="compact-md" loading={isBusy} onClick={() => void shareAsFile()}>
            {t('home.shareAsFile')}
          </Button>
        )
      }
    >
      {t('errors.paste.content_too_large')}
    </Banner>
  )
}
