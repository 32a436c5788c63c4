import { ENDED_TASK_STATES, type Task, taskRoutes } from '@dropleaf/contract'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/api-client.ts'
import { getSession, onSessionEnd } from '../../session/session.ts'
import { noteFolderChanged, parentOf } from './changes.ts'

/**
 * Polling intervals with and without running tasks. While a component watches, polling continues without running tasks,
 * because other devices can start tasks.
 */
const BUSY_MS = 2000
const QUIET_MS = 20_000

const ENDED: ReadonlySet<string> = new Set(ENDED_TASK_STATES)
export const hasEnded = ({ state }: Pick<Task, 'state'>): boolean => ENDED.has(state)

let tasks: readonly Task[] = []
let failure: unknown = null
let watchers = 0
let timer: ReturnType<typeof setTimeout> | undefined
/** Number of changes made on this page. A response to an earlier request is discarded if this number has changed. */
let age = 0
const listeners = new Set<() => void>()
const endListeners = new Set<(task: Task) => void>()
/** Whether the first list has arrived. Tasks that have already ended in the first list are not announced. */
let isListed = false

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? [value] : [])

/** Returns the folders that a task changes, based on its request. */
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

/** Polls the server immediately, unless nobody is logged in. If the request fails, the previous list remains. */
export async function refreshTasks(): Promise<void> {
  if (getSession().kind === 'none') return
  const askedAt = age
  try {
    const { data } = await api(taskRoutes.list, { query: {} })
    failure = null
    if (askedAt === age) {
      publish(data.tasks)
      isListed = true
    }
  } catch (error) {
    failure = error
    publish(tasks)
  }
  schedule()
}

/** Adds a task from a 202 response and polls until the task ends. */
export function followTask(task: Task): void {
  put(task)
  schedule()
}

/**
 * Stops a task on the server.
 * @throws {ApiError}
 */
export async function cancelTask(id: string): Promise<void> {
  put((await api(taskRoutes.cancel, { params: { id } })).data)
  schedule()
}

/**
 * Restarts a task that did not succeed.
 * @throws {ApiError}
 */
export async function retryTask(id: string): Promise<void> {
  put((await api(taskRoutes.retry, { params: { id } })).data)
  schedule()
}

export async function forgetTasks(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await api(taskRoutes.remove, { params: { id } })
    age += 1
    publish(tasks.filter((task) => task.id !== id))
  }
}

/**
 * Starts polling. Use while a component is mounted.
 * @returns a function that stops the polling, unless another component watches or a task is running
 */
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
/**
 * Calls the listener for each task that ends.
 * @returns a function that unsubscribes
 */
export function onTaskEnded(listener: (task: Task) => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

const getFailure = () => failure
export const useServerTasks = (): readonly Task[] => useSyncExternalStore(subscribe, getTasks, getTasks)
/** The error of the last poll, or `null`. With an error, the list might be outdated. */
export const useTasksFailure = (): unknown => useSyncExternalStore(subscribe, getFailure, getFailure)

onSessionEnd(() => {
  clearTimeout(timer)
  failure = null
  isListed = false
  age += 1
  publish([])
})
