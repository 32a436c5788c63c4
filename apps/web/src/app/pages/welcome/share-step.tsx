import { Button, Textarea } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { shareFile } from '../../../domains/transfers/uploads/share-file.ts'
import { usePublish } from '../../../features/pastes/components/editor/use-publish.ts'
import { shareAddress } from '../../../domains/shares/share-address.ts'
import { FirstLink } from '../../../features/welcome/components/first-link.tsx'
import styles from '../../../features/welcome/components/guide.module.css'
import { GuideStepPage } from '../../../features/welcome/components/guide-step.tsx'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { NO_OPTIONS } from '../../../domains/shares/share-options.ts'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { BackButton } from './back-button.tsx'
import type { StepProps } from './welcome.page.tsx'

interface Made {
  /** Name of the shared file; `null` for a text. */
  readonly name: string | null
  readonly address: string
}

/** Creates the first share from a text or a file. */
function useFirstShare() {
  const { t } = useT()
  const publishing = usePublish()
  const [isAnother, setAnother] = useState(false)
  const [text, setText] = useState('')
  const [file, setFile] = useState<{ made: Made | null; sending: string | null; failure: string | null }>({
    made: null,
    sending: null,
    failure: null,
  })
  const sendText = () => publishing.publish({ text, contentType: 'text/markdown', options: NO_OPTIONS })
  const sendFile = async (chosen: File) => {
    const { name } = chosen
    setFile({ made: null, sending: name, failure: null })
    try {
      const signal = AbortSignal.timeout(MAX_UPLOAD_MS)
      const { page } = await shareFile(chosen, { signal, onProgress: () => undefined })
      setFile({ made: { name, address: page }, sending: null, failure: null })
    } catch (error) {
      const failure = t('welcome.share.tooLate', { name, reason: errorText(error) })
      setFile({ made: null, sending: null, failure })
    }
  }
  const { result, error, isWaiting } = publishing
  const ofText: Made | null = result && { name: null, address: shareAddress(result.slug) }
  return {
    isAnother,
    text,
    setText,
    sendText,
    sendFile,
    made: file.made ?? ofText,
    sending: file.sending,
    isBusy: publishing.isBusy,
    isWaiting,
    failure: file.failure ?? (error === null ? null : errorText(error)),
    again: () => {
      setAnother(true)
      setText('')
      publishing.setResult(null)
      setFile({ made: null, sending: null, failure: null })
    },
  }
}

const MAX_UPLOAD_MS = 30 * 60_000

export function ShareStep({ hasFocus, onDone, onNext, onSkip, onBack }: StepProps) {
  const { t } = useT()
  const first = useFirstShare()
  const { made } = first
  const isMade = made !== null
  const note = useEffectEvent(onDone)
  useEffect(() => {
    if (isMade) note()
  }, [isMade])
  return (
    <GuideStepPage
      title={t('welcome.share.title')}
      text={t('welcome.share.text')}
      hasFocus={hasFocus}
      actions={
        <>
          <BackButton onBack={onBack} />
          {made ? (
            <>
              <Button variant="default" onClick={first.again}>
                {t('welcome.share.another')}
              </Button>
              <Button onClick={onNext}>{t('welcome.next')}</Button>
            </>
          ) : (
            <Button variant="default" onClick={onSkip}>
              {t('welcome.skip')}
            </Button>
          )}
        </>
      }
    >
      {made ? (
        <FirstLink
          title={
            made.name === null
              ? t('welcome.share.resultOfText')
              : t('welcome.share.resultText', { name: made.name })
          }
          address={made.address}
        />
      ) : (
        <ShareForm first={first} />
      )}
    </GuideStepPage>
  )
}

function ShareForm({ first }: { first: ReturnType<typeof useFirstShare> }) {
  const { t } = useT()
  const chooser = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void first.sendText()
  }
  return (
    <form className={styles.part} onSubmit={submit}>
      <Textarea
        ref={first.isAnother ? focusOnMount : undefined}
        label={t('welcome.share.field')}
        placeholder={t('welcome.share.placeholder')}
        autosize
        minRows={4}
        maxRows={12}
        value={first.text}
        onChange={(event) => first.setText(event.currentTarget.value)}
      />
      <div className={styles.chooser}>
        <Button
          type="submit"
          loading={first.isBusy}
          disabled={first.text.trim() === '' || first.sending !== null}
        >
          {t('welcome.share.create')}
        </Button>
        <span className={styles.or}>{t('welcome.share.or')}</span>
        <Button
          variant="default"
          leftSection={<IconFile size={18} aria-hidden />}
          loading={first.sending !== null}
          onClick={() => chooser.current?.click()}
        >
          {t('welcome.share.file')}
        </Button>
        <input
          ref={chooser}
          type="file"
          hidden
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? []
            if (chosen) void first.sendFile(chosen)
            // Clears the field, so that the same file can be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </div>
      <output className={styles.hint}>
        {first.sending !== null && t('welcome.share.sending', { name: first.sending })}
      </output>
      {first.isWaiting && <Banner tone="info">{t('errors.client.queued')}</Banner>}
      {first.failure !== null && <Banner tone="error">{first.failure}</Banner>}
    </form>
  )
}
