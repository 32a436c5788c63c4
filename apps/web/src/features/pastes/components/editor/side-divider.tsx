import { useRef } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { boundedWidth, OUTLINE_WIDTH_PX, rememberWidth } from '../../reading-settings.ts'
import styles from './side-divider.module.css'

interface SideDividerProps {
  widthPx: number
  onWidth: (widthPx: number) => void
}

const STEP_PX = 16

/** Divider between outline and text, moved by dragging or by arrow keys. */
export function SideDivider({ widthPx, onWidth }: SideDividerProps) {
  const { t } = useT()
  const start = useRef<{ readonly x: number; readonly widthPx: number } | null>(null)
  const step = (byPx: number) => {
    const next = boundedWidth(widthPx + byPx)
    onWidth(next)
    rememberWidth(next)
  }
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -STEP_PX,
    ArrowRight: STEP_PX,
    Home: -OUTLINE_WIDTH_PX.max,
    End: OUTLINE_WIDTH_PX.max,
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a movable divider is a control
    <hr
      className={styles.divider}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('textView.outlineWidth')}
      aria-valuenow={widthPx}
      aria-valuemin={OUTLINE_WIDTH_PX.min}
      aria-valuemax={OUTLINE_WIDTH_PX.max}
      onKeyDown={(event) => {
        const by = steps[event.key]
        if (by === undefined) return
        event.preventDefault()
        step(by)
      }}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, widthPx }
      }}
      onPointerMove={(event) => {
        const { current } = start
        if (current) onWidth(boundedWidth(current.widthPx + event.clientX - current.x))
      }}
      onPointerUp={() => {
        start.current = null
        rememberWidth(widthPx)
      }}
      onPointerCancel={() => {
        start.current = null
      }}
    />
  )
}
