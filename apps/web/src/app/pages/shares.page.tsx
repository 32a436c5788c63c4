import type { ListedShare } from '@dropleaf/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { BundleEditor } from '../../features/bundle-editing/components/bundle-editor.tsx'
import { afterFileShareChange } from '../../features/files/api/files.queries.ts'
import { deleteFiles } from '../../features/files/api/manage-files.api.ts'
import { EditFileDialog } from '../../features/files/components/edit-file-dialog.tsx'
import { deletePastes } from '../../features/pastes/api/manage-pastes.api.ts'
import { afterTextShareChange } from '../../features/pastes/api/pastes.queries.ts'
import { PasteEditor } from '../../features/pastes/components/editor/paste-editor.tsx'
import { ALL_SHARES, deleteBundles } from '../../features/shares/api/shares.queries.ts'
import { passFocusToPage } from '../../ui/focus/focus.ts'
import { AllSharesPage } from '../../features/shares/pages/all-shares.page.tsx'

const DELETION_OF = { text: deletePastes, file: deleteFiles, bundle: deleteBundles }

/** Returns a function that refreshes the lists of all kinds of shares. */
function useRefresh() {
  const queryClient = useQueryClient()
  return () => {
    void queryClient.invalidateQueries({ queryKey: ALL_SHARES })
    afterTextShareChange(queryClient)
    afterFileShareChange(queryClient)
  }
}

/** Shows all shares in one table, or the editor of a bundle. */
export function SharesPage() {
  const { bundle } = useParams({ strict: false })
  const navigate = useNavigate()
  const refresh = useRefresh()
  if (bundle === undefined) return <Shares />
  return (
    <BundleEditor
      key={bundle}
      id={bundle}
      onChanged={refresh}
      onLeave={() => void navigate({ to: '/admin/$module', params: { module: 'shares' } })}
    />
  )
}

/**
 * The table of shares. The editor of a text replaces it, the editor of a file is a dialog, and the editor of a bundle
 * has a separate URL.
 */
function Shares() {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [edited, setEdited] = useState<ListedShare | null>(null)
  const [left, setLeft] = useState<string | null>(null)
  useEffect(() => passFocusToPage, [])
  const leave = () => {
    setLeft(edited?.id ?? null)
    setEdited(null)
  }
  const edit = (share: ListedShare) => {
    if (share.kind !== 'bundle') setEdited(share)
    else void navigate({ to: '/admin/shares/bundle/$bundle', params: { bundle: share.id } })
  }
  if (edited?.kind === 'text') {
    const onSaved = () => {
      refresh()
      leave()
    }
    return <PasteEditor slug={edited.slug} onCancel={leave} onSaved={onSaved} />
  }
  return (
    <>
      <AllSharesPage left={left} deletionOf={DELETION_OF} onEdit={edit} onChanged={refresh} />
      {edited?.kind === 'file' && (
        <EditFileDialog id={edited.id} onSaved={refresh} onClose={() => setEdited(null)} />
      )}
    </>
  )
}
