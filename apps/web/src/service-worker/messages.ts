import { removeOthers } from '../domains/offline/copies/answers.ts'
import { findPlace } from '../domains/offline/copies/answer-places.ts'
import { offlineDatabase } from '../domains/offline/database.ts'
import { identityOf } from '../domains/offline/copies/identity.ts'
import { forgetCredentials } from '../domains/offline/queue/queue-store.ts'
import type { UncachedAnswer } from '../domains/offline/copies/uncached-answers.ts'
import type { WorkerMessage } from '../domains/offline/worker-messages.ts'
import type { PingAnswer } from '../domains/sealed/media/virtual-messages.ts'
import { setIdentity } from './current-identity.ts'
import { noteAnswer } from './reads.ts'
import { pathInApp, worker } from './scope.ts'
import { runningDownloads } from './virtual-files.ts'

/** Version of the worker, defined by the build. Changes if any file of the app changes. */
declare const __WORKER_VERSION__: string

async function cacheAnswers(answers: readonly UncachedAnswer[]): Promise<void> {
  for (const { url, authorization, ...answer } of answers) {
    const { searchParams } = new URL(url)
    const path = pathInApp(new URL(url))
    const place = path === null ? null : findPlace(path, searchParams)
    if (place) await noteAnswer(place, await identityOf(authorization), answer)
  }
}

async function changeIdentity(authorization: string | null): Promise<void> {
  const owner = await identityOf(authorization)
  setIdentity(owner)
  const database = offlineDatabase()
  // The page also deletes this data, unless it is closed right after the logout.
  if (authorization === null) await forgetCredentials(database)
  await removeOthers(database, owner)
}

async function obey(message: WorkerMessage, port: MessagePort | undefined): Promise<void> {
  switch (message.type) {
    case 'virtual-ping':
      port?.postMessage([...runningDownloads] satisfies PingAnswer)
      return
    case 'version':
      port?.postMessage(__WORKER_VERSION__)
      return
    case 'take-over':
      return worker.skipWaiting()
    case 'keep-answers':
      return cacheAnswers(message.answers)
    case 'identity':
      return changeIdentity(message.authorization)
    default:
      message satisfies never
  }
}

export function listenToPages(): void {
  worker.addEventListener('message', (event) => {
    const work = obey(event.data as WorkerMessage, event.ports[0])
    event.waitUntil(work.catch(() => undefined))
  })
}
