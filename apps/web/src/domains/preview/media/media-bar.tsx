import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import styles from './media-preview.module.css'
import { SmallSelect } from '../small-select.tsx'
import type { Subtitles } from './use-subtitles.ts'

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const

interface MediaBarProps {
  onSpeed: (speed: number) => void
  subtitles: Subtitles
}

export function MediaBar({ onSpeed, subtitles }: MediaBarProps) {
  const { t, language } = useT()
  const [speed, setSpeed] = useState(1)
  const change = (next: number) => {
    setSpeed(next)
    onSpeed(next)
  }
  return (
    <div className={styles.mediaBar}>
      <SmallSelect
        label={t('viewer.media.speed')}
        hasCaption
        value={String(speed)}
        options={SPEEDS.map((value) => ({
          value: String(value),
          label: `${formatNumber(value, language)}×`,
        }))}
        onChange={(value) => change(Number(value))}
      />
      {subtitles.files.length > 0 && (
        <SmallSelect
          label={t('viewer.media.subtitles')}
          hasCaption
          value={subtitles.chosen}
          options={[
            { value: '', label: t('viewer.media.noSubtitles') },
            ...subtitles.files.map(({ name, label }) => ({ value: name, label: label || name })),
          ]}
          onChange={subtitles.choose}
        />
      )}
      {subtitles.hasFailed && <span role="alert">{t('viewer.media.subtitlesFailed')}</span>}
    </div>
  )
}
