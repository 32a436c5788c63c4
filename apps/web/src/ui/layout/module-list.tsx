import { IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { notify } from '../../lib/notices.ts'
import { FailedBanner } from '../feedback/failed-banner.tsx'
import { ModuleHeader } from './module-header.tsx'
import { SkeletonLines } from '../feedback/skeleton.tsx'
import { ToolButton } from '../buttons/tool-button.tsx'

interface ModuleListProps<Data> {
  title: string
  /** The listed data. */
  query: UseQueryResult<Data>
  /** Further queries, which are refreshed together with `query`. */
  more?: readonly UseQueryResult[]
  /** Buttons at the end of the first line. */
  actions?: ReactNode
  /** Content between the header and the list. */
  tools?: ReactNode
  isEmpty: (data: Data) => boolean
  /** Shown for an empty list. */
  empty: ReactNode
  children: (data: Data) => ReactNode
}

/** A module of the admin panel that shows a list. Handles loading and errors. */
export function ModuleList<Data>(props: ModuleListProps<Data>) {
  const { t } = useT()
  const { query, more = [], isEmpty } = props
  const { data } = query
  const queries = [query, ...more]
  const failed = queries.find(({ isError }) => isError)
  const refetch = () => Promise.all(queries.map((one) => one.refetch()))
  const refresh = async () => {
    const answers = await refetch()
    if (answers.every(({ isSuccess }) => isSuccess)) notify('success', t('table.refreshed'))
  }
  return (
    <>
      <ModuleHeader title={props.title}>
        <ToolButton
          label={t('table.refresh')}
          icon={<IconRefresh size={20} aria-hidden />}
          isBusy={query.isFetching}
          onClick={() => void refresh()}
        />
        {props.actions}
      </ModuleHeader>
      {props.tools}
      {failed && <FailedBanner error={failed.error} onRetry={() => void refetch()} />}
      {query.isPending && <SkeletonLines label={t('table.loading')} />}
      {data !== undefined && (isEmpty(data) ? props.empty : props.children(data))}
    </>
  )
}
