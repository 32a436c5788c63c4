import { ActionIcon } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/browser/clipboard.ts'
import { useT } from '../../i18n/use-translation.ts'
import { notify } from '../../lib/notices.ts'

interface Copying {
  /** True for two seconds after a copy. */
  isCopied: boolean
  /** @param said notice after success; omitted if a tick shows the success */
  copy: (text: string, said?: string) => Promise<void>
}

/** Copies text to the clipboard, and reports success or failure. */
export function useCopy(): Copying {
  const { t } = useT()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (text: string, said?: string) => {
    const hasWorked = await copyText(text)
    setCopied(hasWorked)
    if (!hasWorked) notify('error', t('common.copyFailed'))
    else if (said) notify('success', said, { topic: 'copied' })
  }
  return { isCopied, copy }
}

interface CopyButtonProps {
  text: string
  label: string
  /** Notice after success, for screens with several copy buttons. */
  said?: string
}

export function CopyButton({ text, label, said }: CopyButtonProps) {
  const { t } = useT()
  const { isCopied, copy } = useCopy()
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        title={label}
        onClick={() => void copy(text, said)}
      >
        {isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      </ActionIcon>
      {/* Announces the copy, because the button keeps its name. */}
      {!said && <output className="dl-sr">{isCopied && t('common.copied')}</output>}
    </>
  )
}
