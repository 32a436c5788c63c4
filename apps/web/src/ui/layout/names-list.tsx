import { useT } from '../../i18n/use-translation.ts'
import styles from './names-list.module.css'

const NAMES_SHOWN = 8

interface NamesListProps {
  names: readonly string[]
  /** How many there are, where `names` are only the first of them. */
  count?: number
}

/** The first of some names, and how many more there are. */
export function NamesList({ names, count = names.length }: NamesListProps) {
  const { t } = useT()
  const shown = names.slice(0, NAMES_SHOWN)
  return (
    <ul className={styles.names}>
      {shown.map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names may be alike, and do not move
        <li key={index}>
          <bdi className={styles.name} title={name}>
            {name}
          </bdi>
        </li>
      ))}
      {count > shown.length && <li>{t('common.andMore', { count: count - shown.length })}</li>}
    </ul>
  )
}
