import { type PointerEvent, type Ref, useRef, type MouseEvent } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { isAssistiveClick, isAssistivePointer } from './assistive-press.ts'
import type { Gesture, GestureView } from './gesture-model.ts'
import styles from './opening.module.css'

const RADIUS = 60

interface HoldButtonProps {
  ref: Ref<HTMLButtonElement>
  gesture: Gesture
  view: GestureView
  /** Id of the text that explains the gesture. */
  hintId: string
  /** Returns whether all required fields are filled in. If not, focuses the first field that is missing. */
  isReady: () => boolean
}

/** The kind of pointer that has pressed the button since the last click. */
type Press = 'none' | 'pointer' | 'assistive'

const isAssistive = ({ detail, nativeEvent }: MouseEvent, press: Press) => {
  const pointerType = 'pointerType' in nativeEvent ? String(nativeEvent.pointerType) : ''
  return press === 'assistive' || isAssistiveClick({ detail, pointerType }, press === 'pointer')
}

/** The button that opens a share when the user holds it. */
export function HoldButton({ ref, gesture, view, hintId, isReady }: HoldButtonProps) {
  const { t } = useT()
  const lastPress = useRef<Press>('none')
  const press = (event: PointerEvent<HTMLButtonElement>) => {
    lastPress.current = isAssistivePointer(event) ? 'assistive' : 'pointer'
    if (lastPress.current === 'assistive' || event.button !== 0 || !event.isPrimary) return
    // Releases the pointer. Browsers capture a touch pointer, and do not report when a captured pointer leaves the
    // button.
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      event.currentTarget.releasePointerCapture(event.pointerId)
    if (view.stage === 'idle' && isReady()) gesture.press(event.nativeEvent)
  }
  const click = (event: MouseEvent) => {
    const isKey = isAssistive(event, lastPress.current)
    lastPress.current = 'none'
    if (view.stage === 'idle' && (!isKey || isReady()))
      gesture.click({ isTrusted: event.nativeEvent.isTrusted, isVirtual: isKey })
  }
  return (
    <button
      ref={ref}
      type="button"
      className={styles.hold}
      data-stage={view.stage}
      aria-describedby={hintId}
      aria-disabled={view.stage !== 'idle'}
      onPointerDown={press}
      onPointerUp={({ nativeEvent }) => gesture.lift(nativeEvent)}
      onPointerLeave={() => gesture.leave()}
      onPointerCancel={() => gesture.leave()}
      onContextMenu={(event) => event.preventDefault()}
      onClick={click}
    >
      <svg className={styles.ring} viewBox="0 0 128 128" aria-hidden>
        <circle className={styles.track} cx="64" cy="64" r={RADIUS} pathLength="1" />
        <circle className={styles.fill} cx="64" cy="64" r={RADIUS} pathLength="1" />
      </svg>
      <span className={styles.disc}>{t('opening.open')}</span>
    </button>
  )
}
