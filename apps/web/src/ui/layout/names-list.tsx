import { useT } from '../../i18n/use-translation.ts'
import styles from './names-list.module.css'

const NAMES_SHOWN = 8

interface NamesListProps {
  names: readonly string[]
  /** Total number of names, if `names` contains only the first names. */
  count?: number
}

/** Shows the first names, and the number of further names. */
export function NamesList({ names, count = names.length }: NamesListProps) {
  const { t } = useT()
  const shown = names.slice(0, NAMES_SHOWN)
  return (
    <ul className={styles.names}>
      {shown.map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names may be equal, and are static
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
