import { SHARE_STATES } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { apiKeyQueries } from '../../api/api-key-queries.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useSession } from '../../session/session.ts'
import type { TableSearch } from '../../../lib/table-search.ts'
import { SearchField } from '../../../ui/data-table/search-field.tsx'
import { PlainSelect } from '../../../ui/forms/plain-select.tsx'
import styles from './share-table.module.css'

interface ShareFiltersProps {
  search: TableSearch
  onChange: (change: Partial<TableSearch>) => void
  searchLabel: string
  children?: ReactNode
}

/** Filters for a table of shares. Only the administrator can filter by creator. */
export function ShareFilters({ search, onChange, searchLabel, children }: ShareFiltersProps) {
  const { t } = useT()
  const session = useSession()
  return (
    <search className={styles.filters}>
      <div className={styles.search}>
        <SearchField
          label={searchLabel}
          value={search.q ?? ''}
          onSearch={(q) => onChange({ q: q === '' ? undefined : q })}
        />
      </div>
      <FoldedFilters
        narrowing={[search.kind, search.state, search.protected, search.creator, search.storage]}
      >
        <FilterSelect
          label={t('shares.state.label')}
          all={t('shares.state.all')}
          value={search.state}
          options={SHARE_STATES.map((state) => ({ value: state, label: t(`shares.state.${state}`) }))}
          onChange={(state) => onChange({ state })}
        />
        <FilterSelect
          label={t('shares.protection.label')}
          all={t('shares.protection.all')}
          value={search.protected}
          options={(['yes', 'no'] as const).map((value) => ({
            value,
            label: t(`shares.protection.${value}`),
          }))}
          onChange={(isProtected) => onChange({ protected: isProtected })}
        />
        {session.kind === 'admin' && (
          <CreatorSelect value={search.creator} onChange={(creator) => onChange({ creator })} />
        )}
        {children}
      </FoldedFilters>
    </search>
  )
}

interface FoldedFiltersProps {
  /** Current values of the filters. */
  narrowing: readonly unknown[]
  children: ReactNode
}

/**
 * On phones, hides the filters behind a button, so that the first row is visible. The button shows the number of
 * active filters.
 */
export function FoldedFilters({ narrowing, children }: FoldedFiltersProps) {
  const { t, language } = useT()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const count = narrowing.filter((value) => value !== undefined).length
  return (
    <>
      <Button
        className={styles.fold ?? ''}
        variant={count > 0 ? 'light' : 'default'}
        leftSection={<IconFilter size={18} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? t('table.filtersSet', { number: formatNumber(count, language) }) : t('table.filters')}
      </Button>
      <div id={id} className={styles.folded} data-open={isOpen || undefined}>
        {children}
      </div>
    </>
  )
}

interface FilterSelectProps {
  label: string
  /** Label of the option that does not filter. */
  all: string
  value: string | undefined
  options: readonly { readonly value: string; readonly label: string }[]
  onChange: (value: string | undefined) => void
}

export function FilterSelect({ label, all, value, options, onChange }: FilterSelectProps) {
  const isGone = value !== undefined && !options.some((option) => option.value === value)
  return (
    <PlainSelect
      className={styles.select}
      aria-label={label}
      data-narrowing={value !== undefined || undefined}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {/* The URL can contain a value that no longer exists, such as a deleted key. It still gets an option. */}
      {isGone && <option value={value}>{value}</option>}
    </PlainSelect>
  )
}

function CreatorSelect({ value, onChange }: Pick<FilterSelectProps, 'value' | 'onChange'>) {
  const { t } = useT()
  const { data: keys = [] } = useQuery(apiKeyQueries.all())
  return (
    <FilterSelect
      label={t('shares.creator.label')}
      all={t('shares.creator.all')}
      value={value}
      options={[
        { value: 'admin', label: t('manage.administrator') },
        ...keys.map(({ id, name }) => ({ value: `apikey:${id}`, label: name })),
      ]}
      onChange={onChange}
    />
  )
}
