import type { OpeningKind, OpeningState } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconClipboardText, IconFile, IconPackage } from '@tabler/icons-react'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import { useFieldError } from '../../../ui/forms/use-field-error.tsx'
import type { SharePlace } from './device.ts'
import type { Gesture, GestureStage, GestureView } from './gesture-model.ts'
import { HoldButton } from './hold-button.tsx'
import { type Keys, reportTrap } from './opening.api.ts'
import { PasswordKey, PinKey } from './key-fields.tsx'
import { failureOf, missingKey } from './opening-failure.ts'
import styles from './opening.module.css'
import { OwnShare } from './own-share.tsx'
import { useGesture } from './use-gesture.ts'

interface OpeningFormProps {
  place: SharePlace
  state: OpeningState
  open: (input: Keys & { intent: string }) => Promise<void>
  /** Called if the share is deleted, expired or used up, or if its required fields differ from `state`. */
  onStale: () => void
  onLeave: () => void
}

/** State of the typed password and PIN, and their errors. */
function useKeys(state: OpeningState) {
  const { requires_password: needsPassword, requires_pin: needsPin } = state
  const { t } = useT()
  const [password, setPassword] = useState('')
  const [pin, setPin] = useState('')
  const passwordError = useFieldError()
  const pinError = useFieldError()
  const isReady = () => {
    passwordError.clear()
    pinError.clear()
    const missing = missingKey({ password, pin }, state)
    if (missing === 'password') passwordError.refuse(t('errors.paste.password_missing'))
    else if (missing === 'pin') pinError.refuse(t('errors.share.pin_missing'))
    else if (missing === 'unfinishedPin') pinError.refuse(t('common.pin.invalid'))
    return missing === null
  }
  return {
    password: { value: password, onChange: setPassword, error: passwordError },
    pin: { value: pin, onChange: setPin, error: pinError },
    typed: { ...(needsPassword && { password }), ...(needsPin && { pin }) },
    isReady,
  }
}

/** Shows the required fields and the button that opens a share, but nothing of its contents. */
export function OpeningForm({ place, state, open, onStale, onLeave }: OpeningFormProps) {
  const { t } = useT()
  const keys = useKeys(state)
  const [failure, setFailure] = useState<unknown>(null)
  const [isChanged, setChanged] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { gesture, view } = useGesture(place, {
    open: async (intent) => {
      setFailure(null)
      setChanged(false)
      await open({ ...keys.typed, intent })
    },
    onFailure: (error) => {
      const meaning = failureOf(error, state)
      if (meaning === 'ended') onStale()
      else if (meaning === 'password' || meaning === 'pin') keys[meaning].error.refuse(errorText(error))
      else if (meaning === 'needs') {
        setChanged(true)
        onStale()
      } else {
        setFailure(error)
        button.current?.focus()
      }
    },
  })
  const first = state.requires_password
    ? keys.password.error.field
    : state.requires_pin
      ? keys.pin.error.field
      : button
  useEffect(() => focusOnMount(first.current), [first])
  const goOn = () =>
    (state.requires_pin && keys.pin.value === '' ? keys.pin.error.field : button).current?.focus()
  return (
    <section className={styles.page} aria-labelledby="opening-title">
      <Facts state={state} />
      {(state.requires_password || state.requires_pin) && (
        <div className={styles.fields}>
          {state.requires_password && <PasswordKey {...keys.password} onEnter={goOn} />}
          {state.requires_pin && <PinKey {...keys.pin} onEnter={() => button.current?.focus()} />}
        </div>
      )}
      {isChanged && (
        <div className={styles.banner} role="alert">
          <Banner tone="warning">{t('opening.needsChanged')}</Banner>
        </div>
      )}
      {failure !== null && (
        <div className={styles.banner}>
          <Banner tone="error">{errorText(failure)}</Banner>
        </div>
      )}
      <Act gesture={gesture} view={view} button={button} isReady={keys.isReady} onLeave={onLeave} />
      <OwnShare place={place} />
      <Trap place={place} gesture={gesture} />
    </section>
  )
}

