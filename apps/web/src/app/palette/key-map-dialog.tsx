import { Fragment, useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { type KeyPlace, keyPlaces, keysOf } from '../../lib/keyboard/key-map.ts'
import { hasSingleKeys, readableParts, setSingleKeys } from '../../lib/keyboard/keys.ts'
import { CheckField } from '../../ui/forms/check-field.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import type { PanelProps } from '../layouts/quick-access.tsx'
import styles from './key-map.module.css'

/** Lists all keyboard shortcuts by context. */
export function KeyMapDialog({ onClose }: PanelProps) {
  const { t } = useT()
  const [isSingle, setSingle] = useState(hasSingleKeys)
  return (
    <Dialog title={t('palette.keyMap.title')} isWide onClose={onClose}>
      {/* This section gets the initial focus, so that arrow keys scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above */}
      <section className={styles.scroller} aria-label={t('palette.keyMap.title')} tabIndex={0}>
        <div className={styles.places}>
          {keyPlaces.map((place) => (
            <Place key={place} place={place} />
          ))}
        </div>
      </section>
      <div className={styles.single}>
        <CheckField
          label={t('palette.keyMap.single')}
          hint={t('palette.keyMap.singleHint')}
          isChecked={isSingle}
          onChange={(isOn) => {
            setSingleKeys(isOn)
            setSingle(isOn)
          }}
        />
      </div>
    </Dialog>
  )
}

function Place({ place }: { place: KeyPlace }) {
  const { t } = useT()
  const title = t(`palette.places.${place}`)
  return (
    <section className={styles.place} aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {keysOf(place).map(({ name, keys }) => (
          <div key={name}>
            <dt>{t(`palette.keys.${name}`)}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** A command with more keys than this number shows them as a range, such as `Ctrl Alt 1 … 6`. */
const SHOWN_MAX = 3

function Keys({ keys }: { keys: readonly string[] }) {
  const { t } = useT()
  const [first = ''] = keys
  const isRow = keys.length > SHOWN_MAX
  const shown = isRow ? [first, keys.at(-1)?.split('-').at(-1) ?? ''] : keys
  return shown.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && <span className={styles.or}>{isRow ? '…' : t('palette.keyMap.or')}</span>}
      <Key written={key} />
    </Fragment>
  ))
}

function Key({ written }: { written: string }) {
  const { t } = useT()
  return (
    <kbd className={styles.key}>
      {readableParts(written).map((part) => (
        <kbd key={part} className="dl-key">
          {part === 'Space' || part === 'ContextMenu' ? t(`palette.keyNames.${part}`) : part}
        </kbd>
      ))}
    </kbd>
  )
}
