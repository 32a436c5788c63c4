import { ENDED_TASK_STATES, type Task, taskRoutes } from '@dropleaf/contract'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/api-client.ts'
import { getSession, onSessionEnd } from '../../session/session.ts'
import { noteFolderChanged, parentOf } from './changes.ts'

/** While anything runs, and while nothing does: tasks are started on other devices too. */
const BUSY_MS = 2000
const QUIET_MS = 20_000

const ENDED: ReadonlySet<string> = new Set(ENDED_TASK_STATES)
export const hasEnded = ({ state }: Pick<Task, 'state'>): boolean => ENDED.has(state)

let tasks: readonly Task[] = []
let failure: unknown = null
let watchers = 0
let timer: ReturnType<typeof setTimeout> | undefined
/** Grows with every change made here, so that an answer that was asked for before it is not believed. */
let age = 0
const listeners = new Set<() => void>()
const endListeners = new Set<(task: Task) => void>()
/** Whether the server has told of its tasks: those of the first list that have ended did so long ago. */
let isListed = false

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? [value] : [])

/** Folders whose listing a task changes, as far as its request tells. */
export function foldersOf({ request }: Pick<Task, 'request'>): string[] {
  const { items, paths, target_path: target } = (request ?? {}) as Record<string, unknown>
  const touched = [
    ...(Array.isArray(items) ? (items as Record<string, unknown>[]) : []).flatMap(({ source, target }) => [
      ...textOf(source),
      ...textOf(target),
    ]),
    ...(Array.isArray(paths) ? paths.flatMap(textOf) : []),
  ].map(parentOf)
  return [...new Set([...touched, ...textOf(target)])]
}

/** Moved on since it was last seen. */
const hasMoved = (before: Task | undefined, now: Task) =>
  before !== undefined && (before.state !== now.state || before.progress.doneItems !== now.progress.doneItems)

const wasRunning = (before: Task | undefined) => (before ? !hasEnded(before) : isListed)

function publish(next: readonly Task[]) {
  const known = new Map(tasks.map((task) => [task.id, task]))
  for (const task of next) {
    if (hasMoved(known.get(task.id), task)) foldersOf(task).forEach(noteFolderChanged)
  }
  const ended = next.filter((task) => hasEnded(task) && wasRunning(known.get(task.id)))
  tasks = next
  for (const listener of listeners) listener()
  for (const task of ended) for (const listener of endListeners) listener(task)
}

function put(task: Task) {
  age += 1
  const others = tasks.filter(({ id }) => id !== task.id)
  publish(
    others.length === tasks.length ? [task, ...tasks] : tasks.map((old) => (old.id === task.id ? task : old)),
  )
}

const isWanted = () => getSession().kind !== 'none' && (watchers > 0 || !tasks.every(hasEnded))

function schedule() {
  clearTimeout(timer)
  if (isWanted()) timer = setTimeout(() => void refreshTasks(), tasks.every(hasEnded) ? QUIET_MS : BUSY_MS)
}

/** Asks the server now. A failure is kept beside what was known before. */
export async function refreshTasks(): Promise<void> {
  const askedAt = age
  try {
    const { data } = await api(taskRoutes.list, { query: {} })
    failure = null
    if (askedAt === age) {
      publish(data.tasks)
      isListed = true
    }
  } catch (error) {
    // What was known before stays; the next turn asks again.
    failure = error
    publish(tasks)
  }
  schedule()
}

/** An answer came with HTTP 202 and a task: it is shown, and asked about until it ends. */
export function followTask(task: Task): void {
  put(task)
  schedule()
}

/** Stops a task on the server. @throws {ApiError} */
export async function cancelTask(id: string): Promise<void> {
  put((await api(taskRoutes.cancel, { params: { id } })).data)
  schedule()
}

/** Starts a task that did not succeed again. @throws {ApiError} */
export async function retryTask(id: string): Promise<void> {
  put((await api(taskRoutes.retry, { params: { id } })).data)
  schedule()
}

/** Forgets ended tasks: the one named, or each of those given. @throws {ApiError} */
export async function forgetTasks(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await api(taskRoutes.remove, { params: { id } })
    age += 1
    publish(tasks.filter((task) => task.id !== id))
  }
}

/** Keeps the list fresh for as long as somebody looks. @returns what ends it. */
export function watchTasks(): () => void {
  watchers += 1
  void refreshTasks()
  return () => {
    watchers -= 1
    schedule()
  }
}

export const getTasks = (): readonly Task[] => tasks

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Tells of each task of the server that ends. @returns what stops it. */
export function onTaskEnded(listener: (task: Task) => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

const getFailure = () => failure
export const useServerTasks = (): readonly Task[] => useSyncExternalStore(subscribe, getTasks, getTasks)
/** Why the list may be old, or `null`. */
export const useTasksFailure = (): unknown => useSyncExternalStore(subscribe, getFailure, getFailure)

onSessionEnd(() => {
  clearTimeout(timer)
  failure = null
  isListed = false
  age += 1
  publish([])
})
