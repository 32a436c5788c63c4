import { Button } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { IconExternalLink, IconRotateClockwise, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import type { PointerEvent, ReactNode, TouchEvent } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatPercent } from '../../lib/format.ts'
import { useT } from '../../i18n/use-translation.ts'
import { ToolButton } from '../buttons/tool-button.tsx'
import { fitZoom, isFit, moveBy, scaleTo, type Sizes, type Zoom } from './zoom-model.ts'
import styles from './zoom-picture.module.css'

interface ZoomPictureProps {
  url: string
  name: string
  /** Buttons after the zoom buttons. */
  tools?: ReactNode
  onFailed: () => void
  /** Called with the size of the image before rotation. */
  onSize?: (size: { width: number; height: number }) => void
}

const STEP = 1.5

interface Size {
  readonly width: number
  readonly height: number
}

interface Finger {
  readonly x: number
  readonly y: number
}

const between = (a: Finger, b: Finger) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const distance = (a: Finger, b: Finger) => Math.hypot(a.x - b.x, a.y - b.y)

/** Handles wheel, drag and pinch. Points are relative to the centre of the frame. */
function useGestures(frame: HTMLElement | null, change: (next: (zoom: Zoom, sizes: Sizes) => Zoom) => void) {
  const fingers = useRef(new Map<number, Finger>())
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Finger => {
    const box = frame?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0 }
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 }
  }
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015))
    const point = pointOf(event)
    change((zoom, sizes) => scaleTo(zoom, sizes, zoom.scale * factor, point))
  })
  useEffect(() => {
    // The listener is added directly to the element, because React's wheel listeners are passive.
    const listener = (event: WheelEvent) => onWheel(event)
    frame?.addEventListener('wheel', listener, { passive: false })
    return () => frame?.removeEventListener('wheel', listener)
  }, [frame])
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    fingers.current.set(event.pointerId, pointOf(event))
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = pointOf(event)
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    change((zoom, sizes) => {
      if (!other) return moveBy(zoom, sizes, { x: now.x - before.x, y: now.y - before.y })
      const factor = distance(now, other) / Math.max(1, distance(before, other))
      return scaleTo(zoom, sizes, zoom.scale * factor, between(now, other))
    })
  }
  const onPointerEnd = (event: PointerEvent) => fingers.current.delete(event.pointerId)
  return { onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd }
}

type Change = (next: (zoom: Zoom, sizes: Sizes) => Zoom) => void

/** State of the zoom. An image fits its frame until the user changes the zoom. */
function useZoom({ width: frameWidth, height: frameHeight }: Size) {
  const [natural, setNatural] = useState<Size | null>(null)
  const [chosen, setChosen] = useState<Zoom | null>(null)
  /** Number of clockwise quarter turns. It only increases, so that the animation never turns back. */
  const [turns, setTurns] = useState(0)
  const lying = natural && turns % 2 === 1 ? { width: natural.height, height: natural.width } : natural
  const sizes = lying && frameWidth > 0 && frameHeight > 0 ? { ...lying, frameWidth, frameHeight } : null
  const zoom = sizes && (chosen ? scaleTo(chosen, sizes, chosen.scale) : fitZoom(sizes))
  const change: Change = (next) => {
    if (!sizes) return
    setChosen((before) => {
      const after = next(before ?? fitZoom(sizes), sizes)
      return isFit(after, sizes) ? null : after
    })
  }
  const rotate = () => {
    setTurns(turns + 1)
    setChosen(null)
  }
  return { natural, setNatural, zoom, turns, isWhole: !sizes || !zoom || isFit(zoom, sizes), change, rotate }
}

const toggleFit = (now: Zoom, sizes: Sizes) => (isFit(now, sizes) ? scaleTo(now, sizes, 1) : fitZoom(sizes))

/** An image that can be zoomed by wheel, pinch, double click and buttons. */
export function ZoomPicture({ url, name, tools, onFailed, onSize }: ZoomPictureProps) {
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  const attach = useMergedRef(ref, setFrame)
  const { natural, setNatural, zoom, turns, isWhole, change, rotate } = useZoom({ width, height })
  const gestures = useGestures(frame, change)
  // If the whole image is visible, one finger swipes to the next file.
  const onTouchStart = (event: TouchEvent) => {
    if (!isWhole || event.touches.length > 1) event.stopPropagation()
  }
  return (
    <div className={styles.picture}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons below do the same */}
      <div
        ref={attach}
        className={styles.frame}
        data-zoomed={!isWhole || undefined}
        {...gestures}
        onDoubleClick={() => change(toggleFit)}
        onTouchStart={onTouchStart}
      >
        <img
          src={url}
          alt={name}
          draggable={false}
          decoding="async"
          style={
            natural && zoom
              ? {
                  width: natural.width,
                  height: natural.height,
                  transform: `translate(-50%, -50%) translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale}) rotate(${turns * 90}deg)`,
                }
              : { visibility: 'hidden' }
          }
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            // An SVG can lack a natural size.
            setNatural({ width: naturalWidth || 1000, height: naturalHeight || 1000 })
            onSize?.({ width: naturalWidth, height: naturalHeight })
          }}
          onError={onFailed}
        />
      </div>
      <ZoomTools url={url} scale={zoom?.scale ?? 1} isWhole={isWhole} onChange={change} onRotate={rotate}>
        {tools}
      </ZoomTools>
    </div>
  )
}

interface ZoomToolsProps {
  url: string
  scale: number
  isWhole: boolean
  onChange: Change
  onRotate: () => void
  children: ReactNode
}

function ZoomTools({ url, scale, isWhole, onChange, onRotate, children }: ZoomToolsProps) {
  const { t, language } = useT()
  const toggleLabel = t(isWhole ? 'preview.zoom.full' : 'preview.zoom.fit')
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('preview.zoom.tools')}>
      <ToolButton
        label={t('preview.zoom.smaller')}
        icon={<IconZoomOut size={20} aria-hidden />}
        onClick={() => onChange((now, sizes) => scaleTo(now, sizes, now.scale / STEP))}
      />
      <Button
        className={styles.scale}
        variant="subtle"
        color="gray"
        size="compact-md"
        title={toggleLabel}
        onClick={() => onChange(toggleFit)}
      >
        {formatPercent(scale, language)} <span className="dl-sr">{toggleLabel}</span>
      </Button>
      <ToolButton
        label={t('preview.zoom.larger')}
        icon={<IconZoomIn size={20} aria-hidden />}
        onClick={() => onChange((now, sizes) => scaleTo(now, sizes, now.scale * STEP))}
      />
      <ToolButton
        label={t('preview.zoom.rotate')}
        icon={<IconRotateClockwise size={20} aria-hidden />}
        onClick={onRotate}
      />
      {children}
      {/* Browsers do not open data URLs in a tab, so there is no link. */}
      {!url.startsWith('data:') && (
        <a
          className={styles.link}
          href={url}
          target="_blank"
          rel="noopener"
          title={t('preview.openInTab')}
          aria-label={t('preview.openInTab')}
        >
          <IconExternalLink size={20} aria-hidden />
        </a>
      )}
    </div>
  )
}