const KINDS = {
  paste: { Icon: IconClipboardText, word: 'opening.text' },
  file: { Icon: IconFile, word: 'opening.file' },
  bundle: { Icon: IconPackage, word: 'opening.bundle' },
} as const satisfies Record<OpeningKind, object>

function Facts({ state }: { state: OpeningState }) {
  const { t, language } = useT()
  const { kind, views_left: left, expires_at: expiresAt, opened_at: openedAt } = state
  const { Icon, word } = KINDS[kind]
  const needs = needsOf(state)
  return (
    <>
      <span className={styles.icon}>
        <Icon size={28} aria-hidden />
      </span>
      <h1 className={styles.title} id="opening-title">
        {/* Each sentence is a separate element, so that lines break between sentences. */}
        <span>{t(word)}</span>{' '}
        {left !== null && <span>{left === 1 ? t('opening.once') : t('opening.times', { count: left })}</span>}
      </h1>
      {needs && <p className={styles.text}>{t(needs)}</p>}
      {expiresAt !== null && (
        <p className={styles.text}>
          {t('paste.expires', {
            date: formatDateTime(expiresAt, language),
            relative: formatRelative(expiresAt, language),
          })}
        </p>
      )}
      {openedAt !== null && (
        <div className={styles.banner}>
          <Banner tone="warning">
            {t('opening.openedBefore', { date: formatDateTime(openedAt, language) })}
          </Banner>
        </div>
      )}
    </>
  )
}

function needsOf({ requires_password: password, requires_pin: pin }: OpeningState) {
  if (password) return pin ? 'opening.needsBoth' : 'opening.needsPassword'
  return pin ? 'opening.needsPin' : null
}

interface ActProps {
  gesture: Gesture
  view: GestureView
  button: RefObject<HTMLButtonElement | null>
  isReady: () => boolean
  onLeave: () => void
}

const HINTS = {
  idle: 'opening.hold',
  holding: 'opening.keepHolding',
  held: 'opening.lift',
  waiting: 'opening.wait',
  confirming: 'opening.confirmHint',
  opening: 'opening.opening',
} as const satisfies Record<GestureStage, string>

/** The button that the user holds. A second button confirms for keyboard users. */
function Act({ gesture, view, button, isReady, onLeave }: ActProps) {
  const { t } = useT()
  const hintId = useId()
  const { stage, isTooShort } = view
  return (
    <>
      <HoldButton ref={button} gesture={gesture} view={view} hintId={hintId} isReady={isReady} />
      <p className={styles.hint} id={hintId} aria-live="polite">
        {t(stage === 'idle' && isTooShort ? 'opening.tooShort' : HINTS[stage])}
      </p>
      <p className={styles.keys}>{t('opening.keys')}</p>
      <div className={styles.actions}>
        <Button variant="subtle" color="gray" onClick={onLeave}>
          {t('opening.notNow')}
        </Button>
        {stage === 'confirming' && (
          <Button
            ref={(element) => element?.focus()}
            // A key that is held down repeats its events. Repeated events must not confirm.
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            onClick={({ nativeEvent }) => gesture.confirm(nativeEvent)}
          >
            {t('opening.confirm')}
          </Button>
        )}
      </div>
    </>
  )
}

/** A button that people cannot see. Only programs that activate every element of a page click this button. */
function Trap({ place, gesture }: { place: SharePlace; gesture: Gesture }) {
  const { t } = useT()
  const report = async () => {
    const { token } = await gesture.intent()
    await reportTrap(place, token)
  }
  return (
    <button
      type="button"
      className={styles.trap}
      tabIndex={-1}
      aria-hidden
      // Ignores errors, because a client without an intent cannot open the share anyway.
      onClick={() => void report().catch(() => undefined)}
    >
      {t('opening.open')}
    </button>
  )
}
