import { DisplayName } from '../../ui/layout/display-name.tsx'
import styles from './file-preview.module.css'

export function FactsList({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <DisplayName name={value.replaceAll(/\s+/g, ' ')} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
