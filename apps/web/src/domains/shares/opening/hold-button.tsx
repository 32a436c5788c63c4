import { type PointerEvent, type Ref, useRef, type MouseEvent } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import type { Gesture, GestureView } from './gesture-model.ts'
import styles from './opening.module.css'

const RADIUS = 60

interface HoldButtonProps {
  ref: Ref<HTMLButtonElement>
  gesture: Gesture
  view: GestureView
  /** Id of the text that says how. */
  hintId: string
  /** Returns whether everything is typed that opening needs. Otherwise points to what is missing. */
  isReady: () => boolean
}

/** Screen readers of phones send pointer events without an extent. */
const isVirtualPointer = ({ width, height }: PointerEvent) => width === 0 && height === 0

/** Whether a click came from a key, a switch or a screen reader. */
const isVirtualClick = ({ detail, nativeEvent }: MouseEvent) =>
  detail === 0 && !('pointerType' in nativeEvent && nativeEvent.pointerType)

/** The button that opens a share when it is held. */
export function HoldButton({ ref, gesture, view, hintId, isReady }: HoldButtonProps) {
  const { t } = useT()
  const isVirtual = useRef(false)
  const press = (event: PointerEvent<HTMLButtonElement>) => {
    isVirtual.current = isVirtualPointer(event)
    if (isVirtual.current || event.button !== 0 || !event.isPrimary) return
    // Browsers capture a finger, and then do not report that it leaves.
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      event.currentTarget.releasePointerCapture(event.pointerId)
    if (view.stage === 'idle' && isReady()) gesture.press(event.nativeEvent)
  }
  const click = (event: MouseEvent) => {
    const isKey = isVirtual.current || isVirtualClick(event)
    isVirtual.current = false
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
