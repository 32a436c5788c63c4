import { pasteRoutes, type ReadablePaste } from '@dropleaf/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense, lazy, useState } from 'react'
import { routeUrl } from '../../../domains/api/route-url.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useOnLogout } from '../../../domains/session/use-on-logout.ts'
import { notify } from '../../../lib/notices.ts'
import { isOwner, useSession } from '../../../domains/session/session.ts'
import { can } from '../../../domains/session/stored-session.ts'
import { AskFirst, mayAsk } from '../../../domains/shares/opening/ask-first.tsx'
import { OfflineCopy } from '../../../domains/offline/components/offline-copy.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { isReadable } from '../api/paste-reply.ts'
import {
  afterTextShareChange,
  pasteKey,
  pasteQueries,
  readableFromDetail,
  readOwnPaste,
} from '../api/pastes.queries.ts'
import { PasteArticle } from '../components/reading/paste-article.tsx'
import { PasteFailure } from '../components/reading/paste-failure.tsx'
import { PasteLocked } from '../components/reading/paste-locked.tsx'
import { PasteTools } from '../components/reading/paste-tools.tsx'

const PasteEditor = lazy(async () => {
  const { PasteEditor: Editor } = await import('../components/editor/paste-editor.tsx')
  return { default: Editor }
})

const route = getRouteApi('/paste/$slug')

export function PastePage(): ReactNode {
  const { slug } = route.useParams()
  return <PasteBySlug key={slug} slug={slug} />
}

function PasteBySlug({ slug }: { slug: string }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const paste = useQuery(pasteQueries.bySlug(slug))
  const [goneError, setGoneError] = useState<unknown>(null)
  const [password, setPassword] = useState<string | null>(null)
  const [wasOpenedHere, setOpenedHere] = useState(false)
  const open = (opened: ReadablePaste, typed: string) => {
    setPassword(typed)
    queryClient.setQueryData(pasteKey(slug), opened)
  }
  useOnLogout(() => {
    if (password === null) return
    setPassword(null)
    void queryClient.resetQueries({ queryKey: pasteKey(slug) })
  })
  const error = goneError ?? paste.error
  const retry = () => void paste.refetch()
  if (mayAsk(error)) {
    return (
      <AskFirst
        place={{ kind: 'paste', slug }}
        error={error}
        onOpen={({ kind, contents }) => {
          if (kind !== 'paste') return
          setOpenedHere(true)
          setGoneError(null)
          queryClient.setQueryData(pasteKey(slug), contents)
        }}
        onDirect={retry}
        renderFailure={(failure, onRetry) => <PasteFailure error={failure} onRetry={onRetry} />}
      />
    )
  }
  if (error) return <PasteFailure error={error} onRetry={retry} />
  if (!paste.data) return <PasteSkeleton label={t('common.loading')} />
  if (!isReadable(paste.data)) {
    return <PasteLocked slug={slug} remark={paste.data.remark} onOpen={open} onGone={setGoneError} />
  }
  return <OpenPaste paste={paste.data} password={password} wasOpenedHere={wasOpenedHere} onReload={retry} />
}

function PasteSkeleton({ label }: { label: string }) {
  return (
    <div className="dl-paste">
      <SkeletonLines label={label} />
    </div>
  )
}

interface OpenPasteProps {
  paste: ReadablePaste
  password: string | null
  /** Whether the reader has just opened the share on this page. The focus then moves to the text. */
  wasOpenedHere: boolean
  onReload: () => void
}

/** Keeps the editor open after the session has expired, so that unsaved changes stay until the user leaves. */
function OpenPaste({ paste, password, wasOpenedHere, onReload }: OpenPasteProps) {
  const { t } = useT()
  const session = useSession()
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const [isEditing, setEditing] = useState(false)
  const [wasEdited, setWasEdited] = useState(false)
  const mayEdit = can(session, 'text') && isOwner(session, paste.created_by)
  const edit = () => {
    setEditing(true)
    setWasEdited(true)
  }
  const showSaved = async (saved: ReadablePaste) => {
    setEditing(false)
    queryClient.setQueryData(pasteKey(saved.slug), saved)
    afterTextShareChange(queryClient)
    if (saved.slug === paste.slug) return
    await navigate({ to: '/paste/$slug', params: { slug: saved.slug }, replace: true, ignoreBlocker: true })
    queryClient.removeQueries({ queryKey: pasteKey(paste.slug) })
  }
  const showNew = async () => {
    afterTextShareChange(queryClient)
    try {
      queryClient.setQueryData(pasteKey(paste.slug), readableFromDetail(await readOwnPaste(paste.slug)))
    } catch (error) {
      notify('error', t('textView.versions.notShown', { reason: errorText(error) }))
    }
  }
  if (isEditing) {
    return (
      <Suspense fallback={<PasteSkeleton label={t('paste.editing.loading')} />}>
        <PasteEditor
          slug={paste.slug}
          onCancel={() => setEditing(false)}
          onSaved={(saved) => void showSaved(saved)}
        />
      </Suspense>
    )
  }
  return (
    <PasteArticle
      key={paste.updatedAt}
      paste={paste}
      hasFocus={password !== null || wasOpenedHere || wasEdited}
      mark={
        <OfflineCopy
          url={routeUrl(pasteRoutes.read.path, { params: { slug: paste.slug } })}
          onReload={onReload}
        />
      }
      renderTools={(reading, hasOutline) => (
        <PasteTools
          paste={paste}
          password={password}
          reading={reading}
          hasOutline={hasOutline}
          owner={mayEdit ? { onEdit: edit, onRestored: () => void showNew() } : null}
        />
      )}
    />
  )
}
